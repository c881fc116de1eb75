import { NodeOperationError } from 'n8n-workflow';

import type { OtpKeys } from '../../gateway/otp/keys';
import type { Run } from '../run/run';

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
