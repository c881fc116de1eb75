/** The fast check of a field, which decides before zod is asked, against zod. */
import fc from '../../support/generated.mts';

import { LIFETIME_LIMITS, MAX_ID, PHONE_DIGITS } from '../../../nodes/gateway/contract/limits.ts';
import type { Check } from '../../../nodes/gateway/contract/wire-fields.ts';
import { FIELD_SCHEMAS, slideSchema, stageSchemas } from '../../../nodes/gateway/contract/wire-fields.ts';

/** Every field of the contract that has a fast check, those of stages and slides among them, by its path. */
const CHECKS = Object.entries<Check>({
  ...FIELD_SCHEMAS,
  ...Object.fromEntries(
    Object.entries({ ...stageSchemas, slide: slideSchema }).flatMap(([name, { shape }]) =>
      Object.entries<Check>(shape).map(([field, schema]) => [`${name}.${field}`, schema]),
    ),
  ),
}).filter(([, { accepts }]) => accepts !== undefined);

/** Numbers about the limits of the contract, and texts of which each field takes some and leaves others. */
const EDGES = [
  ...Object.values(LIFETIME_LIMITS).flatMap(Object.values<number | undefined>),
  ...[0, MAX_ID, 10 ** (PHONE_DIGITS.min - 1), 10 ** PHONE_DIGITS.max - 1],
].filter((edge) => edge !== undefined);
const SAMPLES: readonly unknown[] = [
  ...EDGES.flatMap((edge) => [edge - 1, edge, edge + 1, edge + 0.5, String(edge)]),
  ...['', ' ', '\n', '123', '1234', ' 1234', '12345678', '123456789', '1234x'],
  ...['https://example.com/a', 'http://gateway/a', 'ftp://example.com', 'tel:1', 'example.com'],
  // A list of one becomes its text, where text is expected.
  ...[['https://example.com/a'], ['1234']],
  ...['female', 'male', 'text', 'image', 'sms', true, false, null, undefined, NaN, Infinity, [], {}],
];

it('every field of the contract but lists and objects has one', () =>
  expect(CHECKS.length).toBeGreaterThan(40));

it.each(CHECKS)('%s: it takes exactly what zod takes', (_, schema) => {
  const isTaken = (value: unknown) => {
    const isValid = schema.safeParse(value).success;
    expect([value, schema.accepts?.(value)]).toEqual([value, isValid]);
    return isValid;
  };
  const taken = SAMPLES.filter(isTaken).length;
  expect([taken > 0, taken < SAMPLES.length]).toEqual([true, true]);
  fc.assert(fc.property(fc.anything(), (value) => void isTaken(value)));
});
