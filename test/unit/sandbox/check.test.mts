import { PassThrough } from 'node:stream';
import { ask } from '../../../sandbox/check/ask.mts';
import { check } from '../../../sandbox/check/check.mts';
import type { Addresses, Verdict } from '../../../sandbox/check/check.mts';
import { readCheckLine } from '../../../sandbox/check/command.mts';
import type { Row } from '../../../sandbox/check/judge.mts';
import { readKey } from '../../../sandbox/check/key.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { startWebServer } from '../../support/web-server.mts';

const KEY = 'the-real-key-123';

/** Runs a check. `asked`: how often the key was asked for. */
async function checked(addresses: Addresses, key = KEY): Promise<Verdict & { rows: Row[]; asked: number }> {
  const rows: Row[] = [];
  let asked = 0;
  const verdict = await check(addresses, {
    key: async () => {
      asked += 1;
      return key;
    },
    tell: (row) => rows.push(row),
  });
  return { ...verdict, rows, asked };
}

type Answer = (envelope: { auth: string; data: Array<{ type: string; id?: number }> }) => unknown;

/** A gateway that answers as a function says; an answer that is text is sent as it is. */
async function brokenGateway(answer: Answer, status = 200) {
  const bodies: string[] = [];
  const { url, close } = await startWebServer((response, { body }) => {
    bodies.push(body);
    const value = answer(body === '' ? { auth: '', data: [] } : JSON.parse(body));
    response.writeHead(status, {
      'content-type': typeof value === 'string' ? 'text/html' : 'application/json',
    });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });
  return { url, bodies, close };
}

/** A good gateway whose answers to the right key a function changes. */
const otherwise =
  (change: (items: Array<Record<string, unknown>>, data: Array<{ type: string }>) => unknown): Answer =>
  ({ auth, data }) => {
    if (auth !== KEY) return { success: false, error: 'Access denied' };
    const items = data.map(({ type, id }) =>
      type === 'status'
        ? { success: false, error: 'Not found', data: { id } }
        : { success: true, data: type === 'balance' ? { amount: 31.17, currency: 'UAH' } : {} },
    );
    return change(items, data);
  };

const good = otherwise((data) => ({ success: true, data }));

it('finds nothing to say against the sandbox, on all three addresses, plain or as a stream, and changes nothing there', async () => {
  const sandbox = await startSandbox({ key: KEY });
  const { baseUrl, asyncUrl, mcpUrl } = sandbox;
  for (const answers of ['json', 'sse', 'sse-noisy'] as const) {
    sandbox.configure({ connector: { answers } });
    const { status, said, rows } = await checked({ baseUrl, asyncUrl, mcpUrl });
    expect(rows.filter(({ mark }) => mark !== 'ok')).toEqual([]);
    expect([status, said, rows.length]).toEqual([0, 'This looks like a gateway of this contract.', 12]);
  }
  await sandbox.settled();
  const types = sandbox.requests.flatMap(({ body }) =>
    ((body as any)?.data ?? []).map(({ type }: any) => type),
  );
  expect([...new Set(types)].sort()).toEqual([
    'balance',
    'sender',
    'status',
    'template/list',
    'template/viber/list',
  ]);
  expect(sandbox.counts()).toMatchObject({ accepted: 0, callbacksPending: 0 });
  expect(sandbox.callbacks).toEqual([]);
  await sandbox.close();
});

/** What each gateway does, and what is said about it in the end. */
const BROKEN: Array<[string, Answer, RegExp]> = [
  [
    'a web page',
    () => '<!doctype html><html><title>Welcome to nginx</title></html>',
    /^This does not look like a gateway of this contract\. Address: \S+ answers with a web page, "Welcome to nginx", where \S+\/api\/json\.php should give JSON\.$/,
  ],
  [
    'JSON of another shape',
    () => ({ status: 'ok', result: [] }),
    /^This does not .+ Address: it answers with JSON of another shape: "success" is missing, where the contract has true or false\.$/,
  ],
  [
    'success and nothing else, whatever the key',
    () => ({ success: true }),
    /Made-up key: is let in: "success" is true.+ Results: "data" is missing, where the contract has a list of results\.$/,
  ],
  [
    'numbers as text',
    otherwise((items) => {
      items[0].data = { amount: '31.17', currency: 'UAH' };
      return { success: true, data: items };
    }),
    /^This looks like .+ only in part: 1 row differs\. Balance: "amount" is the text "31.17", where the contract has a number\.$/,
  ],
  ['success as a number', () => ({ success: 0, error: 'x' }), /"success" is the number 0, where/],
  ['success as text', () => ({ success: 'false', error: 'x' }), /"success" is the text "false", where/],
  ['nothing', () => '', /answers with nothing, where/],
  ['a list', () => [], /answers with JSON that is no object, "\[\]", where/],
  ['a refusal without words', () => ({ success: false }), /Made-up key: is refused, but "error" is missing/],
  [
    'one result for five operations',
    otherwise((data) => ({ success: true, data: data.slice(0, 1) })),
    /1 row differs\. One request: 5 operations in it: 5 operations were asked for, and "data" has 1 results\.$/,
  ],
  [
    'results without success',
    otherwise((items) => ({ success: true, data: items.map(({ data }) => ({ data })) })),
    /5 rows differ\. Balance: "success" is missing.+ Status: "success" is missing/,
  ],
  [
    'a status without the id',
    otherwise((items) => ({
      success: true,
      data: items.map((item) => ({ ...item, ...(item.error ? { data: {} } : {}) })),
    })),
    /Status: an unknown message is refused, "Not found", but .+ "id" is missing/,
  ],
];

it.each(BROKEN)('says in a sentence what is wrong with %s', async (_what, answer, sentence) => {
  const gateway = await brokenGateway(answer);
  const { status, said } = await checked({ baseUrl: gateway.url });
  await gateway.close();
  expect([status, said]).toEqual([1, expect.stringMatching(sentence)]);
});

it('takes what the contract leaves open for good, and says so', async () => {
  const gateway = await brokenGateway((envelope) => {
    if (envelope.auth !== KEY) return { success: false, error: 'Невірний ключ' };
    return otherwise((items, data) => ({
      success: true,
      data: items.map((item, index) =>
        data[index].type === 'template/viber/list'
          ? { success: false, error: 'Not in your tariff', data: {} }
          : item,
      ),
    }))(envelope);
  }, 401);
  const { status, said, rows } = await checked({ baseUrl: gateway.url });
  await gateway.close();
  expect([status, said]).toEqual([
    0,
    expect.stringMatching(/^This looks like a gateway of this contract\. 3 of 10 rows are marked open/),
  ]);
  expect(rows.filter(({ mark }) => mark === 'open').map(({ about }) => about)).toEqual([
    'HTTP',
    'Made-up key',
    'Viber templates',
  ]);
});

it('keeps the key from an address that does not refuse a made-up one as the contract says', async () => {
  for (const answer of [() => 'no JSON', () => ({ success: true, data: [] }), () => ({ ok: true })]) {
    const gateway = await brokenGateway(answer);
    expect(await checked({ baseUrl: gateway.url })).toMatchObject({ status: 1, asked: 0 });
    expect(gateway.bodies).toHaveLength(1);
    await gateway.close();
  }
});

it('follows no redirect with a key, and says where it leads', async () => {
  const { url, close } = await startWebServer((response) => {
    response.writeHead(307, { location: 'https://elsewhere.example/' }).end();
  });
  const { said, asked } = await checked({ baseUrl: url });
  await close();
  expect([said, asked]).toEqual([expect.stringContaining('redirects to "https://elsewhere.example/"'), 0]);
});

it.each([
  [
    'a refused key',
    'no-such-key',
    /So far this looks like .+ Your key: is refused, "Access denied": the key is wrong, /,
  ],
  ['no key', '', /So far this looks like .+ Your key: none was given/],
])('can say no more than so far with %s', async (_what, key, sentence) => {
  const gateway = await brokenGateway(good);
  const { status, said } = await checked({ baseUrl: gateway.url }, key);
  await gateway.close();
  expect([status, said]).toEqual([3, expect.stringMatching(sentence)]);
});

it('says that nobody answers, which is no verdict on the contract', async () => {
  const { url, close } = await startWebServer((response) => response.end());
  await close();
  const { status, said } = await checked({ baseUrl: url });
  expect([status, said]).toEqual([
    3,
    expect.stringMatching(/^It could not be found out .+ gives no answer: nothing listens there/),
  ]);
});

it('waits for an answer for a time, and reads only so much of one', async () => {
  const silent = await startWebServer(() => undefined);
  const hung = await ask({ method: 'GET', url: silent.url }, 100);
  expect(hung.problem).toMatch(/gives no answer: 0.1 seconds were not enough/);
  await silent.close();
  const long = await startWebServer((response) => response.end('x'.repeat(2 * 1024 * 1024)));
  expect((await ask({ method: 'GET', url: long.url })).problem).toMatch(
    /answers with more than 1048576 bytes/,
  );
  await long.close();
});

it('shows neither the key that a gateway repeats, however it is written, nor what would steer a terminal', async () => {
  const spelled = [...KEY]
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const answers = [
    `{"success":false,"error":"No: ${KEY}"}`,
    `{"success":false,"error":"\\u001b[2J${spelled}"}`,
  ];
  for (const answer of answers) {
    const gateway = await brokenGateway(({ auth }) =>
      auth === KEY ? answer : { success: false, error: 'Access denied' },
    );
    const { said, rows } = await checked({ baseUrl: gateway.url });
    await gateway.close();
    const shown = said + JSON.stringify(rows);
    expect(shown).not.toContain(KEY);
    expect(said).toContain('***');
    expect(said).not.toMatch(/\p{Cc}/u);
  }
});

it('says of an address without encryption that the key can be read on its way', async () => {
  const { exposureOf } = await import('../../../sandbox/check/ask.mts');
  expect(exposureOf('http://gateway.example/api')).toContain('anybody on the way can read the key');
  expect([exposureOf('https://gateway.example'), exposureOf('http://127.0.0.1:8080')]).toEqual([
    undefined,
    undefined,
  ]);
});

it.each([
  ['https://api.example.com/api/json.php', 'https://api.example.com'],
  ['api.example.com/', 'https://api.example.com'],
  ['localhost:8080', 'http://localhost:8080'],
  ['https://example.com/sms/', 'https://example.com/sms'],
])('reads the address %s as %s', (given, baseUrl) => expect(readCheckLine([given])).toEqual({ baseUrl }));

it.each([
  [[], 'Say which address to check'],
  [['ftp://example.com'], 'The address has to be like https://api.example.com, not "ftp://example.com"'],
  [['https://a.example', '--async', 'http://'], 'The address of --async has to be like'],
  [['https://name:secret@a.example'], 'An address has neither a user name nor'],
  [['https://a.example', '--key', 'abc'], "The key doesn't belong on the command line"],
  [['https://a.example', '--api-key=abc'], "The key doesn't belong on the command line"],
  [['https://a.example', '--colour'], "Unknown option '--colour'"],
])('refuses the command line %j', (args, words) => {
  expect(() => readCheckLine(args)).toThrow(words);
  expect(() => readCheckLine(args)).not.toThrow(/abc|secret/);
});

it('asks for the key without showing it, and takes that of the variable without asking', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const answer = readKey(undefined, { input, output });
  input.write(`${KEY}\r\n`);
  expect(await answer).toBe(KEY);
  const shown = String(output.read());
  expect(shown).toMatch(/^API key \(it stays unseen/);
  expect(shown).not.toContain(KEY);
  expect(await readKey(` ${KEY}\n`, { input, output })).toBe(KEY);
  expect(await readKey(undefined, { input: new PassThrough(), output })).toBe('');
  expect(output.read()).toBeNull();
});

it('has the terminal show nothing before it asks, so that a key that is pasted at once is not seen either', async () => {
  const happened: string[] = [];
  const setRawMode = (on: boolean) => happened.push(on ? 'unseen' : 'seen');
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const output = new PassThrough();
  output.on('data', (text) => happened.push(String(text).startsWith('API key') ? 'asked' : 'done'));
  const answer = readKey(undefined, { input, output });
  input.write(`${KEY}\r`);
  expect(await answer).toBe(KEY);
  await new Promise(setImmediate);
  expect(happened).toEqual(['unseen', 'asked', 'seen', 'done']);
});
