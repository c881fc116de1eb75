/** Operations in the first request of an automatic run, and in the largest. */
const FIRST = 100;
const LARGEST = 1000;
const SMALLEST = 10;
/** Milliseconds within which an answer is quick, and after which it is slow. */
const QUICK = 1000;
const SLOW = 3000;

/**
 * How many operations travel in one request: a fixed number, or one that is found by trying. Automatic batches double
 * while full ones are answered quickly and halve when the gateway is slow. Both kinds shrink for good when the gateway
 * says that a batch is too large (gateway-api.md, "Limits": the maximum is not shown).
 */
export class BatchSize {
  private size: number;

  private largest: number;

  private readonly isAutomatic: boolean;

  constructor(fixed?: number) {
    this.isAutomatic = fixed === undefined;
    this.size = fixed ?? FIRST;
    this.largest = fixed ?? LARGEST;
  }

  get current(): number {
    return this.size;
  }

  /** Takes the number of operations of a request that was answered, and the milliseconds that took. */
  answered(count: number, milliseconds: number): void {
    if (!this.isAutomatic) return;
    if (milliseconds > SLOW) this.timedOut();
    else if (milliseconds < QUICK && count >= this.size) this.size = Math.min(2 * this.size, this.largest);
  }

  /** For a request that the gateway was slow to answer, or that ran into a time limit. */
  timedOut(): void {
    if (this.isAutomatic) this.size = Math.max(Math.min(SMALLEST, this.size), Math.ceil(this.size / 2));
  }

  /** Takes the number of operations of a request that the gateway found too large. */
  tooLarge(count: number): void {
    // Another lane may have found out more.
    this.largest = Math.min(this.largest, Math.max(1, Math.ceil(count / 2)));
    this.size = Math.min(this.size, this.largest);
  }
}
