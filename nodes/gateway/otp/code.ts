import { deriveKey, digestOf } from '../keys/seal';
import { asciiForms } from '../text/characters';

/** The keys of one account: for the digits of codes, for challenges, and for the names of records. None tells anything of the API key or another key. */
export type OtpKeys = Record<'code' | 'challenge' | 'record', Buffer>;

/** Derives the keys of one-time passwords from the API key; see `deriveKey`. */
export function deriveOtpKeys(apiKey: string): OtpKeys {
  const derive = (purpose: string) => deriveKey(apiKey, `otp v1 ${purpose}`);
  return { code: derive('code'), challenge: derive('challenge'), record: derive('record') };
}

const NAME_BYTES = 16;

/** Returns the name under which codes are counted: an HMAC of these parts in base64url, so that n8n's database holds no number. */
export const recordName = ({ record }: OtpKeys, ...parts: Array<string | number>): string =>
  digestOf(record, parts).subarray(0, NAME_BYTES).toString('base64url');

/** Returns the name of a purpose: that of a text in any notation of Unicode, or of the workflow where the text is empty. */
export const purposeName = (keys: OtpKeys, text: string | undefined, workflow: string): string =>
  text === undefined
    ? recordName(keys, 'purpose of workflow', workflow)
    : recordName(keys, 'purpose', text.normalize('NFC').trim());

export interface CodeSource {
  /** The id of the message that carries the code; Retry On Fail sends the same message, with the same code. */
  id: number | string;
  phone: number;

  /** Number of digits, 4 to 8. */
  length: number;
}

const WORD_BYTES = 4;
const WORDS = 2 ** (8 * WORD_BYTES);

/**
 * Derives a code: a 32-bit word of an HMAC stream, modulo 10^length. Words from the largest multiple of 10^length on are passed over,
 * since they would make small codes more likely.
 */
export function deriveCode({ code: key }: OtpKeys, { id, phone, length }: CodeSource): string {
  const codes = 10 ** length;
  const bound = WORDS - (WORDS % codes);
  for (let block = 0; ; block += 1) {
    const digest = digestOf(key, [String(id), phone, length, block]);
    for (let at = 0; at < digest.length; at += WORD_BYTES) {
      const word = digest.readUInt32BE(at);
      if (word < bound) return String(word % codes).padStart(length, '0');
    }
  }
}

/** The code as a voice reads it: digit by digit. */
export const spokenCode = (code: string): string => Array.from(code).join(', ');

/** Characters of the longest text in which a code is looked for: some people paste the whole SMS. */
const LONGEST_TYPED = 1000;

/**
 * Returns the digits of a code that a person typed or pasted, in any script: all digits of the text if they are as many as the code
 * has; otherwise the only number of that length in the text. The entries of a list, as of a form with a box for each digit, are
 * joined; a number gets its leading zeros back. Undefined for a text that can't be a code of this length.
 */
export function typedCode(value: unknown, length: number): string | undefined {
  const text = asTyped(value, length);
  if (text === undefined || text.length > LONGEST_TYPED) return undefined;
  const numbers = asciiForms(text).match(/\d+/g) ?? [];
  const all = numbers.join('');
  if (all.length === length) return all;
  const [only, ...others] = new Set(numbers.filter((digits) => digits.length === length));
  return others.length === 0 ? only : undefined;
}

function asTyped(value: unknown, length: number): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? String(value).padStart(length, '0') : undefined;
  const isListOfDigits =
    Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number');
  return isListOfDigits ? value.join('') : undefined;
}

/** Number of digits in the code of a `call/otp` (gateway-api.md, "Lookups and account"). */
export const CALL_DIGITS = 4;
const CALLED = new RegExp(`^\\d{${CALL_DIGITS}}$`);

/** Returns the code in the payload of a `call/otp`; undefined where there is none. */
export function calledCode(code: unknown): string | undefined {
  const text = typeof code === 'number' ? String(code).padStart(CALL_DIGITS, '0') : code;
  return typeof text === 'string' && CALLED.test(text) ? text : undefined;
}
