/** Codes by the hundred thousand: how they are spread, and that trying all of them tells nothing. */
import { sealChallenge } from '../../../nodes/gateway/otp/challenge.ts';
import { deriveCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import { compareCode } from '../../../nodes/gateway/otp/verify.ts';
import { shortOrLong } from '../../support/long-form.mts';

const KEYS = deriveOtpKeys('a-key-for-tests');
const OTHERS = deriveOtpKeys('another-key');
const PHONE = 447700900001;
const NOW = Date.UTC(2026, 0, 1);

describe('codes', () => {
  it('are evenly spread over all codes', () => {
    const counts = new Map<string, number>();
    const total = shortOrLong(60_000, 200_000);
    for (let id = 0; id < total; id += 1) {
      const code = deriveCode(KEYS, { id, phone: PHONE, length: 4 });
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    const codesBy = (part: (code: string) => string) => {
      const groups = new Map<string, number>();
      for (let n = 0; n < 10_000; n += 1) {
        const code = String(n).padStart(4, '0');
        groups.set(part(code), (groups.get(part(code)) ?? 0) + (counts.get(code) ?? 0));
      }
      return [...groups.values()];
    };
    // Groups show a slope over all codes, which single codes hide in their noise.
    for (const part of [
      (code: string) => code,
      (code: string) => code.slice(0, 2),
      (code: string) => code.slice(2),
    ]) {
      const groups = codesBy(part);
      const expected = total / groups.length;
      const chiSquare = groups.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      const freedom = groups.length - 1;
      // Its mean is the number of degrees of freedom, its variance twice that.
      expect(Math.abs(chiSquare - freedom)).toBeLessThan(5 * Math.sqrt(2 * freedom));
    }
  });

  it('are told to nobody who tries all of them without the key', () => {
    const source = { id: 4_711_000_111, phone: PHONE, length: 4 };
    const text = sealChallenge(KEYS, {
      ...source,
      root: source.id,
      issuedAt: NOW,
      expiresAt: NOW + 300_000,
      channels: ['sms'],
    });
    const code = deriveCode(KEYS, source);
    // The same contents under another key: every code is as likely as any other.
    for (let n = 0; n < 10_000; n += 1) {
      const guess = String(n).padStart(4, '0');
      expect(compareCode(OTHERS, { challenge: text, phone: PHONE, code: guess }, NOW).kind).toBe('invalid');
    }
    const raw = Buffer.from(text, 'base64url').toString('latin1');
    for (const part of [code, String(PHONE), 'sms', 'channels']) expect(raw).not.toContain(part);
  });
});
