import fc from '../../support/generated.mts';

import {
  fromForeignJson,
  fromJson,
  isObject,
  toShortJson,
  UNSAFE_NAMES,
} from '../../../nodes/gateway/text/json.ts';
import { processorTime } from '../../support/processor-time.mts';

it('calls neither null nor a list an object', () => {
  expect([{}, null, [], 'a', undefined].map(isObject)).toEqual([true, false, false, false, false]);
  expect([fromJson('{"a":1}'), fromJson('{')]).toEqual([{ a: 1 }, undefined]);
});

it('calls the names unsafe by which a copy reaches into a prototype', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'proto', 'toString'];
  expect(names.map((name) => UNSAFE_NAMES.has(name))).toEqual([true, true, true, false, false]);
});

const asText = (number: string): [string, string] => [number, number];

it.each<[string, string | number]>([
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775807', '-9223372036854775807'],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['0.1234567890123456789', 0.12345678901234568],
  ['1e30', 1e30],
  // Just beyond 2^53 in each of its digits.
  ...['9007199254740994', '9007199260000001', '9007199300000001', '9007200000000001'].map(asText),
  ...['9008000000000001', '9010000000000001', '9100000000000001', '10000000000000001'].map(asText),
  ['9223372036854775807e1', 9223372036854775807e1],
  ['9223372036854775807E+2', 9223372036854775807e2],
  ['9223372036854775807e-3', 9223372036854775807e-3],
  ['5e-99999999999999999', 0],
])('reads the number %s as %j', (text, value) => {
  expect(fromForeignJson(`{"msg_id":${text},"list":[${text}]}`)).toEqual({ msg_id: value, list: [value] });
});

it('leaves text alone that holds such numbers', () => {
  const value = { a: '9223372036854775807', 'b\\"9223372036854775807': ':9223372036854775807,', c: '\\' };
  expect(fromForeignJson(JSON.stringify(value))).toEqual(value);
  expect(fromForeignJson('["\\\\",9223372036854775807]')).toEqual(['\\', '9223372036854775807']);
});

it.each([
  ...['', '{', '{"a":9223372036854775807', 'nonsense 9223372036854775807', '[01234567890123456789]'],
  ...['[-]12345678901234567890', '"12345678901234567890'],
])('returns nothing for %j', (text) => expect(fromForeignJson(text)).toBeUndefined());

/** A double beyond 2^53 is a whole number whose digits are not its own. */
const double = fc.double().filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));
const value = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 19n }), double, fc.string());

it('keeps every whole number exactly, and every other value as JSON does', () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const parts = values.map((one) => (typeof one === 'bigint' ? String(one) : JSON.stringify(one)));
      const expected = values.map((one, i) => {
        if (typeof one !== 'bigint') return JSON.parse(parts[i]) as unknown;
        return Number.isSafeInteger(Number(one)) ? Number(one) : String(one);
      });
      expect(fromForeignJson(`[${parts.join(',')}]`)).toEqual(expected);
    }),
  );
});

it('finds a long number however deep it lies, and reads nothing that n8n could not save', () => {
  const nested = (levels: number) =>
    `${'{"a":['.repeat(levels / 2)}9223372036854775807${']}'.repeat(levels / 2)}`;
  expect(JSON.stringify(fromForeignJson(nested(100)))).toContain('["9223372036854775807"]');
  for (const levels of [102, 200_000]) expect(fromForeignJson(nested(levels))).toBeUndefined();
});

it('shows nothing of a value that JSON has no form for', () => {
  const round: Record<string, unknown> = {};
  round.again = round;
  expect([round, undefined, { a: 1 }].map(toShortJson)).toEqual(['', '', '{"a":1}']);
});

it('reads hostile text in time that grows with its length', () => {
  const texts = [
    `["${'\\"'.repeat(500_000)}",9223372036854775807]`,
    `[${'1'.repeat(17)}${',"'.repeat(300_000)}`,
    `[${'1,'.repeat(500_000)}9223372036854775807]`,
    `${'['.repeat(300_000)}9223372036854775807${']'.repeat(300_000)}`,
  ];
  for (const text of texts) {
    // Time that grows with the square of the length is at least minutes.
    expect(processorTime(() => fromForeignJson(text), 3000)).toBeLessThan(3000);
  }
});
