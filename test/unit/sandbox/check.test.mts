import { PassThrough } from 'node:stream';
import { addressOf, check, readKey } from '../../../sandbox/check.mts';
import type { Finding } from '../../../sandbox/check.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { startWebServer } from '../../support/web-server.mts';

const KEY = 'the-real-key-123';

/** Runs a check. `asked`: how often the key was asked for. */
async function checked(baseUrl: string, key = KEY) {
  const findings: Finding[] = [];
  let asked = 0;
  const give = () => Promise.resolve(((asked += 1), key));
  const isGood = await check(baseUrl, give, (finding) => findings.push(finding));
  const differing = findings
    .filter((finding) => !finding.isGood)
    .map(({ about, said }) => `${about} ${said}`);
  return { isGood, findings, differing, asked };
}

type Envelope = { auth: string; data: Array<{ type: string; id?: number }> };
type Item = Record<string, unknown>;

/** A gateway that answers as a function says; an answer that is text is sent as it is. */
async function checkedOf(answer: (envelope: Envelope) => unknown) {
  const bodies: string[] = [];
  const { url, close } = await startWebServer((response, { body }) => {
    bodies.push(body);
    const value = answer(JSON.parse(body) as Envelope);
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });
  const result = await checked(url);
  await close();
  return { ...result, bodies };
}

/** A good gateway whose answers to the right key a function changes. */
const otherwise = (change: (items: Item[]) => unknown) => (envelope: Envelope) => {
  if (envelope.auth !== KEY) return { success: false, error: 'Access denied' };
  return change(
    envelope.data.map(({ type, id }) =>
      type === 'status'
        ? { success: false, error: 'Not found', data: { id } }
        : // The contract shows no field of this payload.
          { success: true, data: { sum: '31.17' } },
    ),
  );
};

it('finds nothing to say against the sandbox, and changes nothing there', async () => {
  const sandbox = await startSandbox({ key: KEY });
  const { isGood, findings } = await checked(sandbox.baseUrl);
  expect(findings.filter((finding) => !finding.isGood)).toEqual([]);
  expect([isGood, findings.length]).toEqual([true, 7]);
  await sandbox.settled();
  expect(sandbox.counts()).toMatchObject({ accepted: 0, callbacksPending: 0 });
  await sandbox.close();
});

it.each<[string, (envelope: Envelope) => unknown, RegExp]>([
  ['a web page', () => '<!doctype html>', /^Address answers with something else than JSON/],
  ['JSON of another shape', () => ({ status: 'ok' }), /^Made-up key is not .+ answer\.success/],
  ['success, whatever the key', () => ({ success: true }), /^Made-up key is not .+ answer\.success/],
  [
    'a payload that is none',
    otherwise((data) => ({ success: true, data: [{ success: true, data: '3' }, ...data.slice(1)] })),
    /^balance is not .+ answer\.data/,
  ],
  [
    'one result for five operations',
    otherwise((data) => ({ success: true, data: data.slice(0, 1) })),
    /^Your key is not .+ answer\.data/,
  ],
  [
    'a status without the id',
    otherwise((data) => ({ success: true, data: data.map((item) => ({ ...item, data: {} })) })),
    /^status is not .+ answer\.data\.id: "has to be \d+, which was asked for"/,
  ],
  [
    'a key that is let in, and may read nothing',
    otherwise((data) => ({
      success: true,
      data: data.map((item) => ({ data: {}, ...item, success: false, error: 'Access denied' })),
    })),
    /^balance is refused: "Access denied"$/,
  ],
  ['a refused key', otherwise(() => ({ success: false, error: 'No' })), /^Your key is refused: "No"$/],
])('says in a sentence what is wrong with %s', async (_what, answer, sentence) => {
  const { isGood, differing } = await checkedOf(answer);
  expect([isGood, differing[0]]).toEqual([false, expect.stringMatching(sentence)]);
});

it('keeps the key from an address that does not refuse a made-up one as the contract says', async () => {
  for (const answer of ['no JSON', { success: true, data: [] }, { ok: true }]) {
    const { asked, bodies } = await checkedOf(() => answer);
    expect([asked, bodies.length]).toEqual([0, 1]);
  }
});

it('follows no redirect with a key, and says where it leads', async () => {
  const { url, close } = await startWebServer((response) => {
    response.writeHead(307, { location: 'https://elsewhere.example/' }).end();
  });
  const { differing, asked } = await checked(url);
  await close();
  expect([differing, asked]).toEqual([[expect.stringContaining('"https://elsewhere.example/"')], 0]);
});

it('says that nobody answers, and reads only so much of an answer', async () => {
  const { url, close } = await startWebServer((response) => response.end('x'.repeat(2 * 1024 * 1024)));
  expect((await checked(url)).differing).toEqual([expect.stringContaining('more than 1048576 bytes')]);
  await close();
  expect((await checked(url)).differing).toEqual(['Address gives no answer: "ECONNREFUSED"']);
});

it('shows neither the key that a gateway repeats, nor what would steer a terminal', async () => {
  const { differing } = await checkedOf(otherwise(() => `{"success":false,"error":"\\u001b[2JNo: ${KEY}"}`));
  expect(differing).toEqual(['Your key is refused: "[2JNo: ***"']);
});

it.each([
  ['https://api.example.com/api/json.php', 'https://api.example.com'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['https://example.com/sms/', 'https://example.com/sms'],
])('reads the address %s as %s', (given, baseUrl) => expect(addressOf([given])).toBe(baseUrl));

it.each([
  [[]],
  [['ftp://example.com']],
  [['http://gateway.example']],
  [['https://name:secret@a.example']],
  [['https://a.example', '--key', 'abc']],
])('refuses the command line %j', (args) => expect(() => addressOf(args)).toThrow(/address/));

it('asks for the key without showing it, and takes that of the variable without asking', async () => {
  const happened: string[] = [];
  const setRawMode = (on: boolean) => happened.push(on ? 'unseen' : 'seen');
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const output = new PassThrough();
  output.on('data', (text) => happened.push(String(text).startsWith('API key') ? 'asked' : String(text)));
  const answer = readKey(undefined, input, output);
  input.write(`${KEY}\r`);
  expect(await answer).toBe(KEY);
  await new Promise(setImmediate);
  expect(happened).toEqual(['unseen', 'asked', 'seen', '\n']);
  expect(await readKey(` ${KEY}\n`, input, output)).toBe(KEY);
  expect(await readKey(undefined, new PassThrough(), output)).toBe('');
});
