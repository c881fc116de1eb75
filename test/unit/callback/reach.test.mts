import { describeReach } from '../../../nodes/gateway/callback/reach.ts';

const PATH = '/webhook/7d0f5f4e/callback';
const local = (origin: string) => ['localhost', origin];

it.each([
  'https://n8n.example.com',
  'https://203.0.114.5:5678',
  'https://[2606:4700::1]',
  'https://n8n.example.com.',
])('nothing speaks against %s', (origin) =>
  expect(describeReach(`${origin}${PATH}`)).toEqual({ reachable: true }),
);

it.each([
  ...['http://localhost:5678', 'https://localhost.', 'https://n8n.localhost', 'http://127.0.0.1:5678'].map(
    local,
  ),
  ...['http://2130706433', 'http://0.0.0.0:5678', 'https://[::1]', 'https://[::]'].map(local),
  ...['https://192.168.1.5', 'https://10.1.2.3', 'https://100.64.0.1'].map((one) => ['private', one]),
  ...['https://[fd00::1]', 'https://[::ffff:10.0.0.1]'].map((one) => ['private', one]),
  ...['https://n8n', 'https://n8n.local', 'http://host.docker.internal:5678'].map((one) => [
    'localName',
    one,
  ]),
  ['notEncrypted', 'http://n8n.example.com'],
])('%s: %s', (kind, origin) => {
  expect(describeReach(`${origin}${PATH}`)).toMatchObject({
    reachable: false,
    kind,
    reason: expect.stringMatching(/^The .*[^.]$/),
    advice: expect.stringMatching(/\.$/),
  });
});

it.each([
  'https://n8n.example.com/webhook-test/7d0f/callback',
  'https://example.com/n8n/webhook-test/7d0f/callback',
])('knows the test URL %s', (url) =>
  expect(describeReach(url)).toMatchObject({ reachable: false, kind: 'testUrl' }),
);

it.each([undefined, null, 5, '', 'n8n.example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://'])(
  '%p is not a web address',
  (url) => expect(describeReach(url)).toMatchObject({ reachable: false, kind: 'notAddress' }),
);
