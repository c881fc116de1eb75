import { createHmac } from 'crypto';

import { deriveKey } from '../keys/derive';
import { NONCE_BYTES, openSeal, sealText } from '../keys/seal';
import { SEAL_MARK } from '../text/secrets';

/** A value that a message carries along and its callbacks bring back. */
type CallbackFieldValue = string | number | boolean;
export type CallbackFields = Record<string, CallbackFieldValue>;

/** The facts about a message in its callback address, for the trigger alone. */
export interface SealedFields {
  phone: number;

  /** The operation type of the send. */
  sentAs: string;
  fields: CallbackFields;
}

/** The keys of one account: to encrypt, and to make the nonces. */
export type CallbackKeys = Record<'seal' | 'nonce', Buffer>;

/** Derives the keys from the API key, which must not be empty. */
export const deriveCallbackKeys = (apiKey: string): CallbackKeys => ({
  seal: deriveKey(apiKey, 'callback v1 seal'),
  nonce: deriveKey(apiKey, 'callback v1 nonce'),
});

/** The query parameter of a callback address that holds the seal. */
export const SEAL_PARAMETER = 'seal';

/** A text that is authenticated with the fields, so that they open for this message only. */
const boundTo = (id: number | string): string => `${SEAL_MARK}${id}`;

/**
 * Seals what the callback address of a message carries: encrypted and authenticated, so that nobody without the key can
 * read or change it, and bound to the `id` of the message. Returns text of the characters that an address may hold as they
 * are. The nonce is made of what is sealed (an HMAC), so that the same message gives the same seal in a repeated run.
 */
export function sealFields(
  { seal: key, nonce: nonceKey }: CallbackKeys,
  id: number | string,
  { phone, sentAs, fields }: SealedFields,
): string {
  const plain = JSON.stringify([phone, sentAs, fields]);
  const nonce = createHmac('sha256', nonceKey).update(`${id}\n${plain}`).digest().subarray(0, NONCE_BYTES);
  return `${SEAL_MARK}${sealText(key, plain, boundTo(id), nonce)}`;
}

/**
 * Opens a seal for the message that a callback names; undefined for what wasn't sealed with the same key, was changed or cut
 * off since, or belongs to another message. Takes any input and never throws.
 */
export function openFields(
  { seal: key }: CallbackKeys,
  id: number | string,
  seal: unknown,
): SealedFields | undefined {
  if (typeof seal !== 'string' || !seal.startsWith(SEAL_MARK)) return undefined;
  const plain = openSeal(key, seal.slice(SEAL_MARK.length), boundTo(id));
  if (plain === undefined) return undefined;
  // Only `sealFields` has the key.
  const [phone, sentAs, fields] = JSON.parse(plain) as [number, string, CallbackFields];
  return { phone, sentAs, fields };
}
