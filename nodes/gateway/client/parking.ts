import type { Problem } from '../errors/problem';
import { classify } from '../delivery/reports';
import type { Standing } from './control-question';
import type { SendEntry } from './send';
import type { SendResult } from './send-result';

/** Operations that travelled in one request which the gateway refused as a whole, and its words. */
export interface RefusedPart<E extends SendEntry> {
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
  /** Whether it may have been taken; otherwise it was refused by a result of its own, and is asked about once. */
  isDoubt: boolean;
  /** Whether this run sent it in an earlier request. */
  isRepeated: boolean;
  problem: Problem;
  payload?: unknown;
  /** The refused request that carried it; unset where the exchange broke. */
  part?: RefusedPart<E>;
  /** Milliseconds after the end of the exchange at which the gateway's work on it is over. */
  settlesAt: number;
  /** Milliseconds that were waited since the exchange ended. */
  waited: number;
  /** What `waited` was when the gateway last began to say the same of it as of the control, and what it says. */
  absence?: { since: number; words: string };
  /** Questions about it that brought no usable answer when the gateway's work was over. */
  unanswered: number;
}

/** What follows from an answer of `status` for a parked entry. */
export type Decision = { kind: 'settled'; result: SendResult } | { kind: 'notTaken' } | { kind: 'wait' };

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
export const isDue = <E extends SendEntry>({ isDoubt, waited, settlesAt }: Parked<E>): boolean =>
  isDoubt || waited >= settlesAt;

/** Milliseconds until the next question: `pause`, or less, but at least 2 s after another, where an entry settles before that. */
export function timeUntilQuestion<E extends SendEntry>(
  parked: ReadonlyArray<Parked<E>>,
  pause: number,
): number {
  const isAnyDoubt = parked.some(({ isDoubt }) => isDoubt);
  let time = isAnyDoubt ? pause : LAG;
  for (const entry of parked) {
    const left = entry.settlesAt - entry.waited;
    if (left > 0 || !entry.isDoubt) time = Math.min(time, Math.max(0, left));
    // One more answer proves it.
    else if (entry.absence) time = Math.min(time, LAG);
  }
  // Two answers prove absence only if they are so far apart.
  return pause > FIRST_QUESTION ? Math.max(time, LAG) : time;
}

/**
 * Decides what becomes of a parked entry. Absent is what was answered twice, 2 s apart, like an `id` that was never
 * sent, the second time when the gateway's work was over. It proves nothing for a request that ran into the time limit,
 * or where `isProvable` is false.
 */
export function decide<E extends SendEntry>(
  parked: Parked<E>,
  standing: Standing,
  isProvable: boolean,
): Decision {
  const { entry, isDoubt, problem, payload } = parked;
  const { doubt } = entry;
  if (standing.kind === 'notAsked') return { kind: 'wait' };
  if (standing.kind === 'known') {
    const { outcome } = classify(standing.payload, entry.operation.type);
    if (!isDoubt && outcome === 'failed') return settled({ state: 'refused', problem, payload });
    // Where a key was asked about before, a refusal may mean that another run has sent it since.
    const isRefused = !isDoubt || doubt?.kind === 'answered';
    const isOfAnother = entry.asksFirst === undefined ? !isDoubt && !parked.isRepeated : isRefused;
    const mayBeOlder = isOfAnother || entry.hasOwnId === true;
    return settled({
      state: 'accepted',
      payload: standing.payload,
      ...(mayBeOlder && { duplicate: true }),
    });
  }
  if (!isDoubt || !doubt) return settled({ state: 'refused', problem, payload });
  const isOver = parked.waited >= parked.settlesAt;
  if (standing.kind === 'absent') {
    const { words } = standing;
    if (parked.absence?.words !== words) parked.absence = { since: parked.waited, words };
    const isAbsent = isOver && parked.waited - parked.absence.since >= LAG;
    if (!isAbsent) return { kind: 'wait' };
    if (isProvable && doubt.kind !== 'late') return { kind: 'notTaken' };
    return settled({ state: 'unknown', problem, doubt });
  }
  if (standing.kind === 'unclear') delete parked.absence;
  if (isOver) parked.unanswered += 1;
  if (parked.unanswered < MOST_UNANSWERED) return { kind: 'wait' };
  return settled({ state: 'unknown', problem, doubt });
}

const settled = (result: SendResult): Decision => ({ kind: 'settled', result });
