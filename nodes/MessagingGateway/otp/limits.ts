import type { Challenge } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/code';
import { recordName } from '../../gateway/otp/code';
import { recordNew, removeNames } from '../../n8n/recorded-names';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';

/**
 * Lets through as many codes as `most`, of those that are sent or of those that are tried: each takes the first free of the slots
 * `<name> 1` to `<name> <most>`.
 */
export interface Limit<Reason extends string = string> {
  /** The `reason` of a code that is refused. */
  reason: Reason;
  name: string;
  most: number;

  /**
   * Set for a limit of one slot that n8n's database doesn't record: the slot is free again so many milliseconds after it was taken.
   * `lastAt`: when the code before this one was sent, maybe by another process.
   */
  cooldown?: { ms: number; lastAt?: number };
}

/** A slot that was taken at a time, in milliseconds since 1970. */
export interface Slot {
  name: string;
  at: number;

  /** Whether n8n's database has the slot, too. */
  isRecorded: boolean;
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
  /** Attempts for a challenge and its resends. */
  most: number;

  /** Wrong codes for a number, from one full hour to the next, over all challenges of the number. */
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

/**
 * Returns the limits of which every attempt takes a slot: `ofChallenge` counts the attempts for a challenge and its resends, `ofNumber`
 * the wrong codes for its number. A right code gives the slot of `ofNumber` back.
 */
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

/** This process forgets a slot after two hours: no cooldown is longer, and n8n's database still has every other slot. */
const KEPT_MS = 2 * HOUR_MS;

/** 200,000 slots take about 30 MB. */
const MOST_SLOTS = 200_000;

/**
 * The slots that are taken. The memory of this process decides between simultaneous codes, of all workflows; n8n's database tells
 * other processes, and this process after a restart. Times are in milliseconds since 1970.
 */
export class Slots {
  /** By their names, the slots that this process took, or found taken; the oldest first. */
  private readonly held = new Map<string, Slot>();

  /** Returns how many slots of a limit are free, as far as this process knows. */
  left(limit: Limit, now: number): number {
    return namesOf(limit).filter((slot) => this.isFree(slot, limit, now)).length;
  }

  /** Returns the first limit without a free slot, as far as this process knows. */
  findFull<L extends Limit>(limits: readonly L[], now: number): L | undefined {
    return limits.find((limit) => this.left(limit, now) === 0);
  }

  /**
   * Takes a slot of each limit, and returns the slots; or takes none and returns why: the first limit without a free slot, or the
   * failure of the item where n8n's database can't be written to.
   */
  async take<L extends Limit>(run: Run, limits: readonly L[]): Promise<Slot[] | Refusal<L> | FailedItem> {
    const now = run.now();
    // The database isn't asked about a limit that this process knows to be full.
    const full = this.findFull(limits, now);
    if (full) return this.refuse(full, now);
    const taken: Slot[] = [];
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

  private async takeFirst({ context }: Run, limit: Limit, now: number): Promise<Slot | undefined> {
    for (const name of namesOf(limit)) {
      if (!this.isFree(name, limit, now)) continue;
      // Held before the database answers, so that a simultaneous code takes another slot.
      const slot = { name, at: now, isRecorded: limit.cooldown === undefined };
      this.hold(slot);
      if (limit.cooldown) return slot;
      let isAnswered = false;
      try {
        const isNew = await recordNew(context, name);
        isAnswered = true;
        if (isNew) return slot;
      } finally {
        if (!isAnswered) this.free(slot);
      }
    }
    return undefined;
  }

  /** Gives slots back, which are free then. Slots that n8n's database can't remove stay taken. */
  async giveBack({ context }: Run, slots: readonly Slot[]): Promise<void> {
    const recorded = slots.filter(({ isRecorded }) => isRecorded);
    for (const slot of slots) if (!slot.isRecorded) this.free(slot);
    if (recorded.length === 0) return;
    const failure = await removeNames(
      context,
      recorded.map(({ name }) => name),
    );
    if (failure === undefined) for (const slot of recorded) this.free(slot);
    else
      context.logger.warn(`The limits of codes still count a code that should not count: ${failure.message}`);
  }

  private isFree(slot: string, limit: Limit, now: number): boolean {
    return this.freeAt(slot, limit) <= now;
  }

  /** Returns from when on a slot is free: -Infinity for a free one, Infinity for a taken one of a limit without a cooldown. */
  private freeAt(slot: string, { cooldown }: Limit): number {
    const at = this.held.get(slot)?.at ?? -Infinity;
    if (cooldown) return Math.max(at, cooldown.lastAt ?? -Infinity) + cooldown.ms;
    return at === -Infinity ? at : Infinity;
  }

  private hold(slot: Slot): void {
    for (const [oldest, { at }] of this.held) {
      if (at > slot.at - KEPT_MS && this.held.size < MOST_SLOTS) break;
      this.held.delete(oldest);
    }
    this.held.delete(slot.name);
    this.held.set(slot.name, slot);
  }

  /** Frees a slot, unless its cooldown was over meanwhile and another code has taken the slot since. */
  private free(slot: Slot): void {
    if (this.held.get(slot.name) === slot) this.held.delete(slot.name);
  }
}

const namesOf = ({ name, most }: Limit): string[] =>
  Array.from({ length: most }, (_, n) => `${name} ${n + 1}`);

function unrecorded({ definition }: Run, thrown: unknown): FailedItem {
  // "This time", since another Retry of the execution may have sent the code.
  const nothing = `Nothing was ${definition.effect === 'sends' ? 'sent' : 'verified'} for this row this time.`;
  const description = `${nothing} n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
  return { error: { kind: 'input', message: 'n8n could not record this in its database', description } };
}

/** The slots that codes have taken: of all nodes and executions of this process. */
export const slots = new Slots();
