import * as fc from 'fast-check';
import { z } from 'zod/v3';

import {
  wireFieldsOf,
  isPlainlyValid,
  OPERATION_SCHEMAS,
  WIRE_TYPES,
} from '../../../nodes/gateway/contract/operations.ts';
import type { WireType } from '../../../nodes/gateway/contract/operations.ts';
import { compilePlainCheck } from '../../../nodes/gateway/contract/plain-check.ts';

/** Values that fields take, and ones at the edge of that. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      undefined,
      null,
      '',
      ' ',
      'text',
      'SMS',
      'https://example.com/a',
      'viber://chat',
      '1234',
      '123',
      true,
      false,
    ],
    ...[
      'text+link',
      'image',
      'carousel',
      'male',
      '380501234567',
      Number.NaN,
      Infinity,
      0,
      -1,
      -0,
      1.5,
      59,
      60,
      3600,
    ],
    ...[
      259_200,
      259_201,
      999_999,
      1_000_000,
      380501234567,
      1e15 - 1,
      1e15,
      2 ** 53 - 1,
      2 ** 53,
      2 ** 53 + 2,
    ],
    ...[[], ['sms'], ['viber', 'sms'], {}, { message: 'text' }],
  ),
  fc.double(),
  fc.maxSafeInteger(),
  fc.string(),
);

/** Values that a field of this name usually has, so that whole operations pass. */
const USUAL: Record<string, fc.Arbitrary<unknown>> = {
  id: fc.nat(),
  phone: fc.integer({ min: 1e9, max: 2e9 }),
  viber_type: fc.constantFrom('text', 'image', 'text+link', 'text+image+link', 'carousel'),
};
const usual = (field: string) =>
  USUAL[field] ?? fc.constantFrom('text', 'https://example.com/a', '1234', 3600, true);

const operationOf = (type: WireType) => {
  const { required, optional } = wireFieldsOf(type);
  const field = (name: string) =>
    fc.oneof({ weight: 12, arbitrary: usual(name) }, { weight: 1, arbitrary: value });
  return fc.record(
    {
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant(type as unknown) },
        { weight: 1, arbitrary: value },
      ),
      ...Object.fromEntries([...required, ...optional].map((name) => [name, field(name)])),
      other: value,
    },
    { requiredKeys: ['type', ...required] as never[] },
  );
};

it.each(WIRE_TYPES)('passes no operation %s that the contract refuses', (type) => {
  fc.assert(
    fc.property(operationOf(type), (operation) => {
      if (!isPlainlyValid(type, operation as Record<string, unknown>)) return;
      expect(OPERATION_SCHEMAS[type].safeParse(operation)).toMatchObject({ success: true });
    }),
    { numRuns: 1000 },
  );
});

it.each<[WireType, object]>([
  ['sms', { sms_message: 'Hello', sms_signature: 'TestSender' }],
  ['viber', { viber_type: 'text', viber_message: 'Hello', viber_signature: 'TestSender' }],
  ['status', {}],
  ['call/otp', {}],
])('knows an ordinary operation %s by itself', (type, fields) => {
  expect(isPlainlyValid(type, { type, id: 1, phone: 380501234567, ...fields })).toBe(true);
});

it.each<[string, z.ZodTypeAny]>([
  ['a transformation', z.string().transform(Number)],
  ['a string with a format', z.string().email()],
  ['a number above a limit', z.number().gt(1)],
  ['a multiple', z.number().multipleOf(2)],
  ['an object without other fields', z.object({}).strict()],
  ['an object whose other fields are checked', z.object({}).catchall(z.string())],
])('leaves %s to zod', (_name, schema) => {
  expect(compilePlainCheck(schema)).toBeUndefined();
});
