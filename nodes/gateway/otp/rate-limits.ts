import { RateSlots } from './rate-slots';
import type { RecordNames } from './rate-slots';
import { TimedMemory } from './timed-memory';

export type LimitReason = 'cooldown' | 'number_limit' | 'workflow_limit';

/** At most `limit` codes for what `name` stands for, in any period of `periodMs` milliseconds. */
export interface RateLimit {
  reason: LimitReason;
  name: string;
  /** Infinity: codes are counted, for limits of the same name that come later. */
  limit: number;
  /** An hour at most. */
  periodMs: number;
}

/** A refusal, and the milliseconds until a retry succeeds. */
export interface LimitRefusal {
  reason: LimitReason;
  limit: number;
  retryAfterMs: number;
}

/** A code that passed its limits. `release` takes that back, where it doesn't count after all. */
export interface Reservation {
  release(): void;
}

/** The longest period of a limit. */
export const HOUR_MS = 3_600_000;
/** The most codes that any limit allows, and so the most that have to be known of a name. */
const MOST_CODES = 2000;

/** The codes of one name. */
interface Counted {
  /** When they came, in milliseconds since 1970, oldest first. */
  times: number[];
  slots: RateSlots[];
}

/**
 * Counts codes by name, in the memory of this process and in a record that outlives it. The memory decides at once
 * between simultaneous codes and is exact; the record is what other processes, and this one after a restart, know.
 */
export class RateLimits {
  private readonly memory: TimedMemory<Counted>;

  constructor(most?: number) {
    this.memory = new TimedMemory(most);
  }

  /**
   * Counts a code that came at `now` (milliseconds since 1970) under all its limits; or returns why it may not pass,
   * and counts nothing.
   * @throws the error of `record`; nothing is counted then
   */
  async reserve(
    limits: readonly RateLimit[],
    now: number,
    record: RecordNames,
  ): Promise<Reservation | LimitRefusal> {
    const refusal = this.refusalOf(limits, now);
    if (refusal) return refusal;
    const undo: Array<() => void> = [];
    const release = () => {
      for (const one of undo.splice(0)) one();
    };
    for (const name of new Set(limits.map((limit) => limit.name))) {
      const { times } = this.countedOf(name, now);
      times.push(now);
      if (times.length > MOST_CODES) times.shift();
      undo.push(() => removeLast(times, now));
    }
    let isReserved = false;
    try {
      for (const limit of limits.filter((one) => one.limit < Infinity)) {
        const slots = this.slotsOf(limit, now);
        const slot = await slots.take(now, record);
        if (slot === undefined) {
          return { reason: limit.reason, limit: limit.limit, retryAfterMs: slots.opensAfterMs(now) };
        }
        undo.push(() => slots.giveBack(slot));
      }
      isReserved = true;
      return { release };
    } finally {
      if (!isReserved) release();
    }
  }

  /** Returns why a code may not pass, as far as this process knows: the refusal that holds longest. */
  refusalOf(limits: readonly RateLimit[], now: number): LimitRefusal | undefined {
    const refusals = limits.flatMap(({ reason, name, limit, periodMs }) => {
      const first = this.memory.get(name)?.times.at(-limit);
      if (first === undefined || first <= now - periodMs) return [];
      return [{ reason, limit, retryAfterMs: first + periodMs - now }];
    });
    return refusals.sort((a, b) => b.retryAfterMs - a.retryAfterMs)[0];
  }

  /** Returns how many codes more may pass a limit, as far as this process knows. */
  leftOf({ name, limit, periodMs }: RateLimit, now: number): number {
    const count = this.memory.get(name)?.times.filter((time) => time > now - periodMs).length ?? 0;
    return Math.max(0, limit - count);
  }

  /** Returns for how many milliseconds codes of a name will be refused by a limit that this process has applied. */
  closedForMs(name: string, now: number): number {
    const limits = (this.memory.get(name)?.slots ?? []).map(({ limit }) => limit);
    return this.refusalOf(limits, now)?.retryAfterMs ?? 0;
  }

  /** How many names this process remembers. */
  get size(): number {
    return this.memory.size;
  }

  private countedOf(name: string, now: number): Counted {
    return this.memory.keep(name, { now, until: now + HOUR_MS }, () => ({ times: [], slots: [] }));
  }

  private slotsOf(limit: RateLimit, now: number): RateSlots {
    const { slots } = this.countedOf(limit.name, now);
    const known = slots.find((one) => one.belongsTo(limit));
    if (known) return known;
    const made = new RateSlots(limit);
    slots.push(made);
    return made;
  }
}

function removeLast(times: number[], time: number): void {
  const at = times.lastIndexOf(time);
  if (at >= 0) times.splice(at, 1);
}
