import fc from '../../support/generated.mts';

import { fromJson } from '../../../nodes/gateway/text/json.ts';
import { indexedEntries, readFlag, readList } from '../../../nodes/gateway/contract/envelope.ts';

it.each([true, 1, '1', 'true', 'True', 'TRUE', ' true\n'])('reads %j as true', (value) =>
  expect(readFlag(value)).toBe(true),
);

it.each([false, 0, '0', 'false', 'False', 'FALSE', '0 '])('reads %j as false', (value) =>
  expect(readFlag(value)).toBe(false),
);

const NO_FLAGS: unknown[] = [undefined, null, '', ' ', 2, -1, NaN, '01', '1.0', 'yes', 'no', [], [true], {}];

it.each(NO_FLAGS.map((value) => [value]))('takes %j for no flag', (value) =>
  expect(readFlag(value)).toBeUndefined(),
);

it.each<[unknown, unknown[]]>([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [[], []],
  [{}, []],
  [{ 0: 'a' }, ['a']],
  [{ 10: 'c', 2: 'b', 1: 'a' }, ['a', 'b', 'c']],
])('reads the list %j', (value, list) => expect(readList(value)).toEqual(list));

it.each([
  ...[undefined, null, true, 5, '', '[]', { a: 1 }, { 0: 'a', count: 1 }, { '00': 'a' }, { '-1': 'a' }],
  ...[{ '1.5': 'a' }, { '1e3': 'a' }, { 12345678901: 'a' }],
])('takes %j for no list', (value) => expect(readList(value)).toBeUndefined());

it('keeps the places of a list with gaps', () => {
  expect(indexedEntries({ 4: 'b', 1: 'a' })).toEqual([
    [1, 'a'],
    [4, 'b'],
  ]);
});

it('reads what PHP makes of a list, whichever entries were removed from it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.func(fc.boolean()), (list, isKept) => {
      const kept = list.map((entry, index) => [index, entry] as const).filter(([index]) => isKept(index));
      const sent = JSON.parse(JSON.stringify(Object.fromEntries(kept))) as unknown;
      expect(readList(sent)).toEqual(JSON.parse(JSON.stringify(kept.map(([, entry]) => entry))));
    }),
  );
});

it('reads JSON behind byte order marks', () => {
  expect(['\ufeff{"a":1}', '\ufeff\ufeff[]', '\ufeff', '{}\ufeff'].map(fromJson)).toEqual([
    { a: 1 },
    [],
    undefined,
    undefined,
  ]);
});
