/** To whom an author lets an agent send: whole numbers and beginnings of numbers, in every spelling. */
import fc from '../../support/generated.mts';

import {
  comparedName,
  personNamed,
  recipientsIn,
  withNames,
} from '../../../nodes/gateway/numbers/recipients.ts';
import type { Recipients } from '../../../nodes/gateway/numbers/recipients.ts';
import { requireAllowed } from '../../../nodes/MessagingGateway/agent/allowed-numbers.ts';
import { isOfAuthor } from '../../../nodes/MessagingGateway/approval/review.ts';

const allows = (list: unknown, phone: number) => {
  const read = recipientsIn(list);
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

it.each([
  'nobody',
  '380*',
  ['380', {}],
  '380, x',
  [true],
  '+380 50 123 45 6',
  '4477009',
  'Anna',
  'Anna: 380',
  'Anna: x',
  'Anna:',
  ': +44 7700 900001',
  '112: +44 7700 900001',
  '🙂: +44 7700 900001',
  '+44 7700 900002: +44 7700 900001',
  `${'a'.repeat(200)}: +44 7700 900001`,
  'Anna: +44 7700 900001, ANNA: +44 7700 900002',
  'Straße: +44 7700 900001, STRASSE: +44 7700 900002',
  'Anna: Ben',
])('finds the entry of %j that is none', (list) => expect(typeof recipientsIn(list)).toBe('string'));

it.each([undefined, null, '', ' ', ',;', [], ['']])('has nobody in %j', (list) =>
  expect(recipientsIn(list)).toEqual({ numbers: new Set(), prefixes: [], people: new Map() }),
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

describe('people', () => {
  const LIST =
    'Anna: +44 7700 900001, Олена Ш.：+380 50 123 45 67; Straße 5 : 447700900003\nΟΔΥΣΣΕΥΣ: +447700900004, 48';
  const list = recipientsIn(LIST) as Recipients;

  it.each<[said: unknown, phone: number | undefined]>([
    ['Anna', 447700900001],
    [' anna. ', 447700900001],
    ['ＡＮＮＡ', 447700900001],
    ['олена  ш', 380501234567],
    ['STRASSE 5', 447700900003],
    ['Οδυσσευς', 447700900004],
    // Letters that merely look alike, and names that merely begin alike.
    ['Аnna', undefined],
    ['Ann', undefined],
    ['Anna, Ben', undefined],
    ['Anna: +44 7700 900009', undefined],
    ['', undefined],
    ['48', undefined],
    [447700900001, undefined],
    [['Anna'], undefined],
    [{ name: 'Anna' }, undefined],
    ['__proto__', undefined],
    ['x'.repeat(100_000), undefined],
  ])('are found by what a model says: %j', (said, phone) => {
    expect(personNamed(list, said)?.phone).toBe(phone);
  });

  it('may be written to by number, too', () => {
    expect([allows(LIST, 447700900001), allows(LIST, 447700900002), allows(LIST, 48600100200)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each(['Anna: +380 50 123 45 6', 'Anna: +44 7700 900001, anna: +44 7700 900002'])(
    'of a list that is wrong are called by name, and never by number: %s',
    (wrong) => {
      const why = recipientsIn(wrong) as string;
      expect(why).toMatch(/anna/i);
      expect(why).not.toMatch(/\d/);
    },
  );

  it('stand in answers where their numbers stood, and nowhere else', () => {
    const answer = {
      phone: 447700900001,
      id: 447700900001,
      error: 'Number +447700900001 is blocked, 4477009000011 is not',
      list: [{ to: '447700900001' }, 380501234567, 447700900002],
    };
    expect(withNames(list, answer)).toEqual({
      phone: 'Anna',
      id: 447700900001,
      error: 'Number Anna is blocked, 4477009000011 is not',
      list: [{ to: 'Anna' }, 'Олена Ш.', 447700900002],
    });
  });

  it('have one name in every notation that Unicode calls the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
        const compared = comparedName(name);
        for (const form of ['NFC', 'NFD', 'NFKC'])
          expect(comparedName(` ${name.normalize(form)} `)).toBe(compared);
      }),
    );
  });
});
