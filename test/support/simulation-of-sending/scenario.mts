/** What fast-check draws, and shrinks: a world, rows, what goes wrong, and how often the node runs. */
import fc from 'fast-check';

import { WORLDS } from './worlds.mts';
import type { World } from './worlds.mts';

export const ROW_KINDS = [
  'plain',
  'bad',
  'keyed',
  'queued',
  'own id',
  'own id, sent before',
  'own id, rejected before',
  'queued bad',
  'queued keyed',
  'pipeline',
  'telegram',
  'call/otp',
] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** Rows of a run are alike, or mixed. The first of a list is what a row shrinks to. */
const MIXTURES: ReadonlyArray<readonly RowKind[]> = [
  ['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'bad'],
  ['plain'],
  ['keyed', 'keyed', 'keyed', 'keyed', 'bad'],
  ['queued', 'queued', 'queued', 'queued bad', 'queued keyed'],
  ROW_KINDS,
];

export interface Play {
  /**
   * - `again`: Retry On Fail, with what the execution remembers.
   * - `retry`: n8n's button, with what was saved of the first execution.
   * - `new`: a run of its own, which has the same keys.
   * - `beside`: the same while the play before is under way.
   */
  how: 'again' | 'retry' | 'new' | 'beside';
  pauseSeconds: number;

  /** At which of its requests it is ended, and how; 0: not at all. */
  endsAt: number;
  end: 'stop' | 'stop in the exchange' | 'throw' | 'kill';
}

export interface Scenario {
  world: World;

  /** Decides what matters little: ids, and how late something is. */
  seed: number;
  rows: RowKind[];
  batchSize?: number;

  /** For each request, which of the faults it meets; 0: none. */
  wrong: number[];

  /** Whether the process knows a message that was taken. */
  isWarm: boolean;

  /** The first is the first run, whatever it says. */
  plays: Play[];
}

/** Numbers, which are cheap to draw; `scenarioOf` reads them. */
type Drawn = [
  world: number,
  seed: number,
  rows: number[],
  mixture: number,
  copies: number,
  batchSize: number,
  wrong: number[],
  isCold: number,
  plays: Array<[how: number, pause: number, endsAt: number, end: number]>,
];

const HOWS: ReadonlyArray<Play['how']> = ['again', 'again', 'retry', 'new', 'beside'];
const PAUSES = [0, 1, 5, 60, 3600, 13 * 3600];
const ENDS: ReadonlyArray<Play['end']> = ['stop', 'stop in the exchange', 'throw', 'kill'];
const BATCH_SIZES = [undefined, undefined, undefined, 1, 5, 10];

/** Faults of a request; larger numbers are none. */
const FAULTS = 10;

export const drawn = (worlds: readonly World[]): fc.Arbitrary<Drawn> =>
  fc.tuple(
    fc.nat(worlds.length - 1),
    fc.nat(0xffffffff),
    fc.array(fc.nat(19), { minLength: 1, maxLength: 40, size: 'max' }),
    fc.nat(MIXTURES.length - 1),
    fc.nat(19),
    fc.nat(BATCH_SIZES.length - 1),
    fc.array(fc.nat(3 * FAULTS), { maxLength: 24, size: 'max' }),
    fc.nat(2),
    fc.array(
      fc.tuple(fc.nat(HOWS.length - 1), fc.nat(PAUSES.length - 1), fc.nat(12), fc.nat(ENDS.length - 1)),
      {
        minLength: 1,
        maxLength: 4,
        size: 'max',
      },
    ),
  );

export function scenarioOf(worlds: readonly World[], values: Drawn): Scenario {
  const [world, seed, rows, mixture, copies, batchSize, wrong, isCold, plays] = values;
  const kinds = MIXTURES[mixture].map((_, i) => MIXTURES[mixture][i]);
  const list = rows.map((row) => kinds[row % kinds.length]);
  return {
    world: worlds[world],
    seed,
    // One run in twenty is long.
    rows: copies === 19 ? Array.from({ length: 8 }, () => list).flat() : list,
    batchSize: BATCH_SIZES[batchSize],
    wrong: wrong.map((fault) => (fault <= FAULTS ? fault : 0)),
    isWarm: isCold !== 2,
    plays: plays.map(([how, pause, endsAt, end]) => ({
      how: HOWS[how],
      pauseSeconds: PAUSES[pause],
      // Seldom: most runs come to their end.
      endsAt: endsAt > 4 ? 0 : endsAt,
      end: ENDS[end],
    })),
  };
}

export const scenarios = (worlds = WORLDS): fc.Arbitrary<Scenario> =>
  drawn(worlds).map((values) => scenarioOf(worlds, values));
