import { timingSafeEqual } from 'crypto';

import { deriveKey, digestOf } from './seal';

/** Derives the key of all questions of an account from its API key, which must not be empty. */
export const deriveQuestionKey = (apiKey: string): Buffer => deriveKey(apiKey, 'question v1');

/** The use of a secret: to open the question, or to send the form of its page. */
export type SecretPurpose = 'open' | 'form';

/** 96 bits: nobody guesses them, and each character of a link costs the sender of an SMS. */
const SECRET_BYTES = 12;

/** Text of such a secret, in base64url. */
const SECRET = /^[\w-]{16}$/;

/** The holder of a secret of a question: a person, by number, or the gateway that reports on its messages. */
export type Holder = number | 'gateway';

/**
 * Returns the secret of one holder of a question, as 16 characters of base64url: an HMAC under the key of the account. The
 * secret is stored nowhere, and neither n8n's data of the execution nor another secret tells it.
 * @param question a random text, which no other question has. The id of the execution would not do: n8n gives an id once more after its
 *   database was restored from an older copy
 */
export function questionSecret(
  key: Buffer,
  question: string,
  holder: Holder,
  purpose: SecretPurpose,
): string {
  const digest = digestOf(key, [purpose, question, holder]);
  return digest.subarray(0, SECRET_BYTES).toString('base64url');
}

/** Whether two secrets are equal, in a time that doesn't depend on where they differ. Takes any value from outside. */
export const equalSecrets = (expected: string, given: unknown): boolean =>
  typeof given === 'string' &&
  SECRET.test(given) &&
  timingSafeEqual(Buffer.from(expected), Buffer.from(given));

/** The query parameter of an address with the secret that says who calls. */
export const SECRET_IN_LINK = 'k';

/** Returns who calls, by the secret in the query of an address: one of `phones`, the gateway, or undefined for nobody. */
export function holderOf(
  key: Buffer,
  question: string,
  phones: readonly number[],
  { [SECRET_IN_LINK]: given }: Record<string, unknown>,
): Holder | undefined {
  const holders: Holder[] = [...phones, 'gateway'];
  return holders.find((holder) => equalSecrets(questionSecret(key, question, holder, 'open'), given));
}
