import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { RateLimit } from '../../gateway/otp/rate-limits';
import { HOUR_MS } from '../../gateway/otp/rate-limits';
import type { Run } from '../run/run';

/** By workflow, the limits that its nodes had when they last sent, by their ids. */
const workflowLimits = new Map<string, Map<string, { limit: number; at: number }>>();

/** A node that was deleted limits its workflow no longer than this. */
const SEEN_MS = 24 * HOUR_MS;

export type SendReason = 'cooldown' | 'number_limit' | 'workflow_limit';

const workflowName = ({ context }: Run, keys: OtpKeys): string =>
  recordName(keys, 'workflow', context.getWorkflow().id ?? '');

/**
 * Notes the limit of this node, in codes within an hour, for all nodes of its workflow; Infinity where it has none. A node
 * that only checks, or whose codes are refused, must not limit the others: call it when a code is about to be sent.
 * Returns the lowest limit that was noted for any node of the workflow within a day.
 */
function noteWorkflowLimit(run: Run, name: string, limit: number): number {
  const nodes = workflowLimits.get(name) ?? new Map<string, { limit: number; at: number }>();
  workflowLimits.set(name, nodes.set(run.context.getNode().id, { limit, at: run.now() }));
  const noted = Array.from(nodes.values()).filter(({ at }) => at > run.now() - SEEN_MS);
  return Math.min(...noted.map((one) => one.limit));
}

/**
 * Returns the limits of a code to a number that is about to be sent. Every code counts for its workflow, also that of a node
 * without a limit for it; the lowest limit of any of its nodes applies to all of them.
 */
export function limitsOf(
  run: Run,
  keys: OtpKeys,
  phone: number,
  { perNumber, cooldownMs, workflow }: Record<'perNumber' | 'cooldownMs' | 'workflow', number>,
): Array<RateLimit<SendReason>> {
  const number = recordName(keys, 'number', phone);
  const name = workflowName(run, keys);
  const lowest = noteWorkflowLimit(run, name, workflow);
  const all: Array<RateLimit<SendReason>> = [
    { reason: 'cooldown', name: number, limit: 1, periodMs: cooldownMs },
    { reason: 'number_limit', name: number, limit: perNumber, periodMs: HOUR_MS },
    { reason: 'workflow_limit', name, limit: lowest, periodMs: HOUR_MS },
  ];
  return all.filter(({ periodMs }) => periodMs > 0);
}
