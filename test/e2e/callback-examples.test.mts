import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { withCredential } from '../../tools/n8n-host/workflow.mts';
import { readExamples } from '../../tools/start/examples.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n, TRIGGER } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';

/** The example workflows around callbacks, as a user would import them. */

let sandbox: Sandbox;
let n8n: RealN8n;
let credential: { id: string; name: string };
const open: Array<{ id: string }> = [];

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { afterMs: 20 } } });
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Examples', CREDENTIAL_TYPE, credentialData(sandbox));
});
afterAll(async () => {
  for (const workflow of open) await n8n.client.deactivate(workflow);
  await sandbox?.close();
});

async function imported(file: string) {
  const { [file]: example } = await readExamples();
  const workflow = withCredential(example, CREDENTIAL_TYPE, credential);
  const trigger = workflow.nodes.find(({ type }) => type === TRIGGER);
  return { workflow, path: `${trigger?.webhookId}/callback` };
}

/** Publishes an example, posts the callbacks one after the other, and gives the items of a node by execution. */
async function run(file: string, callbacks: object[]) {
  const { workflow, path } = await imported(file);
  const created = await n8n.client.createWorkflow(workflow);
  await n8n.client.activate(created);
  open.push(created);
  for (const callback of callbacks) {
    expect((await n8n.client.postWebhook(path, callback)).status).toBe(200);
  }
  return async (node: string, executions: number): Promise<Array<Record<string, unknown>>> => {
    const ended = await n8n.client.waitForExecutions(created.id, executions);
    return ended.flatMap((execution) => execution.json(node));
  };
}

it('two-way replies: one row for each reply, none twice', async () => {
  const replies = [
    { datetime: '2026-01-01T00:00:00Z', message: 'Yes' },
    { datetime: '2026-01-01T00:01:00Z', message: '', media: { url: 'https://example.com/a.png' } },
  ];
  const replied = { success: true, id: '5', msg_id: '6', type: 'viber', status: 'REPLIED', replies };
  const items = await run('two-way-replies', [replied, replied]);
  expect(await items('Row for the Table', 1)).toEqual([
    { received: '2026-01-01T00:00:00Z', message: '5', channel: 'viber', text: 'Yes', media: '' },
    {
      received: '2026-01-01T00:01:00Z',
      message: '5',
      channel: 'viber',
      text: '',
      media: 'https://example.com/a.png',
    },
  ]);
});

it('DTMF routing: each digit goes its own way', async () => {
  const call = (id: number, fields: object) => ({
    success: true,
    id,
    type: 'voice',
    status: 'DELIVERED',
    ...fields,
  });
  const items = await run('dtmf-routing', [
    call(1, { reply: '1', duration: 12 }),
    call(2, { reply: 2 }),
    call(3, {}),
    call(4, { success: false, status: 'EXPIRED' }),
  ]);
  const notes = async (node: string) => (await items(node, 4)).map(({ note }) => note).sort();
  expect(await notes('Confirmed')).toEqual(['Message 1: confirmed after 12 s']);
  expect(await notes('Another Time')).toEqual(['Message 2: wants another time']);
  expect(await notes('No Answer')).toEqual([
    'Message 3: no answer (DELIVERED)',
    'Message 4: no answer (EXPIRED)',
  ]);
});

it('delivery statistics: counts by outcome', async () => {
  sandbox.configure({
    outcomes: { rules: [{ phoneSuffix: '03', outcome: { steps: [{ status: 'EXPIRED' }] } }] },
  });
  const { workflow } = await imported('delivery-statistics');
  const { id } = await n8n.client.createWorkflow(workflow);
  const execution = await n8n.client.runManually(id, 'Start');
  const deadline = Date.now() + 45_000;
  let ended = await n8n.client.waitForExecution(execution);
  while (ended.status === 'waiting' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ended = await n8n.client.waitForExecution(execution);
  }
  expect(ended.status).toBe('success');
  const counts = ended.items('Count by Outcome').map(({ json }) => [json.outcome, json.count_id]);
  expect(counts.sort()).toEqual([
    ['delivered', 2],
    ['failed', 1],
  ]);
});
