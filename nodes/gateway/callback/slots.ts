/** Limits work that callers from outside set off: how much is under way at the same time, and how much more waits. */
export class Slots {
  private running = 0;
  /** Wakes those that wait, in order. */
  private readonly waiting: Array<() => void> = [];
  private readonly limits: { running: number; waiting: number };

  constructor(limits: Slots['limits']) {
    this.limits = limits;
  }

  get isFull(): boolean {
    return this.running >= this.limits.running && this.waiting.length >= this.limits.waiting;
  }

  /** Does the work when its turn comes; rejects as it does. Returns undefined where too much waits already. */
  async run<T>(work: () => Promise<T>): Promise<{ result: T } | undefined> {
    if (this.isFull) return undefined;
    if (this.running < this.limits.running) this.running += 1;
    // Whoever ends hands its slot on.
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return { result: await work() };
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
