import { readFlag } from '../../gateway/contract/envelope';
import { isUnseen, leftoverIn } from '../../gateway/text/characters';
import { fromJson, inexactField, isEmpty, isObject } from '../../gateway/text/json';
import { InvalidParameter, quoted } from './field';

/**
 * Convert parameter values to the types of the contract. Expressions return whatever the data holds, so a number
 * in a text box, text in a number box and an empty cell are all ordinary. Each function takes a value and the label of
 * its parameter, and returns the typed value, or undefined where the value is empty.
 */

/**
 * Takes strings, numbers and booleans; returns a string. A string that shows nothing counts as empty.
 * @throws InvalidParameter for anything else
 */
export function asText(value: unknown, displayName: string): string | undefined {
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') return isUnseen(value) ? undefined : value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new InvalidParameter(quoted(displayName), 'text', value);
}

/**
 * Takes a text for a recipient as `asText` does.
 * @throws InvalidParameter for anything else, and for a text with what a program left in it
 */
export function asMessage(value: unknown, displayName: string): string | undefined {
  const text = asText(value, displayName);
  const leftover = text === undefined ? undefined : leftoverIn(text);
  if (leftover === undefined) return text;
  const accepted = 'text in which each expression has a value';
  throw new InvalidParameter(quoted(displayName), accepted, text, `contains "${leftover}"`);
}

/**
 * Takes numbers and numeric strings; returns a finite number, whose range the contract's schema checks.
 * @throws InvalidParameter for anything else
 */
export function asNumber(value: unknown, displayName: string): number | undefined {
  if (isEmpty(value)) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new InvalidParameter(quoted(displayName), 'a number', value);
}

/**
 * Takes booleans, and what stands for them in data (`readFlag`).
 * @throws InvalidParameter for anything else
 */
export function asBoolean(value: unknown, displayName: string): boolean | undefined {
  if (isEmpty(value)) return undefined;
  const flag = readFlag(value);
  if (flag !== undefined) return flag;
  throw new InvalidParameter(quoted(displayName), 'true or false', value);
}

/** Takes a link as `asMessage` takes a text; removes the blanks around it. */
export const asLink = (value: unknown, displayName: string): string | undefined =>
  asMessage(value, displayName)?.trim();

export const asTrimmed = (value: unknown, displayName: string): string | undefined =>
  asText(value, displayName)?.trim();

/** Takes a resource locator or its bare value; returns the value as trimmed text. */
export function asLocated(value: unknown, displayName: string): string | undefined {
  return asTrimmed(isObject(value) && 'value' in value ? value.value : value, displayName);
}

/**
 * Takes an object, or a string that contains a JSON object.
 * @throws InvalidParameter for anything else, and for an object with a number that JSON can't keep
 */
export function asObject(value: unknown, displayName: string): Record<string, unknown> | undefined {
  if (isEmpty(value)) return undefined;
  const parsed = typeof value === 'string' ? fromJson(value) : value;
  if (isObject(parsed)) return withExactNumbers(parsed, displayName, value);
  const accepted = 'a JSON object such as { "tag": "spring" }';
  throw new InvalidParameter(quoted(displayName), accepted, value, { reason: whyNotJson(value) });
}

/**
 * Returns an object whose numbers leave with the digits that they have; `given` is what it was read from.
 * @throws InvalidParameter for a whole number beyond 2^53
 */
export function withExactNumbers(
  value: Record<string, unknown>,
  displayName: string,
  given: unknown = value,
): Record<string, unknown> {
  const field = inexactField(value);
  if (field === undefined) return value;
  const reason = `has a number beyond 9007199254740991 in "${field}", which would lose its last digits; give "${field}" as text`;
  throw new InvalidParameter(quoted(displayName), 'without larger numbers', given, reason);
}

/** Says where a text stops to be JSON, in the words of the engine; undefined for JSON. */
function whyNotJson(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    const words = (error as Error).message.replace(/( in JSON)? at position \d+ \((.+)\)$/, ' at $2');
    return `is not JSON (${words})`;
  }
}
