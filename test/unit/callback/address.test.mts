import {
  obstacleTo,
  SECRET_PARAMETER,
  SENT_TYPE_PARAMETER,
  withoutSecret,
  withSentType,
} from '../../../nodes/gateway/callback/address.ts';

const PATH = '/webhook/7d0f5f4e/callback';

it.each([
  'https://n8n.example.com',
  'https://203.0.114.5:5678',
  'https://[2606:4700::1]',
  'https://n8n.example.com.',
])('nothing speaks against %s', (origin) => expect(obstacleTo(`${origin}${PATH}`)).toBeUndefined());

const LOCAL = 'on this machine only';
const PRIVATE = 'in a private network';
const NAME = 'does not exist on the internet';

it.each([
  ...['http://localhost:5678', 'https://localhost.', 'https://n8n.localhost', 'http://127.0.0.1:5678'].map(
    (one) => [one, LOCAL],
  ),
  ...['http://2130706433', 'http://0.0.0.0:5678', 'https://[::1]', 'https://[::]'].map((one) => [one, LOCAL]),
  ...['https://192.168.1.5', 'https://10.1.2.3', 'https://100.64.0.1'].map((one) => [one, PRIVATE]),
  ...['https://[fd00::1]', 'https://[::ffff:10.0.0.1]'].map((one) => [one, PRIVATE]),
  ...['https://n8n', 'https://n8n.local', 'http://host.docker.internal:5678'].map((one) => [one, NAME]),
  ['http://n8n.example.com', 'not encrypted'],
  ['https://n8n.example.com/webhook-test', 'test URL of a trigger'],
  ['https://example.com/n8n/webhook-test', 'test URL of a trigger'],
])('the callback address %s is %s', (origin, words) => {
  const { reason, advice } = obstacleTo(`${origin}${PATH}`) ?? {};
  expect(reason).toMatch(/^The .*[^.]$/);
  expect(reason).toContain(words);
  expect(advice).toMatch(/^Use .*\.$/);
});

it.each([undefined, null, 5, '', 'n8n.example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://'])(
  '%p is not a web address',
  (url) => expect(obstacleTo(url)?.reason).toBe('The callback address is not a web address'),
);

it('adds the operation type to addresses of sends with a fallback', () => {
  const url = 'https://n8n.example/webhook/b/callback?secret=s';
  expect(withSentType(url, 'sms')).toBe(url);
  expect(withSentType(url, 'viber+sms')).toBe(`${url}&${SENT_TYPE_PARAMETER}=viber%2Bsms`);
});

it.each([
  [`https://n8n.example/a?${SECRET_PARAMETER}=abc`, 'https://n8n.example/a?secret=***'],
  ['see https://a/b?x=1&Secret=abc#top and', 'see https://a/b?x=1&Secret=***#top and'],
  ['"https://a?secret=a b" https://c?secret=d&e=f', '"https://a?secret=*** b" https://c?secret=***&e=f'],
  ['https://a?secret="x', 'https://a?secret=***"x'],
  ['https://a?nosecret=abc secret=abc', 'https://a?nosecret=abc secret=abc'],
])('hides the secret in %j', (text, hidden) => expect(withoutSecret(text)).toBe(hidden));
