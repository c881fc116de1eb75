/** Things that go wrong on purpose: what of a batch is taken, what is answered, and which requests are struck. */
import { FAULT_KINDS, KINDS } from '../../../sandbox/faults/plan.mts';
import type { FaultKind, FaultPlan } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { freshSandbox } from '../../support/own-sandbox.mts';
import { letTimeRun, pass, passUntil, stopTime, until } from '../../support/virtual-time.mts';
import { GOOD, listenForCallbacks, post, queue, runOne } from './client.mts';
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
const REFUSAL = '{"success":false,"error":"Database error"}';

const HTML = /^<!doctype html>/;

test.each<[FaultKind, Partial<FaultPlan>, status: number, body: RegExp | string, accepted: number]>([
  ['status-before', {}, 502, HTML, 0],
  ['status-after', { status: 503 }, 503, HTML, 3],
  ['html-after', {}, 200, HTML, 3],
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
    ['what else is asked', {}, [[STATUS], [...THREE, STATUS]], [false, true]],
    ['sparesStatus', { sparesStatus: false }, [[STATUS]], [true]],
    ['a predicate', { when: ({ items }) => items === 1 }, [THREE, [GOOD.sms]], [false, true]],
    ['endpoint', { endpoint: 'async' }, [THREE], [false]],
  ])('is decided by %s', async (_by, plan, requests, hit) => {
    expect(await strikes(plan, requests)).toEqual(hit);
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
    sandbox.faults.add({ kind, commitDelay: 500, times: 1 });
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
      expect(() => sandbox.faults.add({ kind, commitDelay: 5 })).toThrow(
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
