import type { OtpKeys } from '../../gateway/otp/keys';
import { recordName } from '../../gateway/otp/keys';
import type { RateLimit } from '../../gateway/otp/rate-limits';
import { HOUR_MS } from '../../gateway/otp/rate-limits';
import type { Run } from '../run/run';

export type SendReason = 'cooldown' | 'number_limit' | 'workflow_limit';

const workflowName = ({ context }: Run, keys: OtpKeys): string =>
  recordName(keys, 'workflow', context.getWorkflow().id ?? '');

/** Returns the limits of a code to a number. */
export function limitsOf(
  run: Run,
  keys: OtpKeys,
  phone: number,
  { perNumber, cooldownMs, workflow }: Record<'perNumber' | 'cooldownMs' | 'workflow', number>,
): Array<RateLimit<SendReason>> {
  const number = recordName(keys, 'number', phone);
  const all: Array<RateLimit<SendReason>> = [
    { reason: 'cooldown', name: number, limit: 1, periodMs: cooldownMs },
    { reason: 'number_limit', name: number, limit: perNumber, periodMs: HOUR_MS },
    { reason: 'workflow_limit', name: workflowName(run, keys), limit: workflow, periodMs: HOUR_MS },
  ];
  return all.filter(({ limit, periodMs }) => limit < Infinity && periodMs > 0);
}
