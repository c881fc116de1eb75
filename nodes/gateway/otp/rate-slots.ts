import type { RateLimit } from './rate-limits';

/** Records names, and returns those of them that were recorded before. */
export type RecordNames = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** How many blocks of slots are recorded at most in a search for an open one. */
const BLOCKS = 10;

/**
 * A limit as a record that can only add names and tell whether a name is there. Time is cut into slots of
 * `periodMs / limit`, counted from 1970; a code takes one of the last `limit` slots, whichever is open. So
 * - the codes that pass the exact limit of a process always find one: a slot that is taken in its time was taken by a
 *   code of the last `periodMs`,
 * - a process that knows nothing of the past gets no fresh burst: where all are taken, one opens every
 *   `periodMs / limit`.
 */
export class RateSlots {
  /** Slots that were recorded, by this process or another. */
  private readonly taken = new Set<number>();

  /** Slots that this process recorded, and no code has taken. */
  private readonly spare = new Set<number>();

  /** The block of slots that is being recorded. */
  private recording: Promise<void> | undefined;

  readonly limit: RateLimit;

  constructor(limit: RateLimit) {
    this.limit = limit;
  }

  belongsTo({ reason, limit, periodMs }: RateLimit): boolean {
    const own = this.limit;
    return own.reason === reason && own.limit === limit && own.periodMs === periodMs;
  }

  /**
   * Takes a slot for a code that came at `now` and returns it; undefined where none is open. Simultaneous codes share
   * what the first of them records, so that no slot is recorded twice.
   * @throws the error of `record`, for every code that waited for it; none of its slots is taken then
   */
  async take(now: number, record: RecordNames): Promise<number | undefined> {
    const { limit } = this.limit;
    const newest = this.slotAt(now);
    for (;;) {
      this.forget(newest - limit);
      const [spare] = this.spare;
      if (this.spare.delete(spare)) return spare;
      if (this.recording === undefined) {
        const slots = Array.from({ length: limit }, (_, i) => newest - i);
        const open = slots.filter((slot) => !this.taken.has(slot));
        if (open.length === 0) return undefined;
        const block = open.slice(0, Math.ceil(limit / BLOCKS));
        this.recording = this.recordBlock(block, record).finally(() => {
          this.recording = undefined;
        });
      }
      await this.recording;
    }
  }

  /** Keeps a slot that a code took for the next one. */
  giveBack(slot: number): void {
    this.spare.add(slot);
  }

  /** Milliseconds from `now` until the next slot opens. */
  opensAfterMs(now: number): number {
    const { limit, periodMs } = this.limit;
    return Math.max(1, Math.ceil(((this.slotAt(now) + 1) * periodMs) / limit) - now);
  }

  private slotAt(time: number): number {
    const { limit, periodMs } = this.limit;
    return Math.floor((time * limit) / periodMs);
  }

  private nameOf(slot: number): string {
    const { reason, name, limit, periodMs } = this.limit;
    return `${reason} ${name} ${limit}/${periodMs} ${slot}`;
  }

  private async recordBlock(block: readonly number[], record: RecordNames): Promise<void> {
    const known = await record(block.map((slot) => this.nameOf(slot)));
    for (const slot of block) {
      this.taken.add(slot);
      if (!known.has(this.nameOf(slot))) this.spare.add(slot);
    }
  }

  /**
   * Forgets slots up to one. A code that came before, and still waits, may record such a slot again: the record knows it.
   */
  private forget(last: number): void {
    for (const slots of [this.taken, this.spare]) {
      for (const slot of slots) if (slot <= last) slots.delete(slot);
    }
  }
}
