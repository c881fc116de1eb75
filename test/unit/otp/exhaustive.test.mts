/** Codes by the ten thousand: how they are spread. */
import { deriveCode, deriveOtpKeys } from '../../../nodes/gateway/otp/code.ts';
import { shortOrLong } from '../../support/long-form.mts';

const KEYS = deriveOtpKeys('a-key-for-tests');
const CODES = Array.from({ length: shortOrLong(60_000, 200_000) }, (_, id) =>
  deriveCode(KEYS, { id, phone: 447700900001, length: 4 }),
);

// Groups show a slope over all codes, which single codes hide in their noise.
it.each<[string, (code: string) => string]>([
  ['as a whole', (code) => code],
  ['by their beginning', (code) => code.slice(0, 2)],
  ['by their end', (code) => code.slice(2)],
])('Codes are evenly spread, %s.', (_, groupOf) => {
  const counts = new Map<string, number>();
  for (const code of CODES) counts.set(groupOf(code), (counts.get(groupOf(code)) ?? 0) + 1);
  const groups = 10 ** groupOf('0000').length;
  const expected = CODES.length / groups;
  const missing = (groups - counts.size) * expected;
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    missing,
  );
  // Its mean is the number of degrees of freedom, its variance twice that.
  expect(Math.abs(chiSquare - (groups - 1))).toBeLessThan(5 * Math.sqrt(2 * (groups - 1)));
});
