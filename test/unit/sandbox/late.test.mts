/** Faults with a `commitDelay`: the gateway fails now, and takes the batch later all the same. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { FAULT_KINDS, KINDS } from '../../../sandbox/faults/kinds.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import type { FaultKind, FaultPlan, Sandbox } from '../../../sandbox/server.mts';
import { GOOD, listenForCallbacks, MCP_HEADERS, post, queue, run, runOne } from './client.mts';
import { letTimeRun, pass, passUntil, stopTime, until } from '../../support/virtual-time.mts';

const LATE = 80;

let sandbox: Sandbox;

beforeEach(async () => {
  stopTime();
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
afterEach(async () => {
  await sandbox.close();
  letTimeRun();
});

const THREE = [1, 2, 3].map((id) => ({ ...GOOD.sms, id }));

/** Sends a batch; resolves with the status of the answer, or that there is none. */
async function send(data: unknown, path = '/api/json.php', signal?: AbortSignal): Promise<number | 'none'> {
  const response = await fetch(sandbox.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: DEFAULT_KEY, data }),
    signal,
  }).catch(() => undefined);
  return response?.status ?? 'none';
}

const statusOf = async (id: number) => (await runOne(sandbox, { type: 'status', id })).success;

test('every kind that can be late fails now, and is taken later', async () => {
  const kinds = FAULT_KINDS.filter((kind) => KINDS[kind].late);
  const answers: Partial<Record<FaultKind, number | 'none'>> = {};
  const patience = new AbortController();
  const sends = kinds.map(async (kind, index) => {
    const when: FaultPlan['when'] = ({ body }) => (body as Array<{ id: number }>)[0].id === index;
    sandbox.faults.add({ kind, when, commitDelay: 500, status: 504, bytes: 1000 });
    const waits = kind === 'slow' || kind.startsWith('hang');
    const signal = waits ? patience.signal : undefined;
    answers[kind] = await send([{ ...GOOD.sms, id: index }], '/api/json.php', signal);
  });
  await until(() => sandbox.counts().lateBatches === kinds.length);
  patience.abort();
  // An endless stream of events begins with its first event.
  await pass(50);
  await Promise.all(sends);
  const none = Object.entries(answers).filter(([, answer]) => answer === 'none');
  expect(none.map(([kind]) => kind).sort()).toEqual(
    ['drop-after', 'drop-before', 'hang-after', 'hang-before', 'slow'].sort(),
  );
  expect([answers['status-before'], answers['status-after'], answers['refuse-after']]).toEqual([
    504, 504, 200,
  ]);
  expect(sandbox.counts()).toMatchObject({ accepted: 0, lateBatches: kinds.length });
  await pass(449);
  expect(await statusOf(0)).toBe(false);

  await passUntil(sandbox.settled());
  expect(sandbox.counts()).toMatchObject({ accepted: kinds.length, lateBatches: 0, doubledIds: 0 });
  expect(await statusOf(0)).toBe(true);
  const arrived = new Map(
    sandbox.requests.filter(({ fault }) => fault).map(({ body, at }) => [(body as any).data[0].id, at]),
  );
  const delays = sandbox.messages.list().map(({ id, acceptedAt }) => acceptedAt - arrived.get(id)!);
  expect(new Set(delays)).toEqual(new Set([500]));
});

test.each(FAULT_KINDS.filter((kind) => !KINDS[kind].late))('%s cannot be late', (kind) => {
  expect(() => sandbox.faults.add({ kind: ['drop-before', kind], commitDelay: 5 })).toThrow(
    `Fault: commitDelay does not go with the kind ${kind}`,
  );
});

test('a slow answer holds the results, so it waits for the batch too', async () => {
  sandbox.faults.add({ kind: 'slow', commitDelay: LATE, delayMs: 1 });
  const start = Date.now();
  const { data } = await passUntil(run(sandbox, THREE));
  expect(sandbox.messages.list()[0].acceptedAt - sandbox.requests[0].at).toBe(LATE);
  expect(Date.now() - start).toBeGreaterThanOrEqual(LATE);
  expect(data.map(({ success, data: { id } }) => [success, id])).toEqual([
    [true, 1],
    [true, 2],
    [true, 3],
  ]);
});

test('a cut answer says nothing of what became of the batch', async () => {
  sandbox.faults.add({ kind: 'truncated', commitDelay: LATE });
  const response = await post(`${sandbox.baseUrl}/api/json.php`, { auth: DEFAULT_KEY, data: THREE });
  const text = await response.text();
  expect(text).toMatch(/^\{"success":true/);
  expect(text).not.toMatch(/data|id/);
});

describe('a batch that was sent again before the first one was taken', () => {
  test.each([
    ['accept', 2],
    ['refuse', 1],
  ] as const)('duplicate ids: %s', async (duplicateIds, times) => {
    sandbox.configure({ rules: { duplicateIds } });
    sandbox.faults.add({ kind: 'drop-before', commitDelay: LATE, times: 1 });
    expect(await send(THREE)).toBe('none');
    expect((await run(sandbox, THREE)).data.every(({ success }) => success)).toBe(true);
    expect(sandbox.messages.accepted).toBe(3);
    await passUntil(sandbox.settled());
    expect([1, 2, 3].map((id) => sandbox.messages.acceptances(id))).toEqual([times, times, times]);
  });

  test('and that comes after it is the one that is refused', async () => {
    sandbox.configure({ rules: { duplicateIds: 'refuse' } });
    sandbox.faults.add({ kind: 'drop-before', commitDelay: 1, times: 1 });
    await send(THREE);
    await passUntil(sandbox.settled());
    expect((await run(sandbox, THREE)).data.map(({ success }) => success)).toEqual([false, false, false]);
    expect(sandbox.messages.doubled()).toEqual([]);
  });
});

test('key and address are judged when the batch is taken', async () => {
  sandbox.account().allowedIps = ['127.0.0.1'];
  sandbox.faults.add({ kind: 'drop-before', commitDelay: LATE });
  await send([THREE[0]]);
  await passUntil(sandbox.settled());
  expect(sandbox.messages.accepted).toBe(1);
  await send([THREE[1]]);
  sandbox.account().enabled = false;
  await passUntil(sandbox.settled());
  expect(sandbox.messages.accepted).toBe(1);
});

test('callbacks come after the batch was taken', async () => {
  const hook = await listenForCallbacks();
  sandbox.faults.add({ kind: 'status-after', commitDelay: LATE });
  await send([{ ...GOOD.sms, hook: hook.url }]);
  await passUntil(sandbox.settled());
  expect(hook.received.map(({ body }) => body.id)).toEqual(['1']);
  expect(hook.received[0].at - sandbox.requests[0].at).toBeGreaterThanOrEqual(LATE);
  await hook.close();
});

test('asynchronous endpoint: what is refused is reported late too', async () => {
  const hook = await listenForCallbacks();
  const bad = { ...GOOD.sms, id: 9, sms_signature: 'Nobody', hook: hook.url };
  sandbox.faults.add({ kind: 'drop-before', endpoint: 'async', commitDelay: LATE, times: 1 });
  expect(await send([GOOD.sms, bad], '/v1/json')).toBe('none');
  expect((await queue(sandbox, [{ ...GOOD.sms, id: 2 }])).success).toBe(true);
  await passUntil(sandbox.settled());
  expect(sandbox.messages.list().map(({ id }) => id)).toEqual([2, 1]);
  expect(hook.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({ id: '9', status: 'REJECTED', request_id: sandbox.requests[0].requestId }),
  ]);
  await hook.close();
});

test('connector: a call is carried out late', async () => {
  sandbox.configure({ connector: { sessions: false } });
  sandbox.faults.add({ kind: 'status-before', endpoint: 'mcp', commitDelay: LATE });
  const args = { phone: GOOD.sms.phone, text: 'Hello', sender: 'TestSender', id: 5, confirm: true };
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'send_sms', arguments: args } };
  const response = await post(`${sandbox.mcpUrl}/mcp`, rpc, MCP_HEADERS);
  expect([response.status, sandbox.messages.accepted]).toEqual([502, 0]);
  await passUntil(sandbox.settled());
  expect(sandbox.messages.acceptances(5)).toBe(1);
});

describe('what is still to be taken', () => {
  const control = async (path: string, method = 'GET') =>
    (await (await fetch(`${sandbox.controlUrl}/${path}`, { method })).json()) as any;

  test('is listed, stays when faults are taken away, and is dropped by a reset', async () => {
    const plan = { kind: 'drop-before', commitDelay: LATE, times: 1 };
    expect((await post(`${sandbox.controlUrl}/faults`, plan)).status).toBe(200);
    await send(THREE);
    const { active, late } = await control('faults');
    expect(active).toEqual([{ ...plan, struck: 1 }]);
    const due = sandbox.requests[0].at + LATE;
    expect(late).toEqual([{ request: 1, endpoint: 'sync', items: 3, due }]);
    expect((await control('counts')).lateBatches).toBe(1);
    await control('faults', 'DELETE');
    expect((await control('faults')).late).toHaveLength(1);
    await control('reset', 'POST');
    expect((await control('faults')).late).toEqual([]);
    await pass(LATE + 20);
    expect((await control('counts')).accepted).toBe(0);
  });

  test('ends without an answer when a reset drops it', async () => {
    sandbox.faults.add({ kind: 'slow', commitDelay: 60_000, delayMs: 1 });
    const answer = expect(run(sandbox, THREE)).rejects.toThrow();
    await until(() => sandbox.counts().lateBatches === 1);
    sandbox.reset();
    await passUntil(answer);
  });

  test('ends nothing when it cannot be taken', async () => {
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    sandbox.faults.add({ kind: 'slow', commitDelay: LATE, delayMs: 1 });
    const sms = expect(run(sandbox, [GOOD.sms])).rejects.toThrow();
    const telegram = run(sandbox, [{ ...GOOD.telegram, id: 7 }]);
    // Not what an account can have, which only a test in the same process can do to it.
    sandbox.account().senders = null as never;
    await passUntil(sms);
    expect((await passUntil(telegram)).data[0].success).toBe(true);
    expect(said).toHaveBeenCalledWith(expect.stringContaining('TypeError'));
    said.mockRestore();
  });
});

test('a batch that is still to be taken keeps no process alive', async () => {
  const server = join(__dirname, '../../../sandbox/server.mts');
  const script = `
    const { startSandbox } = await import(${JSON.stringify(server)});
    const sandbox = await startSandbox();
    sandbox.faults.add({ kind: 'status-before', commitDelay: 600_000 });
    const body = JSON.stringify({ auth: 'sandbox-key', data: [{ type: 'balance' }] });
    const headers = { 'content-type': 'application/json', connection: 'close' };
    await fetch(sandbox.baseUrl + '/api/json.php', { method: 'POST', headers, body });
    const { lateBatches } = sandbox.counts();
    await sandbox.close();
    console.log('late', lateBatches);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([output.includes('late 1'), code]).toEqual([true, 0]);
});
