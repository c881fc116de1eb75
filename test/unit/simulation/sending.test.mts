/**
 * Client, journal, ids, Retry On Fail, Retry, stops, crashes and loops against a model of the gateway that is an adversary,
 * on a virtual clock. A seed decides everything; `npm run simulate -- --seed <n>` shows what happens in it, and
 * `--seeds 200000` runs many more.
 */
import type { Rule } from '../../../nodes/gateway/client/rules.ts';
import type { StatusDesk } from '../../../nodes/gateway/client/status-desk.ts';
import type { Journal } from '../../../nodes/MessagingGateway/run/journal.ts';
import { withMethods } from '../../support/simulation/product.mts';
import type { Wrong } from '../../support/simulation/promises.mts';
import { testSimulation } from '../../support/simulation/promises.mts';
import { simulate } from '../../support/simulation/simulate.mts';

const CLIENT = 'gateway/client/';
const JOURNAL = 'MessagingGateway/run/journal.ts';

/** Changes one row of the client's table; takes seeds that show it, since few meet some rows. */
const withRule = (cause: string, change: Partial<Rule>, ...shownBy: number[]): Wrong => ({
  shownBy,
  change(modules) {
    const { RULES } = modules.load(`${CLIENT}rules.ts`) as { RULES: Record<string, Rule> };
    if (!(cause in RULES)) throw new Error(`The table has no row ${cause}`);
    Object.assign(RULES[cause], change);
  },
});

/** Each row of the table (nodes/gateway/client/rules.ts) with something else in it. */
const WRONG_RULES: Record<string, Wrong> = {
  'lets nothing with a key leave': withRule('key', { ifAbsent: 'refused' }, 12),
  'gives up what another Retry may have sent': withRule('repeated', { ifAbsent: 'unknown' }, 166, 1340),
  'believes a state that is not listed of what was refused before': withRule(
    'refusedBefore',
    { isRefusal: undefined },
    ...[283, 298],
  ),
  'gives up what an earlier try did not send': withRule('notSentBefore', { ifAbsent: 'refused' }, 101, 1043),
  'leaves open what an earlier try did not send': withRule(
    'notSentBefore',
    { ifAbsent: 'unknown' },
    101,
    416,
  ),
  'gives up what was refused as unknown': withRule('refused', { otherwise: 'unknown' }, 48, 60),
  'believes a fault': withRule('fault', { otherwise: 'refused' }, 1, 13),
  'calls refused what is a duplicate of itself': withRule('duplicate', { otherwise: 'refused' }, 1390),
  'believes a state that is not listed of a refused request': withRule(
    'refusedTogether',
    { isRefusal: undefined },
    ...[104, 283],
  ),
  'gives up a refused request': withRule('refusedTogether', { ifAbsent: 'refused' }, 118, 129),
  'believes a fault of a request': withRule('faultTogether', { otherwise: 'refused' }, 66),
  'believes a code without words': withRule('turnedAway', { otherwise: 'notSent' }, 391, 560),
  'sends again at once after a broken exchange': withRule('lost', { settlesMs: 0 }, 67),
  'sends again after the time limit': withRule('late', { ifAbsent: 'resends' }, 58),
  'believes a queue that refuses': withRule('refusedByQueue', { otherwise: 'refused' }, 476, 500),
  'sends again what a queue refused': withRule(
    'refusedByQueue',
    { ifAbsent: 'splits', settlesMs: 0 },
    ...[506, 602],
  ),
  'sends again what a queue may have': withRule('queue', { ifAbsent: 'resends' }, 16),
  'sends again at once after a code in front of a queue': withRule(
    'turnedAwayByQueue',
    { settlesMs: 0 },
    ...[597, 869],
  ),
  'believes a code in front of a queue': withRule('turnedAwayByQueue', { otherwise: 'notSent' }, 1623),
};

/** What the judges' excuses may not excuse (test/support/simulation/invariants.mts, open-questions.mts). */
const EXCUSED: Record<string, Wrong> = {
  'sends again, days later, what was refused, without a question': {
    shownBy: [13_485],
    alone: true,
    change(modules) {
      const { prototype } = modules.load(JOURNAL).Journal as { prototype: { find: Journal['find'] } };
      const { find } = prototype;
      prototype.find = function (this: Journal, item) {
        const entry = find.call(this, item);
        return entry?.state?.is === 'refused' ? undefined : entry;
      };
    },
  },
  'gives up as soon as status asks for patience': {
    shownBy: [158, 408],
    alone: true,
    change(modules) {
      const { prototype } = modules.load(`${CLIENT}status-desk.ts`).StatusDesk as {
        prototype: { ask: StatusDesk['ask'] };
      };
      const { ask } = prototype;
      prototype.ask = async function (this: StatusDesk, ...question) {
        const proofs = await ask.apply(this, question);
        if (this.failure?.retryAfter !== undefined) this.left = 0;
        return proofs;
      };
    },
  },
};

testSimulation({
  option: '',
  run: simulate,
  seeds: 100,
  mended: [
    ...[500, 564, 977, 1057, 4639, 5153, 31_406, 34_860, 39_769, 101_185, 103_509, 105_344],
    ...[2297, 3303, 202_165, 205_402, 206_683, 207_405, 207_796, 209_746, 210_369, 211_587, 212_976, 223_739],
    ...[216_575, 218_067, 218_785, 220_263, 221_245, 19_682, 216_661, 225_490, 227_574],
    ...[231_016, 243_416, 251_020, 251_045, 254_774],
    ...[416_556, 417_154, 521_444, 551_036, 606_485, 606_490, 607_565],
    ...[622_163, 625_605, 719_555, 732_964, 808_392, 813_977, 821_108, 830_363, 835_866, 839_641, 859_370],
    ...[
      858_476, 879_636, 892_001, 913_410, 919_310, 927_501, 978_430, 995_812, 1_046_566, 1_049_477, 1_057_678,
      1_064_262, 1_072_826, 1_088_567,
    ],
    ...[1_201_935, 1_228_212, 1_243_638, 1_255_744, 1_310_380, 1_324_786, 1_337_877, 1_348_971, 1_358_739],
    ...[1_363_505, 1_374_993, 1_408_602, 1_416_963, 1_419_855, 1_422_121, 1_466_972],
    ...[2_035_128, 2_049_518, 2_053_896, 2_056_896, 2_099_766, 2_101_075, 2_104_671],
  ],
  repeated: [3, 48, 78],
  wrong: {
    ...WRONG_RULES,
    ...EXCUSED,
    'forgets what was accepted': withMethods(JOURNAL, 'Journal', { find: () => undefined }),
    'remembers nothing': withMethods(JOURNAL, 'Journal', { record: () => undefined }),
    'takes any message for one that status knows': {
      shownBy: [44, 108],
      change: withMethods(`${CLIENT}witnesses.ts`, 'Witnesses', { wouldKnow: () => true }),
    },
    'counts more than it waited': {
      shownBy: [29, 38],
      change: withMethods(`${CLIENT}queue.ts`, 'Queue', {
        waited(this: { asking: Array<{ state: { waitedMs: number } }> }, milliseconds: number) {
          for (const { state } of this.asking) state.waitedMs += 20 * milliseconds;
        },
      }),
    },
    'asks about fewer at no time': {
      shownBy: [580, 564],
      change: withMethods(`${CLIENT}question-size.ts`, 'QuestionSize', { refused: () => false }),
    },
    'makes each id anew': {
      shownBy: [52, 29],
      change: withMethods(JOURNAL, 'Journal', { madeId: () => Math.floor(1e15 * Math.random()) }),
    },
  },
});
