import type { Transport } from './transport';

/** The time of a run. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;

  /** Waits; resolves early when the execution is stopped. Doesn't reject. */
  sleep(milliseconds: number): Promise<void>;

  /** Whether the execution was stopped. */
  readonly isStopped: boolean;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** The longest gap that a run keeps between two requests without being asked for it each time. */
const LONGEST_GAP_MS = 5000;

/** Waits before a request is made again: they double from one second to 15, up to a limit for all of them together. */
export class Backoff {
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
 * The time between two requests of a run. It grows where the gateway asks to wait: a limiter that counts questions, too, would
 * refuse each message right behind its question.
 */
export class Pace {
  /** How long the last request took, without the gap before it. */
  lastTookMs = 0;

  /** When the last request ended, in milliseconds since 1970; undefined before the first. */
  private lastAtMs: number | undefined;

  /** The gap that the gateway asked for, in milliseconds; 0 until it does. */
  private gapMs = 0;
  private isRefused = false;
  private readonly clock: Clock;
  private readonly pauseMs: number;

  /** Takes the milliseconds between two batches that the user set; a question waits for a second of them at most. */
  constructor(clock: Clock, pauseMs: number) {
    this.clock = clock;
    this.pauseMs = pauseMs;
  }

  /** Returns a transport that keeps the gap before each request. */
  over(transport: Transport): Transport {
    return async (endpoint, data) => {
      await this.keepGap(Math.max(this.gapMs, Math.min(this.pauseMs, FIRST_WAIT_MS)));
      const startMs = this.clock.now();
      const answer = await transport(endpoint, data);
      this.lastAtMs = this.clock.now();
      this.lastTookMs = this.lastAtMs - startMs;
      return answer;
    };
  }

  /** Waits for what is left of the user's pause, right before the next batch. */
  async pause(): Promise<void> {
    await this.keepGap(this.pauseMs);
  }

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

  /** Waits until the last request is so many milliseconds ago. */
  private async keepGap(gapMs: number): Promise<void> {
    if (this.lastAtMs === undefined) return;
    // A clock may be set meanwhile: the wait is never longer than the gap.
    const waitMs = Math.min(gapMs, this.lastAtMs + gapMs - this.clock.now());
    if (waitMs > 0) await this.clock.sleep(waitMs);
  }
}
