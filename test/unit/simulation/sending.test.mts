/**
 * Sends through gateways made by hand, on a virtual clock: what the client says is true, in whatever goes wrong.
 * `npm run simulate -- --seed <n>` shows what happens in a scenario.
 */
import type { Client } from '../../support/simulation-of-sending/node.mts';
import { simulation } from '../../support/simulation-of-sending/simulate.mts';
import { WORLDS } from '../../support/simulation-of-sending/worlds.mts';

const CLIENT = '../../../nodes/gateway/client';
const FILES = ['doubt', 'progress', 'send', 'status', 'wait', 'words'] as const;

type Exports = Record<string, any>;

/** Functions that take the place of those of a file. */
type Wrong = Partial<Record<(typeof FILES)[number], (actual: Exports) => Exports>>;

function clientWith(wrong: Wrong): Client {
  let client: Client | undefined;
  jest.isolateModules(() => {
    for (const file of FILES) {
      const path = `${CLIENT}/${file}`;
      jest.doMock(path, () => {
        const actual = jest.requireActual<Exports>(path);
        const changed = wrong[file]?.(actual) ?? {};
        // A function that is called otherwise by now would change nothing.
        expect(Object.keys(actual)).toEqual(expect.arrayContaining(Object.keys(changed)));
        return { ...actual, ...changed };
      });
    }
    client = {
      ...jest.requireMock<Pick<Client, 'SendLoop'>>(`${CLIENT}/send`),
      ...jest.requireMock<Pick<Client, 'KnownMessages'>>(`${CLIENT}/status`),
    };
  });
  return client as Client;
}

const client = clientWith({});

/** The promises that a scenario breaks. */
const brokenIn = async (run: ReturnType<typeof simulation>, seed: number): Promise<string[]> =>
  (await run(seed)).violations.map(({ invariant, words }) => `${invariant}: ${words}`);

it('keeps every promise, seed after seed', async () => {
  const run = simulation(client);
  const broken: string[] = [];
  for (let seed = 1; seed <= 2000; seed++) {
    for (const words of await brokenIn(run, seed))
      broken.push(`${words} (npm run simulate -- --seed ${seed})`);
  }
  expect(broken).toEqual([]);
});

/** A question in which the rows stand alone. */
const withoutKnown = ({ askAbout }: Exports) => ({
  async askAbout(transport: unknown, rows: unknown[], { unused }: Exports, size: unknown) {
    const { told, ...rest } = await askAbout(transport, rows, { unused }, size);
    return {
      ...rest,
      told: told.map((one: Exports) => (one.is === 'absent' ? { ...one, isWitnessed: true } : one)),
    };
  },
});

/** Takes any state that is listed for that of the row. */
const believingStates = ({ askAbout, askStatuses, reportIn }: Exports) => ({
  async askAbout(transport: unknown, rows: Exports[], ...rest: unknown[]) {
    const { told, failure } = await askAbout(transport, rows, ...rest);
    const ids = rows.map(({ operation }) => operation.id);
    const answers: Exports[] = await askStatuses(transport, ids);
    const found = answers.map(
      ({ kind, payload }) => kind === 'known' && reportIn({ is: 'accepted', payload }),
    );
    return { failure, told: told.map((one: unknown, i: number) => found[i] || one) };
  },
});

const deciding = (change: (row: Exports, told: Exports) => [Exports, Exports]) => (actual: Exports) => ({
  decide(row: Exports, doubt: string, told: Exports, question: unknown) {
    const [otherRow, otherTold] = change(row, told);
    return actual.decide(otherRow, doubt, otherTold, question);
  },
});

const withRule = (name: string, rule: object) => (actual: Exports) => {
  Object.assign(actual.DOUBTS[name], rule);
  return {};
};

/** Clients that lack one rule, by what they do, and the gateways that show it. */
const WRONG: Record<string, [worlds: string, wrong: Wrong]> = {
  'takes an absence for one where status knows nothing': [
    'the same words of every id',
    { status: withoutKnown },
  ],
  'takes words of a fault for a refusal': [
    'fault words for rows',
    { words: () => ({ isFault: () => false }) },
  ],
  'takes what was refused for accepted': [
    'FAILED',
    { doubt: deciding((row, told) => [row, told.is === 'failed' ? { ...told, is: 'taken' } : told]) },
  ],
  'believes an old REJECTED': [
    'REJECTED',
    {
      doubt: deciding((row, told) => {
        const one = { ...row, hasOwnId: false, hasKey: false, departures: { count: 1, lastAtMs: 0 } };
        return [told.is === 'rejected' ? one : row, told];
      }),
    },
  ],
  'calls refused what is a duplicate of itself': [
    'repeated ids, status lags',
    { words: () => ({ isDuplicateRefusal: () => false }) },
  ],
  'sends again after the time limit': [
    'no answer in time',
    { doubt: withRule('late', { absenceCountsAt: 30 }) },
  ],
  'believes a status that knows ids which nobody sent': ['32 bits', { status: believingStates }],
  'sends again at once after a broken exchange': [
    'within two minutes',
    { doubt: withRule('broken', { absenceCountsAt: 0 }) },
  ],
  'asks nothing before a second departure': [
    'connections break',
    { doubt: () => ({ stateAtStart: () => ({ state: { is: 'ready' } }) }) },
  ],
  'takes the queue for the other endpoint': [
    'queue takes five minutes',
    {
      doubt: (actual) => ({
        ...deciding((row, told) => [{ ...row, endpoint: 'sync' }, told])(actual),
        afterExchange: (batch: Exports[], ...rest: unknown[]) =>
          actual.afterExchange(
            batch.map((row) => ({ ...row, endpoint: 'sync' })),
            ...rest,
          ),
      }),
    },
  ],
  'goes on whatever the gateway refuses': [
    'money ends, by request',
    {
      progress: ({ Progress }) => ({
        Progress: class extends Progress {
          learn(verdict: Exports, ...rest: unknown[]) {
            super.learn(verdict, ...rest);
            if (verdict.kind === 'refused') this.ended = undefined;
          }
        },
      }),
    },
  ],
  'records nothing before a request leaves': [
    'follows the contract',
    {
      send: ({ SendLoop }) => ({
        SendLoop: class extends SendLoop {
          constructor(settings: unknown, tools: object) {
            super(settings, { ...tools, recordState: () => undefined });
          }
        },
      }),
    },
  ],
};

/** Scenarios within which a wrong client has to be noticed. */
const TRIES = 1000;

it.each(Object.entries(WRONG))('notices a client that %s', async (_, [worlds, wrong]) => {
  const chosen = WORLDS.filter(({ name }) => name.includes(worlds));
  const run = simulation(clientWith(wrong), chosen);
  let seed = 1;
  while (seed <= TRIES && (await brokenIn(run, seed)).length === 0) seed++;
  expect(seed).toBeLessThanOrEqual(TRIES);
  expect(await brokenIn(simulation(client, chosen), seed)).toEqual([]);
});
