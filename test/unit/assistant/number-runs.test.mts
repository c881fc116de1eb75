/** The numbers in the arguments of a connector's tool, which an agent writes as it likes. */
import fc from '../../support/generated.mts';

import { hasPrefix } from '../../../nodes/gateway/numbers/allowed-prefixes.ts';
import { numbersIn } from '../../../nodes/MessagingGateway/assistant/number-runs.ts';
import { shortOrLong } from '../../support/long-form.mts';

const ALLOWED = ['4477', '380'];
const passes = (args: unknown): boolean => numbersIn(args).every((number) => hasPrefix(ALLOWED, number));

/** The first digits of the decimal digits of scripts: Arabic, Persian, Devanagari, Thai, full width, bold, Adlam. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x1d7ce, 0x1d7d8, 0x1e950];

const forbidden = fc.stringMatching(/^[1-9]\d{6,14}$/).filter((number) => !hasPrefix(ALLOWED, number));
const allowed = fc.constantFrom('447700900001', '447700900002', '380501234567');
const separator = fc.constantFrom(
  ...[' ', '-', '.', '/', '(', ') ', '\u00a0', '\u2011', ', ', ';', '|', '\n', ':', "'", '·', '~', '*'],
);
// The last is a letter that nobody sees.
const invisible = fc.constantFrom('', '\u200b', '\u202e', '\u00ad', '\u2060', '\ufeff', '\u3164');

const places = fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 4 });
const before = fc.constantFrom('', '+', '00', '000', 'tel:', '+ ');
/** A number as somebody may write it who wants it not to be seen. */
const written = fc
  .tuple(before, forbidden, fc.constantFrom(...ZEROS), invisible, separator, places)
  .map(([start, number, zero, none, mark, marked]) => {
    const characters = Array.from(number, (digit) => String.fromCodePoint(zero + Number(digit)));
    return start + characters.map((one, i) => (marked.includes(i) ? mark + one : one)).join(none);
  });

/** The same as JavaScript and JSON have numbers. */
const notation = fc.oneof(
  written,
  forbidden.map(Number),
  forbidden.map((number) => `${number}.0`),
  forbidden.map((number) => `0x${Number(number).toString(16)}`),
  forbidden.map((number) => Number(number).toExponential()),
  forbidden.map((number) => JSON.stringify({ to: number })),
  forbidden.map((number) => JSON.stringify([number]).replace(/\d/g, (digit) => `\\u003${digit}`)),
  fc.tuple(allowed, separator, written).map(([ok, mark, bad]) => `${ok}${mark}${bad}`),
  fc.tuple(written, separator, allowed).map(([bad, mark, ok]) => `${bad}${mark}${ok}`),
  fc.tuple(allowed, written).map(([ok, bad]) => `${ok} and ${bad}`),
);

const name = fc.constantFrom(
  ...['phone', 'to', 'destination', 'x', 'recipients', 'value', 'note', 'Messages', 'context'],
);
const shapes = fc.constantFrom<(outer: unknown, key: string) => unknown>(
  (outer, key) => ({ [key]: outer, text: 'Hi' }),
  (outer) => [outer],
  (outer, key) => ({ [key]: [447700900001, outer] }),
);
const nested = fc
  .tuple(notation, fc.boolean(), fc.array(name, { maxLength: 4 }), shapes)
  .map(([value, isKey, path, wrap]) => {
    const to = isKey ? { [String(value)]: 'Hi' } : value;
    return path.reduce<unknown>(wrap, { text: 'Call 19005550123', to });
  });

it('let no forbidden number through, however it is written and wherever it stands', () => {
  const property = fc.property(nested, (args) => !passes(args));
  fc.assert(property, { numRuns: shortOrLong(1500, 5000) });
});

it.each([
  [{ phone: 447700900001, text: 'Your order 123456789 is ready', sender: 'TestSender' }],
  [{ phone: '+44 7700 900001', sms_message: 'Call +1 900 555 0123', viberCaption: '12345678' }],
  [{ to: ['447700900001', '+380 (50) 123-45-67'], Body: '19005550123' }],
  [{ to: '447700900001, +44 7700 900002; 00380501234567', lifetime: 172_800, code: '123456' }],
  [{ message: '19005550123', dtmf: true, none: null, list: [] }],
  [{ message: '"19005550123"', ids: ['3f2504e0-4f89-11d3-9a0c-0305e82c3301'], tags: ['a1', 'b2', 3] }],
  [{ id: '3F2504E0-4F89-11D3-9A0C-0305E82C3301', note: 'Order 1234 of the shop' }],
])('pass where all of them are allowed: %j', (args) => expect(passes(args)).toBe(true));

it.each([
  ['a list in one string', { to: '+447700900001, +19005551234' }],
  ['a list without commas', { to: '447700900001 19005551234' }],
  ['an allowed prefix set before it', { to: '4477 19005551234' }],
  ['a number cut into small groups by commas', { to: '1,900,555,1234' }],
  ['a first digit set apart', { to: '1, 9005551234' }],
  ['a national number, of which nobody knows the country', { to: '0447700900001' }],
  ['a text inside an object that is named as a text', { message: { to: '19005551234' } }],
  ['a list that is named as a text', { text: ['19005551234'] }],
  ['a name that only ends like a text', { context: '19005551234' }],
  ['digits that letters part', { phone: '1900x555x1234' }],
  ['digits that letters and signs part', { phone: 'a1-b9-c0-d0-5551234e' }],
  ['a list of its parts', { to: ['19005', '551234'] }],
  ['a list of its digits', { to: [1, 9, 0, 0, '5', '5', '5', 1, 2, 3, 4] }],
  ['a list of parts beside an allowed number', { to: ['447700900001', '19005', '551234'] }],
  ['JSON in a text', { body: '{"to":"19005551234"}' }],
  ['a list in JSON in a text', { message: ' ["19005", "551234"]' }],
])('are found in %s', (_, args) => expect(passes(args)).toBe(false));
