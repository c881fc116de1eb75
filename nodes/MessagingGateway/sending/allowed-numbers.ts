import type { AllowedPrefixes } from '../../gateway/contract/allowed-prefixes';
import { hasPrefix } from '../../gateway/contract/allowed-prefixes';
import { credentialLabel } from '../../gateway/contract/credential';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';

const LIST = `${credentialLabel('allowedPrefixes')} of the credential`;

/**
 * Refuses a number that the credential doesn't allow; `phone` is undefined where the operation has none.
 * @throws InvalidParameter
 */
export function refuseForbiddenNumber(allowed: AllowedPrefixes, phone: number | string | undefined): void {
  if (!allowed.ok) {
    throw new InvalidParameter(LIST, 'a list of number prefixes such as 380, 48, 4477', allowed.wrong);
  }
  if (phone === undefined || hasPrefix(allowed.prefixes, phone)) return;
  const list = allowed.prefixes.join(', ');
  throw new InvalidParameter(
    quoted(phoneField.displayName),
    `a number that starts with ${list}`,
    phone,
    `isn't among the ${LIST}`,
  );
}
