import type { IWebhookFunctions } from 'n8n-workflow';

import { parseIpRange } from '../../../nodes/gateway/network/ip.ts';
import { addressAllowed, refusalOf } from '../../../nodes/MessagingGatewayTrigger/guard.ts';

const rangesOf = (list: string) =>
  list
    .split(',')
    .map((entry) => parseIpRange(entry.trim()))
    .filter((range) => range !== undefined);

const refusal = (
  { secret, allowedIps }: { secret?: string; allowedIps?: string },
  query: unknown,
  request: object = { ip: '192.0.2.1' },
) =>
  refusalOf({ getQueryData: () => query, getRequestObject: () => request } as unknown as IWebhookFunctions, {
    secret,
    ...(allowedIps !== undefined && { allowedRanges: rangesOf(allowedIps) }),
  });

describe('the secret', () => {
  const secret = 'Gr8-Secret&ümlaut';

  it('lets in who has it', () => expect(refusal({ secret }, { secret })).toBeUndefined());

  it('is not asked for where there is none', () => expect(refusal({}, {})).toBeUndefined());

  it.each([
    undefined,
    {},
    { secret: '' },
    { secret: `${secret} ` },
    { secret: secret.toLowerCase() },
    { secret: [secret] },
    { secret: { 0: secret } },
    { Secret: secret },
    { secret: secret.slice(0, -1) },
  ])('keeps out %j', (query) => expect(refusal({ secret }, query)).toMatch(/secret/));

  it('lets nobody in when it is empty', () => {
    expect(refusal({ secret: '' }, { secret: '' })).toMatch(/secret/);
    expect(addressAllowed([], { ip: '10.0.0.1' })).toBe(false);
  });
});

describe('the allow-list', () => {
  const LIST = '192.0.2.10, 198.51.100.0/24,2001:db8::/32 ,';

  it.each(['192.0.2.10', '198.51.100.255', '2001:db8::5', '::ffff:192.0.2.10', '::ffff:c633:6401'])(
    'lets %s in',
    (ip) => expect(refusal({ allowedIps: LIST }, {}, { ip, ips: [] })).toBeUndefined(),
  );

  it.each(['192.0.2.11', '198.51.101.0', '2001:db9::', 'unknown', '', undefined])('keeps %p out', (ip) =>
    expect(refusal({ allowedIps: LIST }, {}, { ip, ips: [] })).toMatch(/address/),
  );

  it('counts the addresses that trusted proxies name, as the Webhook node does', () => {
    expect(addressAllowed(rangesOf(LIST), { ip: '10.0.0.1', ips: ['192.0.2.10', '10.0.0.1'] })).toBe(true);
    expect(addressAllowed(rangesOf(LIST), { ip: '10.0.0.1', ips: ['192.0.2.11'] })).toBe(false);
  });
});
