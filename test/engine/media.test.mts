/** Downloads with n8n's own request helper and its own guard of outgoing requests; only DNS answers are made up. */
import dns from 'node:dns';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { IHttpRequestOptions, NodeEgressFilter } from 'n8n-workflow';

import { fetchMedia } from '../../nodes/MessagingGatewayTrigger/media.ts';
import type { FetchLimits, FetchTools } from '../../nodes/MessagingGatewayTrigger/media.ts';
import { selfSignedCertificate } from '../support/certificate.mts';
import { Container } from '../support/engine-parts.mts';

interface OutboundHttp {
  requests(): { request(options: IHttpRequestOptions): Promise<unknown> };
  egressFilter(policy: 'enforced'): NodeEgressFilter;
}
const load = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const { OutboundHttp } = load('@n8n/backend-network') as { OutboundHttp: new () => OutboundHttp };
const outbound = Container.get(OutboundHttp);

const HOST = 'media.example.com';
const LIMITS: FetchLimits = { bytes: 2 ** 20, timeMs: 20_000 };
const certificate = selfSignedCertificate(HOST);
let server: Server;
let port: number;
const connections = async (): Promise<number> => await promisify(server.getConnections.bind(server))();
let answer: RequestListener;
let requested: string[];
let resolved: string[];
/** Requests that left, and the addresses that they were for. */
let sent: string[];
/** Addresses that names have, one answer after the other; the last one stays. */
let addresses: string[][];
let serial = 0;

beforeAll(async () => {
  server = createServer({ ...certificate }, (request, response) => {
    requested.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  requested = [];
  resolved = [];
  sent = [];
  addresses = [['198.51.100.7']];
  answer = (_, response) => response.setHeader('content-type', 'image/png').end('picture');
  jest.spyOn(dns.promises, 'lookup').mockImplementation((async (name: string) => {
    resolved.push(name);
    const [next] = addresses.length > 1 ? addresses.splice(0, 1) : addresses;
    return next.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }) as never);
});
afterEach(() => jest.restoreAllMocks());

/**
 * n8n's tools; a request to the address that stands for the internet arrives at the server of this test. That address
 * is one for documentation, which n8n's guard refuses, so the guard's lookup is used for all others only.
 */
const tools = (): FetchTools => ({
  httpRequest: async (options) => {
    sent.push(options.url);
    const { agentOptions, url } = options;
    const target = url.replace('198.51.100.7', `127.0.0.1:${port}`);
    return await outbound
      .requests()
      .request({ ...options, url: target, agentOptions: { ...agentOptions, ca: certificate.cert } });
  },
  egressFilter: {
    createSecureLookup: () => (name, options, done) => {
      if (!addresses[0].includes('198.51.100.7'))
        return outbound.egressFilter('enforced').createSecureLookup()(name, options, done);
      void dns.promises.lookup(name, { all: true }).then((found) => done(null, found as never));
    },
  },
  addressAllowed: (address) => address === '198.51.100.7',
});
const withoutStandIn = (): FetchTools => ({
  ...tools(),
  egressFilter: outbound.egressFilter('enforced'),
  addressAllowed: undefined,
});
const fetched = async (limits: FetchLimits = LIMITS) => await fetchMedia(`https://${HOST}/`, tools(), limits);

it('fetches a file, over the connection that was checked and with the certificate of the name', async () => {
  expect(await fetched()).toEqual({ ok: true, content: Buffer.from('picture'), mimeType: 'image/png' });
  expect(requested).toEqual([`${HOST} /`]);
  expect(sent).toEqual(['https://198.51.100.7/']);
});

it('does not take the certificate of another name', async () => {
  const other = await fetchMedia('https://other.example.com/', tools(), LIMITS);
  expect(other).toEqual({ ok: false, reason: 'the server could not be reached' });
  expect(requested).toEqual([]);
});

it('asks for the address once, so that a name can not change its mind', async () => {
  addresses = [['198.51.100.7'], ['127.0.0.1']];
  expect((await fetched()).ok).toBe(true);
  expect(resolved).toEqual([HOST]);
});

describe('a name that leads to', () => {
  /** n8n remembers names for a while, so each is used once. */
  const fetchFrom = async (name: string, more: Partial<FetchTools> = {}) =>
    await fetchMedia(`https://${name}/x?y=1`, { ...withoutStandIn(), ...more }, LIMITS);
  const newName = () => `m${++serial}.example.com`;

  it.each(['127.0.0.1', '169.254.169.254', '100.64.0.1', '::1', 'fd00:ec2::254', '::ffff:127.0.0.1'])(
    '%s is never called',
    async (address) => {
      addresses = [[address]];
      const reason = expect.stringMatching(/^the host name/) as string;
      expect(await fetchFrom(newName())).toEqual({ ok: false, reason });
      expect([resolved.length, sent]).toEqual([1, []]);
    },
  );

  // The first is refused by n8n's guard, the second one only here.
  it.each(['10.0.0.5', '100.64.0.1'])('a public address and %s is never called', async (address) => {
    addresses = [['8.8.8.8', address]];
    expect((await fetchFrom(newName())).ok).toBe(false);
    expect(sent).toEqual([]);
  });

  it('a public address is called', async () => {
    addresses = [['8.8.8.8', '2606:4700::1']];
    const httpRequest = jest.fn().mockRejectedValue(new Error('no network in tests'));
    const name = newName();
    await fetchFrom(name, { httpRequest });
    expect(httpRequest).toHaveBeenCalledWith(
      expect.objectContaining({
        url: 'https://8.8.8.8/x?y=1',
        headers: expect.objectContaining({ Host: name }),
        agentOptions: { servername: name },
      }),
    );
  });
});

describe('redirects', () => {
  const redirectTo =
    (location: string): RequestListener =>
    (_, response) =>
      response.writeHead(302, { location }).end();

  it('redirects to public addresses are followed', async () => {
    answer = (request, response) =>
      request.url === '/' ? redirectTo('/b')(request, response) : response.end('there');
    expect(await fetched()).toMatchObject({ ok: true, content: Buffer.from('there') });
    expect(requested).toEqual([`${HOST} /`, `${HOST} /b`]);
  });

  // All others are in unit/callback/media-url.
  it.each(['http://media.example.com/', 'https://127.0.0.1/'])(
    'redirects to %s are not followed',
    async (location) => {
      answer = redirectTo(location);
      expect((await fetched()).ok).toBe(false);
      expect([requested.length, sent.length]).toEqual([1, 1]);
    },
  );

  it('redirects to a name that leads to a private address are not followed', async () => {
    addresses = [['198.51.100.7'], ['10.0.0.5']];
    answer = redirectTo('https://inside.example.com/');
    expect((await fetched()).ok).toBe(false);
    expect(resolved).toEqual([HOST, 'inside.example.com']);
    expect(sent).toHaveLength(1);
  });

  it('redirects without end are given up', async () => {
    answer = redirectTo('/again');
    expect(await fetched()).toEqual({ ok: false, reason: 'too many redirects' });
    expect(requested).toHaveLength(4);
  });
});

describe('limits', () => {
  const tooLarge = { ok: false, reason: 'the file is larger than 1 MB' };

  it('a file that says it is too large is not read', async () => {
    answer = (_, response) => response.setHeader('content-length', 2 ** 21).write('x');
    expect(await fetched()).toEqual(tooLarge);
  });

  it('a file that turns out too large is cut off', async () => {
    let written = 0;
    answer = (_, response) => {
      const more = () => {
        while (written < 100 && response.write(Buffer.alloc(2 ** 18))) written++;
      };
      response.on('drain', more);
      more();
    };
    expect(await fetched()).toEqual(tooLarge);
    expect(written).toBeLessThan(100);
  });

  it.each([
    ['never answers', (() => undefined) as RequestListener],
    ['never ends', ((_, response) => void response.write('x')) as RequestListener],
  ])('a server that %s is left', async (_, listener) => {
    answer = listener;
    expect((await fetched({ ...LIMITS, timeMs: 200 })).ok).toBe(false);
    // The connection as well, not only the wait for it.
    for (let i = 0; i < 100 && (await connections()) > 0; i += 1) await setTimeout(50);
    expect(await connections()).toBe(0);
  });

  it('an answer of 206 is no file', async () => {
    answer = (_, response) => response.writeHead(206).end('x');
    expect(await fetched()).toEqual({ ok: false, reason: 'the server answered 206' });
  });
});

it('fetches nothing in an n8n without a guard', async () => {
  const unguarded = await fetchMedia(`https://${HOST}/`, { ...tools(), egressFilter: undefined }, LIMITS);
  const reason = 'this version of n8n cannot check what host names resolve to';
  expect(unguarded).toEqual({ ok: false, reason });
});
