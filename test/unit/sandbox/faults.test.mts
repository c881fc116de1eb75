import { startSandbox } from '../../../sandbox/server.mts';
import type { FaultPlan, Sandbox } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { GOOD, post, run } from './client.mts';
import { letTimeRun, pass, passUntil, stopTime, until } from '../../support/virtual-time.mts';
import type { Envelope } from './client.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const THREE = [1, 2, 3].map((id) => ({ ...GOOD.sms, id }));

async function send(plan: FaultPlan, data: unknown = THREE, signal?: AbortSignal) {
  sandbox.faults.add(plan);
  const response = await fetch(`${sandbox.baseUrl}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: DEFAULT_KEY, data }),
    signal,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const parsed = (text: string) => JSON.parse(text) as Envelope;
const ids = (text: string) => parsed(text).data.map((item) => item.data.id);

test.each([
  ['drop-before', 0],
  ['drop-after', 3],
] as const)('%s: no answer, %d accepted', async (kind, accepted) => {
  await expect(send({ kind })).rejects.toThrow();
  expect(sandbox.messages.accepted).toBe(accepted);
  expect(sandbox.requests[0].fault).toBe(kind);
  expect(sandbox.faults.struck).toEqual({ [kind]: 1 });
});

test.each([
  ['status-before', {}, 502, 0],
  ['status-after', { status: 503 }, 503, 3],
  ['html-before', {}, 200, 0],
  ['html-after', {}, 200, 3],
  ['too-large', {}, 413, 0],
] as const)('%s: an HTML page', async (kind, more, status, accepted) => {
  const answer = await send({ kind, ...more });
  expect([answer.status, answer.text.startsWith('<!doctype html>')]).toEqual([status, true]);
  expect(sandbox.messages.accepted).toBe(accepted);
});

test.each([
  ['truncated', 3],
  ['garbage-before', 0],
  ['garbage-after', 3],
  ['empty-after', 3],
] as const)('%s: no JSON', async (kind, accepted) => {
  const answer = await send({ kind });
  expect(() => parsed(answer.text)).toThrow();
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(sandbox.messages.accepted).toBe(accepted);
});

test.each([
  ['status-before', 500, 'Internal server error', 0],
  ['status-after', 500, 'Internal server error', 3],
  ['refuse', 200, 'Database error', 0],
  ['refuse-after', 200, 'Database error', 3],
] as const)('%s: HTTP %d with JSON that says "%s", %d accepted', async (kind, status, error, accepted) => {
  const answer = await send({ kind, status, error });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
  expect(parsed(answer.text)).toEqual({ success: false, error });
  expect(sandbox.messages.accepted).toBe(accepted);
});

test('data that is too short, too long, in another order, of others', async () => {
  expect(ids((await send({ kind: 'short-data', times: 1 })).text)).toEqual([1, 2]);
  expect(ids((await send({ kind: 'long-data', times: 1 })).text)).toEqual([1, 2, 3, 3]);
  const mixed = ids((await send({ kind: 'reordered', times: 1 })).text);
  expect(mixed).not.toEqual([1, 2, 3]);
  expect([...mixed].sort()).toEqual([1, 2, 3]);
  expect(ids((await send({ kind: 'foreign-ids', times: 1 })).text)).not.toContain(1);
  expect(sandbox.messages.accepted).toBe(12);
});

test('429 with and without Retry-After', async () => {
  for (const [retryAfter, header] of [
    [7, '7'],
    [null, null],
  ] as const) {
    const answer = await send({ kind: 'rate-limit', retryAfter, times: 1 });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, header]);
  }
  expect(sandbox.messages.accepted).toBe(0);
});

test.each([
  ['too-large', undefined],
  ['refuse-large', { success: false, error: expect.stringContaining('Too many') }],
] as const)('big batches are refused by their size, small ones pass: %s', async (kind, refusal) => {
  const { status, text } = await send({ kind, over: 2 });
  if (refusal) expect(parsed(text)).toEqual(refusal);
  else expect(status).toBe(413);
  expect((await run(sandbox, THREE.slice(0, 2))).success).toBe(true);
  expect(sandbox.messages.accepted).toBe(2);
});

test('slow and hanging answers', async () => {
  const start = Date.now();
  expect(ids((await send({ kind: 'slow', delayMs: 60, times: 1 })).text)).toEqual([1, 2, 3]);
  expect(Date.now() - start).toBeGreaterThanOrEqual(58);
  const patience = new AbortController();
  const request = send({ kind: 'hang-after', times: 1 }, THREE, patience.signal);
  await until(() => sandbox.messages.accepted === 6);
  setTimeout(() => patience.abort(), 60);
  await expect(request).rejects.toThrow();
});

describe('which requests are struck', () => {
  const strikes = async (plan: FaultPlan, requests: unknown[]) => {
    sandbox.faults.add(plan);
    const hit: boolean[] = [];
    for (const data of requests) {
      const response = await post(`${sandbox.baseUrl}/api/json.php`, { auth: DEFAULT_KEY, data });
      hit.push(response.status === 502);
      await response.text();
    }
    return hit;
  };

  test('by number: after the first two, twice', async () => {
    const hit = await strikes({ kind: 'status-before', after: 2, times: 2 }, Array(6).fill(THREE));
    expect(hit).toEqual([false, false, true, true, false, false]);
  });

  test('by type, and never a question for the status unless asked', async () => {
    const status = [{ type: 'status', id: 1 }];
    expect(await strikes({ kind: 'status-before', type: 'sms' }, [THREE, [GOOD.viber]])).toEqual([
      true,
      false,
    ]);
    sandbox.faults.clear();
    expect(await strikes({ kind: 'status-before' }, [status, [...THREE, ...status]])).toEqual([false, true]);
    sandbox.faults.clear();
    expect(await strikes({ kind: 'status-before', sparesStatus: false }, [status])).toEqual([true]);
  });

  test('by a predicate', async () => {
    const plan: FaultPlan = { kind: 'status-before', when: ({ items }) => items === 1 };
    expect(await strikes(plan, [THREE, [GOOD.sms]])).toEqual([false, true]);
  });

  test('by endpoint', async () => {
    expect(await strikes({ kind: 'status-before', endpoint: 'async' }, [THREE])).toEqual([false]);
    const queued = await post(`${sandbox.asyncUrl}/v1/json`, { auth: DEFAULT_KEY, data: THREE });
    expect(queued.status).toBe(502);
  });

  test('by a share that is the same for the same seed', async () => {
    const requests = Array(60).fill([GOOD.sms]);
    const first = await strikes({ kind: 'status-before', share: 0.2, seed: 5 }, requests);
    sandbox.faults.clear();
    const second = await strikes({ kind: 'status-before', share: 0.2, seed: 5 }, requests);
    expect(second).toEqual(first);
    const count = first.filter(Boolean).length;
    expect(count).toBeGreaterThan(3);
    expect(count).toBeLessThan(25);
  });

  test('one of several kinds', async () => {
    sandbox.faults.add({ kind: ['short-data', 'long-data'] });
    const lengths = new Set<number>();
    for (let i = 0; i < 20; i += 1) lengths.add((await run(sandbox, THREE)).data.length);
    expect([...lengths].sort()).toEqual([2, 4]);
  });

  test('until the fault is taken away', async () => {
    const remove = sandbox.faults.add({ kind: 'status-before' });
    expect(sandbox.faults.list()).toEqual([{ kind: 'status-before', struck: 0 }]);
    remove();
    expect((await run(sandbox, THREE)).success).toBe(true);
  });
});

test('a part of a batch is taken, and words refuse all of it', async () => {
  const answer = await send({ kind: 'refuse-after', takes: 0.4, error: 'Внутренняя ошибка' });
  expect(parsed(answer.text)).toEqual({ success: false, error: 'Внутренняя ошибка' });
  expect(sandbox.messages.accepted).toBe(1);
  expect(sandbox.messages.acceptances(1)).toBe(1);
});

test('a connection is held and breaks, and the batch is taken later', async () => {
  stopTime();
  const start = Date.now();
  const sent = send({ kind: 'drop-before', holdMs: 60, commitDelay: 600_000, times: 1 });
  await expect(passUntil(sent)).rejects.toThrow();
  expect(Date.now() - start).toBeGreaterThanOrEqual(60);
  expect(sandbox.counts()).toMatchObject({ accepted: 0, lateBatches: 1 });
  await pass(600_000);
  expect(sandbox.messages.accepted).toBe(3);
  letTimeRun();
});

test.each([
  ['accept', 3, true],
  ['refuse', 0, false],
] as const)('a request arrives twice; duplicates: %s', async (duplicateIds, doubled, success) => {
  sandbox.configure({ rules: { duplicateIds } });
  const { data } = parsed((await send({ kind: 'repeated', times: 1 })).text);
  expect(data.map((item) => item.success)).toEqual([success, success, success]);
  expect(sandbox.counts()).toMatchObject({ distinctIds: 3, doubledIds: doubled });
  sandbox.configure({ rules: { duplicateIds: 'accept' } });
});

test('the synchronous endpoint only acknowledges', async () => {
  const answer = JSON.parse((await send({ kind: 'acknowledged' })).text) as unknown;
  expect(answer).toEqual({ success: true, request_id: expect.any(String) });
  expect(sandbox.messages.accepted).toBe(3);
});
