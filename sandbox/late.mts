/** Batches that were received, answered somehow, and are taken later (`commitDelay` of a fault). */
import { reportError } from './report.mts';
import type { RecordedRequest } from './requests.mts';
import type { Schedule } from './schedule.mts';

/** A batch that is still to be taken. */
export interface LateBatch {
  /** `seq` of its request. */
  request: number;
  endpoint: string;
  /** Operations in it; 0 for the connector. */
  items: number;
  /** When it will be taken, in milliseconds since 1970. */
  due: number;
}

export class Late {
  private readonly waiting = new Map<LateBatch, () => void>();

  private readonly schedule: Schedule;

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  /** How many batches are still to be taken. */
  get size(): number {
    return this.waiting.size;
  }

  /** The batches that are still to be taken, in the order in which they were received. */
  list(): LateBatch[] {
    return [...this.waiting.keys()];
  }

  /**
   * Takes a batch after a delay.
   * @returns what `take` returns; undefined when the batch was dropped before, or could not be taken
   */
  add<T>(record: RecordedRequest, delayMs: number, take: () => T): Promise<T | undefined> {
    const { seq, endpoint, items } = record;
    const batch: LateBatch = { request: seq, endpoint, items, due: Date.now() + delayMs };
    return new Promise((resolve) => {
      this.waiting.set(batch, () => resolve(undefined));
      this.schedule.after(delayMs, () => {
        this.waiting.delete(batch);
        try {
          resolve(take());
        } catch (error) {
          reportError(error);
          resolve(undefined);
        }
      });
    });
  }

  /** Drops all of them: they are never taken. The schedule has to be cleared along with this. */
  clear(): void {
    for (const drop of this.waiting.values()) drop();
    this.waiting.clear();
  }
}
