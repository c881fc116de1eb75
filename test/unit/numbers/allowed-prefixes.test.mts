import { hasPrefix, parsePrefixes } from '../../../nodes/gateway/numbers/allowed-prefixes.ts';

it.each([
  ['380, 48, 4477', ['380', '48', '4477']],
  ['+380;0048\n(44) 77', ['380', '48', '4477']],
  ['', []],
  [' , ', []],
  [undefined, []],
  [380, ['380']],
  ['38001', ['38001']],
  ['٣٨٠', ['380']],
])('reads %j', (text, prefixes) => expect(parsePrefixes(text)).toEqual({ ok: true, prefixes }));

it.each([
  ['UA', 'UA'],
  ['380, all ', 'all'],
  ['0', '0'],
  ['380 *', '380 *'],
  ['3+80', '3+80'],
  ['1234567890123456', '1234567890123456'],
])('reports what is no prefix in %j', (text, wrong) => {
  expect(parsePrefixes(text)).toEqual({ ok: false, wrong });
});

it('allows numbers that begin with a prefix, and all where there is none', () => {
  expect(hasPrefix(['380', '4477'], 447700900001)).toBe(true);
  expect(hasPrefix(['380', '4477'], '380501234567')).toBe(true);
  expect(hasPrefix(['380', '4477'], 447800900001)).toBe(false);
  expect(hasPrefix([], 1)).toBe(true);
});
