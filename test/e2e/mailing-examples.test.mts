import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { readExamples, withCredential } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { CREDENTIAL_TYPE, TRIGGER } from '../support/real-n8n.mts';

/** The example workflows around mailings, as a user would import them. */

// What becomes of a message is up to each test.
const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

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
  const hour = new Date().getUTCHours();
  /** The zone where it is now `wanted` o'clock; POSIX names count westwards. */
  const zoneAt = (wanted: number) => {
    const east = ((wanted - hour + 36) % 24) - 12;
    return east > 0 ? `Etc/GMT-${east}` : `Etc/GMT+${-east}`;
  };
  const example = JSON.stringify(await imported('quiet-hours'));
  const moved = example.replace('Europe/London', zoneAt(12)).replace('Europe/Stockholm', zoneAt(2));
  const execution = await host.client.runToEnd(JSON.parse(moved) as WorkflowJson, 'Start');
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
  const optedOut = executions.flatMap((execution) => execution.json('Put on the List'));
  expect(optedOut.map(({ phone }) => phone)).toEqual([String(second.phone)]);
  expect((await mail()).map(({ phone }) => phone)).toEqual([first.phone]);
});

it('contact list: each number once and as the gateway takes it, with its operator, and what is wrong apart', async () => {
  const workflow = await imported('contact-list');
  const known = { country: 'GB', operator: expect.any(String) as string, reachable: true };
  // The second run finds the rows of the first one.
  for (const run of ['first', 'second']) {
    const execution = await host.client.runToEnd(workflow, 'Start');
    expect([run, execution.failure()]).toEqual([run, '']);
    expect(execution.json('Write Back')).toMatchObject([
      { id: 1, name: 'Anna', phone: '447700900001', ...known },
      { id: 2, name: 'Ben', phone: '447700900002', ...known },
    ]);
    expect(execution.json('To Correct')).toEqual([
      { name: 'Chloe', phone: '12-AB-34', reason: expect.stringContaining('holds "A"') },
    ]);
  }
  const lookups = host.sandbox.requests.filter(({ raw }) => raw.includes('"hlr"'));
  expect(lookups.map(({ items }) => items)).toEqual([2, 2]);
});

it('resumed campaign: after a stop in the middle, a second run sends only what the gateway does not have', async () => {
  const workflow = await imported('resumed-campaign');
  const customers = Array.from({ length: 120 }, (_, i) => ({ customer: `C-${i}`, phone: 447700900000 + i }));
  setRows(workflow, customers);
  const before = host.sandbox.counts().accepted;
  const accepted = () => host.sandbox.counts().accepted - before;
  // The first batch is taken, and n8n never hears of it.
  host.sandbox.faults.add({ kind: 'hang-after', times: 1 });
  const { id } = await host.client.createWorkflow(workflow);
  const stopped = await host.client.runManually(id, 'Start');
  await until(20_000, 'the first batch to be taken', () => accepted() > 0 || undefined);
  await host.client.call('POST', `/executions/${stopped}/stop`, {});
  const taken = accepted();
  expect(taken).toBeLessThan(customers.length);
  const execution = await host.client.waitForExecution(await host.client.runManually(id, 'Start'));
  expect(execution.failure()).toBe('');
  const sent = execution.json('Send SMS');
  expect(sent.map(({ phone }) => phone)).toEqual(customers.map(({ phone }) => phone));
  expect(sent.filter(({ duplicate }) => duplicate === true)).toHaveLength(taken);
  expect(execution.json('Sent in This Run')).toHaveLength(customers.length - taken);
  expect([accepted(), host.sandbox.counts().doubledIds]).toEqual([customers.length, 0]);
});

it('appointment reminder: who no SMS reaches is called, and who asks for another time is put on the list', async () => {
  const workflow = await imported('appointment-reminder');
  const created = await host.publish(workflow);
  const path = `${workflow.nodes.find(({ type }) => type === TRIGGER)?.webhookId}/callback`;
  host.sandbox.account().notificationUrl = `${host.url}/webhook/${path}`;
  const id = await host.client.runManually(created.id, 'Every Day at 17:00');
  expect((await host.client.waitForExecution(id)).status).toBe('waiting');
  const reminders = () => host.sandbox.messages.list().filter(({ id: own }) => /^1?7001/.test(String(own)));
  const [one, other] = reminders();
  expect([one.id, one.type, other.id, other.type]).toEqual([700101, 'sms', 700102, 'sms']);
  host.sandbox.act(one.msgId, 'status', { status: 'DELIVERED' });
  host.sandbox.act(other.msgId, 'fail');
  const reminded = await host.client.waitUntilAwake(id, 60_000);
  expect([reminded.failure(), reminded.json('Reminded').length]).toEqual(['', 1]);
  const call = reminders()[2];
  expect([call.id, call.type, call.phone]).toEqual([1700102, 'voice', 447700900002]);
  host.sandbox.act(call.msgId, 'dtmf', { digit: '2' });
  const executions = await host.client.waitForExecutions(created.id, 2);
  expect(executions.map((execution) => execution.failure())).toEqual(['', '']);
  const of = (node: string) =>
    executions.flatMap((execution) => execution.json(node)).map(({ appointment }) => appointment);
  expect([of('Confirmed'), of('Add to Reschedule List')]).toEqual([[], ['700102']]);
});
