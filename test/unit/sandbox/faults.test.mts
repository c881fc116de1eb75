/** Things that go wrong on purpose: what of a batch is taken, what is answered, and which requests are struck. */
import { FAULT_KINDS } from '../../../sandbox/faults.mts';
import type { FaultKind, FaultPlan } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { letTimeRun, pass, passUntil, stopTime, until } from '../../support/virtual-time.mts';
import { GOOD, post, runOne } from './client.mts';

const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
afterEach(() => letTimeRun());

const THREE = [1, 2, 3].map((id) => ({ ...GOOD.sms, id }));

const send = async (plan: FaultPlan) => {
  sandbox.faults.add(plan);
  const response = await post(`${sandbox.baseUrl}/api/json.php`, { auth: DEFAULT_KEY, data: THREE });
  return { status: response.status, text: await response.text() };
};
const REFUSAL = '{"success":false,"error":"Database error"}';

test.each<[FaultKind, Partial<FaultPlan>, status: number, body: RegExp]>([
  ['status-before', {}, 502, /^<!doctype html>/],
  ['status-before', { status: 500, error: 'Database error' }, 500, RegExp(REFUSAL)],
  ['refuse', { error: 'Database error' }, 200, RegExp(REFUSAL)],
  ['refuse-items', {}, 200, /^\{"success":true,"data":\[(\{"success":false,[^}]+\}\},?){3}\]\}$/],
])('%s %j answers HTTP %d and %s, and nothing is taken', async (kind, more, status, body) => {
  expect(await send({ kind, ...more })).toEqual({ status, text: expect.stringMatching(body) });
  expect(sandbox.messages.accepted).toBe(0);
  expect([sandbox.requests[0].fault, sandbox.faults.list()]).toMatchObject([kind, [{ struck: 1 }]]);
});

test.each([
  ['drop-before', 0],
  ['drop-after', 3],
] as const)('%s answers nothing, with %d taken', async (kind, accepted) => {
  await expect(send({ kind })).rejects.toThrow();
  expect(sandbox.messages.accepted).toBe(accepted);
});

describe('which requests are struck', () => {
  const STATUS = { type: 'status', id: 1 };
  const strikes = async (plan: Partial<FaultPlan>, requests: unknown[]) => {
    const url = `${sandbox.baseUrl}/api/json.php`;
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
  const isKnown = async (id: number) => (await runOne(sandbox, { type: 'status', id })).success;
  /** Sends a batch; the answer, or that there is none, is of no interest. */
  const sendLate = async (data: unknown, signal: AbortSignal) =>
    await post(`${sandbox.baseUrl}/api/json.php`, { auth: DEFAULT_KEY, data }, undefined, signal).catch(
      () => undefined,
    );

  beforeEach(() => stopTime());

  test.each(FAULT_KINDS)('fails now by %s, is taken then', async (kind) => {
    sandbox.faults.add({ kind, commitDelay: 500, times: 1 });
    const patience = new AbortController();
    const answer = sendLate(THREE, patience.signal);
    await until(() => sandbox.requests.length === 1);
    if (kind === 'slow' || kind === 'hang-after') patience.abort();
    // An endless stream of events begins with its first event.
    await pass(50);
    await answer;
    expect([sandbox.counts().accepted, await isKnown(1)]).toEqual([0, false]);
    await pass(450);
    await passUntil(sandbox.settled());
    expect(sandbox.counts()).toMatchObject({ accepted: 3, doubledIds: 0 });
    expect(await isKnown(1)).toBe(true);
  });
});
