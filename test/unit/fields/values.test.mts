import fc from 'fast-check';

import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import {
  asBoolean,
  asLocated,
  asNumber,
  asObject,
  asText,
} from '../../../nodes/MessagingGateway/fields/values.ts';

const OBJECT = { tag: 'spring' };
const EMPTY = [undefined, null, ''];

it.each([asText, asNumber, asBoolean, asLocated, asObject])('%p takes nothing as nothing', (convert) => {
  for (const value of EMPTY) expect(convert(value, 'Label')).toBeUndefined();
});

const TAKEN: Array<[convert: (value: unknown, label: string) => unknown, value: unknown, result: unknown]> = [
  [asText, 'a ', 'a '],
  [asText, ' \n', undefined],
  [asText, 0, '0'],
  [asText, 12.5, '12.5'],
  [asText, false, 'false'],
  [asText, 10n, '10'],
  [asNumber, 0, 0],
  [asNumber, '0', 0],
  [asNumber, ' 3600 ', 3600],
  [asNumber, '1.5', 1.5],
  [asBoolean, true, true],
  [asBoolean, false, false],
  [asBoolean, 'true', true],
  [asBoolean, 'false', false],
  [asBoolean, 1, true],
  [asBoolean, 0, false],
  [asLocated, 'Name', 'Name'],
  [asLocated, ' Name ', 'Name'],
  [asLocated, { __rl: true, mode: 'name', value: 'Name' }, 'Name'],
  [asLocated, { __rl: true, mode: 'list', value: '' }, undefined],
  [asLocated, { __rl: true, mode: 'id', value: 7 }, '7'],
  [asObject, OBJECT, OBJECT],
  [asObject, '{"tag":"spring"}', OBJECT],
];

it.each(TAKEN)('%p of %j is %j', (convert, value, result) => {
  expect(convert(value, 'Label')).toStrictEqual(result);
});

const REFUSED: Array<[convert: (value: unknown, label: string) => unknown, values: unknown[]]> = [
  [asText, [{}, [], () => 1, Symbol('a')]],
  [asNumber, ['soon', ' ', '1,5', '1 000', NaN, Infinity, 'Infinity', true, [], {}, 10n]],
  [asBoolean, ['yes', 'TRUE', 2, -1, {}, []]],
  [asLocated, [{ name: 'Name' }, [], { value: {} }]],
  [asObject, ['[1]', '1', 'null', 'text', '{', 1, true, []]],
];

it.each(REFUSED)('%p refuses what it can not mean, and names the label', (convert, values) => {
  for (const value of values) {
    expect(() => convert(value, 'Label')).toThrow(InvalidParameter);
    expect(() => convert(value, 'Label')).toThrow(/^'Label' must be /);
  }
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
