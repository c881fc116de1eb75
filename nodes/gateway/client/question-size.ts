import type { FailedRequest } from './response';

/** Ids in one request unless the user says otherwise. */
const LARGEST = 500;

/**
 * Whether the gateway refused a question as a whole, or answered a part of it, so that a smaller one may be answered,
 * whatever its words.
 */
export function isRefusalOfQuestion({ kind, problem }: FailedRequest): boolean {
  if (problem.kind === 'lengthMismatch') return problem.received < problem.sent;
  return kind === 'refused' || (kind === 'turnedAway' && problem.kind === 'http' && problem.status === 413);
}

/** Whether a question was turned away, without words, as one too many or as one with too much. */
export const isTooMuch = ({ kind, problem }: FailedRequest): boolean =>
  kind === 'turnedAway' && problem.kind === 'http' && problem.status === 429;

/**
 * How many ids one `status` request holds: what the gateway refuses is halved until it answers, and what it answers is
 * kept as a ceiling. Where it refuses the smallest as well, the number is not the reason.
 */
export class QuestionSize {
  current: number;
  private readonly largest: number;
  private readonly smallest: number;
  /** Whether it was found out that the number is not the reason. */
  private isFutile = false;
  /** Whether the last question came too often, or held too many: the gateway didn't say which. */
  private isTurnedAway = false;

  /** Takes the size at first, and the smallest one that is of use. */
  constructor(largest = LARGEST, smallest = 1) {
    this.largest = largest;
    this.smallest = smallest;
    this.current = largest;
  }

  /** For a question that was answered. */
  answered(): void {
    this.isFutile = false;
    this.isTurnedAway = false;
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

  /** Takes the number of ids of a question that was refused. Returns whether fewer may be answered. */
  refused(count: number): boolean {
    if (this.isFutile) return false;
    if (count > this.smallest) {
      this.current = Math.max(this.smallest, Math.floor(count / 2));
      return true;
    }
    this.isFutile = true;
    this.current = this.largest;
    return false;
  }
}
