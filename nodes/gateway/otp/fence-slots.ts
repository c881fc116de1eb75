import type { Fence } from './fence-memory';

/**
 * The slots of a fence: a record that can only add names and tell whether a name is there becomes a counter, which other
 * processes and this one after a restart go on with.
 *
 * A fence of `limit` codes in a period has `limit` slots. Each can be taken once in its own period, and these begin at
 * different times, evenly spread. So a process that knows nothing of the past can't send a burst: after `limit` codes,
 * one more slot opens every `periodMs / limit`.
 */
export interface FenceSlot {
  /** The name to record. */
  name: string;
  /** When the slot can be taken again, in milliseconds since 1970. */
  opensAt: number;
}

/** Returns the slots of a fence at a time, in milliseconds since 1970: first those that stay taken longest. */
export function slotsOf({ reason, name, limit, periodMs }: Fence, now: number): FenceSlot[] {
  const slots = Array.from({ length: limit }, (_, slot): FenceSlot => {
    const shifted = now + (slot * periodMs) / limit;
    const period = Math.floor(shifted / periodMs);
    return {
      name: `${reason} ${name} ${slot}/${limit} ${periodMs} ${period}`,
      opensAt: now + (period + 1) * periodMs - shifted,
    };
  });
  return slots.sort((a, b) => b.opensAt - a.opensAt);
}

/** How many slots are recorded at once at most: a search among many takes few steps. */
const BLOCKS = 10;
/**
 * Milliseconds for which slots are remembered after they open again: a code that came before, and is still being
 * recorded, mustn't find them open, or codes on both sides of that moment would undo each other's work without an end.
 */
const REMEMBERED_MS = 60_000;

/** Records names, and returns those of them that were recorded before. */
export type RecordSlots = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** The slots of one fence that this process has taken, and those of them that it hasn't used yet. */
export class TakenSlots {
  private readonly taken = new Map<string, FenceSlot>();

  private readonly spare = new Set<string>();

  /** The block of slots that is being recorded. */
  private recording: Promise<void> | undefined;

  /**
   * Takes a slot for a code that came at `now`, of those that are current then, and returns its name; undefined where
   * none is open. Simultaneous codes share what the first of them has recorded: if each took a block of slots for
   * itself, a few would keep all others out.
   * @throws the error of `record`, for every code that waited for it; none of its slots is taken then
   */
  async take(current: readonly FenceSlot[], now: number, record: RecordSlots): Promise<string | undefined> {
    for (;;) {
      this.forget(now - REMEMBERED_MS);
      const spare = current.find(({ name }) => this.spare.has(name))?.name;
      if (spare !== undefined) {
        this.spare.delete(spare);
        return spare;
      }
      if (this.recording === undefined) {
        const open = current.filter(({ name }) => !this.taken.has(name));
        if (open.length === 0) return undefined;
        const block = open.slice(0, Math.ceil(current.length / BLOCKS));
        this.recording = this.recordBlock(block, record).finally(() => {
          this.recording = undefined;
        });
      }
      await this.recording;
    }
  }

  /** Keeps a slot of this process for the next code. */
  giveBack(name: string): void {
    if (this.taken.has(name)) this.spare.add(name);
  }

  private async recordBlock(block: readonly FenceSlot[], record: RecordSlots): Promise<void> {
    const names = block.map(({ name }) => name);
    for (const slot of block) this.taken.set(slot.name, slot);
    try {
      const known = await record(names);
      for (const name of names) if (!known.has(name)) this.giveBack(name);
    } catch (thrown) {
      for (const name of names) this.taken.delete(name);
      const error = thrown as Error;
      throw error;
    }
  }

  /** Forgets slots that could be taken again at a time. */
  private forget(time: number): void {
    for (const { name, opensAt } of this.taken.values()) {
      if (opensAt > time) continue;
      this.taken.delete(name);
      this.spare.delete(name);
    }
  }
}
