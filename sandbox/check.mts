/**
 * Whether a provider's gateway speaks this contract, found out by reading operations alone: nothing is sent, no number is
 * looked up, nothing is changed. The key leaves only after the address has refused a made-up one as the contract says.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { z } from 'zod/v3';
import { isObject } from './checks.mts';
import { InputError } from './input.mts';
import { isLoopbackHost } from './loopback.mts';
import type { JsonObject } from './types.mts';

const KEY_VARIABLE = 'MESSAGING_GATEWAY_KEY';
const PATH = '/api/json.php';
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The result of a single check. */
export interface Finding {
  isGood: boolean;
  about: string;
  said: string;
}

/** There is no answer that could be read; the text says why. */
class NoAnswer extends Error {}

const refused = z.object({ success: z.literal(false), error: z.string() }).passthrough();
const taken = (data: z.ZodTypeAny) => z.object({ success: z.literal(true), data }).passthrough();
const payload = z.union([z.object({}).passthrough(), z.array(z.unknown())]);

/** Schema of the result of each operation that reads ("Result item"); fields that the contract leaves open are free. */
const readingOf = (id: number): Record<string, z.ZodTypeAny> => {
  const any = z.discriminatedUnion('success', [taken(payload), refused]);
  const ownId = z.coerce
    .string()
    .refine((given) => given === String(id), `has to be ${id}, which was asked for`);
  return {
    balance: any,
    sender: any,
    'template/list': any,
    'template/viber/list': any,
    // Nobody has sent this message.
    status: z.discriminatedUnion('success', [
      taken(payload),
      refused.extend({ data: z.object({ id: ownId }).passthrough() }),
    ]),
  };
};

/**
 * Looks at a gateway.
 * @param key gives the key, or an empty text to go on without; called once it is safe to send it
 * @param tell gets each finding as soon as it is known
 * @returns whether all that was looked at is as the contract says, and all of it was
 */
export async function check(
  baseUrl: string,
  key: () => Promise<string>,
  tell: (finding: Finding) => void,
): Promise<boolean> {
  let isGood = true;
  const note = (about: string, problem: string | undefined, said = ''): boolean => {
    isGood &&= problem === undefined;
    tell({ about, isGood: problem === undefined, said: problem ?? said });
    return problem === undefined;
  };
  try {
    const stranger = await post(baseUrl, `no-key-${randomUUID()}`, [{ type: 'balance' }]);
    const words = quoted(String(stranger.error));
    if (!note('Made-up key', problemOf(refused, stranger), `is refused: ${words}`)) return false;
    const apiKey = await key();
    if (apiKey === '') return note('Your key', 'none was given, so nothing else is looked at');
    const id = randomInt(2 ** 47, 2 ** 48 - 1);
    const reading = Object.entries(readingOf(id));
    const data = reading.map(([type]) => (type === 'status' ? { type, id } : { type }));
    const answer = await post(baseUrl, apiKey, data);
    if (answer.success === false) return note('Your key', `is refused: ${quoted(String(answer.error))}`);
    const results = z.object({ success: z.literal(true), data: z.array(z.unknown()).length(data.length) });
    if (!note('Your key', problemOf(results, answer), 'is let in')) return false;
    for (const [index, [type, schema]] of reading.entries()) {
      const item = (answer.data as unknown[])[index];
      const refusal =
        isObject(item) && item.success === false ? `is refused: ${quoted(String(item.error))}` : undefined;
      // Nobody has sent the message that `status` is asked about; any other answer has to be seen to be judged.
      const unseen = type === 'status' ? undefined : refusal;
      note(type, problemOf(schema, item) ?? unseen, refusal ?? 'is read');
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    note('Address', error.message);
  }
  return isGood;
}

/** The first difference of an answer from the contract, with its place. */
function problemOf(schema: z.ZodTypeAny, value: unknown): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return (
    issue && `is not as the contract says: ${['answer', ...issue.path].join('.')}: ${quoted(issue.message)}`
  );
}

/** A text from outside on one line, without what would steer a terminal, cut where it is long. */
function quoted(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return `"${line.length > 120 ? `${line.slice(0, 120)}…` : line}"`;
}

/**
 * Posts the envelope of the contract ("Request envelope"). Follows no redirect, since the key is in the body; where an answer
 * repeats the key, three stars take its place.
 * @throws NoAnswer
 */
async function post(baseUrl: string, auth: string, data: JsonObject[]): Promise<JsonObject> {
  const body = JSON.stringify({ auth, data });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(baseUrl + PATH, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    if (response.status >= 300 && response.status < 400) {
      throw new NoAnswer(`redirects to ${quoted(response.headers.get('location') ?? '')}: give that address`);
    }
    const text = await textOf(response);
    const value: unknown = JSON.parse(text, (_name, inner: unknown) =>
      typeof inner === 'string' ? inner.replaceAll(auth, '***') : inner,
    );
    if (isObject(value)) return value;
    throw new NoAnswer('answers with JSON that is no object');
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    if (error instanceof SyntaxError) throw new NoAnswer(`answers with something else than JSON at ${PATH}`);
    const { message, cause } = error as Error & { cause?: { code?: string } };
    throw new NoAnswer(`gives no answer: ${quoted(cause?.code ?? message)}`);
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new NoAnswer(`answers with more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Reads the address of a check, without the path that the contract puts behind it.
 * @throws InputError with one sentence for a person
 */
export function addressOf(args: string[]): string {
  const [text, ...more] = args;
  if (text === undefined || more.length > 0) {
    throw new InputError(
      `Say which address to check, and nothing else; the key is asked for, or taken from ${KEY_VARIABLE}`,
    );
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!url || !isSafe || url.username !== '' || url.search !== '') {
    throw new InputError(`The address has to be like https://api.example.com, not ${quoted(text)}`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(PATH) ? path.slice(0, -PATH.length) : path);
}

/** The key of the variable; else what a person types unseen; an empty text where nobody is there to be asked. */
export async function readKey(
  given = process.env[KEY_VARIABLE],
  input: NodeJS.ReadableStream & { isTTY?: boolean } = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  if (given !== undefined || !input.isTTY) return (given ?? '').trim();
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  // From here on the terminal shows nothing of what is typed: before, a key that is pasted at once would be seen.
  output.write('API key (it stays unseen): ');
  try {
    return await new Promise<string>((resolve) => {
      lines.on('close', () => resolve(''));
      lines.question('', (answer) => resolve(answer.trim()));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}

/** Runs a check for a person. Returns the exit status. */
export async function runCheck(args: string[]): Promise<number> {
  const address = addressOf(args);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`Checking ${address}: nothing is sent, looked up or changed.`);
  const isGood = await check(address, readKey, (finding) =>
    say(`  ${finding.isGood ? 'ok    ' : 'not ok'}  ${finding.about} ${finding.said}`),
  );
  say(isGood ? 'This looks like a gateway of this contract.' : 'Not all of it was seen, or is as the contract says.');
  return isGood ? 0 : 1;
}
