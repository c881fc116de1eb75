import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'crypto';

const SALT = 'n8n-nodes-messaging-gateway';
const KEY_BYTES = 32;

/**
 * Derives a key for one purpose from the API key (HKDF-SHA256), which must not be empty: anybody could derive such a key. No
 * key tells anything about the API key or about the key of another purpose.
 */
export const deriveKey = (apiKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', apiKey, SALT, `messaging-gateway ${purpose}`, KEY_BYTES));

/** Returns 32 bytes that stand for a list of values: an HMAC-SHA256 of its JSON, which nobody without the key can make. */
export const digestOf = (key: Buffer, parts: unknown): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest();

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;

/** Bytes of a nonce, which is random for each text: two texts with the same nonce and key could be read. */
const NONCE_BYTES = 12;

/** Characters of the longest seal that is looked at, far more than a challenge or a callback address has. */
const LONGEST_SEAL = 4096;

/**
 * Seals a text: encrypted and authenticated, so that nobody without the key can read or change it.
 * @param key 32 bytes
 * @param boundTo the use of the seal, which has to be given again to open it
 * @returns nonce, ciphertext and tag in base64url
 */
export function sealText(key: Buffer, text: string, boundTo: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/**
 * Opens a seal; undefined for a text that wasn't sealed with the same key and for the same `boundTo`, or was changed or cut off
 * since. Blanks around it don't count. Takes any input and never throws.
 */
export function openSeal(key: Buffer, seal: unknown, boundTo: string): string | undefined {
  if (typeof seal !== 'string' || seal.length > LONGEST_SEAL) return undefined;
  const text = seal.trim();
  const bytes = Buffer.from(text, 'base64url');
  // Of the texts that decode to the same bytes, only one is the seal.
  if (bytes.toString('base64url') !== text) return undefined;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const sealed = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
  } catch {
    // The seal isn't authentic.
    return undefined;
  }
}
