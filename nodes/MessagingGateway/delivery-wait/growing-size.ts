import type { Unanswered } from '../../gateway/client/question-size';
import { QuestionSize } from '../../gateway/client/question-size';

/**
 * How often more ids than were answered are tried, until it is certain that the number was the reason: what refused them may
 * have been a fault.
 */
const TRIALS = 3;

/**
 * How many ids the questions of a wait hold: as many as the gateway answers, as far as is known. In the rounds after that was
 * found out, twice as many from question to question, until one is refused; after a few refusals it is certain.
 */
export class GrowingSize {
  private readonly found: QuestionSize;
  private readonly largest: number;
  private trials = TRIALS;

  /** Whether the questions of this round become larger. */
  private grows = false;

  /** Rounds in a row that ended with a refusal; of every second one, a smaller question finds out whether that still holds. */
  private refusals = 0;

  /** Takes the most ids in one question. */
  constructor(largest: number) {
    this.largest = largest;
    this.found = new QuestionSize(largest);
  }

  /** How many ids the next question holds at most. */
  get next(): number {
    const { current } = this.found;
    return this.grows ? Math.min(2 * current, this.largest) : current;
  }

  /** For a new round of questions. */
  begin(): void {
    this.grows = this.trials > 0;
  }

  /** For a question of so many ids that was answered. */
  answered(count: number): void {
    this.found.answered(count);
    this.found.current = Math.max(this.found.current, count);
  }

  /** Takes why a question of so many ids was not answered. Returns whether fewer may be answered now. */
  allowsFewer(unanswered: Unanswered, count: number): boolean {
    const { found } = this;
    this.grows = false;
    if (count <= found.current) return found.allowsFewer(unanswered, count);
    if (unanswered.reason !== 'failed') this.trials -= 1;
    return unanswered.reason === 'refused';
  }

  /** For a question that was not answered, for a reason that isn't the number. */
  failed(reason: Unanswered['reason']): void {
    this.refusals = reason === 'refused' ? this.refusals + 1 : 0;
    if (this.refusals > 0 && this.refusals % 2 === 0) this.found.forgetFutility();
  }
}
