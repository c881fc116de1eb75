import { asksForPatience } from './refusal';
import type { FailedRequest } from './response';

/** Why a question was not answered. */
export interface Unanswered {
  /**
   * - `turnedAway`: by a 429, or in words that ask for patience: as one too many, or as one with too many ids.
   * - `refused`: as a whole, in whatever other words and under any code, or in part: a smaller one may be answered.
   * - `failed`: for a reason of another kind.
   */
  reason: 'refused' | 'turnedAway' | 'failed';

  /** Seconds for which the gateway wants to be left alone. */
  retryAfter?: number;
}

/** Ids in one request unless the user says otherwise. */
const LARGEST = 500;

/**
 * Codes with which servers refuse a question without a reason that can be told, which may be the number of its ids;
 * 413 tells that.
 */
const WITHOUT_REASON: readonly number[] = [400, 406, 409, 413, 414, 422, 431];

/** Why a failed request brought no answer. */
export function unansweredBy({ kind, problem, retryAfter }: FailedRequest): Unanswered {
  const code = problem.kind === 'http' ? problem.status : 0;
  const isPart = problem.kind === 'lengthMismatch' && problem.received < problem.sent;
  if ((kind === 'turnedAway' && code === 429) || (problem.kind === 'envelope' && asksForPatience(problem)))
    return { reason: 'turnedAway', retryAfter };
  // Whatever code comes with words, they may be about the number.
  const isInWords = problem.kind === 'envelope' && kind !== 'rejected';
  if (isInWords || isPart || WITHOUT_REASON.includes(code)) return { reason: 'refused', retryAfter };
  return { reason: 'failed', retryAfter };
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

  /** The most ids that were answered in one request, and as many where that proves that the gateway answers so many. */
  most = 0;
  private proven = 0;

  /** Whether it was found out that the number is not the reason. */
  isFutile = false;

  /** Whether the last question came too often, or held too many: the gateway didn't say which. */
  private isTurnedAway = false;

  /** Takes the size at first, and the smallest one that is of use. */
  constructor(largest = LARGEST, smallest = 1) {
    this.smallest = smallest;
    this.current = largest;
    this.settled = largest;
  }

  /** For a question of so many ids that was answered; `isProof`: whether that proves that the gateway answers as many. */
  answered(count: number, isProof = true): void {
    this.isFutile = false;
    this.isTurnedAway = false;
    this.settled = this.current;
    this.most = Math.max(this.most, count);
    if (isProof) this.proven = Math.max(this.proven, count);
  }

  /** Has the next refusal be looked into again: what refused the smallest question may be over. */
  forgetFutility(): void {
    this.isFutile = false;
  }

  /** Takes why a question with so many ids was not answered. Returns whether fewer may be answered now. */
  allowsFewer({ reason, retryAfter }: Unanswered, count: number): boolean {
    if (retryAfter !== undefined) return false;
    if (reason === 'refused') return this.refused(count);
    // As many have been answered: it came too soon. So may any, the first time.
    if (reason === 'failed' || count <= this.most) return false;
    const isAgain = this.isTurnedAway;
    this.isTurnedAway = true;
    return isAgain && this.refused(count);
  }

  private refused(count: number): boolean {
    if (this.isFutile || count <= this.proven) return false;
    if (count > this.smallest) {
      this.current = Math.max(this.smallest, Math.floor(count / 2));
      return true;
    }
    this.isFutile = true;
    this.current = this.settled;
    return false;
  }
}
