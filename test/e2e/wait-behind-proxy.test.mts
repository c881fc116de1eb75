/** "Wait for Delivery" in an n8n that has HTTP_PROXY and no NO_PROXY: the proxy leads to the gateway, and not to n8n. */
import { request as forward } from 'node:http';
import { join } from 'node:path';

import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { recipients } from '../support/fates.mts';
import { LEAN } from '../support/lean-n8n.mts';
import { action, credentialData, CREDENTIAL_TYPE, rows, START, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';
import { testSandbox } from '../support/test-sandbox.mts';
import { testServer } from '../support/web-server.mts';

const sandbox = testSandbox();
const proxy = testServer((response, { method, url = '', headers, body }) => {
  if (new URL(url).host !== new URL(sandbox.baseUrl).host) return response.writeHead(502).end();
  return forward(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  }).end(body);
});
let n8n: N8nProcess;
let client: N8nClient;

beforeAll(async () => {
  ({ n8n, client } = await startWithOwner({
    folder: join(TMP, 'e2e-proxy'),
    tarball: await packed(),
    env: { ...LEAN, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '', no_proxy: '' },
  }));
});
afterAll(async () => await n8n?.stop());

it('wakes when status has the outcome, past the proxy, which never sees the token of the execution', async () => {
  sandbox.decideOutcome(() => ({ steps: [{ status: 'DELIVERED', afterMs: 4000, silent: true }] }));
  const credential = await client.createCredential('Proxied', CREDENTIAL_TYPE, credentialData(sandbox));
  const send = action('Send', credential, smsForm({ waitForDelivery: true, waitAmount: 5 }));
  const { id, status } = await client.runToEnd(workflow([rows('Rows', recipients(2)), send]), START);
  expect(status).toBe('waiting');
  const asleepAt = Date.now();
  const execution = await client.waitUntilAwake(id);
  expect(Date.now() - asleepAt).toBeLessThan(30_000);
  const delivered = { outcome: 'delivered', final: true };
  expect(execution.json('Send')).toMatchObject([delivered, delivered]);
  expect(execution.json('Send')[0]).not.toHaveProperty('reason');
  expect(proxy.received.length).toBeGreaterThan(0);
  expect(proxy.received.filter(({ url }) => url?.includes('webhook-waiting'))).toEqual([]);
});
