/** Things that go wrong on purpose: what of a batch is taken, what is answered, and which requests are struck. */
import { FAULT_KINDS, KINDS } from '../../../sandbox/faults/kinds.mts';
import type { FaultKind, FaultPlan } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { freshSandbox } from '../../support/own-sandbox.mts';
import { letTimeRun, pass, passUntil, stopTime, until } from '../../support/virtual-time.mts';
import { GOOD, listenForCallbacks, post, queue, run, runOne } from './client.mts';
import type { Envelope } from './client.mts';

const sandbox = freshSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
afterEach(() => letTimeRun());

const THREE = [1, 2, 3].map((id) => ({ ...GOOD.sms, id }));

async function send(plan: FaultPlan) {
  sandbox.faults.add(plan);
  const response = await post(`${sandbox.baseUrl}/api/json.php`, { auth: DEFAULT_KEY, data: THREE });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const parsed = (text: string) => JSON.parse(text) as Envelope;
const ids = (text: string) => parsed(text).data.map((item) => item.data.id);
const REFUSAL = '{"success":false,"error":"Database error"}';

const HTML = /^<!doctype html>/;
const NO_JSON = /^(?!<)(?!.*\}$)/s;

test.each<[FaultKind, Partial<FaultPlan>, status: number, body: RegExp | string, accepted: number]>([
  ['status-before', {}, 502, HTML, 0],
  ['status-after', { status: 503 }, 503, HTML, 3],
  ['html-before', {}, 200, HTML, 0],
  ['html-after', {}, 200, HTML, 3],
  ['too-large', {}, 413, HTML, 0],
  ['truncated', {}, 200, NO_JSON, 3],
  ['garbage-before', {}, 200, NO_JSON, 0],
  ['garbage-after', {}, 200, NO_JSON, 3],
  ['empty-after', {}, 200, /^$/, 3],
  ['status-before', { status: 500, error: 'Database error' }, 500, REFUSAL, 0],
  ['status-after', { status: 500, error: 'Database error' }, 500, REFUSAL, 3],
  ['refuse', { error: 'Database error' }, 200, REFUSAL, 0],
  ['refuse-after', { error: 'Database error' }, 200, REFUSAL, 3],
  ['refuse-after', { error: 'Database error', takes: 0.4 }, 200, REFUSAL, 1],
  ['acknowledged', {}, 200, /^\{"success":true,"request_id":"[^"]+"\}$/, 3],
])('%s %j answers HTTP %d and %s, with %d taken', async (kind, more, status, body, accepted) => {
  const answer = await send({ kind, ...more });
  expect(answer.status).toBe(status);
  if (typeof body === 'string') expect(answer.text).toBe(body);
  else expect(answer.text).toMatch(body);
  expect(sandbox.messages.accepted).toBe(accepted);
  expect([sandbox.requests[0].fault, sandbox.faults.struck]).toEqual([kind, { [kind]: 1 }]);
});

test.each([
  ['drop-before', 0],
  ['drop-after', 3],
] as const)('%s answers nothing, with %d taken', async (kind, accepted) => {
  await expect(send({ kind })).rejects.toThrow();
  expect(sandbox.messages.accepted).toBe(accepted);
});

test('data is too short, too long, in another order, of others', async () => {
  expect(ids((await send({ kind: 'short-data', times: 1 })).text)).toEqual([1, 2]);
  expect(ids((await send({ kind: 'long-data', times: 1 })).text)).toEqual([1, 2, 3, 3]);
  const mixed = ids((await send({ kind: 'reordered', times: 1 })).text);
  expect(mixed).not.toEqual([1, 2, 3]);
  expect([...mixed].sort()).toEqual([1, 2, 3]);
  expect(ids((await send({ kind: 'foreign-ids', times: 1 })).text)).not.toContain(1);
  expect(sandbox.messages.accepted).toBe(12);
});

test('batches over a size are refused, and smaller ones pass', async () => {
  expect((await send({ kind: 'too-large', over: 2 })).status).toBe(413);
  sandbox.faults.clear();
  expect(parsed((await send({ kind: 'refuse-large', over: 2 })).text).error).toContain('Too many');
  expect((await run(sandbox, THREE.slice(0, 2))).success).toBe(true);
  expect(sandbox.messages.accepted).toBe(2);
});

test.each([
  ['accept', 3, true],
  ['refuse', 0, false],
] as const)('a request arrives twice, with duplicates: %s', async (duplicateIds, doubled, success) => {
  sandbox.configure({ rules: { duplicateIds } });
  const { data } = parsed((await send({ kind: 'repeated', times: 1 })).text);
  expect(data.map((item) => item.success)).toEqual([success, success, success]);
  expect(sandbox.counts()).toMatchObject({ distinctIds: 3, doubledIds: doubled });
});

describe('which requests are struck', () => {
  const STATUS = { type: 'status', id: 1 };
  const strikes = async (plan: Partial<FaultPlan>, requests: unknown[]) => {
    const url = `${sandbox.baseUrl}/api/json.php`;
    sandbox.faults.clear();
    sandbox.faults.add({ kind: 'status-before', ...plan });
    const hit: boolean[] = [];
    for (const data of requests) hit.push((await post(url, { auth: DEFAULT_KEY, data })).status === 502);
    return hit;
  };

  test.each<[string, Partial<FaultPlan>, requests: unknown[], hit: boolean[]]>([
    ['number', { after: 1, times: 2 }, Array(4).fill(THREE), [false, true, true, false]],
    ['type', { type: 'sms' }, [THREE, [GOOD.viber]], [true, false]],
    ['what else is asked', {}, [[STATUS], [...THREE, STATUS]], [false, true]],
    ['sparesStatus', { sparesStatus: false }, [[STATUS]], [true]],
    ['a predicate', { when: ({ items }) => items === 1 }, [THREE, [GOOD.sms]], [false, true]],
    ['endpoint', { endpoint: 'async' }, [THREE], [false]],
  ])('is decided by %s', async (_by, plan, requests, hit) => {
    expect(await strikes(plan, requests)).toEqual(hit);
  });

  test('is decided by a share that is the same for the same seed', async () => {
    const requests = Array(60).fill([GOOD.sms]);
    const first = await strikes({ share: 0.2, seed: 5 }, requests);
    expect(await strikes({ share: 0.2, seed: 5 }, requests)).toEqual(first);
    expect(first.filter(Boolean).length).toBeGreaterThan(3);
    expect(first.filter(Boolean).length).toBeLessThan(25);
  });

  test('is by one of several kinds, until the fault is taken away', async () => {
    const remove = sandbox.faults.add({ kind: ['short-data', 'long-data'] });
    const lengths = new Set<number>();
    for (let i = 0; i < 20; i += 1) lengths.add((await run(sandbox, THREE)).data.length);
    expect([...lengths].sort()).toEqual([2, 4]);
    remove();
    expect((await run(sandbox, THREE)).data).toHaveLength(3);
  });
});

describe('a batch that is taken late', () => {
  const LATE = 80;
  const statusOf = async (id: number) => (await runOne(sandbox, { type: 'status', id })).success;
  /** Sends a batch; returns the status of the answer, or that there is none. */
  const sendLate = async (data: unknown, path = '/api/json.php', signal?: AbortSignal) =>
    await post(sandbox.baseUrl + path, { auth: DEFAULT_KEY, data }, undefined, signal).then(
      ({ status }) => status,
      () => 'none',
    );

  beforeEach(() => stopTime());

  test.each(FAULT_KINDS.filter((one) => KINDS[one].late))('fails now by %s, is taken then', async (kind) => {
    sandbox.faults.add({ kind, commitDelay: 500, bytes: 1000, times: 1 });
    const patience = new AbortController();
    const answer = sendLate(THREE, '/api/json.php', patience.signal);
    await until(() => sandbox.counts().lateBatches === 1);
    if (kind === 'slow' || kind.startsWith('hang')) patience.abort();
    // An endless stream of events begins with its first event.
    await pass(50);
    await answer;
    await pass(449);
    expect([sandbox.counts().accepted, await statusOf(1)]).toEqual([0, false]);
    await passUntil(sandbox.settled());
    expect(sandbox.counts()).toMatchObject({ accepted: 3, lateBatches: 0, doubledIds: 0 });
    expect(await statusOf(1)).toBe(true);
  });

  test('does not go with kinds that change results or refuse in front of the gateway', () => {
    for (const kind of FAULT_KINDS.filter((one) => !KINDS[one].late)) {
      expect(() => sandbox.faults.add({ kind: ['drop-before', kind], commitDelay: 5 })).toThrow(
        `Fault: commitDelay does not go with the kind ${kind}`,
      );
    }
  });

  test('is reported then, by the asynchronous endpoint also what it refuses', async () => {
    const hook = await listenForCallbacks();
    const bad = { ...GOOD.sms, id: 9, sms_signature: 'Nobody', hook: hook.url };
    sandbox.faults.add({ kind: 'drop-before', endpoint: 'async', commitDelay: LATE, times: 1 });
    expect(await sendLate([{ ...GOOD.sms, hook: hook.url }, bad], '/v1/json')).toBe('none');
    expect((await queue(sandbox, [{ ...GOOD.sms, id: 2 }])).success).toBe(true);
    await passUntil(sandbox.settled());
    expect(sandbox.messages.list().map(({ id }) => id)).toEqual([2, 1]);
    const due = sandbox.requests[0].at + LATE;
    const seen = hook.received.map(({ body, at }) => [body.id, body.status, at >= due].join(' '));
    expect(seen.sort()).toEqual(['1 DELIVERED true', '9 REJECTED true']);
    await hook.close();
  });

  test('stays when faults are taken away, and is dropped by a reset', async () => {
    sandbox.faults.add({ kind: 'drop-before', commitDelay: LATE, times: 1 });
    await sendLate(THREE);
    sandbox.faults.clear();
    expect(sandbox.counts().lateBatches).toBe(1);
    sandbox.reset();
    await pass(LATE + 20);
    expect(sandbox.counts()).toMatchObject({ accepted: 0, lateBatches: 0 });
  });
});
