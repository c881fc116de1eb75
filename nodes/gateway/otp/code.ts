import { createHash, createHmac, timingSafeEqual } from 'crypto';

import { OTP_DIGITS } from '../contract/wire-fields';
import { asciiForms } from '../text/characters';
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

/** A whole SMS is pasted now and then. */
const LONGEST_TYPED = 1000;

/** A whole number as some programs write it, "123456.0". With as many zeros as the code has digits, two numbers would fit. */
const WITH_FRACTION = /^\s*(\d+)[.,]0+\s*$/;

/**
 * Returns the digits of a code as people type or paste it, in any script: all digits of the text if they are as many as the code
 * has; otherwise the only number in the text that has as many. A list, as a form with a box for each
 * digit has it, is joined; a number gets the leading zeros back that it lost. Undefined for what can't be a code of this length.
 */
export function typedCode(value: unknown, length: number): string | undefined {
  const text = asTyped(value, length);
  if (text === undefined || text.length > LONGEST_TYPED) return undefined;
  const ascii = asciiForms(text);
  const runs = Array.from(ascii.matchAll(/\d+/g), ([digits]) => digits);
  const fits = (digits: string | undefined) => digits?.length === length;
  const [only, ...others] = new Set(runs.filter(fits));
  return [runs.join(''), WITH_FRACTION.exec(ascii)?.[1], others.length === 0 ? only : undefined].find(fits);
}

function asTyped(value: unknown, length: number): string | undefined {
  if (Array.isArray(value)) {
    const isSimple = value.every((one) => typeof one === 'string' || typeof one === 'number');
    return isSimple ? value.join('') : undefined;
  }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? String(value).padStart(length, '0') : undefined;
  }
  return typeof value === 'string' ? value : undefined;
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
