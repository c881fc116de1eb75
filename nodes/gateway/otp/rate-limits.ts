/** Records names, and returns those of them that were recorded before. */
export type RecordNames = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** At most `limit` codes for what `name` stands for, in any period of `periodMs` milliseconds. */
export interface RateLimit<Reason extends string = string> {
  /** What a refusal is called. */
  reason: Reason;
  name: string;

  /** Infinity: codes are counted, for limits of the same name that come later. */
  limit: number;

  /** An hour at most; or Infinity, for as long as something comes for the name at least once an hour. */
  periodMs: number;
}

/** A refusal, and the milliseconds until a retry succeeds. */
export interface LimitRefusal<Reason extends string = string> {
  reason: Reason;
  limit: number;
  retryAfterMs: number;
}

/** A code that passed its limits. `release` takes that back, once, under one name or all: it doesn't count after all. */
export interface Reservation {
  release(name?: string): void;
}

/** The longest period of a limit that has an end. */
export const HOUR_MS = 3_600_000;

/** How long a name is known after it was last looked at. */
const KEPT_MS = 2 * HOUR_MS;

/** The most names in memory. */
const MOST_NAMES = 200_000;

/** The most codes that any limit allows, and so the most that have to be known of a name. */
const MOST_CODES = 2000;

/** How many blocks of slots are recorded at most in a search for an open one. */
const BLOCKS = 10;

/**
 * A limit as a record that can only add names and tell whether a name is there. Time is cut into slots of
 * `periodMs / limit`, counted from 1970; a code takes one of the last `limit` slots, whichever is open. So
 * - the codes that pass the exact limit of a process always find one: a slot that is taken in its time was taken by a
 *   code of the last `periodMs`,
 * - a process that knows nothing of the past gets no fresh burst: where all are taken, one opens every
 *   `periodMs / limit`, and none ever where the period has no end.
 */
interface RecordedLimit {
  limit: RateLimit;

  /** Slots that are in the record, and whether they are spare: this process recorded them, and no code has them. */
  slots: Map<number, boolean>;
}

/** The codes of one name. */
interface Counted {
  /** When they came, in milliseconds since 1970, oldest first. */
  times: number[];
  recorded: RecordedLimit[];
  lastAt: number;
}

/**
 * Counts codes by name, in the memory of this process and in a record that outlives it. The memory decides at once
 * between simultaneous codes and is exact; the record is what other processes, and this one after a restart, know.
 */
export class RateLimits {
  /** By name; what was looked at last is last. */
  private readonly names = new Map<string, Counted>();

  /**
   * Counts a code that came at `now` (milliseconds since 1970) under all its limits; or returns why it may not pass,
   * and counts nothing.
   * @throws the error of `record`; nothing is counted then
   */
  async reserve<Reason extends string>(
    limits: ReadonlyArray<RateLimit<Reason>>,
    now: number,
    record: RecordNames,
  ): Promise<Reservation | LimitRefusal<Reason>> {
    const refusal = this.refusalOf(limits, now);
    if (refusal) return refusal;
    const undo: Array<[name: string, step: () => void]> = [];
    const release = (only?: string) => {
      for (const [name, step] of undo.splice(0)) if (only === undefined || name === only) step();
    };
    for (const name of new Set(limits.map((limit) => limit.name))) {
      const { times } = this.find(name, now) ?? this.keep(name, { times: [], recorded: [], lastAt: now });
      times.push(now);
      if (times.length > MOST_CODES) times.shift();
      undo.push([name, () => removeLast(times, now)]);
    }
    let isReserved = false;
    try {
      for (const limit of limits.filter((one) => one.limit < Infinity)) {
        const recorded = this.recordedOf(limit, now);
        const slot = await takeSlot(recorded, now, record);
        if (slot === undefined) {
          return { reason: limit.reason, limit: limit.limit, retryAfterMs: nextSlotMs(limit, now) };
        }
        undo.push([limit.name, () => recorded.slots.set(slot, true)]);
      }
      isReserved = true;
      return { release };
    } finally {
      if (!isReserved) release();
    }
  }

  /** Returns why a code may not pass, as far as this process knows: the refusal that holds longest. */
  refusalOf<Reason extends string>(
    limits: ReadonlyArray<RateLimit<Reason>>,
    now: number,
  ): LimitRefusal<Reason> | undefined {
    const refusals = limits.flatMap(({ reason, name, limit, periodMs }) => {
      const first = this.find(name, now)?.times.at(-limit);
      if (first === undefined || first <= now - periodMs) return [];
      return [{ reason, limit, retryAfterMs: first + periodMs - now }];
    });
    return refusals.sort((a, b) => b.retryAfterMs - a.retryAfterMs)[0];
  }

  /** Returns how many codes more may pass a limit that a code has passed, as far as this process knows. */
  leftOf(limit: RateLimit, now: number): number {
    const times = this.find(limit.name, now)?.times.filter((time) => time > now - limit.periodMs) ?? [];
    const oldest = slotAt(limit, now) - limit.limit;
    const slots = [...this.recordedOf(limit, now).slots];
    // The record may know of more than the memory.
    const taken = slots.filter(([slot, isSpare]) => slot > oldest && !isSpare);
    return Math.max(0, limit.limit - Math.max(times.length, taken.length));
  }

  private find(name: string, now: number): Counted | undefined {
    const counted = this.names.get(name);
    return counted && this.keep(name, Object.assign(counted, { lastAt: now }));
  }

  /** Makes a name the last one, and forgets those that nobody has looked at for long, or that are too many. */
  private keep(name: string, counted: Counted): Counted {
    this.names.delete(name);
    this.names.set(name, counted);
    for (const [oldest, { lastAt }] of this.names) {
      if (lastAt >= counted.lastAt - KEPT_MS && this.names.size <= MOST_NAMES) break;
      this.names.delete(oldest);
    }
    return counted;
  }

  private recordedOf(limit: RateLimit, now: number): RecordedLimit {
    const { recorded = [] } = this.find(limit.name, now) ?? {};
    const known = recorded.find((one) => nameOf(one.limit) === nameOf(limit));
    if (known) return known;
    recorded.push({ limit, slots: new Map() });
    return recorded[recorded.length - 1];
  }
}

/** Takes a slot for a code and returns it; undefined where none is open. Throws the error of `record`, and takes none. */
async function takeSlot(
  { limit, slots }: RecordedLimit,
  now: number,
  record: RecordNames,
): Promise<number | undefined> {
  const newest = slotAt(limit, now);
  for (;;) {
    for (const slot of slots.keys()) if (slot <= newest - limit.limit) slots.delete(slot);
    const [spare] = [...slots].find(([, isSpare]) => isSpare) ?? [];
    if (spare !== undefined) {
      slots.set(spare, false);
      return spare;
    }
    const open = Array.from({ length: limit.limit }, (_, i) => newest - i).filter((slot) => !slots.has(slot));
    if (open.length === 0) return undefined;
    const block = open.slice(0, Math.ceil(limit.limit / BLOCKS));
    const known = await record(block.map((slot) => nameOf(limit, slot)));
    for (const slot of block) {
      if (!known.has(nameOf(limit, slot))) slots.set(slot, true);
      // Of simultaneous codes that record the same slot, the first one has it.
      else if (!slots.has(slot)) slots.set(slot, false);
    }
  }
}

const slotAt = ({ limit, periodMs }: RateLimit, time: number): number =>
  Math.floor((time * limit) / periodMs);

/** Milliseconds from `now` until the next slot opens. */
const nextSlotMs = (limit: RateLimit, now: number): number =>
  Math.max(1, Math.ceil(((slotAt(limit, now) + 1) * limit.periodMs) / limit.limit) - now);

const nameOf = ({ reason, name, limit, periodMs }: RateLimit, slot?: number): string =>
  `${reason} ${name} ${limit}/${periodMs} ${slot ?? ''}`;

function removeLast(times: number[], time: number): void {
  const at = times.lastIndexOf(time);
  if (at >= 0) times.splice(at, 1);
}
