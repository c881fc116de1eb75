import { parsePrefixes } from '../../../nodes/gateway/numbers/allowed-prefixes.ts';

it.each<[prefixes: string[], ...texts: unknown[]]>([
  [['380', '48', '4477'], '380, 48, 4477', '+380;0048\n(44) 77'],
  [[], '', ' , ', []],
  [['380'], 380, '٣٨٠'],
  [['38001'], '38001'],
  [['380', '48'], ['380', '+48'], [380, 48], ['380, 48']],
])('reads %j in %j', (prefixes, ...texts) => {
  for (const text of texts) expect([text, parsePrefixes(text)]).toEqual([text, { ok: true, prefixes }]);
});

it('reports what is no prefix', () => {
  expect(parsePrefixes('380, all ')).toEqual({ ok: false, wrong: 'all' });
  for (const wrong of ['UA', '0', '380 *', '3+80', '1234567890123456'])
    expect(parsePrefixes(wrong)).toEqual({ ok: false, wrong });
});

it('takes nothing for a list that allows every number but an empty one', () => {
  for (const wrong of [undefined, null, true, {}, { prefixes: '380' }]) {
    expect(parsePrefixes(wrong)).toEqual({ ok: false, wrong });
    expect(parsePrefixes(['380', wrong])).toEqual({ ok: false, wrong });
  }
});
