import { timingSafeEqual } from 'crypto';

import { deriveKey, digestOf } from './seal';

/** Derives the key of all questions of an account from its API key, which must not be empty. */
export const deriveQuestionKey = (apiKey: string): Buffer => deriveKey(apiKey, 'question v1');

/** The facts that make a question different from every other; no secret is among them. */
export interface QuestionIdentity {
  executionId: string;
  nodeId: string;

  /** Index of the run of the node: in a loop it asks several times. */
  run: number;

  /** A random number, made for this question. */
  nonce: number;
}

/** 96 bits: nobody guesses them, and each character of a link costs the sender of an SMS. */
const SECRET_BYTES = 12;
export const SECRET_CHARACTERS = 16;
const SECRET = new RegExp(`^[\\w-]{${SECRET_CHARACTERS}}$`);

/** The holder of a secret of a question: a person, by number, or the gateway that reports on its messages. */
export type Holder = number | 'gateway';

/**
 * Returns the secret of one holder of a question, as 16 characters of base64url: an HMAC under the key of the account. The
 * secret is stored nowhere, and neither n8n's data of the execution nor another secret tells it.
 */
export function questionSecret(
  key: Buffer,
  { executionId, nodeId, run, nonce }: QuestionIdentity,
  holder: Holder,
): string {
  const digest = digestOf(key, [executionId, nodeId, run, nonce, holder]);
  return digest.subarray(0, SECRET_BYTES).toString('base64url');
}

/** Name of the parameter of an address that holds the secret of who calls. */
export const SECRET_IN_LINK = 'k';

/**
 * Returns who calls, by the secret in the query of an address: one of `phones`, the gateway, or undefined for nobody. The time of
 * a comparison doesn't depend on where two secrets differ.
 */
export function holderOf(
  key: Buffer,
  identity: QuestionIdentity,
  phones: readonly number[],
  { [SECRET_IN_LINK]: given }: Record<string, unknown>,
): Holder | undefined {
  if (typeof given !== 'string' || !SECRET.test(given)) return undefined;
  const secret = Buffer.from(given);
  const holders: Holder[] = [...phones, 'gateway'];
  return holders.find((holder) =>
    timingSafeEqual(Buffer.from(questionSecret(key, identity, holder)), secret),
  );
}
