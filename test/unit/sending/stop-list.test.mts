/** The Stop List: what counts as one, in every form in which rows and numbers come, and what must keep all from being sent. */
import fc from '../../support/generated.mts';
import { processorTime } from '../../support/processor-time.mts';

import { findCountry } from '../../../nodes/gateway/numbers/countries.ts';
import { looksRounded } from '../../../nodes/gateway/numbers/phone.ts';
import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import { MAX_STOPPED } from '../../../nodes/gateway/text/gate.ts';
import { stoppedNumbers } from '../../../nodes/MessagingGateway/sending/stop-list.ts';
/** Milliseconds for which a list, of whatever it is made, may keep n8n busy. */
const MAX_MS = 400;

const UA = findCountry('UA');
const numbers = fc
  .integer({ min: 380_390_000_000, max: 380_999_999_999 })
  .filter((phone) => !looksRounded(phone));

/** Ways to write a number, each of which means the same one. */
const written = (phone: number) => {
  const text = String(phone);
  const national = text.slice(3);
  return [
    phone,
    text,
    `+${text}`,
    `00${text}`,
    ` +${text.slice(0, 3)} (${national.slice(0, 2)}) ${national.slice(2, 5)}-${national.slice(5)} `,
    `0${national}`,
    `'${text}`,
    `tel:+${text}`,
  ];
};
/** Ways in which an expression gives a row. */
const wrapped = (cell: unknown) => [
  cell,
  { phone: cell },
  { id: 7, phone: cell, createdAt: '2026-01-01' },
  { json: { phone: cell }, pairedItem: { item: 0 } },
];

it('finds each number, however it and its row are written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(numbers, fc.nat(), fc.nat()), { minLength: 1 }), (rows) => {
      const list = rows.map(([phone, form, wrap]) => {
        const cell = written(phone)[form % written(phone).length];
        return wrapped(cell)[wrap % 4];
      });
      expect(stoppedNumbers(list, UA)).toEqual(new Set(rows.map(([phone]) => phone)));
    }),
  );
});

it('takes a number with many zeros that a person wrote', () => {
  expect(stoppedNumbers(['+380501000000'])).toEqual(new Set([380501000000]));
});

it('takes text with numbers for a list', () => {
  expect(stoppedNumbers('+380 50 123 45 67, 447700900001\n+48600100200;')).toEqual(
    new Set([380501234567, 447700900001, 48600100200]),
  );
});

it.each([
  ['a list without anybody', []],
  ['the empty row of a node that always puts out something', [{ json: {}, pairedItem: { item: 0 } }]],
  ['an empty row', [{}]],
])('takes %s for nobody', (_, given) => expect(stoppedNumbers(given)).toEqual(new Set()));

it('passes over empty cells among others', () => {
  expect(stoppedNumbers(['', { phone: null }, 380501234567, { phone: ' ' }])).toEqual(
    new Set([380501234567]),
  );
});

it('takes 50,000 numbers and no more from text, and any number from rows', () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => `+${380501000001 + i}`);
  const more = list(MAX_STOPPED + 1);
  expect(stoppedNumbers(list(MAX_STOPPED).join(), UA).size).toBe(MAX_STOPPED);
  expect(stoppedNumbers(more).size).toBe(MAX_STOPPED + 1);
  for (const given of [more.join(), more.join('\n')])
    expect(() => stoppedNumbers(given)).toThrow("'Stop List' must be a text with at most 50,000 numbers");
});

it.each(['x,', ',', ' ,', ' ', '\n', '380501234567,', '+', '0'])('reads 16 MB of "%s" in no time', (unit) => {
  const text = unit.repeat(16_000_000 / unit.length);
  expect(
    processorTime(() => {
      expect(() => stoppedNumbers(text)).toThrow(InvalidParameter);
    }, MAX_MS),
  ).toBeLessThan(MAX_MS);
});

const FAILED_READS: Array<[what: string, given: unknown]> = [
  ['nothing', undefined],
  ['null', null],
  ['empty text', ''],
  ['separators', ' , ;\n'],
  ['a number', 380501234567],
  ['a flag', false],
  ['an object', { phone: 380501234567 }],
  ['an error of a node', { error: 'The table was not found' }],
  ['a row of an error', [{ json: { error: 'The table was not found' } }]],
  ['a column that does not exist', [undefined, undefined]],
  ['a column of a row of an error', [undefined]],
  ['a column of empty cells', [{ phone: '' }, { phone: null }]],
  ['words', 'Service unavailable'],
  ['a page', '<html><body>502 Bad Gateway</body></html>'],
  ['a word in a list', ['380501234567', 'none']],
  ['a number without its country code', ['0501234567']],
  ['a number that a spreadsheet spoiled', ['3.80501E+11']],
  ['a number that a spreadsheet rounded', [380501234567, 380501000000]],
  ['a rounded number as text', [{ phone: '380501000000' }]],
  ['a list of lists', [[380501234567]]],
  ['another column', [{ number: '380501234567' }]],
];
it.each(FAILED_READS)('sends to nobody where it is given %s', (_, given) => {
  expect(() => stoppedNumbers(given)).toThrow(InvalidParameter);
});

it('takes no value without a number for a list', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (given) => {
      let found: ReadonlySet<number> | undefined;
      try {
        found = stoppedNumbers(given);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(InvalidParameter);
      }
      // Only lists with nothing in them, or with rows without a column.
      const isEmptyRow = (row: unknown): boolean =>
        typeof row === 'object' && row !== null && !Array.isArray(row) && Object.keys(row).length === 0;
      const isBare =
        Array.isArray(given) &&
        given.every((row) => isEmptyRow(row) || isEmptyRow((row as { json?: unknown } | null)?.json));
      if (found?.size === 0) expect(isBare).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
