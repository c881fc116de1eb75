/** The API key in answers of servers: masked in each spelling that their programs have, and so in all that is parsed of them. */
import { fromForeignJson } from '../../../nodes/gateway/text/json.ts';
import { keyRedactor } from '../../../nodes/gateway/text/secrets.ts';
import { processorTime } from '../../support/processor-time.mts';
import { API_KEYS, KEY_SPELLINGS } from '../../support/api-keys.mts';

/** A value as it is after each text of JSON in it was parsed too, as the connector's contents are. */
function parsed(text: string): string {
  const value = fromForeignJson(text);
  const inner = fromForeignJson(String((value as { note?: unknown } | undefined)?.note));
  return JSON.stringify([value, inner]) ?? '';
}

describe.each(API_KEYS)('the key %s', (key) => {
  it.each(Object.entries(KEY_SPELLINGS))('is masked as %s', (_, spell) => {
    const text = `before ${spell(key)} after`;
    expect(keyRedactor(key)(text)).toBe('before [API key] after');
  });

  it.each([
    ['once', (spelled: string) => `{"note":"${spelled}"}`],
    ['twice', (spelled: string) => `{"note":${JSON.stringify(`{"inner":"${spelled}"}`)}}`],
  ])('is in nothing that is parsed %s', (__, wrap) => {
    for (const spell of [
      KEY_SPELLINGS.JSON,
      KEY_SPELLINGS['JSON of PHP'],
      KEY_SPELLINGS['each character escaped, as Go may'],
    ]) {
      const masked = keyRedactor(key)(wrap(spell(key)));
      expect(parsed(wrap(spell(key)))).toContain(KEY_SPELLINGS.JSON(key));
      expect(parsed(masked)).not.toContain(KEY_SPELLINGS.JSON(key));
    }
  });
});

const UNITS = [
  ...['\\', '\\\\\\\\a', `${'\\'.repeat(31)}a`, `${'\\'.repeat(33)}a`],
  ...['a', '%25', '&amp;', 'abc', '\\u0061', '&#97;'],
];
it.each(
  // A busy or slow machine takes up to 240 ms, and 830 for the last key. A search that begins anew at each sign of a run takes minutes.
  [
    ['abc+def/ghi==', 1000] as const,
    ['"abc+def', 1000] as const,
    // Each of a run of backslashes may be this key's own.
    ['\\abc+def/', 3000] as const,
  ].flatMap(([key, mostMs]) => UNITS.map((unit) => [unit, key, mostMs] as const)),
)('reads 8 MB of %j, for the key %s, in no time', (unit, key, mostMs) => {
  const text = unit.repeat(8_000_000 / unit.length);
  expect(processorTime(() => keyRedactor(key)(text), mostMs)).toBeLessThan(mostMs);
});

it.each(['abc+def/ghi==', '"abcdef', '\\abcdef'])(
  'masks the key %s behind any number of backslashes',
  (key) => {
    const [first, ...rest] = key;
    const escaped = `u${first.charCodeAt(0).toString(16).padStart(4, '0')}${rest.join('')}`;
    for (const count of [1, 3, 9, 10, 31, 32, 33, 63, 64, 1000]) {
      const masked = keyRedactor(key)(`a${'\\'.repeat(count)}${escaped}z`);
      expect(masked.replaceAll('\\', '')).toBe('a[API key]z');
    }
  },
);

it('leaves other texts, and short keys, as they are', () => {
  const text = '{"id":123456,"msg_id":"7"}';
  expect(keyRedactor('abcdef')(text)).toBe(text);
  expect(keyRedactor('12345')(text)).toBe(text);
});
