import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { SelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';
import { OpenWait } from '../../../nodes/gateway/client/open-wait.ts';
import { startWatching, watches } from '../../../nodes/MessagingGateway/suspend/poller.ts';
import { streamed } from '../../support/streamed.mts';
import { stopAbortTimers } from '../../support/virtual-time.mts';

/** Waits that a process watches, on fake timers, with a gateway that knows when each outcome comes in. */

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  stopAbortTimers();
});
afterEach(() => {
  watches.clear();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

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
  /** Answer of the gateway to a request, by its number from 0 and its ids, instead of the statuses. */
  instead?(request: number, ids: number): { statusCode: number; headers?: object; body?: string } | undefined;
  /** The answer to a call that wakes the execution, and how long it takes. */
  self?(): SelfAnswer['is'];
  selfMs?: number;
  /** The execution in n8n's database, whose sleep has this key. */
  saved?(key: string): object | undefined;
  /** The id of the credential. */
  credential?: string;
  /** The key in the credential; undefined where it can't be read. */
  key?(): string | undefined;
  /** The API Address in the credential. */
  address?(): string;
}

/** An execution that sleeps, as n8n saves it. */
const asleep = (key: string) => ({
  waitTill: 1,
  resultData: {},
  executionData: { contextData: { 'node:Send': { messagingGatewaySleep: { key } } } },
});

/** A wait for delivery. */
const sleepOf = (messages: OpenWait, key: string, limitAt: number): Parameters<typeof startWatching>[1] => ({
  ...{ key, limitAt, messages },
  call: { key, address: `https://n8n.example/webhook-waiting/7?signature=token/node` },
  todo: (now) => (now >= limitAt || messages.openCount === 0 ? 'wake' : 'ask'),
});

let serial = 0;

/** What n8n's database has of an execution, by its id. */
const database = new Map<string, () => object | undefined>();

async function waitFor({
  count,
  finalAt,
  limit = 60 * MINUTE,
  instead,
  self = () => 'over',
  selfMs = 0,
  saved = asleep,
  credential = 'credential',
  key = () => `key-${serial}`,
  address = () => 'https://gateway.example',
}: Setting) {
  const name = `sleep-${++serial}`;
  const executionId = String(serial);
  database.set(executionId, () => saved(name));
  const items = Array.from({ length: count }, (_, id): IDataObject => ({ id, type: 'sms', final: false }));
  const wait = new OpenWait(items);
  const requests: Array<{ at: number; ids: number[] }> = [];
  const calls: Array<{ at: number; open: number }> = [];
  const warnings: string[] = [];
  const context = {
    getNode: () => ({ id: 'node', name: 'Send', credentials: { messagingGatewayApi: { id: credential } } }),
    additionalData: {
      getRunExecutionData: async (id: string) => await Promise.resolve(database.get(id)?.()),
    },
    getExecutionId: () => executionId,
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
        calls.push({ at: Date.now(), open: wait.openCount });
        if (selfMs > 0) await new Promise((resolve) => setTimeout(resolve, selfMs));
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
        return streamed({ ...answer, ...instead?.(requests.length - 1, ids.length) });
      },
    },
  } as unknown as IExecuteFunctions;
  await startWatching(context, sleepOf(wait, name, limit));
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

it.each([5 * SECOND, 33 * SECOND, 14 * MINUTE, 50 * MINUTE, 500 * MINUTE])(
  'notices an outcome after %i ms within 15 seconds, after a quarter of an hour later by a fiftieth, and by ten minutes at most, at growing intervals',
  async (at) => {
    const run = await waitFor({ count: 3, finalAt: () => at, limit: 3 * at });
    await run.passed(3 * at);
    const latest = Math.max(15 * SECOND, Math.min(at / 50, 11 * MINUTE));
    expect(run.calls[0].at - at).toBeLessThanOrEqual(latest);
    expect(run.requests[0].at).toBe(SECOND);
    // In 8 minutes 63, in each 2.7 times that long 60 more, and then one in ten minutes.
    expect(run.requests.length).toBeLessThan(70 + 60 * Math.log(Math.max(1, at / (8 * MINUTE))));
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
    const limit = 60 * 24 * 60 * MINUTE;
    const run = await waitFor({ count: 1, finalAt: () => 0, limit, instead: () => answer });
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

it('asks for the last time right before its limit', async () => {
  const finalAt = () => 10 * MINUTE - 4 * SECOND;
  const run = await waitFor({ count: 1, finalAt, limit: 10 * MINUTE });
  await run.passed(11 * MINUTE);
  expect(run.requests.at(-1)?.at).toBeGreaterThan(10 * MINUTE - 5 * SECOND);
  expect(run.calls).toEqual([{ at: expect.any(Number), open: 0 }]);
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
  expect(run.warnings).toEqual([expect.stringMatching(/execution \d+: .*WEBHOOK_URL/)]);
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
    key: () => ((reads += 1) === 2 ? undefined : 'changing'),
  });
  await changed.passed(5 * MINUTE);
  expect([changed.wait.openCount, changed.requests.length, changed.warnings]).toEqual([0, 2, []]);

  let addresses = 0;
  const emptied = await waitFor({
    count: 3,
    finalAt: () => 2 * SECOND,
    address: () => (++addresses === 2 ? '' : 'https://gateway.example'),
  });
  await emptied.passed(5 * MINUTE);
  expect([emptied.wait.openCount, emptied.warnings, emptied.hasEnded()]).toEqual([0, [], true]);

  const limit = Date.now() + 2 * MINUTE;
  const unread = await waitFor({ count: 3, finalAt: () => 0, limit, key: () => undefined });
  await unread.passed(5 * MINUTE);
  expect([unread.wait.openCount, unread.requests, unread.hasEnded()]).toEqual([3, [], true]);
  expect(unread.warnings[0]).toContain('No isolate');
});

describe('a gateway that can not answer large questions', () => {
  const refusal = { statusCode: 200, body: JSON.stringify({ success: false, error: 'Too many operations' }) };

  it.each([
    ['breaks on', { statusCode: 500, body: '<html>' }],
    ['refuses', refusal],
  ])('is asked in smaller ones where it %s them', async (_, answer) => {
    const run = await waitFor({
      count: 1000,
      finalAt: () => Infinity,
      instead: (__, ids) => (ids > 130 ? answer : undefined),
    });
    await run.passed(MINUTE);
    const sizes = run.requests.map(({ ids }) => ids.length);
    expect(sizes.slice(0, 4)).toEqual([1000, 500, 250, 125]);
    const answered = run.requests.filter(({ ids }) => ids.length <= 130).flatMap(({ ids }) => ids);
    expect(new Set(answered).size).toBe(1000);
  });

  it('is asked in large ones again once it is back', async () => {
    const run = await waitFor({
      count: 1000,
      finalAt: () => Infinity,
      limit: 600 * MINUTE,
      instead: () => (Date.now() < 5 * MINUTE ? { statusCode: 503, body: '' } : undefined),
    });
    await run.passed(100 * MINUTE);
    const sizes = run.requests.map(({ ids }) => ids.length);
    expect(Math.min(...sizes)).toBeLessThan(20);
    expect(sizes.at(-1)).toBe(1000);
  });
});

describe('the waits of an account', () => {
  const start = async (waits: number, setting: Setting) =>
    await Promise.all(Array.from({ length: waits }, async () => await waitFor(setting)));

  it('are asked about together, a thousand messages in a request, in two requests a second at most', async () => {
    const waits = await start(3000, { count: 1, finalAt: () => Infinity, key: () => 'together' });
    await jest.advanceTimersByTimeAsync(MINUTE);
    const requests = waits.flatMap((wait) => wait.requests);
    const seconds = requests.map(({ at }) => Math.floor(at / SECOND));
    for (const second of seconds) expect(seconds.filter((one) => one === second).length).toBeLessThan(3);
    // Ten rounds of three requests, of which one may be cut in two.
    expect(requests.length).toBeLessThan(41);
    expect(Math.max(...requests.map(({ ids }) => ids.length))).toBe(1000);
  });

  it('do not wait for a large one among them', async () => {
    const key = () => 'beside a large one';
    await waitFor({ count: 40_000, finalAt: () => Infinity, key });
    await jest.advanceTimersByTimeAsync(2 * SECOND);
    const at = Date.now() + 3 * SECOND;
    const small = await waitFor({ count: 1, finalAt: () => at, key });
    await jest.advanceTimersByTimeAsync(20 * SECOND);
    expect(small.calls[0].at - at).toBeLessThan(6 * SECOND);
  });

  it('are woken four at a time', async () => {
    const waits = await start(10, { count: 1, finalAt: () => 0, selfMs: 500, key: () => 'four' });
    await jest.advanceTimersByTimeAsync(5 * SECOND);
    const times = waits.flatMap(({ calls }) => calls.map(({ at }) => at)).sort((a, b) => a - b);
    expect(times).toHaveLength(10);
    expect(times.map((at) => Math.floor((at - times[0]) / 500))).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
  });

  it('are a thousand: those of a deleted credential, stopped and deleted ones are forgotten within ten minutes, with one line in the log, and the others are asked about and woken as ever', async () => {
    const begin = Date.now();
    const goneAt = begin + 2 * MINUTE;
    const finalAt = begin + 13 * MINUTE;
    class CredentialNotFoundError extends Error {}
    const waiting = (credential: string, then: (key: string) => object | undefined = asleep): Setting => ({
      ...{ count: 1, limit: begin + 60 * MINUTE, finalAt: () => finalAt, credential },
      saved: (key) => (Date.now() < goneAt ? asleep(key) : then(key)),
      key: () => {
        if (credential === 'deleted' && Date.now() >= goneAt) throw new CredentialNotFoundError();
        return 'thousand';
      },
    });
    const withoutCredential = await start(100, waiting('deleted'));
    const stopped = await start(
      50,
      waiting('kept', (key) => ({ ...asleep(key), resultData: { error: {} } })),
    );
    const deleted = await start(
      50,
      waiting('kept', () => undefined),
    );
    const kept = await start(800, waiting('kept'));
    await jest.advanceTimersByTimeAsync(goneAt + 10 * MINUTE - Date.now());
    const gone = [...withoutCredential, ...stopped, ...deleted];
    expect(gone.filter(({ hasEnded }) => !hasEnded())).toEqual([]);
    expect(watches.size).toBe(800);
    expect([...gone, ...kept].flatMap(({ warnings }) => warnings)).toEqual([
      expect.stringContaining('100 waits'),
    ]);
    const asked = [...gone, ...kept]
      .flatMap(({ requests }) => requests)
      .filter(({ at }) => at > begin + 12 * MINUTE - 20 * SECOND);
    expect(Math.max(...asked.map(({ ids }) => ids.length))).toBe(800);
    // Woken four at a time; n8n answers these calls at once.
    await jest.advanceTimersByTimeAsync(finalAt + 15 * SECOND - Date.now());
    const calls = (of: typeof kept) => of.flatMap((one) => one.calls).length;
    expect([calls(kept), calls(gone), watches.size]).toEqual([800, 0, 0]);
  });

  it('are looked up in the database of n8n five a second at most, each one before any a second time', async () => {
    const begin = Date.now();
    const looked: Array<{ key: string; at: number }> = [];
    const saved = (key: string) => {
      looked.push({ key, at: Date.now() });
      return asleep(key);
    };
    await start(1200, {
      count: 1,
      limit: begin + 60 * MINUTE,
      finalAt: () => Infinity,
      saved,
      key: () => 'looked up',
    });
    await jest.advanceTimersByTimeAsync(11 * MINUTE);
    expect(new Set(looked.slice(0, 1200).map(({ key }) => key)).size).toBe(1200);
    expect(looked[1199].at - begin).toBeLessThanOrEqual(10 * MINUTE + 5 * SECOND);
    const most = Math.max(...looked.slice(5).map(({ at }, i) => 5000 / (at - looked[i].at)));
    expect(most).toBeLessThanOrEqual(5);
  });
});

it.each<[string, (key: string) => object | undefined]>([
  ['was stopped', (key) => ({ ...asleep(key), resultData: { error: {} } })],
  ['was deleted', () => undefined],
  ['was woken by another process', () => ({ resultData: {} })],
  ['sleeps anew', () => asleep('another')],
])(
  'asks nothing any more and forgets it ten minutes after an execution %s, even where n8n can not be reached',
  async (_, then) => {
    for (const finalAt of [Infinity, 0]) {
      const after = 3 * MINUTE;
      const begin = Date.now();
      const run = await waitFor({
        count: 3,
        finalAt: () => finalAt,
        limit: begin + 100 * MINUTE,
        self: () => 'unreachable',
        saved: (key) => (Date.now() < begin + after ? asleep(key) : then(key)),
      });
      await run.passed(after + 10 * MINUTE);
      expect([run.hasEnded(), run.warnings.length]).toEqual([true, finalAt === 0 ? 1 : 0]);
    }
  },
);

it('goes on with an execution of which the database of n8n tells nothing', async () => {
  const saved = () => {
    throw new Error('Database is not ready!');
  };
  const run = await waitFor({ count: 1, finalAt: () => 50 * MINUTE, limit: 100 * MINUTE, saved });
  await run.passed(70 * MINUTE);
  expect(run.calls).toEqual([{ at: expect.any(Number), open: 0 }]);
});
