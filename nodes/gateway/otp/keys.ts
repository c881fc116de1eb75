import { createHmac, hkdfSync } from 'crypto';

/** What a key derived from the API key is for. Each purpose has a key of its own. */
const PURPOSES = {
  /** Derives the digits of a code. */
  code: 'messaging-gateway otp v1 code',
  /** Encrypts challenges. */
  challenge: 'messaging-gateway otp v1 challenge',
  /** Names what is counted and recorded, without the number or the id. */
  record: 'messaging-gateway otp v1 record',
} as const;

/** The keys of one account, derived from its API key; no key tells anything about the API key or another key. */
export type OtpKeys = Record<keyof typeof PURPOSES, Buffer>;

const SALT = 'n8n-nodes-messaging-gateway';
const KEY_BYTES = 32;

/**
 * Derives the keys from the API key (HKDF-SHA256).
 * @throws RangeError for an empty API key, whose keys anybody could derive
 */
export function deriveOtpKeys(apiKey: string): OtpKeys {
  if (apiKey === '') throw new RangeError('The API key is empty');
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', apiKey, SALT, info, KEY_BYTES));
  return {
    code: derive(PURPOSES.code),
    challenge: derive(PURPOSES.challenge),
    record: derive(PURPOSES.record),
  };
}

const NAME_BYTES = 16;

/** Returns the name under which something is counted: an HMAC of its parts in base64url. */
export function recordName({ record }: OtpKeys, ...parts: Array<string | number>): string {
  const digest = createHmac('sha256', record).update(JSON.stringify(parts)).digest();
  return digest.subarray(0, NAME_BYTES).toString('base64url');
}
