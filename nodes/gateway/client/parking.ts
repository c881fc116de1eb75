import type { Problem } from '../errors/problem';
import type { SendEntry } from './send';
import type { SendResult } from './send-result';
import type { StatusAnswer } from './status-check';

/**
 * Why an entry waits for an answer of `status`.
 *
 * - `doubt`: the gateway may have taken it.
 * - `recognise`: it was refused as a duplicate of something that this execution did not send.
 * - `confirm`: it was refused after it may have been taken before.
 */
type Reason = 'doubt' | 'recognise' | 'confirm';

/** An entry that waits for an answer of `status`. */
export interface Parked<E extends SendEntry> {
  entry: E;
  reason: Reason;
  problem: Problem;
  /** Questions about it that brought no usable answer. */
  unanswered: number;
  /** When the last question about it left, in milliseconds since 1970. */
  askedAt?: number;
}

/** What follows from an answer of `status` for a parked entry. */
export type Decision = { kind: 'settled'; result: SendResult } | { kind: 'sendAgain' } | { kind: 'wait' };

/** Milliseconds before `status` is asked for the first time, and the longest pause between two questions. */
export const FIRST_QUESTION = 500;
const LONGEST_PAUSE = 8000;
/** Questions without a usable answer, once the settling time is over, after which an entry stays unknown. */
const MOST_UNANSWERED = 4;

export const nextPause = (pause: number): number => Math.min(2 * pause, LONGEST_PAUSE);

/** What decides when `status` is asked, in milliseconds; `now` since 1970. */
interface Times {
  now: number;
  settling: number;
  /** The longest that is waited. */
  pause: number;
}

/**
 * Milliseconds until the next question: 0 for what only has to be looked up, and no longer than until the first of the
 * entries has settled, or at once where that happened while the last question was under way.
 */
export function timeUntilQuestion<E extends SendEntry>(parked: Array<Parked<E>>, times: Times): number {
  const { now, settling, pause } = times;
  if (parked.every(({ reason, unanswered }) => reason !== 'doubt' && unanswered === 0)) return 0;
  let time = pause;
  for (const { entry, askedAt } of parked) {
    if (!entry.doubt) continue;
    const settledAt = entry.doubt.leftAt + settling;
    const isAsked = askedAt === undefined ? settledAt <= now : askedAt >= settledAt;
    if (!isAsked) time = Math.min(time, Math.max(0, settledAt - now));
  }
  return time;
}

/** What decides about a parked entry, beside the answer. */
export interface Circumstances {
  /** Whether the settling time was over when the question left. */
  isSettled: boolean;
  /** Whether operations may be sent again at all. */
  canResend: boolean;
}

/**
 * Decides what becomes of a parked entry. Absence proves nothing while the gateway can still be at work, and never
 * for a request that ran into the time limit.
 */
export function decide<E extends SendEntry>(
  parked: Parked<E>,
  answer: StatusAnswer,
  { isSettled, canResend }: Circumstances,
): Decision {
  const { entry, reason, problem } = parked;
  if (answer.kind === 'known') {
    const { payload } = answer;
    const isDuplicate = reason === 'recognise';
    return settled({ state: 'accepted', payload, ...(isDuplicate && { duplicate: true }) });
  }
  if (answer.kind === 'absent') {
    if (reason !== 'doubt') return settled({ state: 'refused', problem });
    if (!isSettled) return { kind: 'wait' };
    const { doubt } = entry;
    const maySend = canResend && doubt?.kind === 'lost' && doubt.resent !== true;
    return maySend ? { kind: 'sendAgain' } : leaveOpen(parked);
  }
  parked.unanswered += 1;
  if (!isSettled || parked.unanswered < MOST_UNANSWERED) return { kind: 'wait' };
  return leaveOpen(parked);
}

const settled = (result: SendResult): Decision => ({ kind: 'settled', result });

/** What is said of an entry about which nothing more can be found out. */
function leaveOpen<E extends SendEntry>({ entry, reason, problem }: Parked<E>): Decision {
  const { doubt } = entry;
  if (reason === 'recognise' || doubt === undefined) return settled({ state: 'refused', problem });
  return settled({ state: 'unknown', problem, doubt });
}
