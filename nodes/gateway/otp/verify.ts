import type { Country } from '../contract/countries';
import { parsePhone } from '../contract/phone';
import type { Challenge } from './challenge';
import { openChallenge } from './challenge';
import { deriveCode, equalCodes, typedCode } from './code';
import type { OtpKeys } from './keys';

/** Why a verification ended as it did. */
export type VerifyReason =
  | 'ok'
  | 'wrong'
  | 'expired'
  | 'used'
  | 'too_many_attempts'
  | 'number_limit'
  | 'invalid';

/** What is to be verified, as it came in. */
export interface GivenCode {
  challenge: unknown;
  phone: unknown;
  code: unknown;
  /** Where the number may be written as it is dialled at home. */
  home?: Country;
}

/** What a challenge says about a code, before attempts are counted. */
export type Comparison =
  | { kind: 'invalid' }
  | { kind: 'expired'; challenge: Challenge }
  | { kind: 'compared'; isRight: boolean; challenge: Challenge };

/**
 * Compares a code as typed with the one that a challenge stands for; `now` is in milliseconds since 1970. Takes any
 * input and never throws. The time that the comparison takes doesn't depend on the code.
 */
export function compareCode(
  keys: OtpKeys,
  { challenge: text, phone, code, home }: GivenCode,
  now: number,
): Comparison {
  const challenge = openChallenge(keys, text);
  const number = parsePhone(phone, home);
  if (!challenge || !number.ok || number.phone !== challenge.phone) return { kind: 'invalid' };
  if (now >= challenge.expiresAt) return { kind: 'expired', challenge };
  const expected = challenge.code ?? deriveCode(keys, challenge);
  const typed = typedCode(code, challenge.length);
  return { kind: 'compared', isRight: equalCodes(expected, typed), challenge };
}
