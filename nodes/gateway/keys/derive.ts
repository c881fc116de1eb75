import { hkdfSync } from 'crypto';

const SALT = 'n8n-nodes-messaging-gateway';
const KEY_BYTES = 32;

/**
 * Derives a key for one purpose from the API key (HKDF-SHA256), which must not be empty: anybody could derive such a key. No
 * key tells anything about the API key or about the key of another purpose.
 */
export const deriveKey = (apiKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', apiKey, SALT, `messaging-gateway ${purpose}`, KEY_BYTES));
