import { createHash, createHmac, timingSafeEqual } from 'crypto';

import { asciiForms } from '../contract/characters';
import { OTP_DIGITS } from '../contract/limits';
import type { OtpKeys } from './keys';

export interface CodeSource {
  /** The id of the message that carries the code, which is the same when the message is sent again. */
  id: number | string;
  phone: number;
  /** Number of digits, 4 to 8. */
  length: number;
}

const WORD_BYTES = 4;
const WORDS = 2 ** (8 * WORD_BYTES);

/**
 * Derives a code: the first 32-bit word of an HMAC stream below the largest multiple of 10^length, modulo 10^length,
 * so that every code is equally likely.
 */
export function deriveCode({ code: key }: OtpKeys, { id, phone, length }: CodeSource): string {
  const codes = 10 ** length;
  const bound = WORDS - (WORDS % codes);
  for (let block = 0; ; block += 1) {
    const digest = createHmac('sha256', key)
      .update(JSON.stringify([String(id), phone, length, block]))
      .digest();
    for (let at = 0; at < digest.length; at += WORD_BYTES) {
      const word = digest.readUInt32BE(at);
      if (word < bound) return String(word % codes).padStart(length, '0');
    }
  }
}

/** The code as a voice reads it: digit by digit. */
export const spokenCode = (code: string): string => Array.from(code).join(', ');

const LONGEST_TYPED = 100;
const BETWEEN = /[\s\p{Pd}\u2212\u30fc]/gu;

/**
 * Returns a code as people type it in the form in which it was sent: without blanks and dashes, with full-width, Arabic
 * and Persian digits as ASCII, and with the leading zeros that a number loses. Anything else is returned as text that
 * equals no code; empty text where there is none.
 */
export function typedCode(value: unknown, length: number): string {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? String(value).padStart(length, '0') : '';
  }
  if (typeof value !== 'string' || value.length > LONGEST_TYPED) return '';
  return asciiForms(value).replace(BETWEEN, '');
}

/** Whether two codes are equal, in a time that doesn't depend on where they differ. */
export function equalCodes(expected: string, typed: string): boolean {
  const digest = (code: string) => createHash('sha256').update(code).digest();
  return timingSafeEqual(digest(expected), digest(typed));
}

/** Number of digits in the code of a `call/otp` (gateway-api.md, "Lookups and account"). */
export const CALL_DIGITS = 4;
const CALLED = new RegExp(`^\\d{${OTP_DIGITS.min},${OTP_DIGITS.max}}$`);

/** Returns the code in the payload of a `call/otp`; undefined where there is none. */
export function calledCode(code: unknown): string | undefined {
  const text = typeof code === 'number' ? String(code).padStart(CALL_DIGITS, '0') : code;
  return typeof text === 'string' && CALLED.test(text) ? text : undefined;
}
