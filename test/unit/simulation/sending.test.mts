/**
 * Client, journal, ids, Retry On Fail, Retry, stops, crashes and loops against a model of the gateway that is an adversary,
 * on a virtual clock. A seed decides everything; `npm run simulate -- --seed <n>` shows what happens in it, and
 * `--seeds 200000` runs many more.
 */
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulate } from '../../support/simulation/simulate.mts';

const DOUBTS = 'gateway/client/doubts.ts';
const SENDER = 'gateway/client/sender.ts';
const SENT_BEFORE = 'gateway/client/sent-before.ts';
const JOURNAL = 'MessagingGateway/run/journal.ts';

testSimulation({
  option: '',
  run: simulate,
  seeds: 250,
  repeated: [3, 48, 78],
  wrong: {
    'forgets what was accepted': withMethods(JOURNAL, 'Journal', { find: () => undefined }),
    'remembers nothing': withMethods(JOURNAL, 'Journal', { record: () => undefined }),
    'takes any message for one that status knows': withMethods(DOUBTS, 'Doubts', { isProvable: () => true }),
    'does not ask about a refused row': withMethods(DOUBTS, 'Doubts', { addRefused: () => undefined }),
    'asks without waiting': withMethods(DOUBTS, 'Doubts', { wait: async () => await Promise.resolve() }),
    'believes the words of a refusal': withMethods(SENDER, 'BatchSender', {
      refuseAll(this: { notTaken(entry: unknown, part: object): void }, batch: unknown[], refusal: object) {
        const part = { ...refusal, entries: [], size: batch.length };
        for (const entry of batch) this.notTaken(entry, part);
      },
    }),
    'does not shrink a batch that is too large': withMethods('gateway/client/batch-size.ts', 'BatchSize', {
      tooLarge: () => undefined,
    }),
    'sends what has a key without asking': withMethods(SENT_BEFORE, 'SentBefore', {
      leave: async (leaving: unknown) => await Promise.resolve({ leaving }),
    }),
    'asks about a key twice without waiting between': withMethods(SENT_BEFORE, 'SentBefore', {
      async wait(this: { waited: number }, milliseconds: number) {
        this.waited += milliseconds;
        await Promise.resolve();
      },
    }),
    'makes each id anew': withMethods('MessagingGateway/run/run.ts', 'Run', {
      madeId: () => Math.floor(1e15 * Math.random()),
    }),
  },
});
