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
  private taken: number[] = [];

  /** Slots that this process recorded, and no code has taken. */
  private spare: number[] = [];

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
   * what the first of them has recorded: if each took a block of slots for itself, a few would keep all others out.
   * @throws the error of `record`, for every code that waited for it; none of its slots is taken then
   */
  async take(now: number, record: RecordNames): Promise<number | undefined> {
    const { limit } = this.limit;
    const newest = this.slotAt(now);
    for (;;) {
      const spare = this.spare.findIndex((slot) => slot > newest - limit && slot <= newest);
      if (spare >= 0) return this.spare.splice(spare, 1)[0];
      if (this.recording === undefined) {
        this.forget(newest - limit);
        const taken = new Set(this.taken);
        const open = Array.from({ length: limit }, (_, i) => newest - i).filter((slot) => !taken.has(slot));
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
    this.spare.push(slot);
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
    this.taken.push(...block);
    let known: ReadonlySet<string> | undefined;
    try {
      known = await record(block.map((slot) => this.nameOf(slot)));
      for (const slot of block) if (!known.has(this.nameOf(slot))) this.spare.push(slot);
    } finally {
      if (!known) this.taken = this.taken.filter((slot) => !block.includes(slot));
    }
  }

  /**
   * Forgets slots up to one. A code that came before, and still waits, may record such a slot again: the record knows it.
   */
  private forget(last: number): void {
    this.taken = this.taken.filter((slot) => slot > last);
    this.spare = this.spare.filter((slot) => slot > last);
  }
}
