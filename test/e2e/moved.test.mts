/** An n8n that moves: started again with another `WEBHOOK_URL`, its published workflows send their trigger's new address. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { OWNER, startN8n, startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import type { N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { LEAN } from '../support/lean-n8n.mts';
import { untilPublished } from '../support/publication.mts';
import { action, credentialData, CREDENTIAL_TYPE, START, TRIGGER, workflow } from '../support/real-n8n.mts';
import { grouped, smsForm } from '../support/sends.mts';

const folder = join(TMP, 'e2e-moved');
let n8n: N8nProcess;
let client: N8nClient;
let sandbox: Sandbox;

beforeAll(async () => {
  ({ n8n, client } = await startWithOwner({ folder, tarball: await packed(), env: LEAN }));
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 20 } } });
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.close();
});

it('sends the address at which n8n is now, and hears of the message there, without being published again', async () => {
  const credential = await client.createCredential('Moved', CREDENTIAL_TYPE, credentialData(sandbox));
  const webhookId = randomUUID();
  const parameters = { outcomes: ['delivered'], options: { secret: 'Gr8-Secret' } };
  const trigger = { name: 'Callback', type: TRIGGER, typeVersion: 1.1, webhookId, parameters };
  const form = smsForm({ phone: '380501234567', options: grouped({ hookFromTrigger: true }) });
  const flow = workflow([action('Send', credential, form)]);
  const nodes = [
    ...flow.nodes,
    {
      ...trigger,
      ...{ id: 'trigger', position: [0, 400], credentials: { [CREDENTIAL_TYPE]: credential } },
    },
  ];
  const created = await client.createWorkflow({ ...flow, nodes });
  await client.activate(created);
  await untilPublished(client, created.id);

  const send = async (): Promise<URL> => {
    const run = await client.waitForExecution(await client.runManually(created.id, START));
    expect([run.status, run.failure()]).toEqual(['success', '']);
    await sandbox.settled();
    return new URL(String(sandbox.messages.list().at(-1)?.operation.hook));
  };
  const path = `/webhook/${webhookId}/callback`;
  const port = Number(new URL(n8n.url).port);
  expect(await send()).toMatchObject({ host: `127.0.0.1:${port}`, pathname: path });

  await n8n.stop();
  const env = { ...LEAN, WEBHOOK_URL: `http://localhost:${port}/` };
  n8n = await startN8n({ folder, port, env });
  await client.logIn(OWNER);
  await client.untilRegistered(path.slice(1));
  const hook = await send();
  expect(hook).toMatchObject({ host: `localhost:${port}`, pathname: path });
  expect(hook.searchParams.get('secret')).toBe('Gr8-Secret');

  // Two sends, and the callback of each.
  const executions = await client.waitForExecutions(created.id, 4);
  const heard = executions.flatMap((execution) => execution.json('Callback'));
  expect(heard).toHaveLength(2);
  for (const row of heard)
    expect(row).toMatchObject({ phone: 380501234567, sent_as: 'sms', outcome: 'delivered' });
});
