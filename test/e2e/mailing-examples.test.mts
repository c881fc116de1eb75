import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { withCredential } from '../../tools/n8n-host/workflow.mts';
import { readExamples } from '../../tools/start/examples.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { CREDENTIAL_TYPE, TRIGGER } from '../support/real-n8n.mts';

/** The example workflows around mailings, as a user would import them. */

const host = e2eHost();

async function imported(file: string): Promise<WorkflowJson> {
  const { [file]: example } = await readExamples();
  return withCredential(example, CREDENTIAL_TYPE, host.credential);
}

/** Replaces the rows of an example by those of a test. */
function setRows(workflow: WorkflowJson, rows: object[]): void {
  const node = workflow.nodes.find(({ name }) => name === 'Example Rows');
  if (!node) throw new Error('The example has no example rows');
  node.parameters.jsonOutput = JSON.stringify({ rows });
}

describe('the balance guard', () => {
  async function run(amount: number) {
    const [account] = host.sandbox.accounts.values();
    account.balance.amount = amount;
    return await host.client.runToEnd(await imported('balance-guard'), 'Start');
  }

  it('sends when the balance is sufficient', async () => {
    const execution = await run(10);
    expect(execution.status).toBe('success');
    expect(execution.json('Send SMS')).toHaveLength(2);
  });

  it('stops before anything is sent when it is not', async () => {
    const { accepted } = host.sandbox.counts();
    const execution = await run(0.01);
    expect(execution.status).toBe('error');
    expect(execution.failure()).toContain('The balance is 0.01, and the mailing costs about 0.1.');
    expect(host.sandbox.counts().accepted).toBe(accepted);
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
  const execution = await host.client.runToEnd(workflow, 'Start');
  expect(execution.status).toBe('waiting');
  expect(execution.json('Send SMS').map(({ phone }) => phone)).toEqual([447700900001]);
});

it('STOP replies: the next mailing leaves out who replied STOP', async () => {
  const workflow = await imported('stop-replies');
  const created = await host.publish(workflow);
  const mail = async () => {
    const id = await host.client.runManually(created.id, 'Start by Hand');
    const execution = await host.client.waitForExecution(id);
    expect(execution.failure()).toBe('');
    return execution.json('Send Viber');
  };
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
    expect((await host.client.postWebhook(path, callback)).status).toBe(200);
  }
  const executions = await host.client.waitForExecutions(created.id, 3);
  const optedOut = executions.flatMap((execution) => execution.json('Add to Opt-Outs'));
  expect(optedOut.map(({ phone }) => phone)).toEqual([String(second.phone)]);
  expect((await mail()).map(({ phone }) => phone)).toEqual([first.phone]);
});
