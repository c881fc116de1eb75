import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { SelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';
import { OpenWait } from '../../../nodes/MessagingGateway/delivery-wait/open-wait.ts';
import { Watches } from '../../../nodes/MessagingGateway/delivery-wait/watch.ts';

/** The watch of a wait on fake timers, with a gateway that knows when each outcome comes in. */

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const MINUTE = 60_000;
const GATEWAY = 'https://gateway.example';

/** What the execution, n8n or something in front of it answers to a call. */
const ANSWERS: Record<SelfAnswer, { statusCode: number; body: object }> = {
  asleep: { statusCode: 200, body: { sleeping: true } },
  over: { statusCode: 200, body: { sleeping: false } },
  awake: { statusCode: 409, body: { code: 409 } },
  unclear: { statusCode: 502, body: {} },
};

interface Setting {
  count: number;
  /** Milliseconds at which the outcome of a message comes in. */
  finalAt(index: number): number;
  type?: string;
  limit?: number;
  /** Answer of the gateway to a request, by its number from 0, instead of the statuses. */
  instead?(request: number): object | undefined;
  /** The answer to a call that wakes the execution. */
  self?(): SelfAnswer;
  /** Milliseconds that such a call takes. */
  takes?: number;
  /** The key in the credential; undefined where it can't be read. */
  key?(): string | undefined;
  batchSize?: number;
  watches?: Watches;
}

let serial = 0;

async function waitFor({
  count,
  finalAt,
  type = 'sms',
  limit = 60 * MINUTE,
  instead,
  self = () => 'over',
  takes = 0,
  key = () => 'old',
  batchSize = 500,
  watches = new Watches(),
}: Setting) {
  const items = Array.from(
    { length: count },
    (_, id): IDataObject => ({ id, type, outcome: 'unknown', final: false }),
  );
  const wait = new OpenWait(items);
  const requests: Array<{ at: number; ids: number[] }> = [];
  const calls: Array<{ at: number; open: number }> = [];
  const looks: number[] = [];
  const warnings: string[] = [];
  let isUnderWay = false;
  const askGateway = async (data: Array<{ id: number }>) => {
    expect(isUnderWay).toBe(false);
    const ids = data.map(({ id }) => id);
    requests.push({ at: Date.now(), ids });
    const other = instead?.(requests.length - 1);
    isUnderWay = true;
    const results = ids.map((id) => ({
      success: true,
      data: { id, status: finalAt(id) <= Date.now() ? 'DELIVERED' : 'SENT' },
    }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    isUnderWay = false;
    const body = JSON.stringify(other ?? { success: true, data: results });
    return { statusCode: 200, headers: {}, body };
  };
  const context = {
    getNode: () => ({ id: 'node', name: 'Send' }),
    getExecutionId: () => '7',
    evaluateExpression: () => 'https://n8n.example/webhook-waiting/7?signature=token',
    getCredentials: async () => {
      const apiKey = await Promise.resolve(key());
      if (apiKey === undefined) throw new Error('No isolate');
      return { apiKey, baseUrl: GATEWAY };
    },
    logger: { warn: (text: string) => warnings.push(text) },
    helpers: {
      httpRequest: async ({ url, body }: IHttpRequestOptions) => {
        // Inside n8n, nobody listens.
        if (!url.startsWith('https://n8n.example/')) throw new Error('refused');
        await new Promise((resolve) => setTimeout(resolve, takes));
        const { todo } = body as { todo: string };
        if (todo === 'look') looks.push(Date.now());
        else calls.push({ at: Date.now(), open: wait.open });
        return ANSWERS[todo === 'look' ? 'asleep' : self()];
      },
      httpRequestWithAuthentication: async (_: string, { body }: { body: { data: Array<{ id: number }> } }) =>
        await askGateway(body.data),
    },
  } as unknown as IExecuteFunctions;
  const note = { key: `sleep ${++serial}`, limitAt: limit, batchSize };
  const watch = await watches.start(context, note, wait);
  const hasEnded = () => !watches.has(note.key);
  const passed = async (milliseconds: number) => {
    const step = Math.max(500, milliseconds / 1000);
    for (let t = 0; t < milliseconds && !hasEnded(); t += step) await jest.advanceTimersByTimeAsync(step);
  };
  return { wait, watch, requests, calls, looks, warnings, passed, hasEnded };
}

// What a wait asks at most, and when it ends at the latest, has a simulation for some hundred messages.
it.each([
  [1, 3000, 3],
  [3000, 10_000, 15],
  [20_000, 10_000, 60],
  [20_000, 120_000, 90],
  [20_000, 600_000, 120],
])(
  'has all outcomes of %i messages that come in over %i ms, soon after the last, in %i requests at most',
  async (count, over, most) => {
    const { requests, calls, passed, wait } = await waitFor({
      count,
      finalAt: (i) => (over * ((i * 7919) % count)) / count,
    });
    await passed(2 * over + 10_000);
    expect(wait.open).toBe(0);
    expect(calls).toEqual([{ at: expect.any(Number), open: 0 }]);
    expect(calls[0].at).toBeLessThan(over + 2500);
    expect(requests.length).toBeLessThanOrEqual(most);
  },
);

it('wakes the execution soon after its limit, however long n8n could not be reached before', async () => {
  const limit = 60 * MINUTE;
  const { calls, passed } = await waitFor({
    count: 3,
    finalAt: () => 0,
    limit,
    self: () => (Date.now() < limit + 20_000 ? 'unclear' : 'over'),
  });
  await passed(limit + 5 * MINUTE);
  // n8n goes on by itself a minute after the limit.
  expect(calls.at(-1)?.at).toBeLessThan(limit + 40_000);
  expect(calls.length).toBeLessThan(30);
});

it('goes on until n8n has started what a callback woke, however often it can not', async () => {
  const { wait, calls, passed, hasEnded } = await waitFor({
    count: 1,
    finalAt: () => 0,
    self: () => (calls.length < 12 ? 'asleep' : 'awake'),
  });
  wait.startResuming(Date.now(), 'by a callback');
  await passed(50 * MINUTE);
  expect([calls.length, hasEnded()]).toEqual([12, true]);
});

it('tries again and again from its limit on, before n8n passes on what it saved', async () => {
  const { calls, passed } = await waitFor({ count: 1, finalAt: () => 0, limit: 0, self: () => 'asleep' });
  await passed(MINUTE);
  expect(calls.filter(({ at }) => at < MINUTE / 2).length).toBeGreaterThan(1);
  expect(calls.filter(({ at }) => at >= MINUTE / 2).length).toBeGreaterThan(1);
});

it('looks rarely whether executions sleep, and at each of them in turn', async () => {
  const watches = new Watches();
  const setting = { count: 1, finalAt: () => Infinity, limit: 120 * MINUTE, takes: 1000, watches };
  const waits = [];
  for (let i = 0; i < 5; i++) waits.push(await waitFor(setting));
  await waits[0].passed(100 * MINUTE);
  const counts = waits.map(({ looks }) => looks.length);
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(60);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
});

it('goes on with the credential as it was where n8n reads it no more, and warns where it never could', async () => {
  const read = await waitFor({
    count: 3,
    finalAt: () => 0,
    instead: (request) => (request < 2 ? { success: false, error: 'Refused' } : undefined),
    key: () => (Date.now() === 0 ? 'old' : undefined),
  });
  await read.passed(5 * MINUTE);
  expect([read.wait.open, read.requests.length, read.warnings]).toEqual([0, 3, []]);

  const unread = await waitFor({
    count: 3,
    finalAt: () => 0,
    limit: Date.now() + MINUTE,
    key: () => undefined,
  });
  await unread.passed(5 * MINUTE);
  expect([unread.wait.open, unread.requests, unread.hasEnded()]).toEqual([3, [], true]);
  expect(unread.warnings[0]).toContain('No isolate');
});

it('answers about all messages before a call at the limit is answered, also where two come at once', async () => {
  const { watch, wait, requests, passed } = await waitFor({
    count: 10,
    finalAt: () => 0,
    batchSize: 5,
    limit: 100,
  });
  const openAfter: number[] = [];
  const calls = [watch.askAll(false), watch.askAll(false)].map((call) =>
    call.then(() => openAfter.push(wait.open)),
  );
  await passed(1000);
  await Promise.all(calls);
  expect(openAfter).toEqual([0, 0]);
  expect(requests.map(({ ids }) => ids.length)).toEqual([5, 5]);
});

it('asks about few messages at a time while little is new, and about all of them in turn', async () => {
  const { requests, passed } = await waitFor({ count: 20_000, finalAt: () => Infinity });
  await passed(59 * MINUTE);
  expect(requests.length).toBeGreaterThan(10);
  expect(requests.length).toBeLessThan(20);
  const asked = requests.flatMap(({ ids }) => ids);
  expect(new Set(asked).size).toBe(asked.length);

  const smaller = await waitFor({ count: 3000, finalAt: () => Infinity, limit: Date.now() + 60 * MINUTE });
  await smaller.passed(5 * MINUTE);
  expect(new Set(smaller.requests.flatMap(({ ids }) => ids)).size).toBe(3000);
});

it('asks about all messages each time where a channel may follow another, so that each failure is seen early', async () => {
  const { requests, passed } = await waitFor({
    count: 100,
    finalAt: () => Infinity,
    type: 'viber+sms',
    batchSize: 10,
  });
  await passed(MINUTE);
  expect(requests.length).toBeGreaterThan(30);
  const times = new Map<number, number>();
  for (const id of requests.flatMap(({ ids }) => ids)) times.set(id, (times.get(id) ?? 0) + 1);
  expect([times.size, new Set(times.values()).size]).toEqual([100, 1]);
});

it.each([
  ['a round that ends early: it asks about all that are still open', 20_000, 19_900],
  ['a round about all messages: it shares the answers', 300, 0],
])('answers about all messages before a call is answered that comes during %s', async (_, count, more) => {
  const { watch, requests } = await waitFor({ count, finalAt: (id) => (id < 100 ? 0 : Infinity) });
  await jest.advanceTimersByTimeAsync(1010);
  const before = requests.length;
  let isAnswered = false;
  const call = watch.askAll(true).then(() => (isAnswered = true));
  for (let i = 0; i < 150 && !isAnswered; i++) await jest.advanceTimersByTimeAsync(10);
  expect([before, isAnswered]).toEqual([1, true]);
  await call;
  const asked = requests.slice(before).flatMap(({ ids }) => ids);
  expect([asked.length, new Set(asked).size]).toEqual([more, more]);
});

it('asks soon after a callback brought an outcome, since others may have theirs, and less and less often again', async () => {
  const { wait, watch, requests, passed } = await waitFor({
    count: 2,
    finalAt: (id) => (id === 0 ? 0 : Infinity),
  });
  await passed(10 * MINUTE);
  const before = requests.length;
  const calledAt = Date.now();
  expect(watch.wait.takeAll([{ id: 1, status: 'SENT' }])).toBe(true);
  wait.ring();
  await passed(20_000);
  const after = requests.slice(before).map(({ at }) => at - calledAt);
  expect(after[0]).toBeLessThan(3000);
  const pauses = after.slice(1).map((at, i) => at - after[i]);
  expect(pauses.length).toBeGreaterThan(1);
  expect([...new Set(pauses)].sort((a, b) => a - b)).toEqual(pauses);
});

it.each([
  ['', 0],
  [' and could not be reached with more after that', MINUTE],
])(
  'asks with many ids again, where a gateway refused more than one for some seconds%s',
  async (_, failsUntil) => {
    const run = await waitFor({
      count: 2000,
      finalAt: () => Infinity,
      instead: (request) => {
        const count = run?.requests[request].ids.length ?? 500;
        if (count === 1) return undefined;
        if (Date.now() < 3000) return { success: false, error: 'Zorble' };
        if (Date.now() < failsUntil) throw new Error('Network');
        return undefined;
      },
    });
    await run.passed(59 * MINUTE);
    expect(run.requests.at(-1)?.at).toBeGreaterThan(30 * MINUTE);
    expect(run.requests.at(-1)?.ids.length).toBe(500);
  },
);

it('finds out that a gateway takes ten ids which refused any at first', async () => {
  const run = await waitFor({
    count: 30,
    finalAt: () => 0,
    instead: (request) => {
      const count = run?.requests[request].ids.length ?? 30;
      return count > 10 || Date.now() < MINUTE ? { success: false, error: 'Zorble' } : undefined;
    },
  });
  await run.passed(20 * MINUTE);
  expect(run.wait.open).toBe(0);
});

it('asks a gateway that takes ten ids, and says so in any way, about all messages in turn, and seldom tries more', async () => {
  const said: Array<(ids: number) => object | undefined> = [
    () => ({ success: false, error: 'Zorble' }),
    (ids) => ({
      success: true,
      data: Array.from({ length: Math.min(10, ids) }, () => ({ success: true, data: { status: 'SENT' } })),
    }),
  ];
  for (const say of said) {
    const counts: number[] = [];
    const run = await waitFor({
      count: 30,
      finalAt: () => Infinity,
      limit: Date.now() + 5 * MINUTE,
      instead: (request) => {
        const { ids } = run?.requests[request] ?? { ids: Array.from({ length: 30 }) };
        counts.push(ids.length);
        return ids.length > 10 ? say(ids.length) : undefined;
      },
    });
    await run.passed(6 * MINUTE);
    expect(counts.filter((count) => count > 10)).toEqual([30, 15, 14, 14, 14]);
    const refused = run.requests.flatMap(({ ids }, i) => (ids.length > 10 ? [i] : []));
    for (const i of refused) expect(run.requests[i + 1].at - run.requests[i].at).toBeLessThan(1000);
    const asked = new Set(run.requests.slice(2).flatMap(({ ids }) => ids));
    expect(asked.size).toBe(30);
  }
});
