export type FenceReason = 'cooldown' | 'number_limit' | 'workflow_limit';

/** At most `limit` codes for what `name` stands for, in any period of `periodMs` milliseconds. */
export interface Fence {
  reason: FenceReason;
  name: string;
  limit: number;
  periodMs: number;
}

/** A refusal, and in how many milliseconds it would be none. */
export interface FenceRefusal {
  reason: FenceReason;
  limit: number;
  retryAfterMs: number;
}

/** The longest period of a fence. */
export const HOUR_MS = 3_600_000;
/** The most names in memory. */
const MOST_NAMES = 100_000;
const SWEPT = 8;

/**
 * The codes that this process has sent in the last hour, by name. All its methods are synchronous, so simultaneous sends
 * can't all pass before the first is counted.
 */
export class FenceMemory {
  /** When codes were sent, in milliseconds since 1970, oldest first. */
  private readonly sent = new Map<string, number[]>();

  private readonly most: number;

  constructor(most = MOST_NAMES) {
    this.most = most;
  }

  /** Counts a code under all fences and returns undefined; or returns why it may not be sent, and counts nothing. */
  reserve(fences: readonly Fence[], now: number): FenceRefusal | undefined {
    const refusals = fences.flatMap((fence) => this.refusal(fence, now) ?? []);
    if (refusals.length > 0) {
      return refusals.reduce((longest, one) => (one.retryAfterMs > longest.retryAfterMs ? one : longest));
    }
    for (const name of namesOf(fences)) this.add(name, now);
    return undefined;
  }

  /** Takes back what was counted at a time, where the code certainly wasn't sent. */
  release(fences: readonly Fence[], reservedAt: number): void {
    for (const name of namesOf(fences)) {
      const times = this.sent.get(name);
      const at = times?.lastIndexOf(reservedAt) ?? -1;
      if (at >= 0) times?.splice(at, 1);
    }
  }

  private refusal({ reason, name, limit, periodMs }: Fence, now: number): FenceRefusal | undefined {
    const times = (this.sent.get(name) ?? []).filter((time) => time > now - periodMs);
    if (times.length < limit) return undefined;
    return { reason, limit, retryAfterMs: times[times.length - limit] + periodMs - now };
  }

  private add(name: string, now: number): void {
    const times = (this.sent.get(name) ?? []).filter((time) => time > now - HOUR_MS);
    this.sent.delete(name);
    this.sweep(now);
    this.sent.set(name, [...times, now]);
  }

  private sweep(now: number): void {
    let looked = 0;
    for (const [name, times] of this.sent) {
      if (looked++ >= SWEPT) break;
      if ((times.at(-1) ?? 0) <= now - HOUR_MS || this.sent.size >= this.most) this.sent.delete(name);
    }
  }
}

const namesOf = (fences: readonly Fence[]): Set<string> => new Set(fences.map(({ name }) => name));
