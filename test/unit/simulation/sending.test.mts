/**
 * Client, journal, ids, Retry On Fail, Retry, stops, crashes and loops against a model of the gateway that is an adversary,
 * on a virtual clock. A seed decides everything; `npm run simulate -- --seed <n>` shows what happens in it, and
 * `--seeds 200000` runs many more.
 */
import type { Rule } from '../../../nodes/gateway/client/rules.ts';
import type { Change } from '../../support/simulation/product.mts';
import { withMethods } from '../../support/simulation/product.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulate } from '../../support/simulation/simulate.mts';

const CLIENT = 'gateway/client/';
const JOURNAL = 'MessagingGateway/run/journal.ts';

/** Changes one row of the client's table. */
const withRule =
  (cause: string, change: Partial<Rule>): Change =>
  (modules) => {
    const { RULES } = modules.load(`${CLIENT}rules.ts`) as { RULES: Record<string, Rule> };
    if (!(cause in RULES)) throw new Error(`The table has no row ${cause}`);
    Object.assign(RULES[cause], change);
  };

/** Rows of the table (nodes/gateway/client/rules.ts) with something else in them; rules-in-docs.test.mts has all of them. */
const WRONG_RULES: Record<string, Change> = {
  'lets nothing with a key leave': withRule('key', { ifAbsent: 'refused' }),
  'gives up what another Retry may have sent': withRule('repeated', { ifAbsent: 'unknown' }),
  'gives up what was refused as unknown': withRule('refused', { otherwise: 'unknown' }),
  'believes a fault': withRule('fault', { otherwise: 'refused' }),
  'believes a fault of a request': withRule('faultTogether', { otherwise: 'refused' }),
  'believes a code without words': withRule('turnedAway', { otherwise: 'notSent' }),
  'sends again at once after a broken exchange': withRule('lost', { settlesMs: 0 }),
  'sends again after the time limit': withRule('late', { ifAbsent: 'resends' }),
  'sends again what a queue may have': withRule('queue', { ifAbsent: 'resends' }),
};

testSimulation({
  option: '',
  run: simulate,
  seeds: 250,
  repeated: [3, 48, 78],
  wrong: {
    ...WRONG_RULES,
    'forgets what was accepted': withMethods(JOURNAL, 'Journal', { find: () => undefined }),
    'remembers nothing': withMethods(JOURNAL, 'Journal', { record: () => undefined }),
    'takes any message for one that status knows': withMethods(`${CLIENT}witnesses.ts`, 'Witnesses', {
      wouldKnow: () => true,
    }),
    'counts more than it waited': withMethods(`${CLIENT}queue.ts`, 'Queue', {
      waited(this: { asking: Array<{ state: { waitedMs: number } }> }, milliseconds: number) {
        for (const { state } of this.asking) state.waitedMs += 20 * milliseconds;
      },
    }),
    'asks about fewer at no time': withMethods(`${CLIENT}question-size.ts`, 'QuestionSize', {
      refused: () => false,
    }),
    'makes each id anew': withMethods('MessagingGateway/run/run.ts', 'Run', {
      madeId: () => Math.floor(1e15 * Math.random()),
    }),
  },
});
