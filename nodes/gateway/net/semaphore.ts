/** Work that waits for its turn. */
interface Waiting {
  size: number;
  start(): void;
}

/**
 * Limits work that callers from outside set off: how much is under way at the same time, and how much more waits. Work has a
 * size, 1 unless it says more, in which both are counted; what is larger than all that may run, runs alone.
 */
export class Semaphore {
  private running = 0;
  private readonly queue: Waiting[] = [];
  private readonly limits: { running: number; waiting: number };

  constructor(limits: Semaphore['limits']) {
    this.limits = limits;
  }

  /** Does the work when its turn comes; rejects as it does. Returns undefined where too much waits already. */
  async run<T>(work: () => Promise<T>, size = 1): Promise<{ result: T } | undefined> {
    if (this.queue.length === 0 && this.fits(size)) this.running += size;
    else if (this.waiting + size > this.limits.waiting) return undefined;
    // Whoever ends hands its place on.
    else await new Promise<void>((resolve) => this.queue.push({ size, start: resolve }));
    try {
      return { result: await work() };
    } finally {
      this.running -= size;
      this.startWaiting();
    }
  }

  private startWaiting(): void {
    for (let [next] = this.queue; next !== undefined && this.fits(next.size); [next] = this.queue) {
      this.queue.shift();
      this.running += next.size;
      next.start();
    }
  }

  private get waiting(): number {
    return this.queue.reduce((sum, { size }) => sum + size, 0);
  }

  private fits(size: number): boolean {
    return this.running === 0 || this.running + size <= this.limits.running;
  }
}
