/** Milliseconds between two rounds of questions. */
const SHORTEST = 1000;
const LONGEST = 600_000;
const FIRST_AFTER_FAILURE = 5000;
/** Target share of the polled messages that become final per round. */
const WORTHWHILE = 0.35;
const MOST_GROWTH = 1.5;
const MOST_SHRINKING = 0.5;

/**
 * Decides how often the gateway is asked: quick at first, at growing intervals while nothing changes, and quicker again
 * when outcomes come in. Each interval is chosen so that about a third of the messages in question become final in it;
 * the requests of a whole wait are then a few times those of one question for all messages.
 */
export class Pace {
  /** Milliseconds until the next round. */
  pause = SHORTEST;

  /** Requests of a round in any case, of `batches` for all open messages: each message is in one every ten minutes. */
  fewest(batches: number): number {
    return Math.max(1, Math.ceil((batches * this.pause) / LONGEST));
  }

  /** Whether a batch with this share of final messages is a reason to ask about the next one at once. */
  isWorthwhile(share: number): boolean {
    return share >= WORTHWHILE;
  }

  /** Notes a round that found this share of its messages final. */
  afterRound(share: number): void {
    const factor = share === 0 ? MOST_GROWTH : WORTHWHILE / share;
    this.set(this.pause * Math.min(MOST_GROWTH, Math.max(MOST_SHRINKING, factor)));
  }

  /** Notes a round that got no answer; `retryAfter` in seconds, where the gateway asked for patience. */
  afterFailure(retryAfter = 0): void {
    this.set(Math.max(2 * this.pause, FIRST_AFTER_FAILURE, retryAfter * 1000));
  }

  /** Notes that an outcome came in by itself, so that others may have as well. */
  afterNews(): void {
    this.pause = SHORTEST;
  }

  private set(pause: number): void {
    this.pause = Math.min(LONGEST, Math.max(SHORTEST, pause));
  }
}
