/**
 * Sends through gateways made by hand, on a virtual clock, with n8n's Retry as people press it: what the node says is true, in
 * whatever goes wrong. `npm run simulate -- --seed <n>` shows what happens in a scenario.
 */
import { DepartedMessages } from '../../../nodes/gateway/client/departed.ts';
import type { Change } from '../../support/simulation/product.mts';
import { loadProduct, withExports, withMethods } from '../../support/simulation/product.mts';
import { simulation } from '../../support/simulation-of-sending/simulate.mts';
import { WORLDS } from '../../support/simulation-of-sending/worlds.mts';

type Exports = Record<string, any>;

/** The promises that a scenario breaks. */
const brokenIn = async (run: ReturnType<typeof simulation>, seed: number): Promise<string[]> =>
  (await run(seed)).violations.map(({ invariant, words }) => `${invariant}: ${words}`);

it('keeps every promise, seed after seed', async () => {
  const run = simulation(loadProduct());
  const broken: string[] = [];
  for (let seed = 1; seed <= 600; seed++) {
    for (const words of await brokenIn(run, seed))
      broken.push(`${words} (npm run simulate -- --seed ${seed})`);
  }
  expect(broken).toEqual([]);
});

const withClient = (file: string, change: (actual: Exports) => Exports): Change =>
  withExports(`gateway/client/${file}.ts`, change);

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

const { begin, end } = DepartedMessages.prototype as unknown as Exports;

/** Replaces what this process remembers of the end of a request. */
const endingWith = (change: (batch: Exports, verdict: Exports, nowMs: number) => unknown): Change =>
  withMethods('gateway/client/departed.ts', 'DepartedMessages', { end: change as never });

const inJournal = (methods: Parameters<typeof withMethods>[2]): Change =>
  withMethods('MessagingGateway/run/journal.ts', 'Journal', methods);

/** A journal that begins otherwise. */
const journalWith = (fields: object): Change =>
  withExports('MessagingGateway/run/journal.ts', ({ Journal }) => ({
    Journal: class extends Journal {
      constructor(...given: unknown[]) {
        super(...given);
        Object.assign(this, fields);
      }
    },
  }));

/** Nodes that lack one rule, by what they do, and the gateways that show it. */
const WRONG: Record<string, [worlds: string, wrong: Change]> = {
  'takes an absence for one where status knows nothing': [
    'the same words of every id',
    withClient('status', withoutKnown),
  ],
  'takes words of a fault for a refusal': [
    'fault words for rows',
    withClient('words', () => ({ isFault: () => false })),
  ],
  'takes what was refused for accepted': [
    'FAILED',
    withClient(
      'doubt',
      deciding((row, told) => [row, told.is === 'failed' ? { ...told, is: 'taken' } : told]),
    ),
  ],
  'believes an old REJECTED': [
    'REJECTED',
    withClient(
      'doubt',
      deciding((row, told) => {
        const one = {
          ...row,
          hasOwnId: false,
          hasKey: false,
          mayHaveBeenSent: false,
          departures: { count: 1, execution: '', lastAtMs: 0 },
        };
        return [told.is === 'rejected' ? one : row, told];
      }),
    ),
  ],
  'calls refused what is a duplicate of itself': [
    'repeated ids, status lags',
    withClient('words', () => ({ isDuplicateRefusal: () => false })),
  ],
  'sends again after the time limit': [
    'no answer in time',
    withClient('doubt', withRule('late', { absenceCountsAt: 30 })),
  ],
  'believes a status that knows ids which nobody sent': ['32 bits', withClient('status', believingStates)],
  'sends again at once after a broken exchange': [
    'within two minutes',
    withClient('doubt', withRule('broken', { absenceCountsAt: 0 })),
  ],
  'asks nothing before a second departure': [
    'connections break',
    withClient('doubt', () => ({ stateAtStart: () => ({ state: { is: 'ready' } }) })),
  ],
  'takes the queue for the other endpoint': [
    'queue takes five minutes',
    withClient('doubt', (actual) => ({
      ...deciding((row, told) => [{ ...row, endpoint: 'sync' }, told])(actual),
      afterExchange: (batch: Exports[], ...rest: unknown[]) =>
        actual.afterExchange(
          batch.map((row) => ({ ...row, endpoint: 'sync' })),
          ...rest,
        ),
    })),
  ],
  'records nothing': ['follows the contract', inJournal({ record: () => undefined })],
  'makes ids anew in each Retry': [
    'follows the contract',
    withExports('n8n/undocumented.ts', () => ({ sharedByRetries: () => undefined })),
  ],
  'asks nothing in a Retry': ['follows the contract', inJournal({ readPast: () => ({ isRetry: false }) })],
  'takes the turns of a loop for one': ['follows the contract', journalWith({ place: '0' })],
  'forgets what left': [
    'within two minutes',
    withMethods('gateway/client/departed.ts', 'DepartedMessages', { fatesSince: () => new Map() }),
  ],
  'forgets what broke': [
    'within two minutes',
    endingWith((batch, _, nowMs) => Object.assign(batch, { untilMs: nowMs })),
  ],
  'takes a refused request for one that is over': [
    'codes after the take',
    endingWith(function (this: unknown, batch, verdict, nowMs) {
      end.call(this, batch, verdict, nowMs);
      if (verdict?.kind === 'refused') batch.untilMs = nowMs;
    }),
  ],
  'forgets what broke and is never shown': [
    'connections break',
    endingWith(function (this: unknown, batch, verdict, nowMs) {
      end.call(this, Object.assign(batch, { isShown: true, isShownSoon: true }), verdict, nowMs);
    }),
  ],
  'lets a message leave that another execution has sent meanwhile': [
    'REJECTED',
    withMethods('gateway/client/departed.ts', 'DepartedMessages', {
      begin(this: unknown, rows: Exports[], ...rest) {
        const alone = rows.map((row) => ({ ...row, hasKey: false, mayHaveBeenSent: false }));
        return { ...begin.call(this, alone, ...rest), leaving: rows };
      },
    }),
  ],
};

/** Scenarios within which a wrong node has to be noticed. */
const TRIES = 1000;

it.each(Object.entries(WRONG))('notices a node that %s', async (_, [worlds, wrong]) => {
  const chosen = WORLDS.filter(({ name }) => name.includes(worlds));
  const run = simulation(loadProduct(wrong), chosen);
  let seed = 1;
  while (seed <= TRIES && (await brokenIn(run, seed)).length === 0) seed++;
  expect(seed).toBeLessThanOrEqual(TRIES);
  expect(await brokenIn(simulation(loadProduct(), chosen), seed)).toEqual([]);
});
