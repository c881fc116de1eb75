import fc from '../../support/generated.mts';

import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import {
  asBoolean,
  asLocated,
  asMessage,
  asNumber,
  asObject,
  asText,
} from '../../../nodes/MessagingGateway/fields/values.ts';

const OBJECT = { tag: 'spring' };
const EMPTY = [undefined, null, ''];

it.each([asText, asNumber, asBoolean, asLocated, asObject])('%p takes nothing as nothing', (convert) => {
  for (const value of EMPTY) expect(convert(value, 'Label')).toBeUndefined();
});

type Convert = (value: unknown, label: string) => unknown;
const located = (mode: string, value: unknown) => ({ __rl: true, mode, value });

it.each<[Convert, result: unknown, ...values: unknown[]]>([
  [asText, 'a ', 'a '],
  [asText, undefined, ' \n'],
  [asText, '0', 0],
  [asText, '12.5', 12.5],
  [asText, 'false', false],
  [asText, '10', 10n],
  [asNumber, 0, 0, '0'],
  [asNumber, 3600, ' 3600 '],
  [asNumber, 1.5, '1.5'],
  [asBoolean, true, true, 'true', 1, ' TRUE '],
  [asBoolean, false, false, 'false', 0, '0'],
  [asLocated, 'Name', 'Name', ' Name ', located('name', 'Name')],
  [asLocated, undefined, located('list', '')],
  [asLocated, '7', located('id', 7)],
  [asObject, OBJECT, OBJECT, '{"tag":"spring"}'],
])('%p gives %j of %p', (convert, result, ...values) => {
  for (const value of values) expect([value, convert(value, 'Label')]).toStrictEqual([value, result]);
});

it.each<[Convert, refused: unknown[]]>([
  [asText, [{}, [], () => 1, Symbol('a')]],
  [asNumber, ['soon', ' ', '1,5', '1 000', NaN, Infinity, 'Infinity', true, [], {}, 10n]],
  [asBoolean, ['yes', ' ', 2, -1, {}, []]],
  [asLocated, [{ name: 'Name' }, [], { value: {} }]],
  [
    asObject,
    ['[1]', '1', 'null', 'text', '{', 1, true, [], '{"a":[{"b":9007199254740993}]}', { a: 2 ** 53 }],
  ],
])('%p refuses what it can not mean, and names the label', (convert, values) => {
  for (const value of values) {
    expect(() => convert(value, 'Label')).toThrow(InvalidParameter);
    expect(() => convert(value, 'Label')).toThrow(/^'Label' must be /);
  }
});

it.each(['A\\nB', 'Ben &amp; Co', 'a<br>b', '**now**', '_now_', '%0A'])('sends %j as it is typed', (text) =>
  expect(asMessage(text, 'SMS Text')).toBe(text),
);

it('takes the largest number that is exact, and larger ones as text', () => {
  const given = { a: 2 ** 53 - 1, b: [-(2 ** 53 - 1), 1.5], c: '12345678901234567891' };
  expect(asObject(JSON.stringify(given), 'Label')).toEqual(given);
});

it('asNumber returns a finite number or refuses, whatever the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.maxSafeInteger().map(String)), (text) => {
      let given: number | undefined;
      try {
        given = asNumber(text, 'Label');
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidParameter);
        return;
      }
      if (text === '') expect(given).toBeUndefined();
      else expect(given).toBe(Number(text));
      if (given !== undefined) expect(Number.isFinite(given)).toBe(true);
    }),
    { seed: 20 },
  );
});
