/** What one-time passwords ask of n8n's store; what they do when it fails is in send-limits and verify-code. */
import type { Slot } from '../../../nodes/MessagingGateway/otp/limits.ts';
import { slots } from '../../../nodes/MessagingGateway/otp/limits.ts';
import type { Run } from '../../../nodes/MessagingGateway/run/run.ts';

interface Call {
  what: 'add' | 'remove';
  names: string[];
  scope: string;
  options: unknown;
  answer(isNew?: boolean): void;
  fail(error: unknown): void;
}

let serial = 0;
let name: string;
let calls: Call[];
const warnings: string[] = [];

beforeEach(() => {
  serial += 1;
  name = `limit ${serial}`;
  calls = [];
  warnings.length = 0;
});

/** A store whose calls the test ends. */
const call = (what: Call['what']) => async (names: string[], scope: string, options: unknown) =>
  await new Promise((resolve, fail) => {
    const answer = (isNew = true) => resolve({ new: isNew ? names : [], processed: isNew ? [] : names });
    calls.push({ what, names, scope, options, answer, fail });
  });
const run = {
  context: {
    helpers: { checkProcessedAndRecord: call('add'), removeProcessed: call('remove') },
    logger: { warn: (line: string) => warnings.push(line) },
  },
  definition: { effect: 'changes' },
  now: () => 1_700_000_000_000,
} as unknown as Run;

const limit = () => ({ reason: 'used', name, max: 2 }) as const;
const take = async (): Promise<Slot[]> => {
  const passage = await slots.take(run, [limit()]);
  return passage.is === 'passed' ? passage.slots : [];
};
const settle = async () => await new Promise(setImmediate);
const BUSY = new Error('SQLITE_BUSY');

it('Asks the store of the workflow for 10,000 entries, one call after the other.', async () => {
  const both = [take(), take()];
  await settle();
  const store = { scope: 'workflow', options: { mode: 'entries', maxEntries: 10_000 } };
  expect(calls).toMatchObject([{ what: 'add', names: [`${name} 1`], ...store }]);
  calls[0].answer();
  await settle();
  expect(calls.slice(1)).toMatchObject([{ what: 'add', names: [`${name} 2`], ...store }]);
  calls[1].answer();
  const taken = await Promise.all(both);
  expect(taken).toMatchObject([[{ name: `${name} 1` }], [{ name: `${name} 2` }]]);
  const end = slots.giveBack(run, taken[0]);
  await settle();
  expect(calls.slice(2)).toMatchObject([{ what: 'remove', names: [`${name} 1`], ...store }]);
  calls[2].answer();
  await end;
  expect(slots.left(limit(), run.now())).toBe(1);
});

it('Says in the log what stays counted because the database fails.', async () => {
  const first = take();
  await settle();
  calls[0].answer();
  const end = slots.giveBack(run, await first);
  await settle();
  calls[1].fail(BUSY);
  await end;
  expect(warnings).toEqual(['The limits of codes still count a code that should not count: SQLITE_BUSY']);
  expect(slots.left(limit(), run.now())).toBe(1);
});

it('Gives a cooldown back without the database, which knows nothing of it.', async () => {
  const cooldown = {
    reason: 'cooldown',
    name: `${name} of the number`,
    max: 1,
    cooldown: { ms: 30_000 },
  } as const;
  const end = slots.take(run, [cooldown, limit()]);
  await settle();
  calls[0].fail(BUSY);
  await settle();
  // The second attempt of n8n's store, which may have had a collision.
  calls[1]?.fail(BUSY);
  expect(await end).toMatchObject({ is: 'failed', failure: { error: { kind: 'input' } } });
  expect(calls.every(({ what }) => what === 'add')).toBe(true);
  expect(slots.left(cooldown, run.now())).toBe(1);
});
