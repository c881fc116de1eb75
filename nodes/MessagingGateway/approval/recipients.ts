import { parsePhone } from '../../gateway/contract/phone';
import { InvalidParameter, quoted } from '../fields/field';

export const RECIPIENTS_LABEL = 'Phone Number';

/** Most people to ask at once: each of them costs a message. */
const MOST_RECIPIENTS = 50;
const ACCEPTED = 'one or several phone numbers in international format, separated by commas';

/** The entries of a list, or of text with commas, semicolons or line breaks. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  if (typeof value !== 'string') return value === undefined || value === null ? [] : [value];
  return value
    .split(/[,;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/**
 * Reads the numbers of the people to ask: text or a list. Returns each number once, in order (gateway-api.md: digits
 * only).
 * @throws InvalidParameter for a number that can't be one, for none, and for too many
 */
export function readRecipients(value: unknown): number[] {
  const phones = entriesOf(value).map((entry) => {
    const result = parsePhone(entry);
    if (result.ok) return result.phone;
    throw new InvalidParameter(quoted(RECIPIENTS_LABEL), ACCEPTED, entry, result.reason);
  });
  const unique = [...new Set(phones)];
  if (unique.length > 0 && unique.length <= MOST_RECIPIENTS) return unique;
  const reason = unique.length === 0 ? 'is empty' : `holds more than ${MOST_RECIPIENTS} numbers`;
  throw new InvalidParameter(quoted(RECIPIENTS_LABEL), ACCEPTED, value, reason);
}
