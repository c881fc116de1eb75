/** Who may use the sandbox: this machine by its own names, and of pages only the phone page. */
import http from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { GOOD } from './client.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const CALL = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const BATCH = { auth: DEFAULT_KEY, data: [GOOD.sms] };

const PATHS: Array<[method: string, path: string, body?: object]> = [
  ['POST', '/api/json.php', BATCH],
  ['POST', '/v1/json', BATCH],
  ['POST', '/mcp', CALL],
  ['GET', '/health'],
  ['GET', '/sandbox/messages'],
  ['GET', '/sandbox/events'],
  ['GET', '/sandbox/credential'],
  ['POST', '/sandbox/callbacks', { url: 'http://127.0.0.1:9/hook', body: {} }],
  ['POST', '/sandbox/reset', {}],
  ['GET', '/'],
  ['GET', '/phone'],
  ['GET', '/page/phone.js'],
];

/** By hand, since fetch doesn't let a Host header be set. */
function status([method, path, body]: (typeof PATHS)[number], more: Record<string, string>): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${DEFAULT_KEY}`,
    ...more,
  };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: sandbox.port, method, path, headers, agent: false };
    const request = http.request(options, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

describe.each(PATHS)('%s %s', (...call) => {
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'n8n.localhost', '[::1]', '127.8.8.8'])(
    'as %s',
    async (name) => {
      const host = `${name}:${sandbox.port}`;
      expect(await status(call, { host })).toBe(200);
      expect(await status(call, { host, origin: `http://${host.toLowerCase()}` })).toBe(200);
    },
  );

  test.each([
    ['gateway.example.com'],
    ['127.0.0.1.example.com'],
    ['example.com@127.0.0.1'],
    ['192.0.2.1'],
    ['127.0.0.1/example.com'],
    ['127.0.0.1:http'],
  ])('not as "%s"', async (host) => {
    expect(await status(call, { host })).toBe(403);
    expect(await status(call, { host, origin: `http://${host}` })).toBe(403);
  });

  test('not from pages of others', async () => {
    const host = `127.0.0.1:${sandbox.port}`;
    const others = [
      'https://example.com',
      'null',
      `http://localhost:${sandbox.port}`,
      'http://127.0.0.1:1',
      '',
    ];
    for (const origin of others)
      expect([origin, await status(call, { host, origin })]).toEqual([origin, 403]);
  });
});

test.each(['GET /health HTTP/1.0\r\n\r\n', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'])(
  'not without a name: %j',
  async (request) => {
    const socket = connect(sandbox.port, '127.0.0.1');
    socket.end(request);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 403 /);
  },
);

test('what is refused leaves nothing behind', async () => {
  await status(PATHS[0], { host: 'gateway.example.com' });
  await status(PATHS[1], { host: 'gateway.example.com' });
  await sandbox.settled();
  expect(sandbox.counts()).toMatchObject({ requests: 0, accepted: 0 });
});

test('further names by configuration', async () => {
  const allowed = await startSandbox({ config: { allowedHosts: ['Gateway', '192.0.2.1'] } });
  const call = (host: string, origin?: string) =>
    new Promise((resolve, reject) => {
      const headers = { host, ...(origin === undefined ? {} : { origin }) };
      const options = { host: '127.0.0.1', port: allowed.port, path: '/health', headers, agent: false };
      http.get(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
  expect(await call('gateway:9000')).toBe(200);
  expect(await call('gateway:9000', 'http://gateway:9000')).toBe(200);
  expect(await call('192.0.2.1')).toBe(200);
  expect(await call('gateway:9000', 'http://gateway:9001')).toBe(403);
  expect(await call('other')).toBe(403);
  await allowed.close();
});

test('each of three ports', async () => {
  const apart = await startSandbox({ separatePorts: true });
  for (const url of [
    `${apart.baseUrl}/api/json.php`,
    `${apart.asyncUrl}/v1/json`,
    `${apart.mcpUrl}/health`,
  ]) {
    const headers = { origin: 'https://example.com', 'content-type': 'application/json' };
    expect([url, (await fetch(url, { method: 'POST', headers, body: '{}' })).status]).toEqual([url, 403]);
  }
  await apart.close();
});
