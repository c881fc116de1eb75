/** What comes along when an API key is copied, and what is certainly no key. */
import { apiKeyIn, keyFaultOf } from '../../../nodes/gateway/contract/credential.ts';

it.each([
  ['key', 'key'],
  [' \u200b\tkey 1\u200b2\u2800\ufeff \n', 'key 12'],
  [' \n ', ''],
  [undefined, ''],
  [null, ''],
  [12345, '12345'],
])('of %j the key is %j: blanks around it are left out, and what nobody sees', (apiKey, key) =>
  expect(apiKeyIn({ apiKey })).toBe(key),
);

it.each([
  ['is empty', 'if that is an expression', ['']],
  ['is in quotation marks', 'without the quotation marks', ['"key"', "'key'", '“key”', '«key»']],
  [
    'begins with the word "Bearer"',
    'without that word',
    [
      'Bearer key',
      'bearer',
      'Bearer: key',
      'Authorization: Bearer key',
      'authorization  :  bearer key',
    ].concat(['Authorization:Bearer key', 'Authorization Bearer key']),
  ],
])('says of a key that it %s, and what to do about it: %s', (words, advice, keys) => {
  for (const key of keys)
    expect([key, keyFaultOf(key)]).toEqual([
      key,
      { message: `'API Key' of the credential ${words}`, advice: expect.stringContaining(advice) as string },
    ]);
});

it.each(['key', 'bearer-key', 'bearers', 'standard-bearer', '"key', "key'", 'authorization', 'x bearer key'])(
  'lets the gateway judge the key %j',
  (key) => expect(keyFaultOf(key)).toBeUndefined(),
);
