import type { OtpKeys } from '../../gateway/otp/keys';
import type { LimitRefusal, RateLimit, Reservation } from '../../gateway/otp/rate-limits';
import { RateLimits } from '../../gateway/otp/rate-limits';
import { requireKeys } from '../run/account';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import { recordNames } from './record';

/** What this process knows, shared by all nodes and executions: codes that were sent, and codes that were tried. */
export const counts = new RateLimits();

const doneBy = ({ definition }: Run): string => (definition.effect === 'sends' ? 'sent' : 'verified');

/**
 * Returns the account's keys.
 * @throws NodeOperationError without a usable API key
 */
export async function accountKeys(run: Run): Promise<OtpKeys> {
  const connection = await run.connection();
  return requireKeys(run.node, connection, connection.otpKeys(), `Nothing was ${doneBy(run)}`);
}

/**
 * Counts a code under its limits; or returns why it may not pass, or the failure of its item where n8n's database can't
 * be written to, and counts nothing. The memory of the process decides at once, the record after it.
 */
export async function reserveCode<Reason extends string>(
  run: Run,
  limits: ReadonlyArray<RateLimit<Reason>>,
): Promise<Reservation | LimitRefusal<Reason> | FailedItem> {
  try {
    return await counts.reserve(limits, run.now(), async (names) => await recordNames(run.context, names));
  } catch (thrown) {
    const description = `Nothing was ${doneBy(run)} for this item, and it does not count. n8n's database answered: ${(thrown as Error).message}. Run the node again.`;
    return {
      error: { kind: 'input', message: 'n8n could not record this in its database', description },
    };
  }
}
