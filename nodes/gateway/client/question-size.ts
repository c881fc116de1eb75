import { asksToWait as asksForPatience } from './words';
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
  if (code === 429 || (problem.kind === 'envelope' && asksForPatience(problem)))
    return { reason: 'turnedAway', retryAfter };
  // Whatever code comes with words, they may be about the number.
  const isInWords = problem.kind === 'envelope' && kind !== 'closed';
  if (isInWords || isPart || WITHOUT_REASON.includes(code)) return { reason: 'refused', retryAfter };
  return { reason: 'failed', retryAfter };
}

/** The reasons for which a question is asked again with fewer ids. */
type NumberReason = Exclude<Unanswered['reason'], 'failed'>;

/**
 * How many ids one `status` request holds: what the gateway refuses is halved until it answers, and what it answers is
 * kept as a ceiling. Where it refuses the smallest as well, or as many as it answered before, the number is not the reason.
 */
export class NumberOfIds {
  current: number;
  private readonly smallest: number;

  /** The most ids that were answered in one request, and as many where that proves that the gateway answers so many. */
  most = 0;
  private proven = 0;

  /**
   * By reason, the size at which it came first. Where the number turns out not to be that reason, the size returns to it: what
   * was found out for the other one holds.
   */
  private readonly from = new Map<NumberReason, number>();

  /** The reasons that the number turned out not to be. */
  private readonly futile = new Set<NumberReason>();

  /** Whether the last question came too often, or held too many: the gateway didn't say which. */
  private isTurnedAway = false;

  /** Takes the size at first, and the smallest one that is of use. */
  constructor(largest = LARGEST, smallest = 1) {
    this.smallest = smallest;
    this.current = largest;
  }

  /** Whether it was found out of a reason that it isn't the number. */
  get isFutile(): boolean {
    return this.futile.size > 0;
  }

  /** For a question of so many ids that was answered; `isProof`: whether that proves that the gateway answers as many. */
  answered(count: number, isProof = true): void {
    this.futile.clear();
    this.from.clear();
    this.isTurnedAway = false;
    this.most = Math.max(this.most, count);
    if (isProof) this.proven = Math.max(this.proven, count);
  }

  /**
   * For a question of which some ids only were answered: it certainly held too many, and no other reason has to be looked for.
   * Returns whether fewer may be answered now.
   */
  answeredInPart(count: number): boolean {
    this.futile.clear();
    this.from.clear();
    return count > this.proven && this.halve(count);
  }

  /** Has the next refusal be looked into again: what refused the smallest question may be over. */
  forgetFutility(): void {
    this.futile.clear();
  }

  /** Takes why a question with so many ids was not answered. Returns whether fewer may be answered now. */
  allowsFewer({ reason, retryAfter }: Unanswered, count: number): boolean {
    if (retryAfter !== undefined || reason === 'failed') return false;
    if (reason === 'refused') return this.refused(reason, count);
    // As many have been answered: it came too soon. So may any, the first time.
    if (count <= this.most) return false;
    const isAgain = this.isTurnedAway;
    this.isTurnedAway = true;
    return isAgain && this.refused(reason, count);
  }

  private refused(reason: NumberReason, count: number): boolean {
    if (this.futile.has(reason) || count <= this.proven) return false;
    const from = this.from.get(reason) ?? this.current;
    this.from.set(reason, from);
    if (this.halve(count)) return true;
    this.futile.add(reason);
    this.from.delete(reason);
    this.current = from;
    return false;
  }

  /** Halves a size, if it isn't the smallest. Returns whether it did. */
  private halve(count: number): boolean {
    if (count <= this.smallest) return false;
    this.current = Math.max(this.smallest, Math.floor(count / 2));
    return true;
  }
}
