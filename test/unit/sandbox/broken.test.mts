/** What goes wrong inside the sandbox, or in code that a test gives it, is said and ends nothing. */
import http from 'node:http';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { GOOD, listenForCallbacks, queue, runOne } from './client.mts';

let sandbox: Sandbox;
let created: jest.SpyInstance<http.Server>;
let said: jest.SpyInstance;

beforeEach(async () => {
  created = jest.spyOn(http, 'createServer');
  sandbox = await startSandbox({
    config: { queueDelayMs: 1, outcomes: { afterMs: 1 }, callbacks: { attempts: 1 } },
  });
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox.close();
});

const report = (words: string) => expect(said).toHaveBeenCalledWith(expect.stringContaining(words));

test('a connection that cannot be accepted, and an answer that cannot be written', async () => {
  const server = created.mock.results[0].value as http.Server;
  server.emit('error', new Error('accept EMFILE'));
  server.once('request', (_request, response) => response.emit('error', new Error('write EPIPE')));
  expect((await runOne(sandbox, GOOD.sms)).success).toBe(true);
  report('accept EMFILE');
  report('write EPIPE');
});

const THROWING = () => {
  throw new Error('No predicate');
};

test.each([
  ['health', '/health'],
  ['mcp', '/mcp'],
  ['sync', '/api/json.php'],
  ['async', '/v1/json'],
] as const)('a predicate for %s', async (endpoint, path) => {
  sandbox.faults.add({ kind: 'slow', endpoint, when: THROWING });
  const response = await fetch(sandbox.baseUrl + path, { method: 'POST', body: '{}' });
  expect(response.status).toBe(500);
  report('No predicate');
});

test('a chooser of outcomes', async () => {
  sandbox.decideOutcome(() => {
    throw new Error('No outcome');
  });
  expect((await queue(sandbox, [GOOD.sms])).success).toBe(true);
  await sandbox.settled();
  report('No outcome');
});

test('a callback that cannot be written', async () => {
  const hook = await listenForCallbacks();
  sandbox.decideOutcome(() => ({ steps: [{ status: 'REPLIED', duration: 5n as never }] }));
  await runOne(sandbox, { ...GOOD.sms, hook: hook.url });
  await sandbox.settled();
  expect(sandbox.callbacks[0]).toMatchObject({ tries: [0], state: 'given-up' });
  expect(sandbox.counts().callbacksPending).toBe(0);
  report('BigInt');
  await hook.close();
});

test('a message that pages cannot be told', async () => {
  const open = await fetch(`${sandbox.controlUrl}/events`);
  const { data } = await runOne(sandbox, GOOD.sms);
  sandbox.messages.get(data.msg_id as number)!.duration = 5n as never;
  sandbox.mark(data.msg_id as number, { status: 'DELIVERED' });
  while (said.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  report('BigInt');
  expect((await fetch(`${sandbox.controlUrl}/events`)).status).toBe(500);
  await open.body!.cancel();
});
