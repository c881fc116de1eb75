/** The id that a key and a number stand for. */
import fc from '../../support/generated.mts';

import { sendOnceId } from '../../../nodes/gateway/keys/send-once-id.ts';
import type { Item } from '../../../nodes/MessagingGateway/run/item.ts';
import type { OutgoingRow } from '../../../nodes/MessagingGateway/run/row.ts';
import { applySendOnceKey } from '../../../nodes/MessagingGateway/sending/send-once.ts';
import { titled } from '../../corpus/case.mts';
import { KEYS } from '../../corpus/keys.mts';

// Computed with the Python of docs/options.md.
it.each([
  ['1001-shipped', 380501234567, 4341055739646830],
  ['  1001-shipped \n', 380501234567, 4341055739646830],
  ['1001-shipped', 380501234568, 3169904727337564],
  ['Замовлення №7', 447700900001, 67641727534059],
  ['a\nb', 48123456789, 7092951522832904],
  ['a b', 48123456789, 7092951522832904],
  ['Jose\u0301-1', 380501234567, 1809758266021509],
])('the id of the key %j to %i is %i, today and for ever', (key, phone, id) => {
  expect(sendOnceId(key, phone)).toBe(id);
  expect(Number.isSafeInteger(id)).toBe(true);
});

const PHONE = 380501234567;
const idOf = (key: string | number) => sendOnceId(String(key), PHONE);

it.each(titled(KEYS))('keys look alike or not: %s', (_, { input: [one, other], right }) => {
  expect(idOf(one) === idOf(other)).toBe(right);
});

/** Blanks that sheets, pages and phones put between words. */
const BLANKS = [' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2009', '\u202f', '\u3000'];
/** What nobody sees, anywhere in a text. */
const UNSEEN = ['', '\u200b', '\ufeff', '\u00ad', '\u200e', '\u2060', '\u202c'];

it('is the same for a key in any normal form, with any blanks, and with what nobody sees in it', () => {
  const words = fc.array(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((word) => !/[\p{White_Space}\p{C}]/u.test(word)),
    { minLength: 1, maxLength: 4 },
  );
  const forms = fc.constantFrom('NFC' as const, 'NFD' as const);
  fc.assert(
    fc.property(words, forms, fc.constantFrom(...BLANKS), fc.constantFrom(...UNSEEN), (parts, ...how) => {
      const [form, blank, unseen] = how;
      const written = parts.map((part) => `${unseen}${part.normalize(form)}`).join(blank);
      expect(idOf(`${blank}${written}${unseen}`)).toBe(idOf(parts.join(' ')));
    }),
  );
});

it('is another for another key', () => {
  const key = fc.stringMatching(/^[a-z0-9-]{1,20}$/);
  fc.assert(fc.property(key, key, (one, other) => expect(idOf(one) === idOf(other)).toBe(one === other)));
});

it.each([
  ['of a new message is that of its key', 'ready', idOf('a')],
  ['of a message in doubt stays', 'unknown', 7],
  ['of a message that was refused stays', 'refused', 7],
])('the id %s', (_, is, expected) => {
  const row = { operation: { type: 'sms', id: 7, phone: PHONE }, state: { is } } as OutgoingRow;
  applySendOnceKey(row, {
    options: { sendOnceKey: 'a' },
    flaws: [],
    hasOwnId: false,
  } as unknown as Item);
  expect(row).toMatchObject({ hasKey: true, operation: { id: expected } });
});
