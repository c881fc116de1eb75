import { createHmac } from 'crypto';

import { deriveKey } from '../keys/derive';

/**
 * The keys of one account: for the digits of codes, for challenges, and for the names of records. No
 * key tells anything about the API key or another key.
 */
export type OtpKeys = Record<'code' | 'challenge' | 'record', Buffer>;

/** Derives the keys of one-time passwords from the API key; see `deriveKey`. */
export function deriveOtpKeys(apiKey: string): OtpKeys {
  const derive = (purpose: string) => deriveKey(apiKey, `otp v1 ${purpose}`);
  return { code: derive('code'), challenge: derive('challenge'), record: derive('record') };
}

const NAME_BYTES = 16;

/** Returns the name under which something is counted: an HMAC of its parts in base64url. */
export function recordName({ record }: OtpKeys, ...parts: Array<string | number>): string {
  const digest = createHmac('sha256', record).update(JSON.stringify(parts)).digest();
  return digest.subarray(0, NAME_BYTES).toString('base64url');
}

/**
 * Returns the name of a purpose: that of a text, however it is written in Unicode, or of the workflow where it is empty.
 */
export const purposeName = (keys: OtpKeys, text: string | undefined, workflow: string): string =>
  text === undefined
    ? recordName(keys, 'purpose of workflow', workflow)
    : recordName(keys, 'purpose', text.normalize('NFC').trim());
