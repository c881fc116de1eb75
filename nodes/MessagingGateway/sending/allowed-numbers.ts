import { credentialLabel } from '../../gateway/contract/credential';
import type { AllowedPrefixes } from '../../gateway/numbers/allowed-prefixes';
import { hasPrefix } from '../../gateway/numbers/allowed-prefixes';
import type { Recipients } from '../agent/allowed-recipients';
import { isRecipient, RECIPIENTS_LABEL } from '../agent/allowed-recipients';
import { InvalidParameter, quoted } from '../fields/field';
import { phone as phoneField } from '../fields/target';

/** The list, as errors name it. */
export const PREFIX_LIST = `${credentialLabel('allowedPrefixes')} of the credential`;

/**
 * Refuses a number that a message must not go to.
 * @throws InvalidParameter
 */
type NumberRule = (phone: number | undefined) => void;

/**
 * Returns what refuses numbers that the credential doesn't allow, and all where its list can't be read; undefined where it
 * allows every number.
 */
export function forbiddenNumberRule(allowed: AllowedPrefixes): NumberRule | undefined {
  if (allowed.ok && allowed.prefixes.length === 0) return undefined;
  return (phone) => {
    const prefixes = readablePrefixes(allowed);
    if (phone === undefined || hasPrefix(prefixes, phone)) return;
    throw new InvalidParameter(
      quoted(phoneField.displayName),
      `a number that starts with ${prefixes.join(', ')}`,
      phone,
      `isn't among the ${PREFIX_LIST}`,
    );
  };
}

/** Returns what refuses numbers to which the author lets no agent send; undefined where any may be sent to. */
export function foreignNumberRule(recipients: Recipients | undefined): NumberRule | undefined {
  if (recipients === undefined) return undefined;
  return (phone) => {
    if (phone === undefined || isRecipient(recipients, phone)) return;
    throw new InvalidParameter(
      quoted(phoneField.displayName),
      'a number to which the author of this workflow lets this tool send',
      phone,
      `isn't among the ${quoted(RECIPIENTS_LABEL)} of this tool`,
    );
  };
}

/**
 * Returns the allowed prefixes; none allow every number.
 * @throws InvalidParameter where the list can't be read
 */
export function readablePrefixes(allowed: AllowedPrefixes): string[] {
  if (allowed.ok) return allowed.prefixes;
  throw new InvalidParameter(PREFIX_LIST, 'a list of number prefixes such as 380, 48, 4477', allowed.wrong);
}
