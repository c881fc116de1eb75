/** By the sandbox's reading of the contract (gateway-api.md) or by hand, so that a misreading shows. */
import { channelName, channelOptions } from '../../../nodes/gateway/contract/channels.ts';
import {
  channelsOf,
  isFallbackType,
  isWireType,
  sendsMessage,
  WIRE_TYPES,
} from '../../../nodes/gateway/contract/operations.ts';
import { OTHER_SHAPES, SEND_SHAPES } from '../../../sandbox/operations/fields.mts';

it('names channels in whatever letters, offers them by name, and leaves others as they are', () => {
  const names = ['Voice Call', 'Telegram', 'Viber', 'RCS', 'SMS', 'WhatsApp', 'SMS', 'pigeon', ''];
  const written = ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp', 'SMS', 'pigeon', ''];
  expect(written.map(channelName)).toEqual(names);
  const offered = Object.entries({ RCS: 'rcs', SMS: 'sms', 'Voice Call': 'voice' });
  expect(channelOptions(['voice', 'sms', 'rcs'])).toEqual(offered.map(([name, value]) => ({ name, value })));
});

it('has the operation types of sandbox/operations/fields.mts, and the channels of each', () => {
  const sends = Object.fromEntries(
    Object.entries(SEND_SHAPES).map(([type, { channels }]) => [type, channels]),
  );
  const others = Object.fromEntries(Object.keys(OTHER_SHAPES).map((type) => [type, []]));
  // A code by call is a voice call, and each pipeline has the channels of its own list.
  const expected = { ...others, ...sends, 'call/otp': ['voice'], pipeline: undefined };
  expect(Object.fromEntries(WIRE_TYPES.map((type) => [type, channelsOf(type)]))).toEqual(expected);
  expect(WIRE_TYPES.filter(sendsMessage).sort()).toEqual(
    [...Object.keys(sends), 'call/otp', 'pipeline'].sort(),
  );
  expect(WIRE_TYPES.filter(isFallbackType)).toEqual(['viber+sms', 'rcs+sms', 'rcs+viber+sms']);
});

it('tells the operation types from all other values', () => {
  expect(WIRE_TYPES.every(isWireType)).toBe(true);
  const words = ['', 'SMS', 'whatsapp', 'viber sms', 'constructor', '__proto__'];
  expect([...words, undefined, null, 5, ['sms'], {}].filter(isWireType)).toEqual([]);
});
