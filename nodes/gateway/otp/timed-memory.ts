interface Remembered<T> {
  value: T;
  /** Until when it has to be known, in milliseconds since 1970. */
  until: number;
}

/** The most names in memory. */
const MOST_NAMES = 100_000;

/** What a process remembers by name until a time. Where there are too many names, those that were used last stay. */
export class TimedMemory<T> {
  /** What was used last is last. */
  private readonly entries = new Map<string, Remembered<T>>();

  private readonly most: number;

  constructor(most = MOST_NAMES) {
    this.most = most;
  }

  get size(): number {
    return this.entries.size;
  }

  get(name: string): T | undefined {
    return this.entries.get(name)?.value;
  }

  /** Returns what is remembered of a name, or what `make` returns, and keeps it until a time at least. */
  keep(name: string, { now, until }: { now: number; until: number }, make: () => T): T {
    const known = this.entries.get(name);
    this.entries.delete(name);
    this.sweep(now);
    const entry = known
      ? { value: known.value, until: Math.max(known.until, until) }
      : { value: make(), until };
    this.entries.set(name, entry);
    return entry.value;
  }

  /** Removes all entries that are over, up to the first one that isn't; each is removed once, so this costs little. */
  private sweep(now: number): void {
    for (const [name, { until }] of this.entries) {
      if (until >= now && this.entries.size < this.most) break;
      this.entries.delete(name);
    }
  }
}
