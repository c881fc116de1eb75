/** The workflows that 0.1.0 saved, less their notes and the nodes of n8n that do nothing for ours, each run as its user would. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../tools/n8n-host/rest-client.mts';
import type { WorkflowJson } from '../../tools/n8n-host/workflow.mts';
import { withCredential } from '../../tools/n8n-host/workflow.mts';
import type { Bench } from './core-checks.mts';
import { CREDENTIAL_TYPE, TRIGGER } from './real-n8n.mts';
import { untilPublished } from './publication.mts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', '0.1.0');

/** A published workflow of 0.1.0. */
interface Saved {
  id: string;
  workflow: WorkflowJson;
}

async function read({ client, credential }: Bench, file: string): Promise<WorkflowJson> {
  const text = await readFile(join(FOLDER, `${file}.json`), 'utf8');
  const workflow = withCredential(JSON.parse(text) as WorkflowJson, CREDENTIAL_TYPE, credential);
  for (const node of workflow.nodes) {
    // A workflow of a newer n8n has newer versions of its nodes; this is about ours.
    node.typeVersion = Math.min(Number(node.typeVersion), await client.latestVersion(node.type));
  }
  return workflow;
}

async function publish(bench: Bench, file: string): Promise<Saved> {
  const workflow = await read(bench, file);
  const created = await bench.client.createWorkflow(workflow);
  await bench.client.activate(created);
  await untilPublished(bench.client, created.id);
  const trigger = workflow.nodes.find(({ type }) => type === TRIGGER);
  // The probe is no callback, so it starts nothing; once it is refused, the trigger is there and knows its address.
  if (trigger)
    expect((await bench.client.postWebhook(`${trigger.webhookId as string}/callback`, {})).status).toBe(400);
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
  const ended = execution.status === 'waiting' ? client.waitUntilAwake(execution.id, 60_000) : execution;
  return succeeded(await ended);
}

const runByHand = async (bench: Bench, file: string) => {
  const { id } = await bench.client.createWorkflow(await read(bench, file));
  return await byHand(bench, id, 'Start');
};

/** Posts a callback to the trigger of a workflow, and returns the execution that it starts. */
async function byCallback(
  { client }: Bench,
  { id, workflow }: Saved,
  callback: IDataObject,
): Promise<Execution> {
  const before = await client.listExecutions(id);
  const path = `${workflow.nodes.find(({ type }) => type === TRIGGER)?.webhookId as string}/callback`;
  expect((await client.postWebhook(path, callback)).status).toBe(200);
  const [newest] = await client.waitForExecutions(id, before.length + 1);
  return succeeded(newest);
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
  const saved = await publish(bench, 'delivery-callbacks');
  await byHand(bench, saved.id, 'Start by Hand');
  const [message] = bench.sandbox.messages.list();
  const [callback] = (await bench.client.waitForExecutions(saved.id, 2)).filter(
    (execution) => execution.json('Note Delivery').length > 0,
  );
  expect(callback.json('Note Delivery')).toEqual([
    {
      outcome: 'delivered',
      note: expect.stringMatching(new RegExp(`^Message ${String(message.id)} was delivered at `)),
    },
  ]);
  await bench.client.deactivate(saved);
}

async function branches(bench: Bench): Promise<void> {
  const execution = await runByHand(bench, 'wait-and-branch');
  expect(execution.json('Arrived')).toEqual(
    ['1001', '1002'].map((order) => ({ order, note: expect.stringMatching(/^Message \d+ is delivered$/) })),
  );
}

async function routesDigits(bench: Bench): Promise<void> {
  const saved = await publish(bench, 'dtmf-routing');
  await byHand(bench, saved.id, 'Start by Hand');
  const [{ id, operation }] = bench.sandbox.messages.list();
  expect(operation).toMatchObject({ type: 'voice', dtmf: true });
  const call = { success: true, id, type: 'voice', status: 'DELIVERED', reply: '1', duration: 12 };
  expect((await byCallback(bench, saved, call)).json('Confirmed')).toEqual([
    { digit: '1', note: `Message ${String(id)}: confirmed after 12 s` },
  ]);
  await bench.client.deactivate(saved);
}

async function takesReplies(bench: Bench): Promise<void> {
  const saved = await publish(bench, 'two-way-replies');
  await byHand(bench, saved.id, 'Start by Hand');
  const [{ id }] = bench.sandbox.messages.list();
  const replies = [{ datetime: '2026-01-01T00:00:00Z', message: 'Yes' }];
  const reply = { success: true, id, type: 'viber', status: 'REPLIED', replies };
  expect((await byCallback(bench, saved, reply)).json('Row for the Table')).toMatchObject([
    { message: String(id), channel: 'viber', text: 'Yes' },
  ]);
  await bench.client.deactivate(saved);
}

async function asksForStatus(bench: Bench): Promise<void> {
  const execution = await runByHand(bench, 'pipeline-fallback');
  const [{ id }] = bench.sandbox.messages.list();
  expect(execution.json('Ask What Became of It')).toMatchObject([{ id, status: 'DELIVERED' }]);
}

/** By file of the folder. */
export const SAVED_WORKFLOWS: Record<string, (bench: Bench) => Promise<void>> = {
  'bulk-sms': sendsInBulk,
  'delivery-callbacks': notesDelivery,
  'dtmf-routing': routesDigits,
  'pipeline-fallback': asksForStatus,
  'two-way-replies': takesReplies,
  'wait-and-branch': branches,
};
