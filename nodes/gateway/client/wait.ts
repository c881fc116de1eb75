const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** Waits before a request is made again: they double from one second to 15, up to a limit for all of them together. */
export class Patience {
  private waitedMs = 0;
  private nextMs = FIRST_WAIT_MS;
  private readonly limitMs: number;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
  }

  /** Takes the seconds that the gateway names, if any. Returns milliseconds; undefined where they are beyond the limit. */
  wait(retryAfter = 0): number | undefined {
    const waitMs = Math.max(1000 * retryAfter, this.nextMs);
    if (this.waitedMs + waitMs > this.limitMs) return undefined;
    this.waitedMs += waitMs;
    this.nextMs = Math.min(2 * this.nextMs, LONGEST_WAIT_MS);
    return waitMs;
  }

  /** Begins anew with the first wait. */
  reset(): void {
    this.waitedMs = 0;
    this.nextMs = FIRST_WAIT_MS;
  }
}
