/** Whatever it is sent, the sandbox goes on: made-up JSON for each of its paths, most of it right but for a few values. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { FAULT_KINDS } from '../../../sandbox/faults/kinds.mts';
import { GOOD, PHONE } from './client.mts';
import { shortOrLong } from '../../support/long-form.mts';

const RUNS = shortOrLong(60, 200);

/** Values that programs trip over: names that objects have, numbers out of range, objects that don't become texts. */
const any = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<fc.JsonValue>('', 'constructor', '__proto__', 'sms', 'DELIVERED', '\ud800', [[[[]]]]),
  fc.constantFrom<fc.JsonValue>(0, -1, 0.5, 255, 2 ** 31, 2 ** 53, 1e308),
  fc.constantFrom<fc.JsonValue>({ toString: 1, valueOf: 1 }, [{ toString: null }], { length: 5, then: 1 }),
);

/** An object that is right but for some of its properties. */
const nearly = (good: object, ...others: string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom('colour', '__proto__', ...Object.keys(good), ...others), any), {
      maxLength: 3,
    })
    .map((changes) => ({ ...good, ...Object.fromEntries(changes) }) as Record<string, unknown>);

const account = nearly(
  {},
  'name',
  'senders',
  'balance',
  'tariff',
  'notificationUrl',
  'allowedIps',
  'prepaid',
);
const fault = fc
  .constantFrom(...FAULT_KINDS)
  .chain((kind) =>
    nearly({ kind, times: 1, delayMs: 1, bytes: 5 }, 'endpoint', 'type', 'share', 'status', 'after'),
  );
const step = nearly({ status: 'READ' }, 'afterMs', 'type', 'error', 'reply', 'duration', 'replies', 'silent');
const operation = fc
  .constantFrom<object>(
    ...Object.values(GOOD),
    { type: 'template/create', template: 'x' },
    { type: 'status', id: 1 },
  )
  .chain((good) => nearly(good, 'hook', 'viber_carousel', 'pipeline', 'short_link'));
const envelope = fc
  .array(fc.oneof({ weight: 5, arbitrary: operation }, any), { maxLength: 4 })
  .chain((data) => nearly({ auth: DEFAULT_KEY, data }));
const rpc = fc
  .constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'constructor')
  .chain((method) => nearly({ jsonrpc: '2.0', id: 1, method, params: { name: 'balance', arguments: {} } }));

type Request = [path: string, body: unknown];
const at = (path: string, body: fc.Arbitrary<unknown>): fc.Arbitrary<Request> =>
  fc.oneof({ weight: 4, arbitrary: body }, any).map((one) => [path, one]);

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
const VIEWS = ['state', 'requests', 'messages', 'callbacks', 'refusals', 'acceptances?all=true', 'templates'];

test(
  'takes any JSON at any of its paths, says nothing of its own errors, and works on',
  async () => {
    const config = (await read('config')) as Record<string, object>;
    const [own] = (await read('accounts')) as object[];
    /** A change of the settings within one of their parts. */
    const settings = fc
      .constantFrom(...Object.keys(config).filter((name) => name !== 'allowRemote'))
      .chain((name) => nearly(Object(config[name]) as object).map((part) => ({ [name]: part })));
    const control = fc.oneof(
      // Callbacks must not leave this machine, whatever is made up.
      at('/sandbox/config', settings).filter(([, body]) => !JSON.stringify(body).includes('allowRemote')),
      at(
        '/sandbox/config',
        step.map((one) => ({ outcomes: { afterMs: 0, fallback: { steps: [one] } } })),
      ),
      at('/sandbox/accounts', account),
      at('/sandbox/faults', fault),
      at('/sandbox/callbacks', nearly({ url: 'http://127.0.0.1:9/hook', body: {} })),
      at('/sandbox/deliver', nearly({ phone: PHONE })),
      at('/sandbox/reset', any),
    );
    const gateway = fc.oneof(at('/api/json.php', envelope), at('/v1/json', envelope), at('/mcp', rpc));
    const action = fc.tuple(fc.constantFrom('status', 'fail', 'reply', 'dtmf', 'constructor'), step);
    await fc.assert(
      fc.asyncProperty(
        fc.array(control, { maxLength: 5 }),
        fc.array(gateway, { minLength: 4, maxLength: 10 }),
        fc.array(action, { maxLength: 2 }),
        async (controls, sends, actions) => {
          said = '';
          for (const request of controls)
            expect([request, await send(request)]).toEqual([request, expect.any(Number)]);
          await Promise.all(sends.map(send));
          for (const { msgId } of await read('messages?limit=1')) {
            for (const [name, body] of actions) await send([`/sandbox/messages/${msgId}/${name}`, body]);
          }
          // What is due happens while timers run.
          await new Promise((resolve) => setTimeout(resolve, 5));
          for (const path of VIEWS) await read(path);
          await fetch(`${baseUrl}/sandbox/faults`, { method: 'DELETE' });
          expect(await send(['/sandbox/config', config])).toBe(200);
          expect(await send(['/sandbox/accounts', { ...own, key: DEFAULT_KEY }])).toBe(200);
          const answer = await fetch(`${baseUrl}/api/json.php`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ auth: DEFAULT_KEY, data: [GOOD.sms] }),
          });
          expect(await answer.json()).toMatchObject({ success: true, data: [{ success: true }] });
          // Errors of its own, which nobody made up, are said there.
          expect([ended, said]).toEqual([false, '']);
        },
      ),
      { numRuns: RUNS, seed: 20 },
    );
  },
  60_000 + RUNS * 500,
);
