/** Codes by the ten thousand: how they are spread. */
import { deriveCode } from '../../../nodes/gateway/otp/code.ts';
import { deriveOtpKeys } from '../../../nodes/gateway/otp/keys.ts';
import { shortOrLong } from '../../support/long-form.mts';

const KEYS = deriveOtpKeys('a-key-for-tests');

// Groups show a slope over all codes, which single codes hide in their noise.
it.each<[string, (code: string) => string]>([
  ['as a whole', (code) => code],
  ['by their beginning', (code) => code.slice(0, 2)],
  ['by their end', (code) => code.slice(2)],
])('Codes are evenly spread, %s.', (_, groupOf) => {
  const total = shortOrLong(60_000, 200_000);
  const counts = new Map<string, number>();
  for (let id = 0; id < total; id += 1) {
    const group = groupOf(deriveCode(KEYS, { id, phone: 447700900001, length: 4 }));
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const groups = 10 ** groupOf('0000').length;
  const expected = total / groups;
  const missing = (groups - counts.size) * expected;
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    missing,
  );
  // Its mean is the number of degrees of freedom, its variance twice that.
  expect(Math.abs(chiSquare - (groups - 1))).toBeLessThan(5 * Math.sqrt(2 * (groups - 1)));
});
