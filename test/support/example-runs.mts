/** Examples that any n8n can run, each run as its user would. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { callbackPath, readExamples, setUp } from '../../tools/n8n-host/workflow.mts';
import type { CheckHost } from './check-host.mts';
import { CREDENTIAL_TYPE, TRIGGER } from './real-n8n.mts';
import { untilPublished } from './publication.mts';

/** A published example. */
interface Published {
  id: string;
  workflow: WorkflowJson;
}

async function read({ client, credential }: CheckHost, file: string): Promise<WorkflowJson> {
  const workflow = setUp((await readExamples())[file], CREDENTIAL_TYPE, credential);
  for (const node of workflow.nodes) {
    // An older n8n has older versions of its nodes; this is about ours.
    node.typeVersion = Math.min(Number(node.typeVersion), await client.latestVersion(node.type));
  }
  for (const { type, parameters } of workflow.nodes)
    if (type === 'n8n-nodes-base.wait') parameters.amount = 1;
  return workflow;
}

async function publish(host: CheckHost, file: string): Promise<Published> {
  const workflow = await read(host, file);
  const created = await host.client.createWorkflow(workflow);
  await host.client.activate(created);
  await untilPublished(host.client, created.id);
  // The probe is no callback, so it starts nothing; once it is refused, the trigger is there and knows its address.
  if (workflow.nodes.some(({ type }) => type === TRIGGER))
    expect((await host.client.postWebhook(callbackPath(workflow), {})).status).toBe(400);
  return { id: created.id, workflow };
}

function succeeded(execution: Execution): Execution {
  expect([execution.status, execution.failure()]).toEqual(['success', '']);
  return execution;
}

/** Runs a workflow by its button, and lets it sleep where it does. */
async function byHand(host: CheckHost, id: string, trigger: string): Promise<Execution> {
  const { client } = host;
  const execution = await client.waitForExecution(await client.runManually(id, trigger));
  const ended = execution.status === 'waiting' ? client.waitUntilAwake(execution.id) : execution;
  return succeeded(await ended);
}

const runByHand = async (host: CheckHost, file: string) => {
  const { id } = await host.client.createWorkflow(await read(host, file));
  return await byHand(host, id, 'Start');
};

/** Posts a callback to the trigger of a workflow, and returns the execution that it starts. */
async function byCallback(
  { client }: CheckHost,
  { id, workflow }: Published,
  callback: IDataObject,
): Promise<Execution> {
  const before = await client.listExecutions(id);
  expect((await client.postWebhook(callbackPath(workflow), callback)).status).toBe(200);
  const [newest] = await client.untilExecutions(id, before.length + 1);
  return succeeded(await client.waitForExecution(newest.id));
}

async function sendsInBulk(host: CheckHost): Promise<void> {
  const execution = await runByHand(host, 'bulk-sms');
  expect(execution.json('Sent')).toHaveLength(3);
  // The row that is no phone number leaves by the error branch.
  expect(execution.json('Not Sent')).toHaveLength(1);
  expect(host.sandbox.counts().accepted).toBe(3);
}

/** The test message goes out with the trigger's own address, so its callback comes by itself. */
async function notesDelivery(host: CheckHost): Promise<void> {
  const published = await publish(host, 'delivery-callbacks');
  await byHand(host, published.id, 'Start by Hand');
  const [message] = host.sandbox.messages.list();
  const [callback] = (await host.client.waitForExecutions(published.id, 2)).filter(
    (execution) => execution.json('Note Delivery').length > 0,
  );
  expect(callback.json('Note Delivery')).toEqual([
    { note: expect.stringMatching(new RegExp(`^Message ${String(message.id)} was delivered at `)) },
  ]);
  await host.client.deactivate(published);
}

async function branches(host: CheckHost): Promise<void> {
  const execution = await runByHand(host, 'wait-and-branch');
  expect(execution.json('Arrived')).toEqual(
    ['1001', '1002'].map((order) => ({ order, note: expect.stringMatching(/^Message \d+ is delivered$/) })),
  );
}

async function routesDigits(host: CheckHost): Promise<void> {
  const published = await publish(host, 'dtmf-routing');
  await byHand(host, published.id, 'Start by Hand');
  const [{ id, operation }] = host.sandbox.messages.list();
  expect(operation).toMatchObject({ type: 'voice', dtmf: true });
  const call = { success: true, id, type: 'voice', status: 'DELIVERED' };
  const noteOf = async (more: IDataObject, node: string) =>
    (await byCallback(host, published, { ...call, ...more })).json(node).map(({ note }) => note);
  expect([
    await noteOf({ reply: '1', duration: 12 }, 'Confirmed'),
    await noteOf({ id: 2, reply: 2 }, 'Another Time'),
    await noteOf({ id: 3 }, 'No Answer'),
  ]).toEqual([
    [`Message ${String(id)}: confirmed after 12 s`],
    ['Message 2: wants another time'],
    ['Message 3: no answer (DELIVERED)'],
  ]);
  await host.client.deactivate(published);
}

async function takesReplies(host: CheckHost): Promise<void> {
  const published = await publish(host, 'two-way-replies');
  await byHand(host, published.id, 'Start by Hand');
  const [{ id }] = host.sandbox.messages.list();
  const replies = [
    { datetime: '2026-01-01T00:00:00Z', message: 'Yes' },
    { datetime: '2026-01-01T00:01:00Z', message: '', media: { url: 'https://example.com/a.png' } },
  ];
  const reply = { success: true, id, type: 'viber', status: 'REPLIED', replies };
  expect((await byCallback(host, published, reply)).json('Row for the Table')).toMatchObject([
    { message: String(id), channel: 'viber', text: 'Yes', media: '' },
    { message: String(id), channel: 'viber', text: '', media: 'https://example.com/a.png' },
  ]);
  await host.client.deactivate(published);
}

async function asksForStatus(host: CheckHost): Promise<void> {
  const execution = await runByHand(host, 'pipeline-fallback');
  const [{ id }] = host.sandbox.messages.list();
  expect(execution.json('Get Its Status')).toMatchObject([{ id, status: 'DELIVERED' }]);
}

/** By file of the folder. */
export const EXAMPLE_RUNS: Record<string, (host: CheckHost) => Promise<void>> = {
  'bulk-sms': sendsInBulk,
  'delivery-callbacks': notesDelivery,
  'dtmf-routing': routesDigits,
  'pipeline-fallback': asksForStatus,
  'two-way-replies': takesReplies,
  'wait-and-branch': branches,
};
