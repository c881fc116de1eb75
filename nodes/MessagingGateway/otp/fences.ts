import type { Fence, FenceReason, FenceRefusal } from '../../gateway/otp/fence-memory';
import { FenceMemory, HOUR_MS } from '../../gateway/otp/fence-memory';
import { slotsOf, TakenSlots } from '../../gateway/otp/fence-slots';
import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { Run } from '../run/run';
import { recordNames } from './record';

/** The codes that this process has sent, shared by all nodes and executions. */
const memory = new FenceMemory();
/** The slots that this process has taken, by fence; bounded. */
const slots = new Map<string, TakenSlots>();
const MOST_FENCES = 200_000;

/** How many codes an item may be one of. */
export interface FenceLimits {
  perNumber: number;
  cooldownMs: number;
  workflow?: number;
}

/** Returns the fences of a code to a number. */
export function fencesOf({ context }: Run, keys: OtpKeys, phone: number, limits: FenceLimits): Fence[] {
  const { perNumber, cooldownMs, workflow } = limits;
  const number = recordName(keys, 'number', phone);
  const fence = (reason: FenceReason, name: string, limit: number, periodMs: number): Fence => ({
    reason,
    name,
    limit,
    periodMs,
  });
  return [
    ...(cooldownMs > 0 ? [fence('cooldown', number, 1, cooldownMs)] : []),
    fence('number_limit', number, perNumber, HOUR_MS),
    ...(workflow === undefined
      ? []
      : [
          fence(
            'workflow_limit',
            recordName(keys, 'workflow', context.getWorkflow().id ?? ''),
            workflow,
            HOUR_MS,
          ),
        ]),
  ];
}

/** A code that was let through its fences. `release` takes that back, where it certainly wasn't sent. */
export interface Passage {
  release(): void;
}

/**
 * Lets a code through its fences, or returns why not. The memory of the process decides at once, the record after it.
 * @throws the error of n8n's database; the code doesn't count then
 */
export async function passFences(run: Run, fences: readonly Fence[]): Promise<Passage | FenceRefusal> {
  const at = run.now();
  const refusal = memory.reserve(fences, at);
  if (refusal) return refusal;
  const taken: Array<() => void> = [];
  const release = () => {
    memory.release(fences, at);
    for (const giveBack of taken) giveBack();
  };
  try {
    for (const fence of fences) {
      const slot = await takeSlot(run, fence, at);
      if (typeof slot !== 'string') {
        release();
        return slot;
      }
      taken.push(() => takenOf(fence).giveBack(slot));
    }
  } catch (thrown) {
    release();
    const error = thrown as Error;
    throw error;
  }
  return { release };
}

/** Takes a slot of a fence, in the record too, and returns its name; or returns why there is none. */
async function takeSlot({ context }: Run, fence: Fence, now: number): Promise<string | FenceRefusal> {
  const current = slotsOf(fence, now);
  const record = async (names: readonly string[]) => await recordNames(context, names);
  const slot = await takenOf(fence).take(current, now, record);
  if (slot !== undefined) return slot;
  const retryAfterMs = Math.min(...current.map(({ opensAt }) => opensAt)) - now;
  return { reason: fence.reason, limit: fence.limit, retryAfterMs };
}

function takenOf({ reason, name, limit, periodMs }: Fence): TakenSlots {
  const key = `${reason} ${name} ${limit} ${periodMs}`;
  const taken = slots.get(key) ?? new TakenSlots();
  slots.delete(key);
  slots.set(key, taken);
  for (const oldest of slots.keys()) {
    if (slots.size <= MOST_FENCES) break;
    slots.delete(oldest);
  }
  return taken;
}
