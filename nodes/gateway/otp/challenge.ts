import { timingSafeEqual } from 'crypto';

import { openSeal, sealText } from '../keys/seal';
import type { Country } from '../numbers/countries';
import { parsePhone } from '../numbers/phone';
import type { CodeSource, OtpKeys } from './code';
import { deriveCode, typedCode } from './code';

/** The content of a challenge: everything that is needed to check a code. Times are in milliseconds since 1970. */
export interface Challenge extends CodeSource {
  /** The id of the first message, which all resends keep: attempts are counted under it. */
  root: number | string;
  issuedAt: number;
  expiresAt: number;

  /** The purpose of the code, as `purposeName` has it: a code for a purpose confirms no other. */
  purpose: string;

  /** The code, where the gateway chose it; any other is derived. */
  code?: string;
}

/** The use that is sealed into a challenge: no other seal of the account opens as a challenge. */
const BOUND_TO = 'challenge';

/** Returns a challenge as text (base64url), encrypted and authenticated: nobody without the key can read or change it. */
export const sealChallenge = ({ challenge: key }: OtpKeys, challenge: Challenge): string =>
  sealText(key, JSON.stringify(challenge), BOUND_TO);

/** Opens a challenge; undefined for anything that wasn't sealed with the same key, or was changed since. */
export function openChallenge({ challenge: key }: OtpKeys, text: unknown): Challenge | undefined {
  const plain = openSeal(key, text, BOUND_TO);
  return plain === undefined ? undefined : (JSON.parse(plain) as Challenge);
}

/** The input of Verify, not yet read. */
export interface GivenCode extends Record<'challenge' | 'phone' | 'code', unknown> {
  /** The purpose that the code must have, as `purposeName` has it. */
  purpose: string;

  /** The country whose numbers may be written as people dial them there. */
  home?: Country;
}

/**
 * Meaning of a typed code for its challenge, before attempts are counted. `otherChallenge`: the challenge isn't of these keys,
 * or not of this number. `notACode`: the text can't be a code, since it has another number of digits.
 */
export type Comparison =
  | { is: 'otherChallenge' | 'otherPurpose' }
  | { is: 'expired' | 'notACode' | 'wrong' | 'right'; challenge: Challenge };

/**
 * Compares a code as typed with the one that a challenge stands for; `now` is in milliseconds since 1970. Takes any
 * input and never throws. The time that the comparison takes doesn't depend on where two codes differ.
 */
export function compareCode(keys: OtpKeys, given: GivenCode, now: number): Comparison {
  const challenge = openChallenge(keys, given.challenge);
  const number = parsePhone(given.phone, given.home);
  if (!challenge || !number.ok || number.phone !== challenge.phone) return { is: 'otherChallenge' };
  if (challenge.purpose !== given.purpose) return { is: 'otherPurpose' };
  if (now >= challenge.expiresAt) return { is: 'expired', challenge };
  const typed = typedCode(given.code, challenge.length);
  if (typed === undefined) return { is: 'notACode', challenge };
  const expected = challenge.code ?? deriveCode(keys, challenge);
  // Both have the same length, without which `timingSafeEqual` throws.
  const isRight = timingSafeEqual(Buffer.from(expected), Buffer.from(typed));
  return { is: isRight ? 'right' : 'wrong', challenge };
}
