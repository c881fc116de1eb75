/** What fast-check draws, and shrinks: a world, rows, what goes wrong, and what a person does with the executions. */
import fc from '../generated.mts';
import type { World } from './worlds.mts';

const OWN = ['own id', 'own id, sent before', 'own id, rejected before'] as const;
const KINDS = ['plain', 'bad', 'queued', 'queued bad', ...OWN] as const;
export type RowKind = (typeof KINDS)[number];

/** Rows of a run are alike, or mixed. The first of a list is what a row shrinks to. */
const MIXTURES: ReadonlyArray<readonly RowKind[]> = [
  ['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'bad'],
  ['plain'],
  ['queued', 'queued', 'queued', 'queued', 'queued bad'],
  KINDS,
];

/** An execution, and what happens to it. */
export interface Play {
  /** By n8n's button Retry, of one of the executions that failed; else a run of its own, which has the same keys. */
  isRetry: boolean;
  of: number;

  /** Time before it, from the end of the one before; or from its begin, while that one still runs. */
  pauseSeconds: number;
  isAtOnce: boolean;

  /** The turn of the loop before whose send the execution fails; behind the last: after all sends. */
  failsBefore: number;

  /** On Error, and the tries of Retry On Fail. */
  goesOn: boolean;
  tries: number;

  /** At which of its requests the node is ended, and how; 0: not at all. */
  endsAt: number;
  end: 'stop' | 'stop in the exchange' | 'throw' | 'kill';
}

export interface Scenario {
  world: World;

  /** Decides what matters little, such as how late something is. */
  seed: number;
  type: 'sms' | 'pipeline' | 'telegram' | 'call/otp';
  rows: RowKind[];

  /** Whether the rows have keys; if so, none has an ID of its own. */
  isKeyed: boolean;

  /** How often the loop runs the node. */
  turns: number;
  batchSize: number | undefined;

  /** For each request, which of the faults it meets; 0: none. */
  wrong: number[];

  /** Whether the process knows a message that was taken. */
  isWarm: boolean;

  /** Whether executions have the token that n8n from 2.41 on gives them. */
  hasToken: boolean;

  /** The first is a run of its own, whatever it says. */
  plays: Play[];
}

const PLAY: fc.Arbitrary<Play> = fc.record({
  isRetry: fc.constantFrom(true, true, false),
  of: fc.constantFrom(0, 0, 0, 1, 2),
  pauseSeconds: fc.constantFrom(0, 1, 5, 20, 60, 110, 3600, 13 * 3600),
  isAtOnce: fc.boolean(),
  failsBefore: fc.constantFrom(9, 0, 1, 2),
  goesOn: fc.boolean(),
  tries: fc.constantFrom(1, 1, 2, 5),
  // Most runs come to their end.
  endsAt: fc.nat(12).map((request) => (request > 4 ? 0 : request)),
  end: fc.constantFrom('stop', 'stop in the exchange', 'throw', 'kill'),
});

const ROWS: fc.Arbitrary<RowKind[]> = fc
  .tuple(
    fc.constantFrom(...MIXTURES),
    fc.array(fc.nat(19), { minLength: 1, maxLength: 20, size: 'max' }),
    // One run in twenty is long.
    fc.nat(19).map((copies) => (copies === 19 ? 10 : 1)),
  )
  .map(([kinds, picks, copies]) =>
    Array.from({ length: copies }, () => picks.map((pick) => kinds[pick % kinds.length])).flat(),
  );

export const scenarios = (worlds: readonly World[]): fc.Arbitrary<Scenario> =>
  fc
    .record({
      world: fc.constantFrom(...worlds),
      seed: fc.nat(0xffffffff),
      type: fc.constantFrom('sms', 'sms', 'sms', 'sms', 'sms', 'sms', 'pipeline', 'telegram', 'call/otp'),
      rows: ROWS,
      isKeyed: fc.constantFrom(false, false, true),
      turns: fc.constantFrom(1, 1, 2),
      batchSize: fc.constantFrom(undefined, undefined, undefined, 1, 5, 10),
      // A third of the first requests go wrong.
      wrong: fc.array(
        fc.nat(30).map((fault) => (fault > 10 ? 0 : fault)),
        { maxLength: 24, size: 'max' },
      ),
      isWarm: fc.constantFrom(true, true, false),
      hasToken: fc.constantFrom(true, true, false),
      plays: fc.array(PLAY, { minLength: 1, maxLength: 5, size: 'max' }),
    })
    .map(({ isKeyed, hasToken, plays, ...drawn }) => ({
      ...{ ...drawn, hasToken, isKeyed: isKeyed && drawn.type === 'sms' },
      // "Before n8n 2.41", docs/delivery-guarantees.md: without a token, nothing tells that an execution before the last was killed.
      plays: plays.map((play) => (hasToken || play.end !== 'kill' ? play : { ...play, end: 'stop' })),
    })) as fc.Arbitrary<Scenario>;
