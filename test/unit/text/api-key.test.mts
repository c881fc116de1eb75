/** The API key in answers of servers: masked in each spelling that their programs have, and so in all that is parsed of them. */
import { fromForeignJson } from '../../../nodes/gateway/text/json.ts';
import { keyRedactor } from '../../../nodes/gateway/text/secrets.ts';
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

it.each(['\\', 'a', '%25', '&amp;', 'abc', '\\u0061', '&#97;'])('reads 8 MB of "%s" in no time', (unit) => {
  const text = unit.repeat(8_000_000 / unit.length);
  const start = process.threadCpuUsage();
  keyRedactor('abc+def/ghi==')(text);
  keyRedactor('\\abc+def/')(text);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(2500);
});

it('leaves other texts, and short keys, as they are', () => {
  const text = '{"id":123456,"msg_id":"7"}';
  expect(keyRedactor('abcdef')(text)).toBe(text);
  expect(keyRedactor('12345')(text)).toBe(text);
});
