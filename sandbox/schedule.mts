import { guarded } from './report.mts';

/** Most milliseconds that a timer of Node takes; it fires at once for more. */
export const MOST_DELAY_MS = 2 ** 31 - 1;

/**
 * Things to do later, on one timer for all of them: a hundred thousand messages that wait for their outcome
 * must not mean a hundred thousand timers, and closing the sandbox has to drop them all at once.
 */
export class Schedule {
  private readonly heap: Array<{ at: number; order: number; run: () => void }> = [];

  private timer: NodeJS.Timeout | undefined;

  private timerAt = Infinity;

  private order = 0;

  private closed = false;

  /** How many things are still to be done. */
  get size(): number {
    return this.heap.length;
  }

  /**
   * Runs something after a delay; equal times run in the order in which they were asked for. What it throws is
   * reported, and the others run all the same.
   * @param delayMs milliseconds from now, 0 or more
   */
  after(delayMs: number, run: () => void): void {
    if (this.closed) return;
    const entry = { at: Date.now() + Math.max(0, delayMs), order: (this.order += 1), run };
    this.heap.push(entry);
    this.up(this.heap.length - 1);
    this.arm();
  }

  /** Forgets everything that has not run. */
  clear(): void {
    this.heap.length = 0;
    clearTimeout(this.timer);
    this.timerAt = Infinity;
  }

  /** Forgets everything and takes nothing more. */
  close(): void {
    this.closed = true;
    this.clear();
  }

  private arm(): void {
    const next = this.heap[0];
    if (!next || next.at >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = next.at;
    this.timer = setTimeout(() => this.runDue(), Math.min(Math.max(0, next.at - Date.now()), MOST_DELAY_MS));
  }

  private runDue(): void {
    this.timerAt = Infinity;
    const now = Date.now();
    // A bounded share at a time, so that requests are answered while thousands of things fall due at once.
    for (let done = 0; done < 500 && this.heap.length > 0 && this.heap[0].at <= now; done += 1) {
      guarded(this.pop().run);
    }
    this.arm();
  }

  private pop(): { run: () => void } {
    const top = this.heap[0];
    const last = this.heap.pop();
    if (last && this.heap.length > 0) {
      this.heap[0] = last;
      this.down(0);
    }
    return top;
  }

  private before(a: number, b: number): boolean {
    const left = this.heap[a];
    const right = this.heap[b];
    return left.at < right.at || (left.at === right.at && left.order < right.order);
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b], this.heap[a]];
  }

  private up(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.before(index, parent)) return;
      this.swap(index, parent);
      index = parent;
    }
  }

  private down(from: number): void {
    let index = from;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.heap.length && this.before(child, least)) least = child;
      }
      if (least === index) return;
      this.swap(index, least);
      index = least;
    }
  }
}
