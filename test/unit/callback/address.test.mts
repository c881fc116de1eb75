import {
  unreachableReason,
  SECRET_PARAMETER,
  withoutSecret,
} from '../../../nodes/gateway/callback/address.ts';

const PATH = '/webhook/7d0f5f4e/callback';

it('nothing speaks against an encrypted address on the internet', () => {
  const hosts = [
    'n8n.example.com',
    '203.0.114.5:5678',
    '[2606:4700::1]',
    'n8n.example.com.',
    'localhost.example.com',
  ];
  expect(hosts.filter((host) => unreachableReason(`https://${host}${PATH}`) !== undefined)).toEqual([]);
});

/** Reasons, and the addresses that they are said of. */
const OBSTACLES = {
  'on this machine or in a private network': `http://localhost:5678 https://localhost. https://n8n.localhost
    http://2130706433 http://0.0.0.0:5678 https://[::1] https://[::] https://192.168.1.5 https://[::ffff:10.0.0.1]
    https://n8n https://n8n.local http://host.docker.internal:5678`,
  'not encrypted': 'http://n8n.example.com',
  'test URL of a trigger': 'https://n8n.example.com/webhook-test https://example.com/n8n/webhook-test',
};

it.each(
  Object.entries(OBSTACLES).flatMap(([words, all]) => all.split(/\s+/).map((origin) => [origin, words])),
)('the callback address %s is %s', (origin, words) => {
  const { reason, advice } = unreachableReason(`${origin}${PATH}`) ?? {};
  expect(reason).toMatch(/^The .*[^.]$/);
  expect(reason).toContain(words);
  expect(advice).toMatch(/^Use .*\.$/);
});

it.each([undefined, null, 5, '', 'n8n.example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://'])(
  '%p is not a web address',
  (url) => expect(unreachableReason(url)?.reason).toBe('The callback address is not a web address'),
);

it.each([
  [`https://n8n.example/a?${SECRET_PARAMETER}=abc`, 'https://n8n.example/a?secret=***'],
  ['see https://a/b?x=1&Secret=abc#top and', 'see https://a/b?x=1&Secret=***#top and'],
  ['"https://a?secret=a b" https://c?secret=d&e=f', '"https://a?secret=*** b" https://c?secret=***&e=f'],
  ['https://a?secret="x', 'https://a?secret="x'],
  ['https://a?seal=mgseal1_abc-_9&x=1', 'https://a?seal=***&x=1'],
  ['https://a?nosecret=abc secret=abc', 'https://a?nosecret=abc secret=abc'],
])('hides the secret in %j', (text, hidden) => expect(withoutSecret(text)).toBe(hidden));

it('has nothing against what is near where the gateway is near too, but for a test URL', () => {
  const near = [
    'http://127.0.0.1:5678',
    'http://localhost',
    'https://10.0.0.5/a',
    'http://n8n:5678',
    'http://[::1]',
  ];
  const blocked = (gateway: string) =>
    near.filter((origin) => unreachableReason(`${origin}/webhook/a`, { gateway }) !== undefined);
  for (const gateway of near) expect(blocked(gateway)).toEqual([]);
  for (const gateway of ['https://gateway.example.com', 'https://93.184.216.34', 'n8n', '']) {
    expect(blocked(gateway)).toEqual(near);
  }
  expect(unreachableReason(`${near[0]}/webhook-test/a`, { gateway: near[1] })?.reason).toContain('test URL');
  expect(unreachableReason('http://n8n.example.com/webhook/a', { gateway: near[0] })?.reason).toContain(
    'http',
  );
});
