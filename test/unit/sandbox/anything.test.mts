/**
 * Whatever it is sent, the sandbox goes on: made-up JSON for the control API and for the gateway's endpoints, most of
 * it right but for a few values. `SANDBOX_RUNS` and `SANDBOX_SEED` try more of it, and other values.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { FAULT_KINDS } from '../../../sandbox/faults/kinds.mts';
import { GOOD, PHONE } from './client.mts';
import { shortOrLong } from '../../support/long-form.mts';

const RUNS = Number(process.env.SANDBOX_RUNS ?? shortOrLong(60, 200));
const SEED = Number(process.env.SANDBOX_SEED ?? 20);

type Json = fc.JsonValue;
type JsonObject = Record<string, unknown>;

/** Names and texts that programs trip over. */
const names = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'length',
  'then',
  'id',
  'data',
);
const texts = fc.constantFrom(
  '',
  ' ',
  'constructor',
  '__proto__',
  'sms',
  'DELIVERED',
  '\u0000',
  '\ud800',
  '5',
);
/** Objects that don't become texts or numbers. */
const stubborn = fc.constantFrom<Json>({ toString: 1, valueOf: 1 }, [{ toString: null }], [[[[]]]]);
const numbers = fc.constantFrom(0, -1, 0.5, 1e-9, 1, 255, 2 ** 31, 2 ** 53, 1e21, 1e308, -1e308);
const { any } = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 2 }),
    numbers,
    texts,
    stubborn,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(names, fc.string({ maxLength: 5 })), tie('any'), { maxKeys: 4 }),
  ),
}));

/** An object that is right but for some of its properties. */
function nearly(good: object, others: string[] = []): fc.Arbitrary<JsonObject> {
  const changed = fc.constantFrom('colour', ...Object.keys(good), ...others);
  return fc
    .array(fc.tuple(changed, fc.oneof({ weight: 3, arbitrary: any }, stubborn)), { maxLength: 3 })
    .map((changes) => ({ ...good, ...Object.fromEntries(changes) }));
}

const step = nearly({ status: 'READ' }, [
  'afterMs',
  'type',
  'error',
  'reply',
  'duration',
  'replies',
  'silent',
]);
const outcome = nearly({ steps: [] }, ['duplicates', 'mute']).chain((one) =>
  fc.oneof(
    fc.constant(one),
    step.map((inner) => ({ ...one, steps: [inner] })),
  ),
);

/** Values that one setting or another can have. */
const choices = fc.constantFrom<Json>(
  ...[true, false, null, 0, 1, 2, 50],
  ...['refuse', 'status', 'string', 'number', 'array', 'strings', 'objects', 'flat', 'short', 'wordy'],
  ...['data', 'form', 'sse', 'sse-noisy', 'check'],
  ...[[], [1, 2], ['x']],
);

/** A change of one setting, found by walking down the settings as they are. */
function settingOf(config: JsonObject): fc.Arbitrary<JsonObject> {
  return fc.constantFrom('colour', ...Object.keys(config)).chain((name) => {
    const old = config[name];
    const inside = typeof old === 'object' && old !== null && !Array.isArray(old);
    const value = inside
      ? fc.oneof({ weight: 9, arbitrary: settingOf(old as JsonObject) }, any)
      : fc.oneof({ weight: 3, arbitrary: choices }, any, numbers);
    return value.map((one) => ({ [name]: one }));
  });
}

/** Settings that send values another way, in the shape that they are changed in. */
const ways = fc.constantFrom<JsonObject>(
  {},
  { shapes: { id: 'string', msgId: 'string', nulls: true } },
  { callbacks: { idType: 'number', shape: 'form' } },
  { rules: { unknownId: 'status', duplicateIds: 'refuse', asyncHttpCodes: true } },
  { connector: { answers: 'sse-noisy', auth: 'check' } },
  { outcomes: { duplicateShare: 1 }, keep: { messages: 0 }, queueDelayMs: 0 },
);

const outcomes = fc.oneof(
  outcome.map((fallback) => ({ outcomes: { afterMs: 0, fallback } })),
  nearly({ outcome: { steps: [] } }, ['phone', 'type', 'id']).map((rule) => ({
    outcomes: { rules: [rule] },
  })),
);

const account = nearly({}, [
  'name',
  'senders',
  'balance',
  'tariff',
  'notificationUrl',
  'allowedIps',
  'prepaid',
  'key',
]);
const fault = fc
  .oneof(fc.constantFrom(...FAULT_KINDS), fc.subarray([...FAULT_KINDS], { maxLength: 3 }))
  .chain((kind) =>
    nearly({ kind, times: 1, delayMs: 1, bytes: 5 }, [
      ...[
        'commitDelay',
        'endpoint',
        'type',
        'over',
        'after',
        'share',
        'seed',
        'status',
        'retryAfter',
        'error',
      ],
      'sparesStatus',
    ]),
  );

const operation = fc
  .constantFrom<JsonObject>(
    ...Object.values(GOOD),
    { ...GOOD.sms, hook: 'http://127.0.0.1:9/hook' },
    {
      type: 'pipeline',
      id: 1,
      phone: PHONE,
      pipeline: ['sms'],
      sms: { message: 'x', signature: 'TestSender' },
    },
    ...['balance', 'sender', 'template/list', 'template/viber/list'].map((type) => ({ type })),
    ...['template/create', 'template/viber/create', 'template/delete'].map((type) => ({
      type,
      template: 'x',
    })),
    { type: 'status', id: 1 },
  )
  .chain((good) => nearly(good, ['hook', 'viber_carousel', 'pipeline', 'short_link']));

const envelope = fc
  .array(fc.oneof({ weight: 5, arbitrary: operation }, any), { maxLength: 4 })
  .chain((data) =>
    fc.oneof({ weight: 5, arbitrary: fc.constant({ auth: DEFAULT_KEY, data }) }, nearly({ data }, ['auth'])),
  );

const rpc = fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'constructor').chain((method) =>
  fc
    .oneof(
      nearly({ name: 'balance', arguments: {} }, ['cursor']),
      nearly({ phone: PHONE, text: 'x', sender: 'TestSender', confirm: true }, ['id']).map((args) => ({
        name: 'send_sms',
        arguments: args,
      })),
    )
    .chain((params) => nearly({ jsonrpc: '2.0', id: 1, method, params })),
);

type Request = [path: string, body: unknown];
const at = (path: string, body: fc.Arbitrary<unknown>): fc.Arbitrary<Request> =>
  body.map((one) => [path, one]);

let child: ChildProcess;
let baseUrl: string;
let said = '';
let ended = false;

beforeAll(async () => {
  const main = join(__dirname, '../../../sandbox/main.mts');
  const settings = JSON.stringify({ connector: { sessions: false }, queueDelayMs: 1 });
  child = spawn(process.execPath, [main, '--port', '0', '--delay', '1', '--config', settings], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr!.on('data', (chunk: Buffer) => (said += String(chunk)));
  child.once('close', () => (ended = true));
  let output = '';
  for await (const chunk of child.stdout!) {
    output += String(chunk);
    if (output.includes('Press')) break;
  }
  baseUrl = /baseUrl\)\s+(\S+)/.exec(output)![1];
});
afterAll(() => child.kill('SIGKILL'));

/** The status of the answer, or that none came in time: some faults and settings mean that. */
async function send([path, body]: Request): Promise<number | 'none'> {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${DEFAULT_KEY}`,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(path.startsWith('/sandbox/') ? 4000 : 60),
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 'none';
}

const read = async (path: string) => (await (await fetch(`${baseUrl}/sandbox/${path}`)).json()) as any;

test(
  'any JSON for any of its paths',
  async () => {
    const config = (await read('config')) as JsonObject;
    const [own] = (await read('accounts')) as JsonObject[];
    const control = fc.oneof(
      // Callbacks must not leave this machine, whatever is made up.
      at('/sandbox/config', settingOf(config)).filter(
        ([, body]) => !JSON.stringify(body).includes('allowRemote'),
      ),
      at('/sandbox/config', outcomes),
      at('/sandbox/accounts', account),
      at('/sandbox/faults', fault),
      at('/sandbox/config', any),
      at('/sandbox/accounts', any),
      at('/sandbox/faults', any),
      at('/sandbox/callbacks', nearly({ url: 'http://127.0.0.1:9/hook', body: {} })),
      at('/sandbox/deliver', nearly({ phone: PHONE })),
      at('/sandbox/callbacks', any),
      at('/sandbox/deliver', any),
      at('/sandbox/reset', any),
    );
    const gateway = fc.oneof(
      { weight: 4, arbitrary: at('/api/json.php', envelope) },
      { weight: 4, arbitrary: at('/v1/json', envelope) },
      { weight: 4, arbitrary: at('/mcp', rpc) },
      at('/api/json.php', any),
      at('/v1/json', any),
      at('/mcp', any),
    );
    const action = fc.tuple(
      fc.constantFrom('status', 'fail', 'reply', 'dtmf', 'constructor'),
      fc.oneof(step, nearly({ message: 'x', digit: '5', media: {} }, ['error', 'media', 'duration'])),
    );
    const runs = fc.tuple(
      fc.tuple(at('/sandbox/config', ways), fc.array(control, { maxLength: 4 })),
      fc.array(gateway, { minLength: 4, maxLength: 10 }),
      fc.array(action, { maxLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(runs, async ([[way, controls], sends, actions]) => {
        said = '';
        for (const request of [way, ...controls])
          expect([request, await send(request)]).toEqual([request, expect.any(Number)]);
        await Promise.all(sends.map(send));
        for (const { msgId } of await read('messages?limit=1')) {
          for (const [name, body] of actions) await send([`/sandbox/messages/${msgId}/${name}`, body]);
        }
        // What is due happens while timers run.
        await new Promise((resolve) => setTimeout(resolve, 5));
        for (const path of [
          'state',
          'requests',
          'messages',
          'callbacks',
          'refusals',
          'credential',
          'acceptances?all=true',
          'templates',
        ]) {
          await read(path);
        }
        await fetch(`${baseUrl}/sandbox/faults`, { method: 'DELETE' });
        expect(await send(['/sandbox/config', config])).toBe(200);
        expect(await send(['/sandbox/accounts', { ...own, key: DEFAULT_KEY }])).toBe(200);
        const good = { auth: DEFAULT_KEY, data: [GOOD.sms] };
        const answer = await fetch(`${baseUrl}/api/json.php`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(good),
        });
        expect(await answer.json()).toMatchObject({ success: true, data: [{ success: true }] });
        // Errors of its own, which nobody made up, are said there.
        expect([ended, said]).toEqual([false, '']);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  },
  60_000 + RUNS * 500,
);
