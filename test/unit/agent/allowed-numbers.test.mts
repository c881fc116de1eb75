/** To whom an author lets an agent send: whole numbers and beginnings of numbers, in every spelling. */
import fc from '../../support/generated.mts';

import { numbersIn, requireAllowed } from '../../../nodes/MessagingGateway/agent/allowed-numbers.ts';
import { isOfAuthor } from '../../../nodes/MessagingGateway/approval/review.ts';

const allows = (list: unknown, phone: number) => {
  const read = numbersIn(list);
  if (typeof read === 'string') throw new Error(read);
  try {
    requireAllowed([{ ...read, list: 'the list', accepted: 'on the list' }], phone, 'The number');
    return true;
  } catch {
    return false;
  }
};

it.each<[list: unknown, allowed: number[], others: number[]]>([
  ['+380 50 123 45 67', [380501234567], [380501234568, 38050123456, 3805012345678]],
  ['380501234567, +44 7700 900001', [380501234567, 447700900001], [447700900002]],
  [['380501234567', 447700900001], [380501234567, 447700900001], [48600100200]],
  ['380, 4477', [380501234567, 447700900001], [447600900001, 48380501234]],
  // A whole number of a country whose numbers have several lengths allows no longer one.
  ['+43 1 234567', [431234567], [4312345678]],
])('the list %j allows its own numbers and no other', (list, allowed, others) => {
  expect(allowed.filter((phone) => allows(list, phone))).toEqual(allowed);
  expect(others.filter((phone) => allows(list, phone))).toEqual([]);
});

it.each(['nobody', '380*', ['380', {}], '380, x', [true], '+380 50 123 45 6', '4477009'])(
  'finds the entry of %j that is none',
  (list) => expect(typeof numbersIn(list)).toBe('string'),
);

it.each([undefined, null, '', ' ', ',;', [], ['']])('has nobody in %j', (list) =>
  expect(numbersIn(list)).toEqual({ numbers: new Set(), prefixes: [] }),
);

it('lets no number pass that is not on a list of whole numbers', () => {
  const phones = fc.integer({ min: 380_390_000_000, max: 380_999_999_999 });
  fc.assert(
    fc.property(fc.uniqueArray(phones, { minLength: 1 }), phones, (list, phone) => {
      expect(allows(list.map((one) => `+${one}`).join(', '), phone)).toBe(list.includes(phone));
    }),
  );
});

it.each<[raw: unknown, isOwn: boolean]>([
  ['+380501234567', true],
  ['', true],
  ['={{ $vars.team }}', true],
  ["={{ $('Settings').first().json.phones }}", true],
  ['=+380501234567, {{ $vars.team }}', true],
  ["={{ $('Other Tool').first().json.phones }}", false],
  ['={{ $json.phone }}', false],
  ["={{ $fromAI('phone') }}", false],
  ["={{ $vars.team || $fromAI('phone') }}", false],
  ["={{ $vars['team'] }}{{ $json.more }}", false],
  ["={{ $('Settings').item.json.phones }}", false],
])('the raw value %j is the author’s own: %s', (raw, isOwn) => {
  expect(isOfAuthor(raw, (node) => node === 'Settings')).toBe(isOwn);
});
