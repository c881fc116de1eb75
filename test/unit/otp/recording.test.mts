/** What one-time passwords record in n8n's store: what they ask of it, together, and what they do when it fails. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { recordNames } from '../../../nodes/MessagingGateway/otp/record.ts';

interface Call {
  names: string[];
  scope: string;
  options: unknown;
  resolve(processed: string[]): void;
  reject(error: unknown): void;
}

/** A store whose calls the test ends. */
function storeOf(workflow: string | null = 'w', node = 'n') {
  const calls: Call[] = [];
  const context = {
    getWorkflow: () => ({ id: workflow ?? undefined }),
    getNode: () => ({ id: node }),
    helpers: {
      checkProcessedAndRecord: async (names: string[], scope: string, options: unknown) =>
        await new Promise((resolve, reject) => {
          const end = (processed: string[]) => resolve({ new: [], processed });
          calls.push({ names: [...names], scope, options, resolve: end, reject });
        }),
    },
  } as unknown as IExecuteFunctions;
  return { calls, record: async (...names: string[]) => await recordNames(context, names) };
}

const BUSY = new Error('SQLITE_BUSY');
const settle = async () => await jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('asks the store of the node for 10,000 entries, and returns what was there', async () => {
  const { calls, record } = storeOf();
  const known = record('a', 'b');
  expect(calls).toMatchObject([
    { names: ['a', 'b'], scope: 'node', options: { mode: 'entries', maxEntries: 10_000 } },
  ]);
  calls[0].resolve(['b']);
  expect(await known).toEqual(new Set(['b']));
});

it('writes what comes meanwhile together, and tells each who was first', async () => {
  const { calls, record } = storeOf();
  const first = record('a');
  const others = [record('b', 'c'), record('c', 'd'), record('c')];
  expect(calls).toHaveLength(1);
  calls[0].resolve([]);
  expect(await first).toEqual(new Set());
  expect(calls.map(({ names }) => names)).toEqual([['a'], ['b', 'c', 'd']]);
  calls[1].resolve(['d']);
  expect(await Promise.all(others)).toEqual([new Set(), new Set(['c', 'd']), new Set(['c'])]);
  const next = record('e');
  expect(calls[2].names).toEqual(['e']);
  calls[2].resolve([]);
  expect(await next).toEqual(new Set());
});

it('waits neither for another node nor for another workflow', async () => {
  const stores = [storeOf(), storeOf('w', 'other'), storeOf('other'), storeOf(null)];
  const all = stores.map(async ({ record }) => await record('a'));
  for (const { calls } of stores) {
    expect(calls).toHaveLength(1);
    calls[0].resolve(['a']);
  }
  expect(await Promise.all(all)).toEqual(stores.map(() => new Set(['a'])));
});

it('knows nothing where n8n has no such store, and does not try again', async () => {
  const { calls, record } = storeOf();
  const known = record('a');
  calls[0].reject(Object.assign(new Error('no service'), { code: 'ERR_ASSERTION' }));
  expect(await known).toEqual(new Set());
  expect(calls).toHaveLength(1);
});

it('tries again after longer and longer pauses while the database is busy', async () => {
  const { calls, record } = storeOf();
  const known = record('a');
  for (const [tries, pause] of [20, 40, 60, 80].entries()) {
    calls[tries].reject(BUSY);
    await jest.advanceTimersByTimeAsync(pause - 1);
    expect(calls).toHaveLength(tries + 1);
    await jest.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(tries + 2);
  }
  calls[4].resolve(['a']);
  expect(await known).toEqual(new Set(['a']));
});

it.each([
  [BUSY, BUSY],
  ['locked', new Error('locked')],
])(
  'gives up after five tries, for all that were written together, and goes on with the next: %p',
  async (thrown, error) => {
    const { calls, record } = storeOf();
    const first = record('a');
    const failed = [record('b'), record('c')].map(
      async (known) => await known.catch((caught: unknown) => caught),
    );
    calls[0].resolve([]);
    await first;
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(calls).toHaveLength(tries + 1);
      calls[tries].reject(thrown);
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(calls).toHaveLength(6);
    for (const caught of await Promise.all(failed)) expect(caught).toEqual(error);
    const next = record('d');
    await settle();
    expect(calls[6].names).toEqual(['d']);
    calls[6].resolve([]);
    expect(await next).toEqual(new Set());
  },
);
