import { e2eHost } from '../support/e2e-host.mts';
import { ACTION, CREDENTIAL_TYPE, credentialData } from '../support/real-n8n.mts';
import { startWebServer } from '../support/web-server.mts';

const host = e2eHost();

const test = async (change: Record<string, string> = {}) =>
  await host.client.testCredential('Test', CREDENTIAL_TYPE, { ...credentialData(host.sandbox), ...change });

describe('the test of the credential', () => {
  it('says what the gateway said of a bad key, and the four things to check', async () => {
    const { status, message } = await test({ apiKey: 'a-wrong-key-for-tests' });
    expect(status).toBe('Error');
    expect(message).toContain('Access denied');
    expect(message).toMatch(/'API Key'.*switched on.*allow-list.*active/s);
    expect(message).not.toContain('a-wrong-key-for-tests');
  });

  it('tells an unreachable address from a server that is no gateway', async () => {
    const site = await startWebServer((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
    });
    const unreachable = await test({ baseUrl: 'http://127.0.0.1:9' });
    const foreign = await test({ baseUrl: site.url });
    await site.close();
    expect(unreachable).toMatchObject({ status: 'Error', message: expect.stringContaining('ECONNREFUSED') });
    expect(foreign.status).toBe('Error');
    expect(foreign.message).toContain("not the gateway's");
    expect(foreign.message).not.toBe(unreachable.message);
  });
});

it('offers the senders of the account in the list of the form', async () => {
  const senders = await host.client.listSearch({
    nodeType: ACTION,
    methodName: 'searchSmsSenders',
    path: 'parameters.smsSignature',
    credentials: { [CREDENTIAL_TYPE]: host.credential },
  });
  expect(senders).toContainEqual({ name: 'TestSender (SMS, Viber, RCS)', value: 'TestSender' });
});
