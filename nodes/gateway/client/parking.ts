import type { Problem } from '../errors/problem';
import { classify } from '../delivery/reports';
import type { Standing } from './control-question';
import type { SendEntry, SendResult } from './send';

/** A request that the gateway refused as a whole. */
export interface RefusedPart<E extends SendEntry> {
  /** The operations of the request that certainly were not taken. */
  entries: E[];
  /** Operations in the request. */
  size: number;
  problem: Problem;
  /** Seconds for which the gateway wants to be left alone. */
  retryAfter?: number;
}

/** An entry that waits for an answer of `status`. */
export interface Parked<E extends SendEntry> {
  entry: E;
  /** What is recorded so far: `unknown`, or a refusal by a result of its own, which is asked about once. */
  result: Extract<SendResult, { state: 'unknown' | 'refused' }>;
  /** The refused request that carried it; unset where the exchange broke. */
  part?: RefusedPart<E>;
  /** Milliseconds after the end of the exchange at which the gateway's work on it is over. */
  settlesAt: number;
  /** Milliseconds that were waited since the exchange ended. */
  waited: number;
  /** Whether a message that the gateway has under this `id` may be older than the request. */
  mayBeOlder: boolean;
  /** Whether it was refused as a duplicate of what this execution may have sent, so that no absence proves anything. */
  isRepeat: boolean;
  absence?: Absence;
  /** Questions about it that brought no usable answer when the gateway's work was over. */
  unanswered: number;
}

/** Since when the gateway says the same of an entry as of the control, in milliseconds waited, and what it says. */
export interface Absence {
  since: number;
  words: string;
}

/** Milliseconds before `status` is asked for the first time, and the longest pause between two questions. */
export const FIRST_QUESTION = 500;
const LONGEST_PAUSE = 8000;
/** Milliseconds by which `status` may lag behind an answer, and between two questions that prove absence. */
export const LAG = 2000;
/** Milliseconds after a broken exchange by which a gateway has finished with the request. */
export const SETTLING = 30_000;
/** Questions without a usable answer, once the gateway's work is over, after which an entry stays unknown. */
const MOST_UNANSWERED = 4;

export const nextPause = (pause: number): number => Math.min(Math.max(2 * pause, LAG), LONGEST_PAUSE);

/** Whether there is something to ask about an entry: one that was refused may be known a moment later only. */
export const isDue = <E extends SendEntry>({ result, waited, settlesAt }: Parked<E>): boolean =>
  result.state === 'unknown' || waited >= settlesAt;

/** Milliseconds until the next question: `pause`, or less, but at least 2 s after another, where an entry settles before that. */
export function timeUntilQuestion<E extends SendEntry>(
  parked: ReadonlyArray<Parked<E>>,
  pause: number,
): number {
  const isAnyDoubt = parked.some(({ result }) => result.state === 'unknown');
  let time = isAnyDoubt ? pause : LAG;
  for (const { result, settlesAt, waited, absence } of parked) {
    const left = settlesAt - waited;
    if (left > 0 || result.state === 'refused') time = Math.min(time, Math.max(0, left));
    // One more answer proves it.
    else if (absence) time = Math.min(time, LAG);
  }
  // Two answers prove absence only if they are so far apart.
  return pause > FIRST_QUESTION ? Math.max(time, LAG) : time;
}

/**
 * Decides what becomes of a parked entry: its final result, or one more question, or that it certainly was not taken.
 * Absent is what was answered twice, 2 s apart, like an `id` that was never sent, the second time when the gateway's work
 * was over. It proves nothing for a request that ran into the time limit, or where `isProvable` is false.
 */
export function decide<E extends SendEntry>(
  parked: Parked<E>,
  standing: Standing,
  isProvable: boolean,
): SendResult | 'notTaken' | 'wait' {
  const { entry, result, waited } = parked;
  if (standing.kind === 'notAsked') return 'wait';
  if (standing.kind === 'known') {
    const { payload: report } = standing;
    const isRefused = result.state === 'refused';
    if (isRefused && classify(report, entry.operation.type).outcome === 'failed') return result;
    return { state: 'accepted', report, ...(parked.mayBeOlder && { duplicate: true }) };
  }
  if (result.state === 'refused') return result;
  const isOver = waited >= parked.settlesAt;
  if (standing.kind === 'absent') {
    parked.absence = absenceAt(waited, standing.words, parked.absence);
    if (!isOver || waited - parked.absence.since < LAG) return 'wait';
    return isProvable && !parked.isRepeat && result.doubt.kind !== 'late' ? 'notTaken' : result;
  }
  if (standing.kind === 'unclear') delete parked.absence;
  if (isOver) parked.unanswered += 1;
  return parked.unanswered < MOST_UNANSWERED ? 'wait' : result;
}

/** The absence of an entry after one more answer, which begins anew with other words. */
export const absenceAt = (waited: number, words: string, before: Absence | undefined): Absence =>
  before?.words === words ? before : { since: waited, words };
