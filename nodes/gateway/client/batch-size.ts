/** Operations in the first request of an automatic run, and in the largest. */
const FIRST = 100;
const LARGEST = 1000;
const SMALLEST = 10;

/** The time within which an answer is quick, and after which it is slow. */
const QUICK_MS = 1000;
const SLOW_MS = 3000;

/**
 * How many operations travel in one request: a fixed number, or one that is found by trying. Automatic batches double
 * while full ones are answered quickly, or grow fourfold until one is refused or slow, and halve when the gateway is slow.
 * Both kinds halve when a request is refused, double again after one that was taken, and shrink for good at an HTTP 413
 * (gateway-api.md, "What the contract leaves open").
 */
export class BatchSize {
  /** Operations in the next request. */
  current: number;

  /** The most that the gateway may take in one. */
  largest: number;
  private readonly isAutomatic: boolean;

  /** Two refusals lead back to what was taken: a third in a row would have the sender ask before it goes on. */
  private fastGrowth = 4;

  constructor(fixed?: number) {
    this.isAutomatic = fixed === undefined;
    this.current = fixed ?? FIRST;
    this.largest = fixed ?? LARGEST;
  }

  /** Takes the number of operations of a request that was taken, and the time until its answer. */
  answered(count: number, answerMs: number): void {
    if (this.isAutomatic && answerMs > SLOW_MS) this.timedOut();
    if (count < this.current || (this.isAutomatic && answerMs >= QUICK_MS)) return;
    const growth = 4 * answerMs < QUICK_MS ? this.fastGrowth : 2;
    this.current = Math.min(growth * this.current, this.largest);
  }

  /** For a request that the gateway was slow to answer, or that ran into a time limit. */
  timedOut(): void {
    this.fastGrowth = 2;
    if (this.isAutomatic)
      this.current = Math.max(Math.min(SMALLEST, this.current), Math.ceil(this.current / 2));
  }

  /** Takes the number of operations of a request that was refused, perhaps because of one of them or their number. */
  refused(count: number): void {
    this.fastGrowth = 2;
    this.current = Math.min(this.current, Math.max(1, Math.ceil(count / 2)));
  }

  /** Takes the number of operations of a request that was too large. */
  tooLarge(count: number): void {
    // What is sent anew after a refusal may be larger than what is known to fit by now.
    this.largest = Math.min(this.largest, Math.max(1, Math.ceil(count / 2)));
    this.current = Math.min(this.current, this.largest);
  }
}
