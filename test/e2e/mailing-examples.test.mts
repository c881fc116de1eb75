import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { withCredential } from '../../tools/n8n-host/workflow.mts';
import { readExamples } from '../../tools/start/examples.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n, TRIGGER } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';

/** The example workflows around mailings, as a user would import them. */

let sandbox: Sandbox;
let n8n: RealN8n;
let credential: { id: string; name: string };

beforeAll(async () => {
  sandbox = await startSandbox();
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Mailings', CREDENTIAL_TYPE, credentialData(sandbox));
});
afterAll(async () => await sandbox?.close());

async function imported(file: string): Promise<WorkflowJson> {
  const { [file]: example } = await readExamples();
  return withCredential(example, CREDENTIAL_TYPE, credential);
}

/** Replaces the rows of an example by those of a test. */
function setRows(workflow: WorkflowJson, rows: object[]): void {
  const node = workflow.nodes.find(({ name }) => name === 'Example Rows');
  if (!node) throw new Error('The example has no example rows');
  node.parameters.jsonOutput = JSON.stringify({ rows });
}

describe('the balance guard', () => {
  async function run(amount: number) {
    const [account] = sandbox.accounts.values();
    account.balance.amount = amount;
    const { id } = await n8n.client.createWorkflow(await imported('balance-guard'));
    return await n8n.client.waitForExecution(await n8n.client.runManually(id, 'Start'));
  }

  it('sends when the balance is sufficient', async () => {
    const execution = await run(10);
    expect(execution.status).toBe('success');
    expect(execution.json('Send SMS')).toHaveLength(2);
  });

  it('stops before anything is sent when it is not', async () => {
    const { accepted } = sandbox.counts();
    const execution = await run(0.01);
    expect(execution.status).toBe('error');
    expect(execution.failure()).toContain('The balance is 0.01, and the mailing costs about 0.1.');
    expect(sandbox.counts().accepted).toBe(accepted);
  });
});

it('quiet hours: sends where it is daytime, and lets the others wait', async () => {
  const workflow = await imported('quiet-hours');
  const hour = new Date().getUTCHours();
  /** The zone where it is now `wanted` o'clock; POSIX names count westwards. */
  const zoneAt = (wanted: number) => {
    const east = ((wanted - hour + 36) % 24) - 12;
    return east > 0 ? `Etc/GMT-${east}` : `Etc/GMT+${-east}`;
  };
  setRows(workflow, [
    { phone: '447700900001', timezone: zoneAt(12) },
    { phone: '447700900002', timezone: zoneAt(2) },
  ]);
  const { id } = await n8n.client.createWorkflow(workflow);
  const execution = await n8n.client.waitForExecution(await n8n.client.runManually(id, 'Start'));
  expect(execution.status).toBe('waiting');
  expect(execution.json('Send SMS').map(({ phone }) => phone)).toEqual([447700900001]);
});

it('STOP replies: the next mailing leaves out who replied STOP', async () => {
  const workflow = await imported('stop-replies');
  const created = await n8n.client.createWorkflow(workflow);
  await n8n.client.activate(created);
  const mail = async () => {
    const id = await n8n.client.runManually(created.id, 'Start by Hand');
    const execution = await n8n.client.waitForExecution(id);
    expect(execution.failure()).toBe('');
    return execution.json('Send Viber');
  };
  try {
    const [first, second] = await mail();
    const path = `${workflow.nodes.find(({ type }) => type === TRIGGER)?.webhookId}/callback`;
    const reply = (id: unknown, message: string) => ({
      success: true,
      id,
      type: 'viber',
      status: 'REPLIED',
      replies: [{ datetime: '2026-01-01T00:00:00Z', message }],
    });
    for (const callback of [reply(first.id, 'Thank you'), reply(second.id, ' stop ')]) {
      expect((await n8n.client.postWebhook(path, callback)).status).toBe(200);
    }
    const executions = await n8n.client.waitForExecutions(created.id, 3);
    const optedOut = executions.flatMap((execution) => execution.json('Add to Opt-Outs'));
    expect(optedOut.map(({ phone }) => phone)).toEqual([String(second.phone)]);
    expect((await mail()).map(({ phone }) => phone)).toEqual([first.phone]);
  } finally {
    await n8n.client.deactivate(created);
  }
});
