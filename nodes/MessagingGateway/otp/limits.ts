import type { Challenge } from '../../gateway/otp/challenge';
import type { OtpKeys } from '../../gateway/otp/code';
import { recordName } from '../../gateway/otp/code';
import { recordNew, removeNames } from '../../n8n/recorded-names';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';

/**
 * Lets `max` codes through. A limit of sending counts the codes that runs send, and a limit of verifying those that people try. Each
 * code takes the first free of the slots `<name> 1` to `<name> <max>`.
 */
export interface Limit<Reason extends string = string> {
  /** The `reason` of a code that is refused. */
  reason: Reason;
  name: string;
  max: number;

  /** Set for a limit whose one slot is free again after a time. The memory of this process alone has such a slot. */
  cooldown?: Cooldown;
}

interface Cooldown {
  /** Milliseconds from one code to the next. */
  ms: number;

  /** When the code before this one was sent, maybe by another process. */
  lastAt?: number;
}

/** A slot that was taken at a time, in milliseconds since 1970. */
export interface Slot {
  name: string;
  at: number;

  /** Whether n8n's database has the slot, too. */
  isRecorded: boolean;

  /** The slot of the same name that an earlier code had: it counts again where this slot is given back. */
  before?: Slot;
}

/** A code that asked to pass its limits: the code took a slot of each limit, or none. */
export type Passage<L extends Limit = Limit> =
  | { is: 'passed'; slots: Slot[] }

  /** The limit `by` has no free slot. A limit of sending may have a free slot after `retryAfterMs`. */
  | { is: 'refused'; by: L; retryAfterMs: number }

  /** n8n's database can't be written to. */
  | { is: 'failed'; failure: FailedItem };

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
  maxAttempts: number;

  /** Wrong codes for a number, from one full hour to the next, over all challenges of the number. */
  maxWrong: number;
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
  const numberName = recordName(keys, 'number', phone);
  const limits: Array<Limit<SendReason>> = [
    { reason: 'cooldown', name: numberName, max: 1, cooldown: { ms: cooldownMs, lastAt: earlier?.issuedAt } },
    { reason: 'number_limit', name: hourly(numberName, run.now()), max: perNumber },
  ];
  if (perWorkflow === undefined) return limits;
  const workflowName = recordName(keys, 'workflow', run.context.getWorkflow().id ?? '');
  return [...limits, { reason: 'workflow_limit', name: hourly(workflowName, run.now()), max: perWorkflow }];
}

/** Returns the limit that lets one right code pass, of a challenge and its resends: these share the `root`, the id of the first message. */
export const usedLimit = (keys: OtpKeys, { root, phone }: Challenge): Limit<'used'> => ({
  reason: 'used',
  name: recordName(keys, 'used', root, phone),
  max: 1,
});

/**
 * Returns the limits of verifying. Every attempt takes a slot of both: `ofChallenge` counts the attempts for a challenge and its resends,
 * `ofNumber` the wrong codes for the number. A right code gives the slot of `ofNumber` back.
 */
export function attemptLimits(
  run: Run,
  keys: OtpKeys,
  { root, phone }: Challenge,
  { maxAttempts, maxWrong }: AttemptLimits,
) {
  const wrongName = recordName(keys, 'wrong', phone);
  return {
    ofChallenge: {
      reason: 'too_many_attempts',
      // A chain is a challenge with its resends. The word 'chain' is a part of what n8n's database has: with another word, challenges that
      // are open while the package is updated would get new attempts.
      name: recordName(keys, 'chain', root, phone),
      max: maxAttempts,
    },
    ofNumber: { reason: 'number_limit', name: hourly(wrongName, run.now()), max: maxWrong },
  } as const satisfies Record<string, Limit>;
}

/**
 * This process forgets a slot after two hours. A slot with a cooldown is free by then: the field `COOLDOWN` (fields.ts) takes an hour at
 * most. n8n's database still has every slot without a cooldown.
 */
const KEPT_MS = 2 * HOUR_MS;

/** Slots in memory, which take about 30 MB. */
const MAX_SLOTS = 200_000;

/**
 * The slots that codes have taken. The memory of this process decides between codes that come at the same time, of all workflows; n8n's
 * database tells other processes, and this one after a restart. Times are in milliseconds since 1970.
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

  /** Takes a slot of each limit, or none where one of them has no free slot, or n8n's database can't be written to. */
  async take<L extends Limit>(run: Run, limits: readonly L[]): Promise<Passage<L>> {
    const now = run.now();
    // Without asking n8n's database about a limit that this process knows to be full.
    const full = this.findFull(limits, now);
    if (full) return this.refusedBy(full, now);
    const taken: Slot[] = [];
    try {
      for (const limit of limits) {
        const slot = await this.takeFirst(run, limit, now);
        if (slot === undefined) return this.refusedBy(limit, now);
        taken.push(slot);
      }
      return { is: 'passed', slots: taken };
    } catch (thrown) {
      return { is: 'failed', failure: unrecorded(run, thrown) };
    } finally {
      if (taken.length < limits.length) await this.giveBack(run, taken);
    }
  }

  private refusedBy<L extends Limit>(by: L, now: number): Passage<L> {
    const nextHour = now - (now % HOUR_MS) + HOUR_MS;
    const freeAt = by.cooldown ? this.endOf(by.cooldown, namesOf(by)[0]) : nextHour;
    return { is: 'refused', by, retryAfterMs: freeAt - now };
  }

  private async takeFirst({ context }: Run, limit: Limit, now: number): Promise<Slot | undefined> {
    for (const name of namesOf(limit)) {
      if (!this.isFree(name, limit, now)) continue;
      // Held before n8n's database answers, so that a code that comes meanwhile takes another slot.
      const slot = { name, at: now, isRecorded: limit.cooldown === undefined };
      this.hold(slot);
      if (limit.cooldown) return slot;
      let isAnswered = false;
      try {
        const isNew = await recordNew(context, name);
        isAnswered = true;
        // A slot that another process has stays held here, so that n8n's database isn't asked about that slot again.
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

  private isFree(slot: string, { cooldown }: Limit, now: number): boolean {
    return cooldown ? this.endOf(cooldown, slot) <= now : !this.held.has(slot);
  }

  /** Returns when a cooldown ends: that of the last code of which this process knows, or long ago. */
  private endOf({ ms, lastAt = -Infinity }: Cooldown, slot: string): number {
    return Math.max(this.held.get(slot)?.at ?? -Infinity, lastAt) + ms;
  }

  private hold(slot: Slot): void {
    for (const [oldest, { at }] of this.held) {
      if (at > slot.at - KEPT_MS && this.held.size < MAX_SLOTS) break;
      this.held.delete(oldest);
    }
    const before = this.held.get(slot.name);
    // Only the latest: otherwise, the codes of a number would be a chain in memory.
    if (before) slot.before = { ...before, before: undefined };
    this.held.delete(slot.name);
    this.held.set(slot.name, slot);
  }

  /** Frees a slot, unless another code holds it: once a cooldown is over, the next code takes the slot of the same name. */
  private free(slot: Slot): void {
    if (this.held.get(slot.name) !== slot) return;
    this.held.delete(slot.name);
    // Another node may have a longer cooldown, which the earlier code began.
    if (slot.before) this.held.set(slot.name, slot.before);
  }
}

const namesOf = ({ name, max }: Limit): string[] => Array.from({ length: max }, (_, n) => `${name} ${n + 1}`);

function unrecorded({ definition }: Run, thrown: unknown): FailedItem {
  // "This time", since another Retry of the execution may have sent the code.
  const nothing = `Nothing was ${definition.effect === 'sends' ? 'sent' : 'verified'} for this row this time.`;
  const description = `${nothing} n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
  return { error: { kind: 'input', message: 'n8n could not record this in its database', description } };
}

/** The slots that codes have taken: of all nodes and executions of this process. */
export const slots = new Slots();
