import { createHmac } from 'crypto';

import { deriveKey } from './derive';

/** Derives the key of all sessions of an account from its API key, which must not be empty. */
export const deriveSessionKey = (apiKey: string): Buffer => deriveKey(apiKey, 'session v1');

/** Whose conversation it is: that of a person on a channel, or, where nobody knows the person, that about one message. */
export type SessionIdentity =
  | { phone: number; channel: string }
  | { identifier: 'id' | 'msg_id' | 'request_id'; value: number | string };

/** 128 bits: no two people share a session by chance. */
const SESSION_BYTES = 16;

/**
 * Returns the identifier of a session, as 32 hexadecimal digits, which also spreadsheets take for text: an HMAC under the key
 * of the account. A number can't be read from it, nor be found by trying all numbers, without the API key.
 */
export function sessionIdOf(key: Buffer, identity: SessionIdentity): string {
  const parts =
    'phone' in identity
      ? ['phone', identity.phone, identity.channel]
      : [identity.identifier, String(identity.value)];
  const digest = createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return digest.subarray(0, SESSION_BYTES).toString('hex');
}
