/** Habits of gateways that the contract says nothing about, each of which can be switched on. */
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { GOOD, post, queue, run, runOne } from './client.mts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
});
afterEach(() => sandbox.close());

const control = async (path: string) =>
  (await (await fetch(`${sandbox.controlUrl}/${path}`)).json()) as Record<string, unknown>;

describe('null for what there is nothing to say about', () => {
  beforeEach(() => sandbox.configure({ shapes: { nulls: true } }));

  test('synchronous endpoint', async () => {
    expect(await run(sandbox, [GOOD.sms, { type: 'whatsapp', id: 2 }])).toEqual({
      success: true,
      error: null,
      data: [
        { success: true, error: null, data: { id: 1, msg_id: expect.any(Number), parts: 1 } },
        { success: false, error: 'Invalid message type', data: { id: 2 } },
      ],
    });
    expect(await run(sandbox, [GOOD.sms], 'wrong')).toEqual({
      success: false,
      error: 'Access denied',
      data: null,
    });
  });

  test('asynchronous endpoint', async () => {
    expect(await queue(sandbox, [GOOD.sms])).toEqual({
      success: true,
      error: null,
      request_id: expect.any(String),
    });
    const denied = { success: false, error: 'Access denied', request_id: null };
    expect(await queue(sandbox, [GOOD.sms], 'wrong')).toEqual(denied);
  });

  test('answers of faults', async () => {
    sandbox.faults.add({ kind: 'refuse', error: 'Database error', times: 1 });
    expect(await run(sandbox, [GOOD.sms])).toEqual({ success: false, error: 'Database error', data: null });
    sandbox.faults.add({ kind: 'status-after', status: 500, error: 'Internal server error', times: 1 });
    const response = await post(`${sandbox.baseUrl}/api/json.php`, { auth: DEFAULT_KEY, data: [GOOD.sms] });
    expect([response.status, await response.json()]).toEqual([
      500,
      { success: false, error: 'Internal server error', data: null },
    ]);
  });

  test('a body that is too large', async () => {
    sandbox.configure({ rules: { maxBodyBytes: 10 } });
    expect(await run(sandbox, [GOOD.sms])).toMatchObject({ success: false, data: null });
  });
});

test('none of these nulls unless asked for', async () => {
  expect(Object.keys(await run(sandbox, [GOOD.sms]))).toEqual(['success', 'data']);
  expect(Object.keys((await run(sandbox, [GOOD.sms])).data[0])).toEqual(['success', 'data']);
  expect(Object.keys(await run(sandbox, [GOOD.sms], 'wrong'))).toEqual(['success', 'error']);
});

describe('a status that lags', () => {
  const known = async (id = 1) => (await runOne(sandbox, { type: 'status', id })).success;
  const lagOver = () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
  afterEach(() => jest.restoreAllMocks());

  test('does not know a message that was taken, until it does', async () => {
    sandbox.configure({ statusLag: 60_000 });
    await run(sandbox, [GOOD.sms]);
    await sandbox.settled();
    expect(sandbox.messages.byId(1)[0].status).toBe('DELIVERED');
    expect(await runOne(sandbox, { type: 'status', id: 1 })).toEqual({
      success: false,
      error: 'Message not found',
      data: { id: 1 },
    });
    sandbox.configure({ rules: { unknownId: 'status' } });
    expect((await runOne(sandbox, { type: 'status', id: 1 })).data.status).toBe('UNKNOWN');
    sandbox.configure({ rules: { unknownId: 'error' } });
    lagOver();
    expect((await runOne(sandbox, { type: 'status', id: 1 })).data.status).toBe('DELIVERED');
  });

  test('says of an id that was taken twice what it knows of the first message', async () => {
    sandbox.configure({ statusLag: 60_000 });
    sandbox.addAccount({ key: 'other', name: 'other' });
    await run(sandbox, [GOOD.sms]);
    const [first] = sandbox.messages.byId(1);
    lagOver();
    await run(sandbox, [GOOD.sms]);
    await run(sandbox, [GOOD.sms], 'other');
    expect((await runOne(sandbox, { type: 'status', id: 1 })).data.msg_id).toBe(first.msgId);
    expect((await run(sandbox, [{ type: 'status', id: 1 }], 'other')).data[0].success).toBe(false);
  });

  test('and callbacks do not', async () => {
    sandbox.configure({ statusLag: 60_000 });
    await run(sandbox, [{ ...GOOD.sms, hook: 'http://127.0.0.1:9/hook' }]);
    while (sandbox.callbacks.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(await known()).toBe(false);
  });

  test('can be set over the control API', async () => {
    expect((await post(`${sandbox.controlUrl}/config`, { statusLag: 60_000 })).status).toBe(200);
    await run(sandbox, [GOOD.sms]);
    expect(await known()).toBe(false);
  });
});

describe('an id that comes again', () => {
  test.each(['sms', 'call/otp'])('%s: refused in words of your own, and not counted', async (type) => {
    sandbox.configure({ rules: { duplicateIds: 'refuse', duplicateError: 'ID already exists' } });
    expect((await runOne(sandbox, GOOD[type])).success).toBe(true);
    expect(await runOne(sandbox, GOOD[type])).toEqual({
      success: false,
      error: 'ID already exists',
      data: { id: 1 },
    });
    expect(sandbox.messages.acceptances(1)).toBe(1);
  });

  test('accepted, sent again and counted: here and over the control API', async () => {
    const data = [1, 2, 2, 3].map((id) => ({ ...GOOD.sms, id }));
    await run(sandbox, data);
    expect(sandbox.messages.byId(2)).toHaveLength(2);
    expect(Object.fromEntries(sandbox.messages.times())).toEqual({ 1: 1, 2: 2, 3: 1 });
    expect(await control('acceptances?id=2')).toEqual({ id: 2, times: 2 });
    expect(await control('acceptances?all=true')).toEqual({
      accepted: 4,
      distinct: 3,
      doubled: [[2, 2]],
      times: { 1: 1, 2: 2, 3: 1 },
    });
  });
});
