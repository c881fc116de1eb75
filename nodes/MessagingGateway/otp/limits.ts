import type { Challenge } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/code';
import { recordName } from '../../gateway/otp/code';
import { recordNew, removeNames } from '../../n8n/recorded-names';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';

/** At most `most` codes pass: each code takes the first free slot of `<name> 1` to `<name> <most>`. */
export interface Limit<Reason extends string = string> {
  /** The `reason` of a code that is refused. */
  reason: Reason;
  name: string;
  most: number;

  /** Of a limit of this process alone: milliseconds until a slot is free, and when another process took the slot, if known. */
  cooldown?: { ms: number; lastAt?: number };
}

/** A limit without a free slot, and the milliseconds until it may have one. */
export type Refusal<L extends Limit = Limit> = L & { retryAfterMs: number };

/** Why a code is not sent now. */
export type SendReason = 'cooldown' | 'number_limit' | 'workflow_limit';

/** The limits of sending, as the options set them. */
export interface SendLimits {
  cooldownMs: number;

  /** Codes for the number, from one full hour to the next. */
  perNumber: number;

  /** Codes of the workflow, from one full hour to the next; undefined for no limit. */
  perWorkflow?: number;

  /** The challenge before this one, in a resend. */
  earlier?: Challenge;
}

/** The limits of verifying, as the options set them. */
export interface AttemptLimits {
  /** For a challenge and its resends. */
  most: number;

  /** Wrong codes for a number, within an hour of the clock, over all challenges of the number. */
  mostWrong: number;
}

const HOUR_MS = 3_600_000;

/** Returns the name of a limit that begins anew at each full hour; `now` is in milliseconds since 1970. */
const hourly = (name: string, now: number): string => `${name} ${Math.floor(now / HOUR_MS)}`;

/** Returns the limits that a code to a number has to pass, in the order in which they refuse. */
export function sendLimits(
  run: Run,
  keys: OtpKeys,
  { phone, cooldownMs, perNumber, perWorkflow, earlier }: SendLimits & { phone: number },
): Array<Limit<SendReason>> {
  const number = recordName(keys, 'number', phone);
  const limits: Array<Limit<SendReason>> = [
    { reason: 'cooldown', name: number, most: 1, cooldown: { ms: cooldownMs, lastAt: earlier?.issuedAt } },
    { reason: 'number_limit', name: hourly(number, run.now()), most: perNumber },
  ];
  if (perWorkflow === undefined) return limits;
  const workflow = recordName(keys, 'workflow', run.context.getWorkflow().id ?? '');
  return [...limits, { reason: 'workflow_limit', name: hourly(workflow, run.now()), most: perWorkflow }];
}

/** Returns the limit that lets one right code of a challenge and its resends pass. */
export const usedLimit = (keys: OtpKeys, { root, phone }: Challenge): Limit<'used'> => ({
  reason: 'used',
  name: recordName(keys, 'used', root, phone),
  most: 1,
});

/** Returns the limits that every attempt has to pass: `ofChallenge`, with its resends, and `ofNumber`. */
export function attemptLimits(
  run: Run,
  keys: OtpKeys,
  { root, phone }: Challenge,
  { most, mostWrong }: AttemptLimits,
) {
  const wrong = recordName(keys, 'wrong', phone);
  return {
    ofChallenge: { reason: 'too_many_attempts', name: recordName(keys, 'chain', root, phone), most },
    ofNumber: { reason: 'number_limit', name: hourly(wrong, run.now()), most: mostWrong },
  } as const satisfies Record<string, Limit>;
}

/** Two hours: a limit begins anew after an hour, and a challenge is valid for an hour at most. */
const KEPT_MS = 2 * HOUR_MS;

/** 200,000 slots take about 30 MB. */
const MOST_SLOTS = 200_000;

/**
 * The slots that are taken. The memory of the process decides between simultaneous codes, of all workflows; n8n's record tells
 * other processes, and this one after a restart. Times are in milliseconds since 1970.
 */
export class Slots {
  /** When this process took a slot or found it taken; the oldest first. */
  private readonly times = new Map<string, number>();

  /** Returns how many slots of a limit are free, as far as this process knows. */
  left(limit: Limit, now: number): number {
    return namesOf(limit).filter((slot) => this.isFree(slot, limit, now)).length;
  }

  /** Returns the first limit without a free slot, as far as this process knows. */
  findFull<L extends Limit>(limits: readonly L[], now: number): L | undefined {
    return limits.find((limit) => this.left(limit, now) === 0);
  }

  /**
   * Takes a slot of each limit, and returns their names; or takes none and returns why: the first limit without a free slot, or the
   * failure of the item where n8n's database can't be written to.
   */
  async take<L extends Limit>(run: Run, limits: readonly L[]): Promise<string[] | Refusal<L> | FailedItem> {
    const now = run.now();
    // The database isn't asked about a limit that this process knows to be full.
    const full = this.findFull(limits, now);
    if (full) return this.refuse(full, now);
    const taken: string[] = [];
    try {
      for (const limit of limits) {
        const slot = await this.takeFirst(run, limit, now);
        if (slot === undefined) return this.refuse(limit, now);
        taken.push(slot);
      }
      return taken;
    } catch (thrown) {
      return unrecorded(run, thrown);
    } finally {
      if (taken.length < limits.length) await this.giveBack(run, taken);
    }
  }

  private refuse<L extends Limit>(limit: L, now: number): Refusal<L> {
    const freeAt = limit.cooldown ? this.freeAt(namesOf(limit)[0], limit) : now - (now % HOUR_MS) + HOUR_MS;
    return { ...limit, retryAfterMs: freeAt - now };
  }

  private async takeFirst({ context }: Run, limit: Limit, now: number): Promise<string | undefined> {
    for (const slot of namesOf(limit)) {
      if (!this.isFree(slot, limit, now)) continue;
      // Held before the record answers, so that a simultaneous code takes another slot.
      this.hold(slot, now);
      if (limit.cooldown) return slot;
      let isRecorded = false;
      try {
        const isNew = await recordNew(context, slot);
        isRecorded = true;
        if (isNew) return slot;
      } finally {
        if (!isRecorded) this.times.delete(slot);
      }
    }
    return undefined;
  }

  /** Gives slots back, which are free then. Slots that the record can't remove stay taken. */
  async giveBack({ context }: Run, slots: readonly string[]): Promise<void> {
    if (slots.length === 0) return;
    const failure = await removeNames(context, slots);
    if (failure === undefined) for (const slot of slots) this.times.delete(slot);
    else
      context.logger.warn(
        `A code that should not count could not be taken off its limits, and counts until they begin anew: ${failure.message}`,
      );
  }

  private isFree(slot: string, limit: Limit, now: number): boolean {
    return this.freeAt(slot, limit) <= now;
  }

  /** Returns from when on a slot is free: -Infinity for a free one, Infinity for a taken one of a limit without a cooldown. */
  private freeAt(slot: string, { cooldown }: Limit): number {
    const at = this.times.get(slot) ?? -Infinity;
    if (cooldown) return Math.max(at, cooldown.lastAt ?? -Infinity) + cooldown.ms;
    return at === -Infinity ? at : Infinity;
  }

  private hold(slot: string, now: number): void {
    for (const [oldest, time] of this.times) {
      if (time > now - KEPT_MS && this.times.size < MOST_SLOTS) break;
      this.times.delete(oldest);
    }
    this.times.delete(slot);
    this.times.set(slot, now);
  }
}

const namesOf = ({ name, most }: Limit): string[] =>
  Array.from({ length: most }, (_, n) => `${name} ${n + 1}`);

function unrecorded({ definition }: Run, thrown: unknown): FailedItem {
  // Another Retry of the execution may have sent the code.
  const nothing = `Nothing was ${definition.effect === 'sends' ? 'sent' : 'verified'} for this row this time.`;
  const description = `${nothing} n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
  return { error: { kind: 'input', message: 'n8n could not record this in its database', description } };
}

/** The slots that codes have taken: of all nodes and executions of this process. */
export const slots = new Slots();
