import { NodeOperationError } from 'n8n-workflow';

import type { OtpKeys } from '../../gateway/otp/keys';
import type { LimitRefusal } from '../../gateway/otp/rate-limits';
import { quoted } from '../fields/field';
import type { FailedItem } from '../run/item-result';
import type { Run } from '../run/run';
import { COOLDOWN, MAX_ATTEMPTS_PER_NUMBER, PER_NUMBER_LIMIT, WORKFLOW_LIMIT } from './fields';

interface Refused {
  phone: number;
  cooldownMs: number;
}

const inWords = (seconds: number): string =>
  seconds === 1 ? '1 second' : seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

const codes = (count: number): string => (count === 1 ? '1 code' : `${count} codes`);

/**
 * Returns the failure of an item that a limit kept from being sent. Its json has `reason` and, in seconds,
 * `retry_after`, on which a workflow can branch.
 */
export function refusedByLimit(refusal: LimitRefusal, { phone, cooldownMs }: Refused): FailedItem {
  const { reason, limit, retryAfterMs } = refusal;
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const words = {
    cooldown: {
      message: `This number got a code less than ${inWords(cooldownMs / 1000)} ago`,
      option: COOLDOWN.displayName,
    },
    number_limit: {
      message: `This number got ${codes(limit)} within an hour`,
      option: PER_NUMBER_LIMIT.displayName,
    },
    workflow_limit: {
      message: `This workflow sent ${codes(limit)} within an hour`,
      option: WORKFLOW_LIMIT.displayName,
    },
  }[reason];
  return {
    error: {
      kind: 'input',
      message: words.message,
      description: `Nothing was sent for this item, since strangers could have codes sent at your cost. Another code can be sent in ${inWords(retryAfter)}. The option ${quoted(words.option)} sets the limit.`,
    },
    state: 'notSent',
    json: { phone, state: 'notSent', reason, retry_after: retryAfter },
  };
}

/**
 * Returns the failure of an item whose code nobody could verify before it expires, since too many wrong codes were
 * tried for its number: it would be paid for all the same.
 */
export function refusedByWrongCodes(phone: number, closedForMs: number): FailedItem {
  const retryAfter = Math.max(1, Math.ceil(closedForMs / 1000));
  return {
    error: {
      kind: 'input',
      message: 'Too many wrong codes were tried for this number',
      description: `Nothing was sent for this item: a code could not be verified before it expires. Another code can be sent in ${inWords(retryAfter)}. The option ${quoted(MAX_ATTEMPTS_PER_NUMBER.displayName)} of the operation Verify sets the limit.`,
    },
    state: 'notSent',
    json: { phone, state: 'notSent', reason: 'number_limit', retry_after: retryAfter },
  };
}

/** Returns the failure of an item that could not be counted, since n8n's database could not be written to. */
export function unrecorded(thrown: unknown, consequence: string): FailedItem {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    error: {
      kind: 'input',
      message: 'n8n could not record this in its database',
      description: `${consequence} n8n's database answered: ${why}. Run the node again.`,
    },
  };
}

/**
 * Returns the keys of the account, derived from its API key.
 * @throws NodeOperationError where the credential has no API key: anybody could make challenges with such keys
 */
export async function accountKeys(run: Run): Promise<OtpKeys> {
  const { otpKeys } = await run.connection();
  const keys = otpKeys();
  if (keys) return keys;
  const description = `Nothing was ${run.definition.effect === 'sends' ? 'sent' : 'verified'}. Enter the API key in the credential; if it is an expression there, see that it returns the key.`;
  throw new NodeOperationError(run.node, "'API Key' of the credential is empty", { description });
}
