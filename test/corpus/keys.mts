/**
 * Keys that look alike, as two sheets, two computers or two cells write them. `input` holds two values of 'Send Once Key'; right
 * is whether they stand for the same message.
 */
import type { Case } from './case.mts';

type KeyCase = Case<[one: string | number, other: string | number], boolean>;

export const KEYS: readonly KeyCase[] = [
  {
    input: ['Jos\u00e9-1', 'Jose\u0301-1'],
    right: true,
    why: 'a Mac takes the accent apart',
    source: 'hedera-nft-auction-demo#130',
  },
  { input: ['\u0439-1', '\u0438\u0306-1'], right: true, why: 'a Cyrillic letter taken apart' },
  { input: ['e\u200b\u0301-1', '\u00e9-1'], right: true, why: 'what nobody sees, in a letter taken apart' },
  { input: ['order-1', 'order-1\u200b'], right: true },
  { input: ['\ufefforder-1', 'order-1'], right: true, why: 'the mark at the beginning of a file' },
  { input: ['order\u00ad-1', 'order-1'], right: true, why: 'a soft hyphen' },
  { input: ['\u202aorder-1\u202c', 'order-1'], right: true },
  { input: ['a b', 'a\u00a0b'], right: true, why: 'a no-break space' },
  { input: ['a b', 'a  b'], right: true },
  { input: ['a b', 'a\nb'], right: true, why: 'a line break in the cell' },
  { input: [' a b', 'a b\t'], right: true },
  { input: [17, '17'], right: true, why: 'a number, and text of the same digits' },
  { input: [1234567890123, '1234567890123'], right: true },
  { input: ['17', '17.0'], right: false, why: 'who writes 17.0 may mean a version' },
  { input: ['17', '017'], right: false },
  { input: ['x', 'X'], right: false, why: 'ids of many systems differ in case only' },
  { input: ['AB', '\uff21\uff22'], right: false, why: 'full-width letters look different' },
  { input: ['a-b', 'a\u2010b'], right: false, why: 'a hyphen of another kind may be another name' },
  { input: ['a b', 'ab'], right: false },
];
