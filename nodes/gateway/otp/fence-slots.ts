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
  /** Milliseconds until the slot can be taken again. */
  opensInMs: number;
}

/** Returns the slots of a fence at a time, in milliseconds since 1970: first those that stay taken longest. */
export function slotsOf({ reason, name, limit, periodMs }: Fence, now: number): FenceSlot[] {
  const slots = Array.from({ length: limit }, (_, slot): FenceSlot => {
    const shifted = now + (slot * periodMs) / limit;
    const period = Math.floor(shifted / periodMs);
    return {
      name: `${reason} ${name} ${slot}/${limit} ${periodMs} ${period}`,
      opensInMs: (period + 1) * periodMs - shifted,
    };
  });
  return slots.sort((a, b) => b.opensInMs - a.opensInMs);
}

/** How many slots are taken at once at most: a search among many takes few steps. */
const BLOCKS = 10;

/** The slots of one fence that this process has taken, and those of them that it hasn't used yet. */
export class TakenSlots {
  private readonly taken = new Set<string>();

  private readonly spare = new Set<string>();

  /** Forgets slots whose period is over. */
  private forgetAllBut(current: readonly FenceSlot[]): void {
    const names = new Set(current.map(({ name }) => name));
    for (const name of [...this.taken, ...this.spare]) {
      if (names.has(name)) continue;
      this.taken.delete(name);
      this.spare.delete(name);
    }
  }

  /** Returns a slot that is this process's already and free; or the next ones to record, none where all are taken. */
  next(current: readonly FenceSlot[]): { spare: string } | { toRecord: string[] } {
    this.forgetAllBut(current);
    const spare = current.find(({ name }) => this.spare.has(name))?.name;
    if (spare !== undefined) {
      this.spare.delete(spare);
      return { spare };
    }
    const open = current.filter(({ name }) => !this.taken.has(name));
    const toRecord = open.slice(0, Math.ceil(current.length / BLOCKS)).map(({ name }) => name);
    for (const name of toRecord) this.taken.add(name);
    return { toRecord };
  }

  /** Keeps a slot of this process for the next code. */
  giveBack(name: string): void {
    if (this.taken.has(name)) this.spare.add(name);
  }

  /** Forgets that slots were taken, since they could not be recorded. */
  forget(names: readonly string[]): void {
    for (const name of names) this.taken.delete(name);
  }
}
