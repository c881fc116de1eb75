/** Which sender a number gets, and what a channel order a row prefers: against the plainest way to say it. */
import fc from '../../support/generated.mts';

import { PIPELINE_CHANNELS } from '../../../nodes/gateway/contract/channels.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import { preferredFirst } from '../../../nodes/MessagingGateway/fields/pipeline.ts';
import { useSender } from '../../../nodes/MessagingGateway/message-parts/sender-by-country.ts';
import type { Item } from '../../../nodes/MessagingGateway/run/item.ts';
import type { OutgoingRow } from '../../../nodes/MessagingGateway/run/row.ts';

const sms = (phone: number): WireOperation => ({
  type: 'sms',
  phone,
  sms_signature: 'Usual',
  sms_message: 'Hi',
});
const withSender = (operation: WireOperation, options: object) => {
  const row = { operation } as OutgoingRow;
  useSender(row, { options } as Item);
  return row.operation;
};
const senderOf = (phone: number, rows: unknown) =>
  withSender(sms(phone), { senderByCountry: { rows } }).sms_signature;

it('takes the sender of the longest prefix, and the usual one elsewhere', () => {
  const prefixes = fc.stringMatching(/^[1-9]\d{0,5}$/);
  const rows = fc.uniqueArray(
    fc.record({ prefix: prefixes, sender: fc.stringMatching(/^[A-Za-z]{3,11}$/) }),
    { selector: ({ prefix }) => prefix },
  );
  const numbers = (all: Array<{ prefix: string }>) =>
    fc.tuple(fc.constantFrom('', ...all.map(({ prefix }) => prefix)), fc.stringMatching(/^[1-9]\d{8,8}$/));
  fc.assert(
    fc.property(
      rows.chain((all) => fc.tuple(fc.constant(all), numbers(all))),
      ([all, [start, rest]]) => {
        const phone = start + rest;
        let expected = 'Usual';
        for (let length = 1; length <= phone.length; length += 1)
          expected = all.find(({ prefix }) => prefix === phone.slice(0, length))?.sender ?? expected;
        expect(senderOf(Number(phone), all)).toBe(expected);
      },
    ),
  );
});

it('takes prefixes as people write them', () => {
  const rows = [
    { prefix: '+380', sender: 'Kyiv' },
    { prefix: 44, sender: ' London ' },
    { prefix: '00 48', sender: 'Warsaw' },
  ];
  expect([380501234567, 447700900001, 48600100200, 15].map((phone) => senderOf(phone, rows))).toEqual([
    'Kyiv',
    'London',
    'Warsaw',
    'Usual',
  ]);
});

it('changes every sender of a message and nothing else', () => {
  const options = { senderByCountry: { rows: [{ prefix: '380', sender: 'New' }] } };
  const fallback: WireOperation = {
    ...{ type: 'rcs+viber+sms', id: 1, phone: 380501234567, hook: 'https://example.com' },
    ...{ sms_signature: 'A', viber_signature: 'B', rcs_signature: 'C', sms_message: 'A' },
  };
  expect(withSender(fallback, options)).toEqual({
    ...fallback,
    sms_signature: 'New',
    viber_signature: 'New',
    rcs_signature: 'New',
  });
  const pipeline: WireOperation = {
    ...{ type: 'pipeline', phone: 380501234567, pipeline: ['viber', 'telegram', 'whatsapp'] },
    viber: { message: 'Hi', signature: 'B', type: 'text' },
    telegram: { message: '1234' },
    whatsapp: { message: 'Hi', signature: 'W' },
    sms: { message: 'Not tried', signature: 'Z' },
  };
  expect(withSender(pipeline, options)).toEqual({
    ...pipeline,
    viber: { message: 'Hi', signature: 'New', type: 'text' },
    whatsapp: { message: 'Hi', signature: 'New' },
  });
  const elsewhere = sms(447700900001);
  expect(withSender(elsewhere, options)).toBe(elsewhere);
  expect(withSender(elsewhere, {})).toBe(elsewhere);
});

it.each<[rows: unknown, label: string]>([
  [[{ prefix: '', sender: 'A' }], "'Prefix' of row 1"],
  [[{ prefix: 'UA', sender: 'A' }], "'Prefix' of row 1"],
  [[{ prefix: '380, 48', sender: 'A' }], "'Prefix' of row 1"],
  [
    [
      { prefix: '380', sender: 'A' },
      { prefix: '48', sender: ' ' },
    ],
    "'Sender' of row 2",
  ],
  [[{ prefix: '380', sender: '{{ $json.sender }}' }], "'Sender' of row 1"],
  [[{ prefix: '380', sender: 'Shop \ud83d' }], "'Sender' of row 1"],
  [[null], "'Prefix' of row 1"],
  ['380', "'Sender by Country'"],
])('refuses %j by name', (rows, label) => {
  expect(() => senderOf(15, rows)).toThrow(InvalidParameter);
  expect(() => senderOf(15, rows)).toThrow(label);
});

describe('the preferred channel', () => {
  const orders = fc.shuffledSubarray([...PIPELINE_CHANNELS], { minLength: 1 });

  it('goes first where it is among them, and all others keep their order', () => {
    fc.assert(
      fc.property(orders, fc.constantFrom(...PIPELINE_CHANNELS), (order, preferred) => {
        const found = preferredFirst(order, { preferredChannel: preferred });
        expect([...found].sort()).toEqual([...order].sort());
        expect(found[0]).toBe(order.includes(preferred) ? preferred : order[0]);
        const rest = (list: readonly string[]) => list.filter((channel) => channel !== preferred);
        expect(rest(found)).toEqual(rest(order));
      }),
    );
  });

  it.each([undefined, null, '', ' '])('may be empty: %j', (preferredChannel) =>
    expect(preferredFirst(['viber', 'sms'], { preferredChannel })).toEqual(['viber', 'sms']),
  );

  it.each(['SMS', ' sms '])('may be written as people do: %j', (preferredChannel) =>
    expect(preferredFirst(['viber', 'sms'], { preferredChannel })).toEqual(['sms', 'viber']),
  );

  it.each(['pigeon', 5, {}, ['sms']])('is refused where it is none: %j', (preferredChannel) =>
    expect(() => preferredFirst(['viber', 'sms'], { preferredChannel })).toThrow(InvalidParameter),
  );
});
