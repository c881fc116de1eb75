import { setTimeout as later } from 'node:timers/promises';

import { testCredential } from '../../../nodes/n8n/credential-test.ts';
import { credentialTestContext } from '../../support/contexts.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { letTimeRun, pass, stopTime, until } from '../../support/virtual-time.mts';
import { startWebServer } from '../../support/web-server.mts';

/** Milliseconds for what needs no more time of the clock that was stopped. */
const PATIENCE = 30_000;

const sandbox = testSandbox();

const test = async (change: Record<string, string | undefined> = {}) => {
  const { baseUrl, asyncUrl, mcpUrl } = sandbox;
  const data = { apiKey: 'sandbox-key', baseUrl, asyncUrl, mcpUrl, ...change };
  const credential = { id: '1', name: 'Test', type: 'messagingGatewayApi', data };
  return await testCredential.call(credentialTestContext(), credential);
};

it('accepts a good credential, and only asks for the balance and for the health', async () => {
  expect(await test()).toEqual({ status: 'OK', message: 'The gateway accepted the API key' });
  await sandbox.settled();
  expect(sandbox.requests.map(({ endpoint }) => endpoint).sort()).toEqual(['async', 'health', 'sync']);
  const asked = sandbox.requests.filter(({ endpoint }) => endpoint !== 'health');
  expect(asked.map(({ body }) => (body as { data: unknown }).data)).toEqual([
    [{ type: 'balance' }],
    [{ type: 'balance' }],
  ]);
  expect(sandbox.counts()).toMatchObject({ accepted: 0 });
});

it.each([' sandbox-key\n', '\u200bsandbox-key\ufeff', '\u00a0sandbox-key'])(
  'leaves out what came along when the key was copied: %j',
  async (apiKey) => {
    expect(await test({ apiKey })).toMatchObject({ status: 'OK' });
  },
);

it('asks only the servers that are filled in', async () => {
  expect(await test({ asyncUrl: '', mcpUrl: ' ' })).toMatchObject({ status: 'OK' });
  expect(sandbox.requests.map(({ endpoint }) => endpoint)).toEqual(['sync']);
});
it('says what the gateway said of a bad key', async () => {
  const { status, message } = await test({ apiKey: 'a-wrong-key-for-tests' });
  expect(status).toBe('Error');
  expect(message).toContain('"Access denied"');
  expect(message).not.toContain('Nothing was sent');
  expect(message).not.toContain('a-wrong-key-for-tests');
});

it.each([
  ['apiKey', ' ', "'API Key' of the credential is empty"],
  ['apiKey', 'Bearer sandbox-key', "'API Key' of the credential begins with the word"],
  ['apiKey', 'Authorization: bearer sandbox-key', "'API Key' of the credential begins with the word"],
  ['apiKey', '"sandbox-key"', "'API Key' of the credential is in quotation marks"],
  ['apiKey', '“sandbox-key”', "'API Key' of the credential is in quotation marks"],
  ['baseUrl', '', "'API Address' of the credential is empty"],
  ['baseUrl', 'api.example.com', "'API Address' of the credential is not a web address"],
  ['asyncUrl', 'nonsense', "'Queue Address' of the credential is not a web address"],
  ['mcpUrl', 'ftp://example.com', "'Assistant Connector Address' of the credential is not a web address"],
  ['allowedPrefixes', '44, 38O', `'Allowed Number Prefixes' contains "38O", which isn't a number prefix`],
  ['allowedPrefixes', undefined, "'Allowed Number Prefixes' is an expression that returns no list"],
])('names the field when %s is "%s", and asks nobody', async (field, value, words) => {
  expect(await test({ [field]: value })).toEqual({
    status: 'Error',
    message: expect.stringContaining(words),
  });
  expect(sandbox.requests).toHaveLength(0);
});

it.each([
  ['baseUrl', undefined, /^The gateway refused the connection\. .*ECONNREFUSED/],
  ['asyncUrl', undefined, /^'Queue Address': The gateway refused the connection\. .*ECONNREFUSED/],
  [
    'mcpUrl',
    undefined,
    /^'Assistant Connector Address': The connector refused the connection\. .*ECONNREFUSED/,
  ],
  ['asyncUrl', 404, /^'Queue Address': There is no gateway at this address \(HTTP 404\)/],
  ['asyncUrl', 302, /^'Queue Address': The server redirects to another address \(HTTP 302\)/],
  ['asyncUrl', 404, /\(HTTP 404\): "Not Found"/, '{"success":false,"error":"Not Found"}'],
  ['asyncUrl', 200, /^'Queue Address': .* web page/],
  ['mcpUrl', 200, /^'Assistant Connector Address': /],
])('says of %s that nobody or another server is there (HTTP %s)', async (field, status, words, body = '') => {
  const server = await startWebServer((response) =>
    response.writeHead(status!, { 'content-type': 'text/html' }).end(body),
  );
  if (status === undefined) await server.close();
  const result = await test({ [field]: server.url });
  if (status !== undefined) await server.close();
  expect(result).toEqual({ status: 'Error', message: expect.stringMatching(words) });
});

it.each([
  [200, '{"success":false,"error":"data is empty"}'],
  [503, ''],
])('takes any answer of the asynchronous API, such as HTTP %d', async (code, body) => {
  const server = await startWebServer((response) => response.writeHead(code).end(body));
  const result = await test({ asyncUrl: server.url });
  await server.close();
  expect(result).toMatchObject({ status: 'OK' });
  expect(server.received).toHaveLength(1);
});

it.each([
  ['http://api.example.com', 'Error'],
  ['https://api.example.com', 'OK'],
  ['http://gateway.internal', 'OK'],
])('says of %s whether others can read the key on its way', async (baseUrl, status) => {
  const context = credentialTestContext();
  const { request } = context.helpers;
  // The name leads to the sandbox.
  context.helpers.request = (async (options: { uri: string }) =>
    (await request({ ...options, uri: options.uri.replace(baseUrl, sandbox.baseUrl) })) as unknown) as never;
  const data = { apiKey: 'sandbox-key', baseUrl };
  const credential = { id: '1', name: 'Test', type: 'messagingGatewayApi', data };
  const tested = await testCredential.call(context, credential);
  expect([tested.status, tested.message.includes("'API Address' begins with http://")]).toEqual([
    status,
    status === 'Error',
  ]);
});

it('takes no longer than 15 seconds when no server answers', async () => {
  const server = await startWebServer(() => undefined);
  stopTime();
  const tested = test({ baseUrl: server.url, asyncUrl: server.url, mcpUrl: server.url });
  await until(() => server.received.length === 3);
  await pass(14_999);
  letTimeRun();
  const never = later(PATIENCE, { status: 'Error', message: 'The test goes on' }, { ref: false });
  const { status, message } = await Promise.race([tested, never]);
  await server.close();
  expect(status).toBe('Error');
  expect(message).toContain('did not answer in time');
});
