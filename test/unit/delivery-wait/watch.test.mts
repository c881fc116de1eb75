import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { SelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';
import { OpenWait } from '../../../nodes/MessagingGateway/delivery-wait/open-wait.ts';
import { startWatching, watches } from '../../../nodes/MessagingGateway/delivery-wait/watch.ts';
import { streamed } from '../../support/streamed.mts';

/** The watch of a wait on fake timers, with a gateway that knows when each outcome comes in. */

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What the execution, n8n or something in front of it answers to a call. */
const ANSWERS: Record<SelfAnswer['is'], { statusCode: number; body: object }> = {
  asleep: { statusCode: 200, body: { sleeping: true } },
  over: { statusCode: 200, body: { sleeping: false } },
  awake: { statusCode: 409, body: { code: 409 } },
  locked: { statusCode: 401, body: { error: 'Invalid token' } },
  unreachable: { statusCode: 502, body: {} },
};

interface Setting {
  count: number;
  /** Milliseconds at which the outcome of a message comes in. */
  finalAt(index: number): number;
  limit?: number;
  /** Answer of the gateway to a request, by its number from 0, instead of the statuses. */
  instead?(request: number): { statusCode: number; headers?: object; body?: string } | undefined;
  /** The answer to a call that wakes the execution. */
  self?(): SelfAnswer['is'];
  /** The key in the credential; undefined where it can't be read. */
  key?(): string | undefined;
  /** The API Address in the credential. */
  address?(): string;
}

let serial = 0;

async function waitFor({
  count,
  finalAt,
  limit = 60 * MINUTE,
  instead,
  self = () => 'over',
  key = () => 'key',
  address = () => 'https://gateway.example',
}: Setting) {
  const items = Array.from({ length: count }, (_, id): IDataObject => ({ id, type: 'sms', final: false }));
  const wait = new OpenWait(items);
  const requests: Array<{ at: number; ids: number[] }> = [];
  const calls: Array<{ at: number; open: number }> = [];
  const warnings: string[] = [];
  const context = {
    getNode: () => ({ id: 'node', name: 'Send' }),
    getExecutionId: () => '7',
    evaluateExpression: () => 'https://n8n.example/webhook-waiting/7?signature=token',
    getCredentials: async () => {
      const apiKey = await Promise.resolve(key());
      if (apiKey === undefined) throw new Error('No isolate');
      return { apiKey, baseUrl: address() };
    },
    logger: { warn: (text: string) => warnings.push(text) },
    helpers: {
      httpRequest: async ({ url }: IHttpRequestOptions) => {
        // Inside n8n, nobody listens.
        if (!url.startsWith('https://n8n.example/')) throw new Error('refused');
        calls.push({ at: Date.now(), open: wait.open });
        return await Promise.resolve(ANSWERS[self()]);
      },
      httpRequestWithAuthentication: async (
        _: string,
        { body }: { body: { data: Array<{ id: number }> } },
      ) => {
        const ids = body.data.map(({ id }) => id);
        requests.push({ at: Date.now(), ids });
        await new Promise((resolve) => setTimeout(resolve, 10));
        const data = ids.map((id) => ({
          success: true,
          data: { id, status: finalAt(id) <= Date.now() ? 'DELIVERED' : 'SENT' },
        }));
        const answer = { statusCode: 200, headers: {}, body: JSON.stringify({ success: true, data }) };
        return streamed({ ...answer, ...instead?.(requests.length - 1) });
      },
    },
  } as unknown as IExecuteFunctions;
  const name = `sleep-${++serial}`;
  await startWatching(context, { key: name, limitAt: limit }, wait);
  const hasEnded = () => !watches.has(name);
  const passed = async (milliseconds: number) => {
    const step = Math.max(500, milliseconds / 1000);
    for (let t = 0; t < milliseconds && !hasEnded(); t += step) await jest.advanceTimersByTimeAsync(step);
  };
  return { wait, requests, calls, warnings, passed, hasEnded };
}

it('has all outcomes of 20,000 messages that come in over two minutes within nine seconds of the last, in 20 rounds at most', async () => {
  const [count, over] = [20_000, 2 * MINUTE];
  const run = await waitFor({ count, finalAt: (i) => (over * ((i * 7919) % count)) / count });
  await run.passed(2 * over);
  expect(run.calls).toEqual([{ at: expect.any(Number), open: 0 }]);
  expect(run.calls[0].at).toBeLessThan(over + 9 * SECOND);
  const first = run.requests.filter(({ ids }) => ids.includes(count - 1)).length;
  expect(first).toBeLessThanOrEqual(20);
  expect(Math.max(...run.requests.map(({ ids }) => ids.length))).toBe(1000);
});

it.each([5 * SECOND, 4 * MINUTE, 50 * MINUTE, 500 * MINUTE])(
  'notices an outcome after %i ms, later by the time so far and by ten minutes at most, at growing intervals',
  async (at) => {
    const run = await waitFor({ count: 3, finalAt: () => at, limit: 3 * at });
    await run.passed(3 * at);
    expect(run.calls[0].at - at).toBeLessThan(Math.min(1.1 * at, 11 * MINUTE));
    expect(run.requests[0].at).toBe(SECOND);
    expect(run.requests.length).toBeLessThan(15 + at / (9 * MINUTE));
  },
);

it.each([
  [
    'wants to be left alone for years',
    { statusCode: 429, headers: { 'retry-after': '99999999999' }, body: '' },
  ],
  ['is down', { statusCode: 503, body: '<html>' }],
])(
  'goes on asking a gateway that %s every ten minutes, in a wait for months too, where sleeps end at once',
  async (_, answer) => {
    const run = await waitFor({
      count: 1,
      finalAt: () => 0,
      limit: 60 * 24 * 60 * MINUTE,
      instead: () => answer,
    });
    await run.passed(10 * 60 * MINUTE);
    expect(run.requests.length).toBeGreaterThan(50);
    expect(run.requests.length).toBeLessThan(90);
    expect([run.hasEnded(), run.calls]).toEqual([false, []]);
  },
);

it('asks first about what a request that failed has left out, so that no message waits for its turn forever', async () => {
  const run = await waitFor({
    count: 300,
    finalAt: () => Infinity,
    instead: (request) => (request % 2 === 1 ? { statusCode: 503, body: '' } : undefined),
  });
  await run.passed(10 * MINUTE);
  expect(new Set(run.requests.filter((_, i) => i % 2 === 0).flatMap(({ ids }) => ids)).size).toBe(300);
});

it('asks nothing from its limit on, and wakes the execution then with what is known', async () => {
  const run = await waitFor({ count: 20_000, finalAt: () => Infinity, limit: 10 * SECOND });
  await run.passed(MINUTE);
  expect(run.requests.at(-1)?.at).toBeLessThan(10 * SECOND);
  expect(run.calls).toEqual([{ at: 10 * SECOND, open: 20_000 }]);
});

it('wakes the execution soon after its limit, however long n8n could not be reached before, and has said once what to set', async () => {
  const limit = 60 * MINUTE;
  const run = await waitFor({
    count: 3,
    finalAt: () => 0,
    limit,
    self: () => (Date.now() < limit + 20 * SECOND ? 'unreachable' : 'over'),
  });
  await run.passed(limit + 5 * MINUTE);
  // n8n goes on by itself a minute after the limit.
  expect(run.calls.at(-1)?.at).toBeLessThan(limit + 40 * SECOND);
  expect(run.calls.length).toBeLessThan(30);
  expect(run.warnings).toEqual([expect.stringMatching(/execution 7: .*WEBHOOK_URL/)]);
});

it('makes sure that n8n has started what a callback woke, however often it can not', async () => {
  const run = await waitFor({
    count: 1,
    finalAt: () => 0,
    self: () => (run.calls.length < 12 ? 'asleep' : 'awake'),
  });
  await run.passed(50 * MINUTE);
  expect([run.calls.length, run.hasEnded()]).toEqual([12, true]);
});

it('takes no word of n8n for the end of the wait while n8n may still save the execution', async () => {
  const run = await waitFor({ count: 1, finalAt: () => 0, self: () => 'awake' });
  await run.passed(50 * SECOND);
  expect(run.hasEnded()).toBe(false);
  await run.passed(2 * MINUTE);
  expect(run.hasEnded()).toBe(true);
});

it('reads a changed key from the credential, goes on with the last one where n8n reads none, and warns where it never could', async () => {
  const refused = { statusCode: 200, body: JSON.stringify({ success: false, error: 'Access denied' }) };
  let reads = 0;
  const changed = await waitFor({
    count: 3,
    finalAt: () => 0,
    instead: () => (reads < 3 ? refused : undefined),
    key: () => ((reads += 1) === 2 ? undefined : 'key'),
  });
  await changed.passed(5 * MINUTE);
  expect([changed.wait.open, changed.requests.length, changed.warnings]).toEqual([0, 2, []]);

  let addresses = 0;
  const emptied = await waitFor({
    count: 3,
    finalAt: () => 2 * SECOND,
    address: () => (++addresses === 2 ? '' : 'https://gateway.example'),
  });
  await emptied.passed(5 * MINUTE);
  expect([emptied.wait.open, emptied.warnings, emptied.hasEnded()]).toEqual([0, [], true]);

  const limit = Date.now() + 2 * MINUTE;
  const unread = await waitFor({ count: 3, finalAt: () => 0, limit, key: () => undefined });
  await unread.passed(5 * MINUTE);
  expect([unread.wait.open, unread.requests, unread.hasEnded()]).toEqual([3, [], true]);
  expect(unread.warnings[0]).toContain('No isolate');
});
