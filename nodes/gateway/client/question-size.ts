import type { FailedRequest } from './response';

/** Why a question was not answered. */
export interface Unanswered {
  /**
   * - `tooLarge`: it has more ids than the gateway answers.
   * - `refused`: in words, which may mean that.
   * - `turnedAway`: as one request too many, or one with too many ids.
   * - `failed`: for a reason of another kind.
   */
  reason: 'tooLarge' | 'refused' | 'turnedAway' | 'failed';

  /** Seconds for which the gateway wants to be left alone. */
  retryAfter?: number;
}

/** Ids in one request unless the user says otherwise. */
const LARGEST = 500;

/**
 * Whether the gateway refused a question as a whole, or answered a part of it, so that a smaller one may be answered,
 * whatever its words.
 */
export const isRefusalOfQuestion = (failed: FailedRequest): boolean =>
  failed.kind === 'refused' || isTooLarge(failed);

/** Whether a question was certainly refused for the number of its ids: by its code, or by an answer about some of them. */
export const isTooLarge = ({ problem }: FailedRequest): boolean =>
  problem.kind === 'lengthMismatch'
    ? problem.received < problem.sent
    : problem.kind === 'http' && problem.status === 413;

/** Whether a question was turned away, without words, as one too many or as one with too much. */
export const isTooMuch = ({ kind, problem }: FailedRequest): boolean =>
  kind === 'turnedAway' && problem.kind === 'http' && problem.status === 429;

/** Why a failed request brought no answer. */
export function unansweredBy(failed: FailedRequest): Unanswered {
  const { retryAfter } = failed;
  if (isTooLarge(failed)) return { reason: 'tooLarge', retryAfter };
  if (isTooMuch(failed)) return { reason: 'turnedAway', retryAfter };
  return { reason: failed.kind === 'refused' ? 'refused' : 'failed', retryAfter };
}

/**
 * How many ids one `status` request holds: what the gateway refuses is halved until it answers, and what it answers is
 * kept as a ceiling. Where it refuses the smallest as well, or as many as it answered before, the number is not the reason.
 */
export class QuestionSize {
  current: number;
  private readonly smallest: number;

  /** What the size returns to where it is not the reason: what was answered last, or is known to be small enough. */
  private settled: number;

  /** The most ids that were answered in one request. */
  private proven = 0;

  /** Whether it was found out that the number is not the reason. */
  private isFutile = false;

  /** Whether the last question came too often, or held too many: the gateway didn't say which. */
  private isTurnedAway = false;

  /** Takes the size at first, and the smallest one that is of use. */
  constructor(largest = LARGEST, smallest = 1) {
    this.smallest = smallest;
    this.current = largest;
    this.settled = largest;
  }

  /** For a question that was answered, and the number of its ids where that proves that the gateway answers as many. */
  answered(count = 0): void {
    this.isFutile = false;
    this.isTurnedAway = false;
    this.settled = this.current;
    this.proven = Math.max(this.proven, count);
  }

  /**
   * Takes the number of ids of a question that was turned away with a 429 and nothing else. Returns whether fewer may be
   * answered: the first time, it may have come too soon.
   */
  turnedAway(count: number): boolean {
    const isAgain = this.isTurnedAway;
    this.isTurnedAway = true;
    return isAgain && this.refused(count);
  }

  /** Takes the number of ids of a question that was certainly refused for it. Returns whether fewer may be answered. */
  private tooLarge(count: number): boolean {
    if (count <= this.smallest) return false;
    this.current = Math.max(this.smallest, Math.floor(count / 2));
    this.settled = Math.min(this.settled, this.current);
    return true;
  }

  /** Takes the number of ids of a question that was refused. Returns whether fewer may be answered. */
  refused(count: number): boolean {
    if (this.isFutile || count <= this.proven) return false;
    if (count > this.smallest) {
      this.current = Math.max(this.smallest, Math.floor(count / 2));
      return true;
    }
    this.isFutile = true;
    this.current = this.settled;
    return false;
  }

  /** Has the next refusal be looked into again: what refused the smallest question may be over. */
  forgetFutility(): void {
    this.isFutile = false;
  }

  /** Takes why a question with so many ids was not answered. Returns whether fewer may be answered now. */
  allowsFewer({ reason, retryAfter }: Unanswered, count: number): boolean {
    if (retryAfter !== undefined) return false;
    if (reason === 'tooLarge') return this.tooLarge(count);
    if (reason === 'turnedAway') return this.turnedAway(count);
    return reason === 'refused' && this.refused(count);
  }
}
