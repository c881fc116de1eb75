import type { Country } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { asEntries } from '../fields/values';
import { refusal } from './refusal';

/** Most people to ask at once: each of them costs a message. */
const MOST_RECIPIENTS = 50;

/**
 * Reads the numbers of the people to ask: text or a list, of numbers as people write them in the country `home`. Returns
 * each number once, in order (gateway-api.md, "Fields": digits only).
 * @throws InvalidParameter for a number that can't be one, for none, and for too many
 */
export function readRecipients(value: unknown, home?: Country): number[] {
  const accepted = 'one or several phone numbers in international format, separated by commas';
  const phones = asEntries(value).map((entry) => {
    const result = parsePhone(entry, home);
    if (result.ok) return result.phone;
    throw refusal('phone', accepted, entry, result.reason);
  });
  const unique = [...new Set(phones)];
  if (unique.length > 0 && unique.length <= MOST_RECIPIENTS) return unique;
  const reason = unique.length === 0 ? 'is empty' : `holds more than ${MOST_RECIPIENTS} numbers`;
  throw refusal('phone', accepted, value, reason);
}
