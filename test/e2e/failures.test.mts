import type { IDataObject } from 'n8n-workflow';

import type { CredentialReference } from '../../tools/n8n-host/rest-client.mts';
import { API_KEYS, KEY_SPELLINGS } from '../support/api-keys.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { action, credentialData, CREDENTIAL_TYPE, rows, START, workflow } from '../support/real-n8n.mts';
import { filesWith } from '../support/secret-search.mts';
import { senderNamed, smsForm } from '../support/sends.mts';
import { startWebServer } from '../support/web-server.mts';

/** Long and odd enough to be found wherever it leaks, and not to be found by chance. */
const KEY = 'Zk7/+q9=leak-probe-31415926535';

const host = e2eHost({ key: KEY });

const PARAMETERS = smsForm({ phone: '380501234567' });

const run = async (credential: CredentialReference, settings: IDataObject = {}) =>
  await host.client.runToEnd(workflow([action('Send', credential, PARAMETERS, settings)]), START);

it('the API key is nowhere in the database, the logs and the executions of n8n', async () => {
  host.sandbox.faults.add({ kind: 'drop-after', times: 1 });
  const settings = { onError: 'continueRegularOutput' };
  await run(host.credential, settings);
  const bad = await host.client.createCredential('Unreachable', CREDENTIAL_TYPE, {
    ...credentialData(host.sandbox),
    baseUrl: 'http://127.0.0.1:9',
    asyncUrl: host.sandbox.baseUrl,
  });
  await run(bad);
  // A careless gateway or proxy may repeat the request in its refusal.
  const echo = await startWebServer((response, { body }) => {
    const error = `Bad request: ${body}`;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: false, error }));
  });
  const echoed = await host.client.createCredential('Echo', CREDENTIAL_TYPE, {
    ...credentialData(host.sandbox),
    baseUrl: echo.url,
  });
  const { items } = await run(echoed, settings);
  expect(items('Send')[0].json.error).toContain('[API key]');
  await echo.close();
  await host.client.testCredential('Bad', CREDENTIAL_TYPE, {
    ...credentialData(host.sandbox),
    apiKey: `${KEY}-bad`,
  });

  const forms = [
    KEY,
    KEY.replaceAll('/', '\\/'),
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('base64').replace(/=+$/, ''),
    Buffer.from(KEY).toString('hex'),
    'leak-probe',
  ];
  // The search looks into the database, whose file begins with these words.
  const searched = await filesWith(host.folder, 'SQLite format 3');
  expect(searched).toEqual(expect.arrayContaining([expect.stringMatching(/database\.sqlite$/)]));
  for (const form of forms) expect([form, await filesWith(host.folder, form)]).toEqual([form, []]);
});

/** Returns a text as it stands in a JSON text: one that is JSON already as it is. */
function inJson(text: string): string {
  try {
    JSON.parse(`"${text}"`);
    return text;
  } catch {
    // Not the inside of a JSON text.
    return JSON.stringify(text).slice(1, -1);
  }
}

it.each(API_KEYS)('the API key %s is nowhere, however a server writes the key', async (apiKey) => {
  const spelled = Object.values(KEY_SPELLINGS).map((spell) => spell(apiKey));
  const notes = spelled.map((one, i) => `"note${i}":"${inJson(one)}"`).join();
  // Each refusal has another spelling; the balance, and the result of a tool, have all of them.
  const echo = await startWebServer((response, { url, body }) => {
    response.setHeader('content-type', 'application/json');
    if (url === '/mcp') {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const text = JSON.stringify(`{"amount":1,${notes}}`);
      const result = `"result":{"content":[{"type":"text","text":${text}}]}`;
      const unknown = '"error":{"code":-32601,"message":"Unknown method"}';
      return response.end(`{"jsonrpc":"2.0","id":${id},${method === 'tools/call' ? result : unknown}}`);
    }
    const { data } = JSON.parse(body) as { data: Array<{ type: string; id?: number }> };
    const results = data.map(({ type, id }, i) =>
      type === 'balance'
        ? `{"success":true,"data":{"amount":1,${notes}}}`
        : `{"success":false,"error":"before ${inJson(spelled[i % spelled.length])} after","data":{"id":${id}}}`,
    );
    return response.end(`{"success":true,"data":[${results.join()}]}`);
  });
  const refusing = await startWebServer((response) =>
    response.end(`{"success":false,"error":"before ${spelled.map(inJson).join(' ')} after"}`),
  );
  const credential = await host.client.createCredential(`Echo of ${apiKey.length}`, CREDENTIAL_TYPE, {
    ...credentialData(host.sandbox),
    ...{ apiKey, baseUrl: echo.url, mcpUrl: echo.url },
  });
  const { message } = await host.client.testCredential('Refused', CREDENTIAL_TYPE, {
    ...{ apiKey, baseUrl: refusing.url },
  });
  expect(message).toContain('"before [API key]');
  expect([...new Set([apiKey, ...spelled])].filter((form) => message.includes(form))).toEqual([]);
  const items = spelled.map((_, i) => ({ phone: 380501234500 + i }));
  const send = action('Send', credential, smsForm(), { onError: 'continueRegularOutput' });
  const balance = action('Balance', credential, { resource: 'account', operation: 'getBalance' });
  const parameters = { resource: 'assistant', operation: 'callTool', tool: senderNamed('balance') };
  const tool = action('Tool', credential, parameters);
  const execution = await host.client.runToEnd(
    workflow([rows('Rows', items), send], [rows('Row', [{}]), balance, tool]),
    START,
  );
  await Promise.all([echo.close(), refusing.close()]);
  expect(execution.json('Send').map(({ error }) => error)).toEqual(
    items.map(() => expect.stringContaining('"before [API key] after"')),
  );
  const masked = [Object.fromEntries(spelled.map((_, i) => [`note${i}`, '[API key]']))];
  expect(execution.json('Balance')).toMatchObject(masked);
  expect(execution.json('Tool')).toMatchObject(masked);
  // The search looks into the database, where the mark of the key stands.
  expect(await filesWith(host.folder, '[API key]')).toContainEqual(expect.stringMatching(/database\.sqlite/));
  for (const form of new Set([apiKey, ...spelled]))
    expect([form, await filesWith(host.folder, form)]).toEqual([form, []]);
});

it("doesn't go to another host with n8n's HTTP Request node, whatever the gateway answers that node", async () => {
  const elsewhere = await startWebServer((response) => response.end('{}'));
  const gateway = await startWebServer((response) =>
    response.writeHead(307, { location: `${elsewhere.url}/api/json.php` }).end(),
  );
  const credential = await host.client.createCredential('Redirecting', CREDENTIAL_TYPE, {
    ...credentialData(host.sandbox),
    baseUrl: gateway.url,
    mcpUrl: gateway.url,
  });
  const paths = ['/api/json.php', '/mcp'];
  const requests = paths.map((path) => ({
    name: path,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method: 'POST',
      url: `${gateway.url}${path}`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: CREDENTIAL_TYPE,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '{ "data": [{ "type": "balance" }] }',
      options: { redirect: { redirect: { followRedirects: true, maxRedirects: 21 } } },
    },
    credentials: { [CREDENTIAL_TYPE]: credential },
    onError: 'continueRegularOutput',
  }));
  const execution = await host.client.runToEnd(workflow(requests), START);
  expect(execution.failure()).toBe('');
  expect(
    gateway.received.map(({ url, body, headers }) => [
      url,
      (body + headers.authorization).includes('leak-probe'),
    ]),
  ).toEqual(paths.map((path) => [path, true]));
  expect(elsewhere.received).toEqual([]);
  await Promise.all([gateway.close(), elsewhere.close()]);
});

it('a connector that lists tools without end fails the item, and n8n goes on', async () => {
  const PAGES = 30;
  const connector = await startWebServer((response, { body }) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const isList = method === 'tools/list';
    const tool = { name: 'tool', description: 'a'.repeat(60_000_000), inputSchema: { type: 'object' } };
    const result = isList
      ? { tools: [tool], nextCursor: `page ${connector.received.length}` }
      : {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'c', version: '1' },
        };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const credential = await host.client.createCredential('Connector', CREDENTIAL_TYPE, {
    ...credentialData(host.sandbox),
    mcpUrl: connector.url,
  });
  const list = action('List', credential, { resource: 'assistant', operation: 'listTools' });
  const execution = await host.client.runToEnd(workflow([list]), START);
  expect(execution.status).toBe('error');
  expect(connector.received.length).toBeLessThan(PAGES);
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  await connector.close();
});
