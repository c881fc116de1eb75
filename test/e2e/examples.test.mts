/** Examples in a real n8n, as a user would import them. Others are with what they show, and in the core checks. */
import type { NodeJson, WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { callbackPath } from '../../tools/n8n-host/workflow.mts';
import { until } from '../../tools/until.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { rows, START, workflow as workflowOf } from '../support/real-n8n.mts';

// What becomes of a message is up to each test.
const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

describe('the balance guard', () => {
  async function run(amount: unknown) {
    Object.assign(host.sandbox.account().balance, { amount });
    return await host.client.runToEnd(await host.example('balance-guard'), 'Start');
  }

  it('sends when the balance is sufficient', async () => {
    const execution = await run(10);
    expect(execution.status).toBe('success');
    expect(execution.json('Send SMS')).toHaveLength(2);
  });

  it.each([
    ['it is not', 0.01, 'The balance is 0.01, and the mailing costs about 0.1.'],
    ['the gateway gives no amount by this name', undefined, 'The balance is unknown'],
    ['the amount is no number', 'plenty', 'balance'],
  ])('stops before anything is sent where %s', async (_, amount, words) => {
    const { accepted } = host.sandbox.counts();
    const execution = await run(amount);
    expect(execution.status).toBe('error');
    expect(execution.failure()).toContain(words);
    expect(host.sandbox.counts().accepted).toBe(accepted);
  });
});

it('sends where it is daytime, and sleeps until it is for the others, with quiet hours', async () => {
  const clock = (minutes: number, zone: string) =>
    new Date(Date.now() + minutes * 60_000).toLocaleTimeString('en-GB', {
      ...{ timeZone: zone, hour: '2-digit', minute: '2-digit' },
    });
  const example = await host.example('quiet-hours');
  const text = JSON.stringify(example)
    .replace('+46 70 174 06 05', '+81 90 1234 5678')
    .replace(
      '"from":"09:00","until":"20:00"',
      `"from":"${clock(-60, 'Europe/London')}","until":"${clock(60, 'Europe/London')}"`,
    );
  const execution = await host.client.runToEnd(JSON.parse(text) as WorkflowJson, 'Start');
  expect([execution.status, execution.failure()]).toEqual(['waiting', '']);
  expect(execution.json('Send SMS').map(({ phone, result }) => [phone, result])).toEqual([
    [447700900001, 'sent'],
    [819012345678, 'skipped'],
  ]);
  expect(String(execution.json('Send SMS')[1].opens_at)).toMatch(/:00\+09:00$/);
});

it('tries again once it opens, and sends each row once', async () => {
  const example = JSON.stringify(await host.example('quiet-hours'));
  // It opens a minute from now for both, who keep different clocks.
  const soon = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 60_000);
  const zoned = example
    .replace('"from":"09:00"', `"from":"${soon.toISOString().slice(11, 16)}"`)
    .replace(
      '"until":"20:00"',
      `"until":"${new Date(soon.getTime() + 3_600_000).toISOString().slice(11, 16)}"`,
    )
    .replace('"timeZone":""', '"timeZone":"Etc/UTC"');
  const before = host.sandbox.counts().accepted;
  const created = await host.client.createWorkflow(JSON.parse(zoned) as WorkflowJson);
  const id = await host.client.runManually(created.id, 'Start');
  const execution = await host.client.waitUntilAwake(id);
  expect([execution.status, execution.failure()]).toEqual(['success', '']);
  expect(host.sandbox.counts().accepted).toBe(before + 2);
});

it('leaves out of the next mailing who replied STOP', async () => {
  const workflow = await host.example('stop-replies');
  expect(workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'))).toHaveLength(6);
  const { id: project } = await host.client.call<{ id: string }>('GET', '/projects/personal');
  const columns = Object.entries({ phone: 'string', reply: 'string', stop: 'boolean' });
  await host.client.call('POST', `/projects/${project}/data-tables`, {
    name: 'messaging_replies',
    columns: columns.map(([name, type]) => ({ name, type })),
  });
  const created = await host.publish(workflow);
  const mail = async () => {
    const id = await host.client.runManually(created.id, 'Start by Hand');
    const execution = await host.client.waitForExecution(id);
    expect(execution.failure()).toBe('');
    return execution.json('Send Viber');
  };
  const sent = await mail();
  expect(sent.map(({ phone, result }) => [phone, result])).toEqual([
    [447700900001, 'sent'],
    [447700900002, 'sent'],
  ]);
  const answer = (id: unknown, message: string) => {
    const { msgId } = host.sandbox.messages.list().find(({ operation }) => operation.id === id)!;
    host.sandbox.act(msgId, 'reply', { message });
  };
  answer(sent[0].id, 'Thank you, do not stop!');
  answer(sent[1].id, ' Stop. ');
  await host.sandbox.settled();
  const executions = await host.client.waitForExecutions(created.id, 3);
  const replies = executions.flatMap((execution) => execution.json('Put on the List'));
  expect(replies.map(({ phone, stop }) => [phone, stop]).sort()).toEqual([
    ['447700900001', false],
    ['447700900002', true],
  ]);
  expect((await mail()).map(({ phone, result, reason }) => [phone, result, reason])).toEqual([
    [447700900001, 'sent', undefined],
    [447700900002, 'skipped', 'stop_list'],
  ]);
});

it('lists each number of contacts once and as the gateway takes it, with its operator, and what is wrong apart', async () => {
  const workflow = await host.example('contact-list');
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

describe('the list that is written back to', () => {
  const noted = (rows: Array<Record<string, unknown>>) =>
    rows.map(({ order, phone, status, note, message_id: id }) => [order, phone, status, note, id]);

  it('says what became of each row, and is sent to no second time', async () => {
    const workflow = await host.example('send-and-write-back');
    const first = await host.client.runToEnd(workflow, 'Start');
    expect(first.failure()).toBe('');
    const [one, other] = first.json('Send SMS').map(({ id }) => String(id));
    expect(noted(first.json('Write Back'))).toEqual([
      ['A-1001', '+44 7700 900001', 'sent', '', one],
      ['A-1002', '447700900002', 'sent', '', other],
      ['A-1003', '12-AB-34', 'invalid', expect.stringContaining('holds "A"'), ''],
    ]);
    const second = await host.client.runToEnd(workflow, 'Start');
    expect([second.failure(), second.json('Send SMS')]).toEqual(['', []]);
  });

  it('says what arrived, where the send waits for it', async () => {
    const example = JSON.stringify(await host.example('send-and-write-back'));
    const waiting = JSON.parse(
      example
        .replaceAll('order_messages', 'order_outcomes')
        .replaceAll('={{ $json.result }}', '={{ $json.outcome ?? $json.result }}')
        .replace('-ready"', '-arrived"')
        .replace('"operation":"sendSms"', '"operation":"sendSms","waitForDelivery":true'),
    ) as WorkflowJson;
    const { id: workflow } = await host.client.createWorkflow(waiting);
    const id = await host.client.runManually(workflow, 'Start');
    expect((await host.client.waitForExecution(id)).status).toBe('waiting');
    const [one, other] = host.sandbox.messages.list().slice(-2);
    host.sandbox.act(one.msgId, 'status', { status: 'DELIVERED' });
    host.sandbox.act(other.msgId, 'fail');
    const ended = await host.client.waitUntilAwake(id);
    expect(ended.failure()).toBe('');
    expect(noted(ended.json('Write Back')).map(([order, , status, note]) => [order, status, note])).toEqual([
      ['A-1001', 'delivered', ''],
      ['A-1002', 'failed', expect.any(String)],
      ['A-1003', 'invalid', expect.stringContaining('holds "A"')],
    ]);
  });
});

it('sends only what the gateway does not have when a campaign is resumed after a stop in the middle', async () => {
  const workflow = await host.example('resumed-campaign');
  const customers = Array.from({ length: 400 }, (_, i) => ({ customer: `C-${i}`, phone: 447700900000 + i }));
  const rows = workflow.nodes.find(({ name }) => name === 'Example Rows')!;
  rows.parameters.jsonOutput = JSON.stringify({ rows: customers });
  const before = host.sandbox.counts().accepted;
  const accepted = () => host.sandbox.counts().accepted - before;
  // The first batch is taken, and n8n never hears of it.
  host.sandbox.faults.add({ kind: 'hang-after', times: 1 });
  const { id } = await host.client.createWorkflow(workflow);
  const stopped = await host.client.runManually(id, 'Start');
  await until('the first batch to be taken', () => accepted() > 0 || undefined);
  await host.client.call('POST', `/executions/${stopped}/stop`, {});
  const taken = accepted();
  expect(taken).toBeLessThan(customers.length);
  const execution = await host.client.waitForExecution(await host.client.runManually(id, 'Start'));
  expect(execution.failure()).toBe('');
  const sent = execution.json('Send SMS');
  expect(sent.map(({ phone }) => phone)).toEqual(customers.map(({ phone }) => phone));
  expect(sent.filter(({ result }) => result === 'duplicate')).toHaveLength(taken);
  expect(execution.json('Sent in This Run')).toHaveLength(customers.length - taken);
  expect([accepted(), host.sandbox.counts().doubledIds]).toEqual([customers.length, 0]);
});

it('calls who no SMS reminds of an appointment, and puts on the list who asks for another time', async () => {
  const workflow = await host.example('appointment-reminder');
  const created = await host.publish(workflow);
  host.sandbox.account().notificationUrl = `${host.url}/webhook/${callbackPath(workflow)}`;
  const id = await host.client.runManually(created.id, 'Every Day at 17:00');
  expect((await host.client.waitForExecution(id)).status).toBe('waiting');
  const reminders = () => host.sandbox.messages.list().filter(({ id: own }) => /^1?7001/.test(String(own)));
  const [one, other] = reminders();
  expect([one.id, one.type, other.id, other.type]).toEqual([700101, 'sms', 700102, 'sms']);
  host.sandbox.act(one.msgId, 'status', { status: 'DELIVERED' });
  host.sandbox.act(other.msgId, 'fail');
  const reminded = await host.client.waitUntilAwake(id);
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

it('sends each person three messages a day at most, whichever workflow asks', async () => {
  const workflow = await host.example('daily-limit');
  const before = host.sandbox.counts().accepted;
  const { id } = await host.client.createWorkflow(workflow);
  const first = await host.client.waitForExecution(await host.client.runManually(id, 'Start by Hand'));
  expect([first.status, first.failure()]).toEqual(['success', '']);
  expect(first.json('Results').map(({ result, reason }) => [result, reason])).toEqual([
    ...Array.from({ length: 3 }, () => ['sent', undefined]),
    ['notSent', 'Had three messages today'],
  ]);
  expect(host.sandbox.counts().accepted).toBe(before + 3);

  const asked = [
    { phone: '447700900001', text: 'A fifth' },
    { phone: 447700900002, text: 'A first' },
    { phone: '12', text: 'To nobody' },
  ];
  const call: NodeJson = {
    name: 'Ask',
    type: 'n8n-nodes-base.executeWorkflow',
    typeVersion: 1.2,
    parameters: {
      workflowId: { __rl: true, mode: 'id', value: id },
      workflowInputs: {
        mappingMode: 'defineBelow',
        value: { phone: '={{ $json.phone }}', text: '={{ $json.text }}' },
      },
      options: { waitForSubWorkflow: true },
    },
  };
  const other = await host.client.runToEnd(workflowOf([rows('Rows', asked), call]), START);
  expect([other.status, other.failure()]).toEqual(['success', '']);
  expect(other.json('Ask').map(({ result, reason }) => [result, reason])).toEqual([
    ['notSent', 'Had three messages today'],
    ['sent', undefined],
    ['notSent', expect.stringMatching(/^It /)],
  ]);
  expect(host.sandbox.counts().accepted).toBe(before + 4);
});
