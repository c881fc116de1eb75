import type { IExecuteFunctions } from 'n8n-workflow';

import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';

/** Names that outlive the process. */
export interface NameRecord {
  /** Records a name; returns whether it is new. */
  add(name: string): Promise<boolean>;

  /** Removes names; returns whether that was possible. */
  remove(names: readonly string[]): Promise<boolean>;
}

/** At most `most` codes pass: each code takes the first free place of `<name> 1` to `<name> <most>`. */
export interface Limit<Reason extends string = string> {
  /** The name of a refusal. */
  reason: Reason;
  name: string;
  most: number;
}

export const HOUR_MS = 3_600_000;

/** Returns the name of a limit that begins anew at each full hour; `now` is in milliseconds since 1970. */
export const hourly = (name: string, now: number): string => `${name} ${Math.floor(now / HOUR_MS)}`;

/** A place outlives its use: a limit begins anew after an hour, and a challenge is valid for an hour at most. */
const KEPT_MS = 2 * HOUR_MS;

/** These take about 30 MB. */
const MOST_PLACES = 200_000;

/**
 * Places that are taken. The memory of the process decides at once between simultaneous codes, over all workflows; the record
 * tells other processes, and this one after a restart.
 */
export class Places {
  /** When this process took a place or found it taken, in milliseconds since 1970; the oldest first. */
  private readonly times = new Map<string, number>();

  /** Returns how many places of a limit are free, as far as this process knows. */
  left({ name, most }: Limit): number {
    let left = 0;
    for (let n = 1; n <= most; n += 1) if (!this.times.has(`${name} ${n}`)) left += 1;
    return left;
  }

  /**
   * Takes a place of each limit, in order, and returns their names; or returns the first limit without a free place, and takes none.
   * @throws the error of `record`, and takes none
   */
  async take<Reason extends string>(
    limits: ReadonlyArray<Limit<Reason>>,
    now: number,
    record: NameRecord,
  ): Promise<string[] | Limit<Reason>> {
    const taken: string[] = [];
    try {
      for (const limit of limits) {
        const place = await this.takeFirst(limit, now, record);
        if (place === undefined) return limit;
        taken.push(place);
      }
      return taken;
    } finally {
      if (taken.length < limits.length) await this.giveBack(taken, record);
    }
  }

  private async takeFirst(
    { name, most }: Limit,
    now: number,
    record: NameRecord,
  ): Promise<string | undefined> {
    for (let n = 1; n <= most; n += 1) {
      const place = `${name} ${n}`;
      if (this.times.has(place)) continue;
      // Before the record answers: a simultaneous code takes another place.
      this.hold(place, now);
      let isNew: boolean | undefined;
      try {
        isNew = await record.add(place);
      } finally {
        if (isNew === undefined) this.release(place);
      }
      if (isNew) return place;
    }
    return undefined;
  }

  /** Gives places back, which are free then. Places that the record can't remove stay taken. */
  async giveBack(places: readonly string[], record: NameRecord): Promise<void> {
    if (places.length > 0 && (await record.remove(places))) for (const place of places) this.release(place);
  }

  /** Takes a name in this process alone. */
  hold(name: string, now: number): void {
    for (const [oldest, time] of this.times) {
      if (time > now - KEPT_MS && this.times.size < MOST_PLACES) break;
      this.times.delete(oldest);
    }
    this.times.delete(name);
    this.times.set(name, now);
  }

  /** Returns when this process took a name last, in milliseconds since 1970; -Infinity for a free one. */
  heldAt(name: string): number {
    return this.times.get(name) ?? -Infinity;
  }

  /** Frees a name in this process alone. */
  release(name: string): void {
    this.times.delete(name);
  }
}

/** The places that codes have taken: of all nodes and executions of this process. */
export const places = new Places();

/** n8n's store for processed data, shared by the nodes of a workflow; the oldest of the names go first. */
const STORE = ['workflow', { mode: 'entries', maxEntries: 10_000 }] as const;

/** n8n asserts that the workflow has been saved: an unsaved workflow has no store. */
const hasNoStore = (error: unknown): boolean => (error as { code?: unknown }).code === 'ERR_ASSERTION';

let lastCall: Promise<unknown> = Promise.resolve();

/** Calls the store once the call before has ended: the store reads, changes and writes without a lock. */
async function inTurn<T>(call: () => Promise<T>): Promise<T> {
  const turn = lastCall.then(call, call);
  lastCall = turn;
  return await turn;
}

const recordOf = ({ helpers, logger }: IExecuteFunctions): NameRecord => ({
  add: async (name) =>
    await inTurn(async () => {
      const add = async () => (await helpers.checkProcessedAndRecord([name], ...STORE)).new.length > 0;
      try {
        return await add();
      } catch (error) {
        // Another worker may have made the first entry at the same moment.
        return hasNoStore(error) || (await add());
      }
    }),
  remove: async (names) =>
    await inTurn(async () => {
      try {
        await helpers.removeProcessed([...names], ...STORE);
      } catch (error) {
        if (hasNoStore(error)) return true;
        const reason = (error as Error).message;
        logger.warn(`A one-time password that does not count stays counted for the hour: ${reason}`);
        return false;
      }
      return true;
    }),
});

/**
 * Takes a place of each limit, and returns their names; or the first limit without a free place, or the failure of the item where
 * n8n's database can't be written to, and takes none.
 */
export async function takePlaces<Reason extends string>(
  run: Run,
  limits: ReadonlyArray<Limit<Reason>>,
): Promise<string[] | Limit<Reason> | FailedItem> {
  try {
    return await places.take(limits, run.now(), recordOf(run.context));
  } catch (thrown) {
    const description = `Nothing was ${run.definition.effect === 'sends' ? 'sent' : 'verified'} for this item. n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
    return {
      error: { kind: 'input', message: 'n8n could not record this in its database', description },
    };
  }
}

/** Gives places back, also names that are held in this process alone. */
export const giveBack = async (run: Run, taken: readonly string[]): Promise<void> =>
  await places.giveBack(taken, recordOf(run.context));
