import { PHONE_DIGITS } from './limits';

export type PhoneResult = { ok: true; phone: number } | { ok: false; reason: string };

const NOT_A_NUMBER = 'is not a phone number';

/** How most numbers come out of a database: nothing to clean. */
const PLAIN = /^[1-9]\d*$/;
/** Marks that come along when a number is copied from a contact card or a web page. */
const INVISIBLE = /\p{Cf}/gu;
const SEPARATORS = /[\s().\-/\p{Pd}]/gu;

/**
 * Reads a phone number as people write it and gives the contract's number.
 *
 * Takes digits with spaces, brackets, dots, slashes and dashes, with a leading `+` or `00`, a `tel:` address,
 * the British `(0)`, or a plain number. Returns the number in international format without the plus sign
 * (gateway-api.md, "Resources and their fields": digits only), or the reason why the value cannot be one.
 * Nothing is guessed: a number without a country code is refused, because the gateway would send it to
 * somebody else.
 */
export function parsePhone(value: unknown): PhoneResult {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value > 0 ? checkDigits(String(value)) : refuse(NOT_A_NUMBER);
  }
  if (typeof value === 'bigint') return checkDigits(String(value));
  if (typeof value !== 'string')
    return refuse(value === undefined || value === null ? 'is empty' : NOT_A_NUMBER);
  if (PLAIN.test(value)) return checkDigits(value);

  let text = value
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .trim()
    .replace(/^tel:\s*/i, '');
  if (text === '') return refuse('is empty');
  if (/^\d+(\.\d+)?e\+?\d+$/i.test(text)) {
    return refuse('was shortened by a spreadsheet; format the column as text and export it again');
  }
  if (/[,;|\n]/.test(text)) return refuse('holds more than one number; use one item for each');

  // A spreadsheet's "380501234567.0": the dot is a decimal point, not a separator.
  const decimal = /^(\d{7,})\.(\d+)$/.exec(text);
  if (decimal) {
    if (!/^0+$/.test(decimal[2])) return refuse(NOT_A_NUMBER);
    text = decimal[1];
  }
  const international = text.startsWith('+') || /^\(?00/.test(text);
  if (international) text = text.replace('(0)', '');

  const digits = text.replace(/^\+/, '').replace(SEPARATORS, '');
  if (!/^\d+$/.test(digits)) return refuse(NOT_A_NUMBER);
  return checkDigits(international && !text.startsWith('+') ? digits.replace(/^00/, '') : digits);
}

function checkDigits(digits: string): PhoneResult {
  if (digits.startsWith('0')) return refuse('has no country code');
  if (digits.length < PHONE_DIGITS.min) return refuse('is too short');
  if (digits.length > PHONE_DIGITS.max) return refuse('is too long');
  return { ok: true, phone: Number(digits) };
}

const refuse = (reason: string): PhoneResult => ({ ok: false, reason });
