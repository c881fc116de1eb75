import { guarded } from './report.mts';

/** Things to do later, which closing the sandbox drops all at once. */
export class Schedule {
  private readonly timers = new Set<NodeJS.Timeout>();

  private closed = false;

  /** How many things are still to be done. */
  get size(): number {
    return this.timers.size;
  }

  /**
   * Runs something after a delay. What it throws is reported.
   * @param delayMs milliseconds from now, 0 or more
   */
  after(delayMs: number, run: () => void): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      guarded(run);
    }, delayMs);
    this.timers.add(timer);
  }

  /** Forgets everything that has not run. */
  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  /** Forgets everything and takes nothing more. */
  close(): void {
    this.closed = true;
    this.clear();
  }
}
