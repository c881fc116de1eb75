import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';

let sandbox: Sandbox;
let n8n: RealN8n;

beforeAll(async () => {
  sandbox = await startSandbox();
  n8n = await realN8n();
});
afterAll(async () => await sandbox?.close());

const test = async (change: Record<string, string> = {}) =>
  await n8n.client.testCredential('Test', CREDENTIAL_TYPE, { ...credentialData(sandbox), ...change });

/** A web server that answers every request the same way. */
async function website(status: number, body: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe('the test of the credential', () => {
  it('says yes for a good key', async () => {
    expect(await test()).toMatchObject({ status: 'OK' });
  });

  it('says what the gateway said of a bad key, and the four things to check', async () => {
    const { status, message } = await test({ apiKey: 'a-wrong-key-for-tests' });
    expect(status).toBe('Error');
    expect(message).toContain('Access denied');
    expect(message).toMatch(/'API Key'.*switched on.*allow-list.*active/s);
    expect(message).not.toContain('a-wrong-key-for-tests');
  });

  it('tells an unreachable address from a server that is no gateway', async () => {
    const site = await website(200, '<html>Welcome</html>');
    const unreachable = await test({ baseUrl: 'http://127.0.0.1:9' });
    const foreign = await test({ baseUrl: site.url });
    site.close();
    expect(unreachable).toMatchObject({ status: 'Error', message: expect.stringContaining('ECONNREFUSED') });
    expect(foreign.status).toBe('Error');
    expect(foreign.message).toContain("not the gateway's");
    expect(foreign.message).not.toBe(unreachable.message);
  });
});

describe('lists in the form', () => {
  const list = async (method: string) => {
    const credential = await n8n.client.createCredential('Lists', CREDENTIAL_TYPE, credentialData(sandbox));
    const { results } = await n8n.client.call<{ results: Array<{ name: string; value: string }> }>(
      'POST',
      '/dynamic-node-parameters/resource-locator-results',
      {
        methodName: method,
        path: 'parameters.smsSignature',
        nodeTypeAndVersion: { name: 'n8n-nodes-messaging-gateway.messagingGateway', version: 1 },
        currentNodeParameters: {},
        credentials: { [CREDENTIAL_TYPE]: credential },
      },
    );
    return results;
  };

  it('offers the senders of the account', async () => {
    const entry = { name: 'TestSender (SMS, Viber, RCS)', value: 'TestSender' };
    expect(await list('searchSmsSenders')).toContainEqual(entry);
  });
});
