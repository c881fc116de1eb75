import { createHash } from 'crypto';

/** Blanks of every kind, line breaks, and control characters. */
const BLANKS = /[\p{White_Space}\p{Cc}]+/gu;

/**
 * Returns the `id` of the message with a Send Once Key to a number, the same in every run: the first 53 bits of the SHA-256 of the key,
 * a line feed and the digits of the number, in UTF-8. Keys that look alike are alike: the key is taken without format characters, in
 * the normal form NFC, with one blank for each run of blanks, and none around it.
 */
export function sendOnceId(key: string, phone: number): number {
  const plain = key
    .replace(/\p{Cf}/gu, '')
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .trim();
  const digest = createHash('sha256').update(`${plain}\n${phone}`).digest();
  return Number(digest.readBigUInt64BE() >> 11n);
}
