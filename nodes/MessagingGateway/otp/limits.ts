import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { LimitRefusal, RateLimit, Reservation } from '../../gateway/otp/rate-limits';
import { HOUR_MS, RateLimits } from '../../gateway/otp/rate-limits';
import { TimedMemory } from '../../gateway/otp/timed-memory';
import type { Run } from '../run/run';
import { recordNames } from './record';

/** The codes that this process has sent, shared by all nodes and executions. */
const sent = new RateLimits();

/** The limit of a workflow that a node had when it ran last. */
interface SeenLimit {
  limit: number;
  at: number;
}

/** What the nodes of each workflow allow, by their ids. */
const seen = new TimedMemory<Map<string, SeenLimit>>();
/** A node that was deleted limits its workflow no longer than this. */
const SEEN_MS = 24 * HOUR_MS;

/** How many codes an item may be one of. */
export interface CodeLimits {
  perNumber: number;
  cooldownMs: number;
  workflow?: number;
}

/**
 * Returns the limits of a code to a number. Every code counts for its workflow, also that of a node without a limit for
 * it; the smallest limit that any node of the workflow has holds for all of them.
 */
export function limitsOf(run: Run, keys: OtpKeys, phone: number, limits: CodeLimits): RateLimit[] {
  const { perNumber, cooldownMs, workflow } = limits;
  const number = { name: recordName(keys, 'number', phone) };
  const name = recordName(keys, 'workflow', run.context.getWorkflow().id ?? '');
  const limit = Math.min(workflow ?? Infinity, smallestLimit(run, name, workflow));
  return [
    ...(cooldownMs > 0 ? [{ ...number, reason: 'cooldown', limit: 1, periodMs: cooldownMs } as const] : []),
    { ...number, reason: 'number_limit', limit: perNumber, periodMs: HOUR_MS },
    { name, reason: 'workflow_limit', limit, periodMs: HOUR_MS },
  ];
}

/** Notes the limit that a node has for its workflow, and returns the smallest one of all its nodes. */
function smallestLimit({ context, now }: Run, workflow: string, own: number | undefined): number {
  const at = now();
  const nodes = seen.keep(workflow, { now: at, until: at + SEEN_MS }, () => new Map());
  const { id } = context.getNode();
  if (own === undefined) nodes.delete(id);
  else nodes.set(id, { limit: own, at });
  for (const [node, { at: seenAt }] of nodes) if (seenAt <= at - SEEN_MS) nodes.delete(node);
  return Math.min(Infinity, ...[...nodes.values()].map(({ limit }) => limit));
}

/**
 * Counts a code under its limits, or returns why it may not be sent. The memory of the process decides at once, the
 * record after it.
 * @throws the error of n8n's database; the code doesn't count then
 */
export const reserveCode = async (
  { context, now }: Run,
  limits: readonly RateLimit[],
): Promise<Reservation | LimitRefusal> =>
  await sent.reserve(limits, now(), async (names) => await recordNames(context, names));
