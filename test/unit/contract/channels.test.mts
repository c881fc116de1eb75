/** Written by hand from the contract (gateway-api.md) so that a misreading of it shows. */
import { channelOptions, CHANNELS } from '../../../nodes/gateway/contract/channels.ts';
import {
  channelsOf,
  isFallbackType,
  isWireType,
  sendsMessage,
  WIRE_TYPES,
} from '../../../nodes/gateway/contract/operations.ts';
import type { WireType } from '../../../nodes/gateway/contract/operations.ts';

it('offers channels by name', () => {
  expect(channelOptions(['voice', 'sms', 'rcs'])).toEqual([
    { name: 'RCS', value: 'rcs' },
    { name: 'SMS', value: 'sms' },
    { name: 'Voice Call', value: 'voice' },
  ]);
});

const SENDS: Partial<Record<WireType, string[]>> = {
  sms: ['sms'],
  viber: ['viber'],
  'viber+sms': ['viber', 'sms'],
  rcs: ['rcs'],
  'rcs+sms': ['rcs', 'sms'],
  'rcs+viber+sms': ['rcs', 'viber', 'sms'],
  telegram: ['telegram'],
  voice: ['voice'],
  'call/otp': ['voice'],
};

it.each(WIRE_TYPES.filter((type) => type !== 'pipeline'))('knows the channels of %s', (type) => {
  expect(channelsOf(type)).toEqual(SENDS[type] ?? []);
  expect((channelsOf(type) ?? []).every((channel) => channel in CHANNELS)).toBe(true);
});

it('leaves the channels of a pipeline to its objects', () => expect(channelsOf('pipeline')).toBeUndefined());

it('knows the operation types with a fallback', () => {
  expect(WIRE_TYPES.filter(isFallbackType)).toEqual(['viber+sms', 'rcs+sms', 'rcs+viber+sms']);
});

it('knows the operation types that send something to a person', () => {
  expect(WIRE_TYPES.filter(sendsMessage).sort()).toEqual([...Object.keys(SENDS), 'pipeline'].sort());
});

it('tells the 20 operation types from all other values', () => {
  expect(WIRE_TYPES).toHaveLength(20);
  expect(WIRE_TYPES.every(isWireType)).toBe(true);
  const others = [
    '',
    'SMS',
    'whatsapp',
    'viber sms',
    'constructor',
    '__proto__',
    'toString',
    undefined,
    null,
    5,
  ];
  expect([...others, ['sms'], {}].filter(isWireType)).toEqual([]);
});
