/** Examples that any n8n can run, each run as its user would. */
import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { callbackPath, readExamples, setUp } from '../../tools/n8n-host/workflow.mts';
import type { Bench } from './bench.mts';
import { CREDENTIAL_TYPE, TRIGGER } from './real-n8n.mts';
import { untilPublished } from './publication.mts';

/** A published example. */
interface Published {
  id: string;
  workflow: WorkflowJson;
}

async function read({ client, credential }: Bench, file: string): Promise<WorkflowJson> {
  const workflow = setUp((await readExamples())[file], CREDENTIAL_TYPE, credential);
  for (const node of workflow.nodes) {
    // An older n8n has older versions of its nodes; this is about ours.
    node.typeVersion = Math.min(Number(node.typeVersion), await client.latestVersion(node.type));
  }
  for (const { type, parameters } of workflow.nodes)
    if (type === 'n8n-nodes-base.wait') parameters.amount = 1;
  return workflow;
}

async function publish(bench: Bench, file: string): Promise<Published> {
  const workflow = await read(bench, file);
  const created = await bench.client.createWorkflow(workflow);
  await bench.client.activate(created);
  await untilPublished(bench.client, created.id);
  // The probe is no callback, so it starts nothing; once it is refused, the trigger is there and knows its address.
  if (workflow.nodes.some(({ type }) => type === TRIGGER))
    expect((await bench.client.postWebhook(callbackPath(workflow), {})).status).toBe(400);
  return { id: created.id, workflow };
}

function succeeded(execution: Execution): Execution {
  expect([execution.status, execution.failure()]).toEqual(['success', '']);
  return execution;
}

/** Runs a workflow by its button, and lets it sleep where it does. */
async function byHand(bench: Bench, id: string, trigger: string): Promise<Execution> {
  const { client } = bench;
  const execution = await client.waitForExecution(await client.runManually(id, trigger));
  const ended = execution.status === 'waiting' ? client.waitUntilAwake(execution.id) : execution;
  return succeeded(await ended);
}

const runByHand = async (bench: Bench, file: string) => {
  const { id } = await bench.client.createWorkflow(await read(bench, file));
  return await byHand(bench, id, 'Start');
};

/** Posts a callback to the trigger of a workflow, and returns the execution that it starts. */
async function byCallback(
  { client }: Bench,
  { id, workflow }: Published,
  callback: IDataObject,
): Promise<Execution> {
  const before = await client.listExecutions(id);
  expect((await client.postWebhook(callbackPath(workflow), callback)).status).toBe(200);
  const [newest] = await client.untilExecutions(id, before.length + 1);
  return succeeded(await client.waitForExecution(newest.id));
}

async function sendsInBulk(bench: Bench): Promise<void> {
  const execution = await runByHand(bench, 'bulk-sms');
  expect(execution.json('Sent')).toHaveLength(3);
  // The row that is no phone number leaves by the error branch.
  expect(execution.json('Not Sent')).toHaveLength(1);
  expect(bench.sandbox.counts().accepted).toBe(3);
}

/** The test message goes out with the trigger's own address, so its callback comes by itself. */
async function notesDelivery(bench: Bench): Promise<void> {
  const published = await publish(bench, 'delivery-callbacks');
  await byHand(bench, published.id, 'Start by Hand');
  const [message] = bench.sandbox.messages.list();
  const [callback] = (await bench.client.waitForExecutions(published.id, 2)).filter(
    (execution) => execution.json('Note Delivery').length > 0,
  );
  expect(callback.json('Note Delivery')).toEqual([
    { note: expect.stringMatching(new RegExp(`^Message ${String(message.id)} was delivered at `)) },
  ]);
  await bench.client.deactivate(published);
}

async function branches(bench: Bench): Promise<void> {
  const execution = await runByHand(bench, 'wait-and-branch');
  expect(execution.json('Arrived')).toEqual(
    ['1001', '1002'].map((order) => ({ order, note: expect.stringMatching(/^Message \d+ is delivered$/) })),
  );
}

async function routesDigits(bench: Bench): Promise<void> {
  const published = await publish(bench, 'dtmf-routing');
  await byHand(bench, published.id, 'Start by Hand');
  const [{ id, operation }] = bench.sandbox.messages.list();
  expect(operation).toMatchObject({ type: 'voice', dtmf: true });
  const call = { success: true, id, type: 'voice', status: 'DELIVERED', reply: '1', duration: 12 };
  expect((await byCallback(bench, published, call)).json('Confirmed')).toEqual([
    { note: `Message ${String(id)}: confirmed after 12 s` },
  ]);
  await bench.client.deactivate(published);
}

async function takesReplies(bench: Bench): Promise<void> {
  const published = await publish(bench, 'two-way-replies');
  await byHand(bench, published.id, 'Start by Hand');
  const [{ id }] = bench.sandbox.messages.list();
  const replies = [{ datetime: '2026-01-01T00:00:00Z', message: 'Yes' }];
  const reply = { success: true, id, type: 'viber', status: 'REPLIED', replies };
  expect((await byCallback(bench, published, reply)).json('Row for the Table')).toMatchObject([
    { message: String(id), channel: 'viber', text: 'Yes' },
  ]);
  await bench.client.deactivate(published);
}

async function asksForStatus(bench: Bench): Promise<void> {
  const execution = await runByHand(bench, 'pipeline-fallback');
  const [{ id }] = bench.sandbox.messages.list();
  expect(execution.json('Get Its Status')).toMatchObject([{ id, status: 'DELIVERED' }]);
}

/** By file of the folder. */
export const EXAMPLE_RUNS: Record<string, (bench: Bench) => Promise<void>> = {
  'bulk-sms': sendsInBulk,
  'delivery-callbacks': notesDelivery,
  'dtmf-routing': routesDigits,
  'pipeline-fallback': asksForStatus,
  'two-way-replies': takesReplies,
  'wait-and-branch': branches,
};
