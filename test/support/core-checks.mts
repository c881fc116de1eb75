/**
 * What has to work on every version of n8n. A check is one line of CHECKS; it takes
 * a running n8n and a sandbox, and throws where something doesn't work.
 */
import type { IDataObject } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { FormVisitor } from '../../tools/start/form.mts';
import { answer, approvalForm, DEPUTY, linkIn, MANAGER, sentTo } from './approval.mts';
import type { CheckHost } from './check-host.mts';
import { decideFates, fates, recipients } from './fates.mts';
import { OPERATION_CASES } from './operation-cases.mts';
import { publishExample, untilServed } from './otp-host.mts';
import { codeIn, sendForm, verifyForm, wrongFor } from './otp.mts';
import { agentWorkflow } from './real-agent.mts';
import {
  ACTION,
  action,
  credentialData,
  CREDENTIAL_TYPE,
  listener,
  rows,
  START,
  TRIGGER,
  workflow,
} from './real-n8n.mts';
import { EXAMPLE_RUNS } from './example-runs.mts';
import { startModel } from './scripted-model.mts';
import { grouped, smsForm } from './sends.mts';

export interface Check {
  /** Title of its column. */
  title: string;
  run(host: CheckHost): Promise<void>;
}

/** Where an n8n that isn't on this machine reaches it; `npm run versions` sets it. */
export const { SANDBOX_HOST } = process.env;

const WEBHOOK_ID = '7d0f5f4e-6d0c-4c8e-9d0a-0000000000aa';
/** Text in an agent's tool that the model fills in. */
const fromAI = (key: string) => `={{ $fromAI('${key}', '${key}', 'string') }}`;

async function loads({ client }: CheckHost): Promise<void> {
  const names = (await client.nodeTypes()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([ACTION, TRIGGER]));
}

async function testsCredential({ client, sandbox }: CheckHost): Promise<void> {
  const data = credentialData(sandbox);
  const test = async (more: IDataObject) =>
    await client.testCredential('Gateway', CREDENTIAL_TYPE, { ...data, ...more });
  expect(await test({})).toMatchObject({ status: 'OK' });
  expect(await test({ apiKey: 'wrong' })).toMatchObject({
    status: 'Error',
    message: expect.stringContaining('Access denied'),
  });
}

/** The form of each operation, by a name of its own; those that need what another one made come last. */
function forms(): Record<string, IDataObject> {
  const found: Record<string, IDataObject> = {};
  for (const { resource, operation, parameters } of OPERATION_CASES) {
    found[`${resource} ${operation}`] ??= { resource, operation, ...parameters };
  }
  const tool = { __rl: true, mode: 'name', value: 'balance' };
  const others: IDataObject[] = [
    { resource: 'message', operation: 'getStatus', messageId: 1001 },
    { resource: 'smsTemplate', operation: 'getAll' },
    { resource: 'viberTemplate', operation: 'getAll' },
    { resource: 'assistant', operation: 'getHealth' },
    { resource: 'assistant', operation: 'listTools' },
    { resource: 'assistant', operation: 'callTool', tool, specifyArguments: 'json', arguments: '{}' },
    sendForm(),
    { ...verifyForm, challenge: 'none', code: '1' },
    { resource: 'number', operation: 'check', phone: '={{ $json.phone }}' },
  ];
  for (const form of others) found[`${String(form.resource)} ${String(form.operation)}`] = form;
  return found;
}

async function runsEveryOperation({ client, sandbox, credential }: CheckHost): Promise<void> {
  const all = Object.entries(forms());
  // An approval falls asleep, and has a check of its own.
  const awake = OPERATIONS.filter(({ resource }) => resource !== 'approval');
  const known = awake.map(({ resource, operation }) => `${resource} ${operation}`);
  expect(all.map(([name]) => name).sort()).toEqual(known.sort());
  const one = (id: number) => [{ id, phone: 380501234561 }];
  const send = action('First', credential, smsForm({ options: { messageId: '={{ $json.id }}' } }));
  const nodes = all.map(([name, form], n) => {
    const node = action(name, credential, form, { onError: 'continueRegularOutput' });
    // A check of a number runs without a credential.
    if (name === 'number check') delete node.credentials;
    return [rows(`Row ${n}`, one(2000 + n)), node];
  });
  await client.runToEnd(workflow([rows('Rows', one(1001)), send]), START);
  const execution = await client.runToEnd(workflow(...nodes), START);
  expect(execution.failure()).toBe('');
  for (const [name] of all) {
    // Lists may be empty, but their node has to have run.
    expect([name, execution.runs(name).length]).toEqual([name, 1]);
    for (const json of execution.json(name)) expect([name, json.error]).toEqual([name, undefined]);
  }
  // The contract names no text for the voice stage of a pipeline.
  const undeclared = sandbox.requests.flatMap((request) => request.undeclared);
  expect(undeclared.filter((path) => !path.endsWith('.voice.message'))).toEqual([]);
}

/** 300 messages in batches of 20: one answer is lost, a later batch ends the run, and n8n runs the node again. */
async function sendsInBulk({ client, sandbox, credential }: CheckHost): Promise<void> {
  sandbox.faults.add({ kind: 'drop-after', times: 1 });
  sandbox.faults.add({ kind: 'status-before', status: 401, times: 1 });
  const items = recipients(300);
  const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
  const options = grouped({ batchSize: 20 });
  const send = action('Send', credential, smsForm({ options }), settings);
  const execution = await client.runToEnd(workflow([rows('Rows', items), send]), START);
  expect(execution.failure()).toBe('');
  expect(execution.items('Send').map(({ json, pairedItem }) => [json.phone, pairedItem])).toEqual(
    items.map(({ phone }, item) => [Number(phone), { item }]),
  );
  expect(sandbox.counts()).toMatchObject({ accepted: 300, distinctIds: 300, doubledIds: 0 });
}

/** n8n decides by which branch a row leaves, in a way of its own in each version. */
async function partsRows({ client, sandbox, credential }: CheckHost): Promise<void> {
  const items = [
    { name: 'Anna', phone: '380501234561' },
    { name: 'Ben', phone: 'n/a' },
  ];
  const send = action('Send', credential, smsForm(), { onError: 'continueErrorOutput' });
  const execution = await client.runToEnd(workflow([rows('Rows', items), send]), START);
  expect(execution.json('Send')).toEqual([expect.objectContaining({ phone: 380501234561 })]);
  const error = "'Phone Number' is not a phone number: n/a";
  expect(execution.json('Send', 1)).toEqual([
    expect.objectContaining({ ...items[1], error, what_to_do: expect.any(String) }),
  ]);
  expect(sandbox.counts().accepted).toBe(1);

  // Two seconds after the send: a slow machine would have the outcome before the execution falls asleep, and n8n passes on other items then.
  sandbox.decideOutcome(() => ({ steps: [{ status: 'DELIVERED', afterMs: 2000 }] }));
  const waiting = action('Send', credential, smsForm({ waitForDelivery: true, waitAmount: 0.1 }), {
    onError: 'continueErrorOutput',
  });
  const asleep = await client.runToEnd(workflow([rows('Rows', items), waiting]), START);
  const woken = await client.waitUntilAwake(asleep.id);
  expect(woken.json('Send')).toEqual([expect.objectContaining({ phone: 380501234561 })]);
  const text = expect.stringContaining(`${error}. Row 2: correct`) as string;
  expect(woken.json('Send', 1)).toEqual([{ ...items[1], error: text }]);
}

async function startsByCallback({ n8n, client, credential }: CheckHost): Promise<void> {
  const path = `${WEBHOOK_ID}/callback`;
  const created = await client.createWorkflow(listener(WEBHOOK_ID));
  await client.activate(created);
  // The probe is no callback, so it starts nothing.
  expect((await client.postWebhook(path, {})).status).toBe(400);
  const send = action(
    'Send',
    credential,
    smsForm({ options: grouped({ hook: `${n8n.url}/webhook/${path}` }) }),
  );
  const sent = await client.runToEnd(workflow([rows('Rows', recipients(1)), send]), START);
  const [execution] = await client.waitForExecutions(created.id, 1);
  expect(execution.status).toBe('success');
  const { id, msg_id } = sent.json('Send')[0];
  expect(execution.json('Callback')).toMatchObject([{ id, msg_id, outcome: 'delivered', final: true }]);
  await client.deactivate(created);
}

/** Some callbacks come late, twice, or never, so that the limit ends it. */
async function waitsForDelivery({ client, sandbox, credential }: CheckHost): Promise<void> {
  decideFates(sandbox, 500);
  const send = action('Send', credential, smsForm({ waitForDelivery: true, waitAmount: 0.1 }));
  const asleep = await client.runToEnd(workflow([rows('Rows', recipients(20)), send]), START);
  expect(asleep.status).toBe('waiting');
  const execution = await client.waitUntilAwake(asleep.id);
  expect(execution.status).toBe('success');
  const output = execution.json('Send').map(({ outcome, final }, n) => ({ n, outcome, final }));
  expect(output).toEqual(fates(20));
}

/** An agent is refused without confirmation, and sends once with it. */
async function servesAgents({ client, sandbox, credential }: CheckHost): Promise<void> {
  const call = (confirm: boolean) => ({
    call: 'Send_SMS',
    with: { phone: '380501234567', text: 'Hi', confirm },
  });
  const model = await startModel([call(false), call(true), { say: 'Done' }], SANDBOX_HOST);
  try {
    const tool = {
      ...action('Send SMS', credential, {
        descriptionType: 'auto',
        ...smsForm({ phone: fromAI('phone'), smsMessage: fromAI('text'), allowSending: true }),
      }),
      type: `${ACTION}Tool`,
    };
    const execution = await client.runToEnd(await agentWorkflow(client, model, [tool]), START);
    expect(execution.failure()).toBe('');
    const [refused, sent] = model.toolAnswers();
    expect(refused).toContain('not confirmed');
    expect(sent).toContain('msg_id');
    await sandbox.settled();
    expect(sandbox.counts().accepted).toBe(1);
  } finally {
    await model.close();
  }
}

/** A code is right once; a wrong one is an answer. */
async function verifiesOnce({ n8n, client, sandbox, credential }: CheckHost): Promise<void> {
  const phone = 447700900123;
  const run = async (json: IDataObject, form: IDataObject) => {
    const node = action('Code', credential, form);
    const execution = await client.runToEnd(workflow([rows('Rows', [json]), node]), START);
    expect(execution.failure()).toBe('');
    return execution.json('Code')[0];
  };
  // Each run is a workflow of its own, so both name what the code is for.
  const options = { purpose: 'Login' };
  const { challenge } = (await run({ phone }, sendForm({ options }))) as IDataObject;
  const code = codeIn(sandbox, phone);
  const verify = { ...verifyForm, options };
  expect(await run({ phone, challenge, code: wrongFor(code) }, verify)).toMatchObject({
    reason: 'wrong',
  });
  expect(await run({ phone, challenge, code }, verify)).toMatchObject({ valid: true });
  expect(await run({ phone, challenge, code }, verify)).toMatchObject({ reason: 'used' });
  await logsInByForm({ n8n, client, sandbox, credential });
}

/**
 * An example with a form, as far as n8n has forms whose fields have names: 1.123 and 2.0 have none, and the expressions of
 * the example would find nothing.
 */
async function logsInByForm({ n8n, client, sandbox, credential }: CheckHost): Promise<void> {
  if ((await client.latestVersion('n8n-nodes-base.formTrigger')) < 2.4) return;
  const published = await publishExample(client, 'login-by-call', credential, { path: 'core' });
  const url = `${n8n.url}/form/login-by-call-core`;
  await untilServed(url);
  const visitor = new FormVisitor();
  await visitor.open(url);
  await visitor.submit('447700900124');
  const code = codeIn(sandbox, '447700900124');
  expect(await visitor.submit(wrongFor(code))).toContain('This is not the code');
  expect(await visitor.submit(code)).toContain('Welcome back');
  await client.deactivate(published);
}

/** The link opens a page that decides nothing, and its button does. */
async function asksAPerson({ client, sandbox, credential }: CheckHost): Promise<void> {
  const ask = action('Ask', credential, approvalForm({ phone: [MANAGER, DEPUTY].join() }));
  const asleep = await client.runToEnd(workflow([rows('Rows', [{ invoice: 17 }]), ask]), START);
  expect(asleep.status).toBe('waiting');
  const [first, second] = sentTo(sandbox).map(linkIn);
  const changed = (name: string, value: string) => {
    const link = new URL(second);
    link.searchParams.set(name, value);
    return link;
  };
  const secret = new URL(first).searchParams.get('k') ?? '';
  for (const forged of [changed('signature', 'forged'), changed('k', secret), changed('k', '')]) {
    expect((await fetch(forged)).status).toBeGreaterThanOrEqual(400);
  }
  expect((await fetch(first)).status).toBe(200);
  await answer(second, 'approve');
  const execution = await client.waitUntilAwake(asleep.id);
  expect(execution.json('Ask')).toMatchObject([{ data: { approved: true }, decided_by: DEPUTY, by: 'link' }]);
}

async function runsExamples(host: CheckHost): Promise<void> {
  for (const [file, run] of Object.entries(EXAMPLE_RUNS)) {
    host.sandbox.reset();
    await run(host).catch((error: unknown) => {
      throw new Error(`${file}.json: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

export const CHECKS: Check[] = [
  { title: 'Loads', run: loads },
  { title: 'Credential test', run: testsCredential },
  { title: 'Every operation', run: runsEveryOperation },
  { title: 'Bulk send with faults', run: sendsInBulk },
  { title: 'Error branch', run: partsRows },
  { title: 'Trigger', run: startsByCallback },
  { title: 'Wait for delivery', run: waitsForDelivery },
  { title: "Agent's tool", run: servesAgents },
  { title: 'One-time passwords', run: verifiesOnce },
  { title: 'Approval', run: asksAPerson },
  { title: 'Examples', run: runsExamples },
];
