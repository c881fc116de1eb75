/** What a message costs by a price list: against sums in whole millionths, and the plainest way to find a price. */
import fc from '../../support/generated.mts';

import type { Channel } from '../../../nodes/gateway/contract/channels.ts';
import { PIPELINE_CHANNELS } from '../../../nodes/gateway/contract/channels.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import type { Cost, MessageCost } from '../../../nodes/MessagingGateway/run/costs.ts';
import {
  costFields,
  costInWords,
  freeOf,
  millionthsOf,
  moneyInWords,
  totalsOf,
} from '../../../nodes/MessagingGateway/run/costs.ts';
import { costOf, readPrices } from '../../../nodes/MessagingGateway/sending/prices.ts';

interface Row {
  prefix: unknown;
  channel: unknown;
  price: unknown;
  currency?: unknown;
}

const sms = (phone: number, text = 'Hi'): WireOperation => ({
  ...{ type: 'sms', id: 1, phone },
  ...{ sms_signature: 'A', sms_message: text },
});
const pipelineOf = (channels: readonly Channel[], phone: number): WireOperation => ({
  ...{ type: 'pipeline', phone, pipeline: channels },
  ...Object.fromEntries(channels.map((channel) => [channel, { message: 'Hi', signature: 'A' }])),
});
const cost = (operation: WireOperation, rows: Row[]): MessageCost =>
  costOf(operation, readPrices({ prices: { rows } }));
const fields = (operation: WireOperation, rows: Row[]) => costFields(cost(operation, rows));

/** Decimal numbers as a tariff has them, with the millionths that they are. */
const amounts = fc.tuple(fc.nat(9999), fc.nat(6)).chain(([whole, decimals]) =>
  fc.nat(10 ** decimals - 1).map((fraction) => ({
    text: decimals === 0 ? `${whole}` : `${whole}.${String(fraction).padStart(decimals, '0')}`,
    millionths: BigInt(whole) * 1_000_000n + BigInt(fraction * 10 ** (6 - decimals)),
  })),
);
const prefixes = fc.stringMatching(/^[1-9]\d{0,5}$/);

it('reads amounts exactly, as text and as numbers, and adds them up without noise', () => {
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1, maxLength: 50 }), (all) => {
      for (const { text, millionths } of all) {
        expect(millionthsOf(Number(text))).toBe(millionths);
        const [one] = [text, Number(text)].map((price) =>
          cost(sms(15), [{ prefix: '', channel: 'sms', price, currency: 'eur' }]),
        );
        expect(one).toEqual({ least: millionths, most: millionths, currency: 'EUR', isRange: false });
      }
      const costs = all.map(
        ({ millionths }): Cost => ({ least: 0n, most: millionths, currency: 'EUR', isRange: true }),
      );
      const sum = all.reduce((total, { millionths }) => total + millionths, 0n);
      expect(totalsOf(costs)).toEqual([{ least: 0n, most: sum, currency: 'EUR' }]);
      // Written and read again, it is the same amount.
      expect(millionthsOf(Number(moneyInWords(sum).replaceAll(',', '')))).toBe(sum);
    }),
  );
});

it('takes the price of the longest prefix, and no price of another channel', () => {
  const rows = fc.uniqueArray(
    fc.record({
      prefix: fc.oneof(prefixes, fc.constant('')),
      channel: fc.constantFrom('sms', 'viber'),
      amount: amounts,
    }),
    { selector: ({ prefix, channel }) => `${channel} ${prefix}` },
  );
  fc.assert(
    fc.property(
      rows.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.constantFrom('', ...all.map(({ prefix }) => prefix)),
          fc.stringMatching(/^[1-9]\d{8}$/),
        ),
      ),
      ([all, start, rest]) => {
        const phone = start + rest;
        let expected: bigint | undefined;
        for (let length = 0; length <= phone.length; length += 1)
          expected =
            all.find(({ prefix, channel }) => channel === 'sms' && prefix === phone.slice(0, length))?.amount
              .millionths ?? expected;
        const found = cost(
          sms(Number(phone)),
          all.map(({ prefix, channel, amount }) => ({
            prefix,
            channel,
            price: amount.text,
            currency: 'EUR',
          })),
        );
        expect('unknown' in found ? undefined : found.most).toBe(expected);
      },
    ),
  );
});

it('counts the parts of an SMS, also of a fallback, and one message on every other channel', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...PIPELINE_CHANNELS), { minLength: 1 }),
      fc.array(amounts, { minLength: PIPELINE_CHANNELS.length, maxLength: PIPELINE_CHANNELS.length }),
      fc.integer({ min: 1, max: 5 }),
      (channels, prices, parts) => {
        const operation = pipelineOf(channels, 380501234567);
        if (channels.includes('sms')) operation.sms = { message: 'ї'.repeat(67 * parts), signature: 'A' };
        const rows = PIPELINE_CHANNELS.map((channel, i) => ({
          prefix: '380',
          channel,
          price: prices[i].text,
          currency: 'UAH',
        }));
        // Of one part, a longer text would be 70 characters.
        const billed = BigInt(parts);
        const each = channels.map((channel) => {
          const { millionths } = prices[PIPELINE_CHANNELS.indexOf(channel)];
          return channel === 'sms' ? millionths * billed : millionths;
        });
        const sorted = [...each].sort((a, b) => (a < b ? -1 : 1));
        expect(cost(operation, rows)).toEqual({
          least: sorted[0],
          most: sorted.at(-1),
          currency: 'UAH',
          isRange: channels.length > 1,
        });
      },
    ),
  );
});

const TARIFF: Row[] = [
  { prefix: '+380, 00 48', channel: 'sms', price: '0.1', currency: ' eur ' },
  { prefix: 380, channel: 'Viber', price: 0.02, currency: 'EUR' },
  { prefix: '', channel: 'rcs', price: 0.1 + 0.2, currency: 'EUR' },
  { prefix: '1', channel: 'sms', price: 1, currency: 'USD' },
];

it('shows a range where the message has several channels, and its largest amount as the cost', () => {
  const viberSms: WireOperation = { ...sms(380501234567, 'ї'.repeat(71)), type: 'viber+sms' };
  const range = { cost: 0.2, cost_min: 0.02, cost_max: 0.2, currency: 'EUR' };
  expect(fields(viberSms, TARIFF)).toEqual(range);
  expect(fields({ ...viberSms, type: 'rcs+viber+sms' }, TARIFF)).toEqual({
    ...range,
    cost: 0.3,
    cost_max: 0.3,
  });
  expect(fields(sms(48600100200), TARIFF)).toEqual({ cost: 0.1, currency: 'EUR' });
  expect(costFields(freeOf(cost(viberSms, TARIFF)))).toEqual({
    ...{ cost: 0, cost_min: 0, cost_max: 0 },
    currency: 'EUR',
  });
  expect(fields(sms(15), [{ prefix: '', channel: 'sms', price: '0' }])).toEqual({ cost: 0 });
});

it('says why a cost is not known: no price for a channel, or prices in several currencies', () => {
  const viberSms = (phone: number): WireOperation => ({ ...sms(phone), type: 'viber+sms' });
  expect(fields(viberSms(48600100200), TARIFF)).toEqual({
    cost: null,
    cost_unknown: 'no price for Viber to 48600100200',
  });
  expect(fields(pipelineOf(['rcs', 'sms'], 15), TARIFF)).toEqual({
    cost: null,
    cost_unknown: 'the prices of its channels are in EUR and USD',
  });
  expect(costOf(sms(15), undefined)).toEqual({ unknown: 'no price for SMS to 15' });
});

it.each<[what: string, costs: MessageCost[], words: string]>([
  [
    'one amount of each currency',
    [
      { least: 1_234_500_000n, most: 1_234_500_000n, currency: 'EUR', isRange: false },
      { least: 5_000n, most: 5_000n, currency: 'UAH', isRange: false },
    ],
    'Cost: 1,234.50 EUR and 0.005 UAH',
  ],
  ['a range', [{ least: 20_000n, most: 200_000n, currency: '', isRange: true }], 'Cost: 0.02 to 0.20'],
  [
    'how many are not known',
    [{ least: 0n, most: 0n, currency: 'EUR', isRange: false }, { unknown: 'no price' }],
    'Cost: 0.00 EUR; 1 of 2 messages has no known cost: see "cost_unknown" in its item',
  ],
])('says the sum: %s', (_, costs, words) => expect(costInWords(costs)).toBe(words));

it.each<[rows: unknown, label: string]>([
  ['0.05', "'Prices' must be"],
  [[{ prefix: 'UA', channel: 'sms', price: 1 }], "'Prefix' of row 1 in 'Prices'"],
  [[{ prefix: undefined, channel: 'sms', price: 1 }], "'Prefix' of row 1 in 'Prices'"],
  [[null], "'Prefix' of row 1 in 'Prices'"],
  [[TARIFF[0], { prefix: '1', channel: 'fax', price: 1 }], "'Channel' of row 2 in 'Prices'"],
  ...['', ' ', -1, '0,05', 1e-7, 0.1234567, 1e10, true, NaN].map((price): [unknown, string] => [
    [{ prefix: '1', channel: 'sms', price }],
    "'Price' of row 1 in 'Prices'",
  ]),
  [
    [
      { prefix: '48, 1', channel: 'sms', price: 1, currency: 'EUR' },
      { prefix: '+1', channel: 'sms', price: 1, currency: 'USD' },
    ],
    "'Price' of row 2 in 'Prices' must be the same as in the earlier row for SMS and 1",
  ],
])('refuses %j by name', (rows, label) => {
  expect(() => readPrices({ prices: { rows } })).toThrow(InvalidParameter);
  expect(() => readPrices({ prices: { rows } })).toThrow(label);
});

it('reads a collection once, and none where the option is not added', () => {
  const prices = { rows: TARIFF };
  expect(readPrices({ prices })).toBe(readPrices({ prices }));
  expect(readPrices({})).toBeUndefined();
  expect(readPrices({ prices: {} })?.prices.size).toBe(0);
});
