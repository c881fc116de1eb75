export const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** The longest gap that a run keeps between two requests without being asked for it each time. */
const LONGEST_GAP_MS = 5000;

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

  /** Begins anew with the first wait; the limit stays where it is. */
  begin(): void {
    this.nextMs = FIRST_WAIT_MS;
  }

  /** Begins anew, and so does the limit. */
  reset(): void {
    this.waitedMs = 0;
    this.begin();
  }
}

/**
 * The least time between two requests of a run, from when on the gateway has asked to wait: a limiter that counts questions, too,
 * would refuse each message right behind its question.
 */
export class Pace {
  gapMs = 0;
  private isRefused = false;

  /** The gateway asked to wait for so many milliseconds: after two refusals in a row, that is the gap, up to five seconds. */
  slowDown(waitMs: number): void {
    this.gapMs = Math.max(this.gapMs, this.isRefused ? Math.min(waitMs, LONGEST_GAP_MS) : FIRST_WAIT_MS);
    this.isRefused = true;
  }

  /** The gateway took a message: the gap is halved, down to a second. */
  speedUp(): void {
    this.isRefused = false;
    if (this.gapMs > 0) this.gapMs = Math.max(FIRST_WAIT_MS, this.gapMs / 2);
  }
}
