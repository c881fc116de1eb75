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

/** A store of its own, whose calls the test ends. */
function storeOf(workflow: string | undefined, node: string) {
  const calls: Call[] = [];
  const checkProcessedAndRecord = async (names: string[], scope: string, options: unknown) =>
    await new Promise((resolve, reject) => {
      const end = (processed: string[]) => resolve({ new: [], processed });
      calls.push({ names: [...names], scope, options, resolve: end, reject });
    });
  const ids = { getWorkflow: () => ({ id: workflow }), getNode: () => ({ id: node }) };
  const context = { ...ids, helpers: { checkProcessedAndRecord } } as unknown as IExecuteFunctions;
  return { calls, record: async (...names: string[]) => await recordNames(context, names) };
}

const BUSY = new Error('SQLITE_BUSY');
const settle = async (milliseconds = 0) => await jest.advanceTimersByTimeAsync(milliseconds);

let serial = 0;
let calls: Call[];
let record: (...names: string[]) => Promise<Set<string>>;

beforeEach(() => {
  jest.useFakeTimers();
  ({ calls, record } = storeOf('w', String((serial += 1))));
});
afterEach(() => jest.useRealTimers());

it('Asks the store of the node for 10,000 entries, and returns what was there.', async () => {
  const known = record('a', 'b');
  await settle();
  expect(calls).toMatchObject([
    { names: ['a', 'b'], scope: 'node', options: { mode: 'entries', maxEntries: 10_000 } },
  ]);
  calls[0].resolve(['b']);
  expect(await known).toEqual(new Set(['b']));
});

it('Writes together what comes while it writes, and tells each who was first.', async () => {
  const first = record('a');
  await settle();
  const others = [record('b', 'c'), record('c', 'd'), record('c')];
  await settle();
  expect(calls).toHaveLength(1);
  calls[0].resolve([]);
  expect(await first).toEqual(new Set());
  await settle();
  expect(calls.map(({ names }) => names)).toEqual([['a'], ['b', 'c', 'd']]);
  calls[1].resolve(['d']);
  expect(await Promise.all(others)).toEqual([new Set(), new Set(['c', 'd']), new Set(['c'])]);
  void record('e');
  await settle();
  expect(calls[2].names).toEqual(['e']);
});

it('Waits neither for another node nor for another workflow.', async () => {
  const stores = [storeOf('w', 'n'), storeOf('w', 'other'), storeOf('other', 'n'), storeOf(undefined, 'n')];
  for (const store of stores) void store.record('a');
  await settle();
  expect(stores.map((store) => store.calls.length)).toEqual([1, 1, 1, 1]);
});

it('Knows nothing where n8n has no such store, and does not try again.', async () => {
  const known = record('a');
  await settle();
  calls[0].reject(Object.assign(new Error('no service'), { code: 'ERR_ASSERTION' }));
  expect(await known).toEqual(new Set());
  expect(calls).toHaveLength(1);
});

it('Tries again after longer and longer pauses while the database is busy.', async () => {
  const known = record('a');
  await settle();
  for (const [tries, pause] of [20, 40, 60, 80].entries()) {
    calls[tries].reject(BUSY);
    await settle(pause - 1);
    expect(calls).toHaveLength(tries + 1);
    await settle(1);
    expect(calls).toHaveLength(tries + 2);
  }
  calls[4].resolve(['a']);
  expect(await known).toEqual(new Set(['a']));
});

it('Gives up after five tries, for all that were written together, and goes on with the next.', async () => {
  const failed = Promise.allSettled([record('b'), record('c')]);
  const next = record('b').catch(() => record('d'));
  await settle();
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(calls).toHaveLength(tries);
    calls[tries - 1].reject(BUSY);
    await settle(100);
  }
  expect(await failed).toMatchObject([{ reason: BUSY }, { reason: BUSY }]);
  expect(calls[5].names).toEqual(['d']);
  calls[5].resolve([]);
  expect(await next).toEqual(new Set());
});
