import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { hasPrefix } from '../../gateway/numbers/allowed-prefixes';
import { credentialLabel } from '../../gateway/contract/credential';
import type { Recipients } from '../agent/allowed-recipients';
import { isRecipient, RECIPIENTS_LABEL } from '../agent/allowed-recipients';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';

/** The list, as errors name it. */
export const PREFIX_LIST = `${credentialLabel('allowedPrefixes')} of the credential`;

/** Refuses a number that the credential doesn't allow. Throws InvalidParameter, also where the list can't be read. */
export function refuseForbiddenNumber(allowed: AllowedPrefixes, phone: number | undefined): void {
  const prefixes = readablePrefixes(allowed);
  if (phone === undefined || hasPrefix(prefixes, phone)) return;
  throw new InvalidParameter(
    quoted(phoneField.displayName),
    `a number that starts with ${prefixes.join(', ')}`,
    phone,
    `isn't among the ${PREFIX_LIST}`,
  );
}

/** Refuses a number to which the author lets no agent send. Throws InvalidParameter. */
export function refuseForeignNumber(recipients: Recipients | undefined, phone: number | undefined): void {
  if (recipients === undefined || phone === undefined || isRecipient(recipients, phone)) return;
  throw new InvalidParameter(
    quoted(phoneField.displayName),
    'a number to which the author of this workflow lets this tool send',
    phone,
    `isn't among the ${quoted(RECIPIENTS_LABEL)} of this tool`,
  );
}

/** Returns the allowed prefixes; none allow every number. Throws InvalidParameter where the list can't be read. */
export function readablePrefixes(allowed: AllowedPrefixes): string[] {
  if (allowed.ok) return allowed.prefixes;
  throw new InvalidParameter(PREFIX_LIST, 'a list of number prefixes such as 380, 48, 4477', allowed.wrong);
}
