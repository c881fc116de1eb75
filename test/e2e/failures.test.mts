import type { IDataObject } from 'n8n-workflow';

import type { CredentialReference } from '../../tools/n8n-host/rest-client.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { action, credentialData, CREDENTIAL_TYPE, START, workflow } from '../support/real-n8n.mts';
import { filesWith } from '../support/secret-search.mts';
import { smsForm } from '../support/sends.mts';
import { sendJson, startWebServer } from '../support/web-server.mts';

/** Long and odd enough to be found wherever it leaks, and not to be found by chance. */
const KEY = 'Zk7/+q"9 leak-probe-Ω-31415926535';

const host = e2eHost({ key: KEY });

const PARAMETERS = smsForm({ phone: '380501234567' });

const run = async (credential: CredentialReference, settings: IDataObject = {}) =>
  await host.client.runToEnd(workflow([action('Send', credential, PARAMETERS, settings)]), START);

it('the API key is nowhere in the database, the logs and the executions of n8n', async () => {
  host.sandbox.faults.add({ kind: 'drop-after', times: 1 });
  const settings = { onError: 'continueRegularOutput' };
  await run(host.credential, settings);
  const data = credentialData(host.sandbox);
  const credentialFor = async (baseUrl: string) =>
    await host.client.createCredential(baseUrl, CREDENTIAL_TYPE, { ...data, baseUrl });
  await run(await credentialFor('http://127.0.0.1:9'));
  // A careless gateway or proxy may repeat the request in its refusal.
  const echo = await startWebServer((response, { body }) => {
    sendJson(response, { success: false, error: `Bad request: ${body}` });
  });
  const { items } = await run(await credentialFor(echo.url), settings);
  expect(items('Send')[0].json.error).toContain('[API key]');
  await echo.close();
  await host.client.testCredential('Bad', CREDENTIAL_TYPE, { ...data, apiKey: `${KEY}-bad` });

  const forms = [
    KEY,
    JSON.stringify(KEY).slice(1, -1),
    JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
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
