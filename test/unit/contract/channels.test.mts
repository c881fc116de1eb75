/** Written by hand from the contract (gateway-api.md) so that a misreading of it shows. */
import { channelName, channelOptions } from '../../../nodes/gateway/contract/channels.ts';
import {
  channelsOf,
  isFallbackType,
  isWireType,
  sendsMessage,
  WIRE_TYPES,
} from '../../../nodes/gateway/contract/operations.ts';

it('names channels in whatever letters, offers them by name, and leaves others as they are', () => {
  const names = ['Voice Call', 'Telegram', 'Viber', 'RCS', 'SMS', 'WhatsApp', 'SMS', 'pigeon', ''];
  const written = ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp', 'SMS', 'pigeon', ''];
  expect(written.map(channelName)).toEqual(names);
  const offered = Object.entries({ RCS: 'rcs', SMS: 'sms', 'Voice Call': 'voice' });
  expect(channelOptions(['voice', 'sms', 'rcs'])).toEqual(offered.map(([name, value]) => ({ name, value })));
});

it('knows the channels of each type that sends something to a person, and leaves those of a pipeline to its objects', () => {
  const sends = WIRE_TYPES.filter(sendsMessage);
  expect(Object.fromEntries(sends.map((type) => [type, channelsOf(type)]))).toEqual({
    sms: ['sms'],
    viber: ['viber'],
    'viber+sms': ['viber', 'sms'],
    rcs: ['rcs'],
    'rcs+sms': ['rcs', 'sms'],
    'rcs+viber+sms': ['rcs', 'viber', 'sms'],
    telegram: ['telegram'],
    voice: ['voice'],
    'call/otp': ['voice'],
    pipeline: undefined,
  });
  expect(WIRE_TYPES.filter((type) => !sends.includes(type)).flatMap(channelsOf)).toEqual([]);
  expect(WIRE_TYPES.filter(isFallbackType)).toEqual(['viber+sms', 'rcs+sms', 'rcs+viber+sms']);
});

it('tells the 20 operation types from all other values', () => {
  expect(WIRE_TYPES).toHaveLength(20);
  expect(WIRE_TYPES.every(isWireType)).toBe(true);
  const words = ['', 'SMS', 'whatsapp', 'viber sms', 'constructor', '__proto__'];
  expect([...words, undefined, null, 5, ['sms'], {}].filter(isWireType)).toEqual([]);
});
