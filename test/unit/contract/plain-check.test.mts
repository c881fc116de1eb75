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
import { shortOrLong } from '../../support/long-form.mts';

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
    { numRuns: shortOrLong(300, 1000) },
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

describe('the check of a schema', () => {
  const VALUES = [
    4,
    5,
    6,
    8,
    9,
    10,
    5.5,
    '5',
    Number.NaN,
    Infinity,
    -Infinity,
    null,
    undefined,
    {},
    [],
    true,
    'a',
    '',
  ];

  it.each<[string, z.ZodTypeAny]>([
    ['a number', z.number()],
    ['a whole number', z.number().int()],
    ['a number within limits', z.number().min(5).max(9)],
    ['a number within the narrower of several limits', z.number().min(5).min(6).min(4).max(10).max(8).max(9)],
    ['a whole number within limits', z.number().int().min(5).max(9)],
    ['text', z.string()],
    ['a literal', z.literal(5)],
    ['a choice', z.enum(['a', 'b'])],
    ['a switch', z.boolean()],
    ['what may be left out', z.number().int().optional()],
    ['a refined number', z.number().refine((value) => value > 5)],
    [
      'a refined and limited number',
      z
        .number()
        .max(9)
        .refine((value) => value > 5),
    ],
  ])('of %s passes what zod passes, and nothing else', (_name, schema) => {
    const check = compilePlainCheck(schema);
    const finite = VALUES.filter((value) => !(typeof value === 'number' && Math.abs(value) === Infinity));
    expect(finite.filter((value) => check?.(value))).toEqual(
      finite.filter((value) => schema.safeParse(value).success),
    );
    // Beyond all numbers, zod decides.
    expect([Infinity, -Infinity].filter((value) => check?.(value))).toEqual([]);
  });

  it('of an object passes its fields, and others beside them', () => {
    const schema = z.object({ a: z.number(), b: z.string().optional(), c: z.string().email().optional() });
    const check = compilePlainCheck(schema);
    const passed = [{ a: 1 }, { a: 1, b: 'x' }, { a: 1, more: 2 }, { a: 1, c: undefined }];
    const refused = [
      null,
      undefined,
      5,
      'a',
      [],
      [1],
      {},
      { a: '1' },
      { a: 1, b: 2 },
      { a: 1, c: 'a@b.example' },
    ];
    expect([...passed, ...refused].filter((value) => check?.(value))).toEqual(passed);
    expect(compilePlainCheck(z.object({ a: z.string().email() }))).toBeUndefined();
    expect(compilePlainCheck(z.array(z.string()))).toBeUndefined();
    expect(compilePlainCheck(z.number().lt(1))).toBeUndefined();
    expect(
      compilePlainCheck(
        z
          .string()
          .email()
          .refine(() => true),
      ),
    ).toBeUndefined();
    expect(compilePlainCheck(z.string().email().optional())).toBeUndefined();
  });
});
