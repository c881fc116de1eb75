/** What fast-check draws, and shrinks: a world, rows, what goes wrong, and how often the node runs. */
import fc from '../generated.mts';
import type { World } from './worlds.mts';

const KINDS = [
  ...['plain', 'bad', 'keyed', 'queued', 'own id', 'own id, sent before', 'own id, rejected before'],
  ...['queued bad', 'queued keyed', 'pipeline', 'telegram', 'call/otp'],
] as const;
export type RowKind = (typeof KINDS)[number];

/** Rows of a run are alike, or mixed. The first of a list is what a row shrinks to. */
const MIXTURES: ReadonlyArray<readonly RowKind[]> = [
  ['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'bad'],
  ['plain'],
  ['keyed', 'keyed', 'keyed', 'keyed', 'bad'],
  ['queued', 'queued', 'queued', 'queued bad', 'queued keyed'],
  KINDS,
];

export interface Play {
  /**
   * - `again`: Retry On Fail, with what the execution remembers.
   * - `retry`: n8n's button, with what was saved of the first execution.
   * - `new`: a run of its own, which has the same keys.
   */
  how: 'again' | 'retry' | 'new';
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
  batchSize: number | undefined;

  /** For each request, which of the faults it meets; 0: none. */
  wrong: number[];

  /** Whether the process knows a message that was taken. */
  isWarm: boolean;

  /** The first is the first run, whatever it says. */
  plays: Play[];
}

const PLAY: fc.Arbitrary<Play> = fc.record({
  how: fc.constantFrom('again', 'again', 'retry', 'new'),
  pauseSeconds: fc.constantFrom(0, 1, 5, 60, 3600, 13 * 3600),
  // Most runs come to their end.
  endsAt: fc.nat(12).map((request) => (request > 4 ? 0 : request)),
  end: fc.constantFrom('stop', 'stop in the exchange', 'throw', 'kill'),
});

const ROWS: fc.Arbitrary<RowKind[]> = fc
  .tuple(
    fc.constantFrom(...MIXTURES),
    fc.array(fc.nat(19), { minLength: 1, maxLength: 40, size: 'max' }),
    // One run in twenty is long.
    fc.nat(19).map((copies) => (copies === 19 ? 8 : 1)),
  )
  .map(([kinds, picks, copies]) =>
    Array.from({ length: copies }, () => picks.map((pick) => kinds[pick % kinds.length])).flat(),
  );

export const scenarios = (worlds: readonly World[]): fc.Arbitrary<Scenario> =>
  fc.record({
    world: fc.constantFrom(...worlds),
    seed: fc.nat(0xffffffff),
    rows: ROWS,
    batchSize: fc.constantFrom(undefined, undefined, undefined, 1, 5, 10),
    // A third of the first requests go wrong.
    wrong: fc.array(
      fc.nat(30).map((fault) => (fault > 10 ? 0 : fault)),
      { maxLength: 24, size: 'max' },
    ),
    isWarm: fc.constantFrom(true, true, false),
    plays: fc.array(PLAY, { minLength: 1, maxLength: 4, size: 'max' }),
  });
