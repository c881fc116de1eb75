/** Who may use the sandbox: this machine by its own names, and of pages only the phone page. */
import http from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startSandbox } from '../../../sandbox/server.mts';
import { DEFAULT_KEY } from '../../../sandbox/account.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { GOOD, MCP_HEADERS } from './client.mts';

const sandbox = testSandbox();

const CALL = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const BATCH = { auth: DEFAULT_KEY, data: [GOOD.sms] };

const PATHS: Array<[method: string, path: string, body?: object]> = [
  ['POST', '/api/json.php', BATCH],
  ['POST', '/mcp', CALL],
  ['GET', '/sandbox/events'],
  ['GET', '/sandbox/credential'],
  ['POST', '/sandbox/deliver', {}],
  ['GET', '/phone'],
  ['GET', '/page/phone.js'],
];

/** By hand, since fetch doesn't let a Host header be set. */
function status(
  [method, path, body]: (typeof PATHS)[number],
  more: Record<string, string>,
  { port } = sandbox,
): Promise<number> {
  const headers = { ...MCP_HEADERS, ...more };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false };
    const request = http.request(options, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

const OWN = ['127.0.0.1', 'localhost', 'LOCALHOST', 'n8n.localhost', '[::1]', '127.8.8.8'];
const OTHERS = [
  ...['gateway.example.com', '127.0.0.1.example.com', 'example.com@127.0.0.1', '192.0.2.1'],
  ...['127.0.0.1/example.com', '127.0.0.1:http'],
];

test.each(PATHS)('%s %s is for this machine by its own names, not for pages of others', async (...call) => {
  for (const name of OWN) {
    const host = `${name}:${sandbox.port}`;
    expect([name, await status(call, { host })]).toEqual([name, 200]);
    expect(await status(call, { host, origin: `http://${host.toLowerCase()}` })).toBe(200);
  }
  for (const host of OTHERS) expect([host, await status(call, { host })]).toEqual([host, 403]);
  for (const origin of [
    ...['https://example.com', 'null', `http://localhost:${sandbox.port}`, 'http://127.0.0.1:1', ''],
  ]) {
    const host = `127.0.0.1:${sandbox.port}`;
    expect([origin, await status(call, { host, origin })]).toEqual([origin, 403]);
  }
});

test.each(['GET /health HTTP/1.0\r\n\r\n', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'])(
  'a request without a host is refused: %j',
  async (request) => {
    const socket = connect(sandbox.port, '127.0.0.1');
    socket.end(request);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 403 /);
  },
);

test('the name under which it was started is let in', async () => {
  const allowed = await startSandbox({ host: 'Gateway' });
  const host = 'gateway:9000';
  const calls: Array<Record<string, string>> = [
    ...[{ host, origin: `http://${host}` }, { host: '127.0.0.1' }],
    ...[{ host: 'other' }, { host, origin: 'http://gateway:9001' }],
  ];
  const statuses = calls.map((headers) => status(['GET', '/health'], headers, allowed));
  expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403]);
  await allowed.close();
});
