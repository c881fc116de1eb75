/**
 * An n8n that is started again: first at another address, then with an older copy of its database and HTTP_PROXY. Executions get
 * ids that others had since, and what n8n knew of codes is gone. Each test looks at something that people or the gateway hold of
 * the time that n8n has forgotten, or at what n8n now sends.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { N8nProcess } from '../../tools/n8n-host/n8n-process.mts';
import { OWNER, startN8n, startWithOwner } from '../../tools/n8n-host/n8n-process.mts';
import type { CredentialReference, N8nClient } from '../../tools/n8n-host/rest-client.mts';
import { packed } from '../../tools/package.mts';
import { TMP } from '../../tools/paths.mts';
import { answer, approvalForm, linkIn, MANAGER, open, sentTo, submit } from '../support/approval.mts';
import type { Page } from '../support/approval.mts';
import { askIn } from '../support/approval-host.mts';
import type { Asking } from '../support/approval-host.mts';
import { recipients } from '../support/fates.mts';
import { LEAN } from '../support/lean-n8n.mts';
import { untilPublished } from '../support/publication.mts';
import { callHook, publishExample } from '../support/otp-host.mts';
import { codeIn } from '../support/otp.mts';
import {
  ACTION,
  action,
  credentialData,
  CREDENTIAL_TYPE,
  rows,
  START,
  TRIGGER,
  workflow,
} from '../support/real-n8n.mts';
import { agentWorkflow } from '../support/real-agent.mts';
import type { ScriptedModel } from '../support/scripted-model.mts';
import { startModel } from '../support/scripted-model.mts';
import { grouped, smsForm } from '../support/sends.mts';
import { postJson, startWebServer } from '../support/web-server.mts';

const folder = join(TMP, 'e2e-restored');
const copies = join(TMP, 'e2e-restored-copy');
const home = join(folder, '.n8n');
let n8n: N8nProcess;
let client: N8nClient;
let sandbox: Sandbox;
let credential: CredentialReference;

/** What was asked, sent and verified after the copy was made. */
let asked: Asking & { form: Page };
let code: IDataObject;
let heard: { id: string; hook: string; callback: object };

/** The callback address before n8n moved. */
let firstHook: string;
let waited: { id: string; hook: string; messageId: number };

/** What became of a review of an agent's tool that was open when n8n was started again, once its link was pressed. */
let reviewed: { before: string; pressed: string; after: string; numbers: unknown[]; turns: number };
let model: ScriptedModel;

const databaseFiles = async (where: string) =>
  (await readdir(where)).filter((name) => name.startsWith('database.sqlite'));

async function copyDatabase(from: string, to: string): Promise<void> {
  for (const name of await databaseFiles(to)) await rm(join(to, name));
  for (const name of await databaseFiles(from)) await cp(join(from, name), join(to, name));
}

/** Stops n8n, does something with its database, and starts n8n with more variables. */
async function startAgain(env: NodeJS.ProcessEnv, work: () => Promise<void>): Promise<void> {
  const port = Number(new URL(n8n.url).port);
  await n8n.stop();
  await work();
  n8n = await startN8n({ folder, port, env: { ...LEAN, WEBHOOK_URL: `http://localhost:${port}/`, ...env } });
  await client.logIn(OWNER);
}

/** Leads to the sandbox and nowhere else. */
const startProxy = async () =>
  await startWebServer((response, { method, url = '', headers, body }) => {
    if (new URL(url).host !== new URL(sandbox.baseUrl).host) return response.writeHead(502).end();
    return forward(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end(body);
  });
let proxy: Awaited<ReturnType<typeof startProxy>>;

/** Sends a message whose outcome nobody reports, and waits for it. */
async function waitForDelivery(): Promise<typeof waited> {
  const form = smsForm({ phone: '380501234567', waitForDelivery: true, waitUnit: 'hours' });
  const { id } = await client.runToEnd(workflow([action('Send', credential, form)]), START);
  const { operation } = sandbox.messages.list().at(-1)!;
  return { id, hook: String(operation.hook), messageId: Number(operation.id) };
}

/** Publishes a workflow that sends and hears of its messages. Returns its id. */
async function publishTrigger(): Promise<string> {
  const form = smsForm({ phone: '380501234568', options: grouped({ hookFromTrigger: true }) });
  const flow = workflow([action('Send', credential, form)]);
  const trigger = {
    ...{ name: 'Callback', type: TRIGGER, typeVersion: 1.1, webhookId: randomUUID() },
    ...{ id: 'trigger', position: [0, 400] },
    parameters: { outcomes: ['delivered'], options: { secret: 'Gr8-Secret' } },
    credentials: { [CREDENTIAL_TYPE]: credential },
  };
  const created = await client.createWorkflow({ ...flow, nodes: [...flow.nodes, trigger] });
  await client.activate(created);
  await untilPublished(client, created.id);
  return created.id;
}

/** Sends from that workflow; returns the operation. */
async function sendFrom(id: string) {
  await client.waitForExecution(await client.runManually(id, START));
  return sandbox.messages.list().at(-1)!.operation;
}

/** Sends from that workflow, and has the message reported. */
async function sendAndHear(id: string): Promise<typeof heard> {
  const operation = await sendFrom(id);
  const callback = { success: true, id: operation.id, type: 'sms', status: 'DELIVERED' };
  const hook = String(operation.hook);
  expect((await postJson(hook, callback)).status).toBe(200);
  await client.waitForExecutions(id, 3);
  return { id, hook, callback };
}

/** Has an agent ask for the review of a message to a customer; returns the execution and the link. */
async function review(): Promise<{ id: string; link: string }> {
  const nodeOf = (name: string, type: string, parameters: IDataObject) => ({
    ...{ name, type: `${ACTION}${type}`, parameters },
    credentials: { [CREDENTIAL_TYPE]: credential },
  });
  const customer = smsForm({ phone: '380501234569', allowSending: true, confirmation: 'person' });
  const flow = await agentWorkflow(client, model, [nodeOf('Send', 'Tool', customer)], {
    review: nodeOf('Review', 'HitlTool', approvalForm()),
  });
  const { id, status } = await client.runToEnd(flow, START);
  const link = linkIn(sentTo(sandbox).at(-1)!);
  expect([status, (await open(link)).status]).toEqual(['waiting', 200]);
  return { id, link };
}

/** Presses the button of a review that was open when n8n was started again. */
async function pressLater({ id, link }: { id: string; link: string }): Promise<typeof reviewed> {
  const { status: before } = await client.getExecution(id);
  const { status: code, text } = await answer(link, 'approve');
  const pressed = `${code} ${text}`;
  const { status: after } = await client.waitForExecution(id);
  const numbers = sentTo(sandbox).map(({ phone }) => phone);
  return { before, pressed, after, numbers, turns: model.turns.length };
}

const verify = async () => (await callHook(client, 'one-time-password-r-verify', code)).reason;

beforeAll(async () => {
  ({ n8n, client } = await startWithOwner({ folder, tarball: await packed(), env: LEAN }));
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  credential = await client.createCredential('Restored', CREDENTIAL_TYPE, credentialData(sandbox));
  await publishExample(client, 'one-time-password-web-page', credential, { path: 'r' });
  proxy = await startProxy();
  model = await startModel([
    { call: 'Send', with: { toolParameters: {}, hitlParameters: {} } },
    { say: 'Sent' },
  ]);
  const id = await publishTrigger();
  firstHook = String((await sendFrom(id)).hook);
  sandbox.reset();
  const openReview = await review();
  await startAgain({}, async () => {
    await rm(copies, { recursive: true, force: true });
    await mkdir(copies);
    await copyDatabase(home, copies);
  });
  reviewed = await pressLater(openReview);
  sandbox.reset();

  const asking = await askIn({ client, sandbox, credential }, { text: 'Pay 10 EUR?' });
  asked = { ...asking, form: await open(asking.links[0]) };
  waited = await waitForDelivery();
  heard = await sendAndHear(id);
  const phone = '447700950001';
  const { challenge } = await callHook(client, 'one-time-password-r-send', { phone });
  code = { challenge: challenge as string, phone, code: codeIn(sandbox, phone) };
  expect([await verify(), await verify()]).toEqual(['ok', 'used']);

  const proxied = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '', no_proxy: '' };
  await startAgain(proxied, async () => await copyDatabase(copies, home));
  sandbox.reset();
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.close();
  await proxy?.close();
  await model?.close();
});

it('ends an open review of a tool, which does not run, as docs/approvals.md says', () => {
  // n8n says so of an execution that it goes on showing as one that waits.
  const pressed = expect.stringMatching(/^409 .*has finished with error/) as string;
  expect(reviewed).toEqual({ before: 'waiting', pressed, after: 'waiting', numbers: [MANAGER], turns: 1 });
});

it('has a published workflow send the address at which n8n is now, without being published again', () => {
  const [before, after] = [firstHook, heard.hook].map((hook) => new URL(hook));
  const { port } = new URL(n8n.url);
  expect([before.host, after.host]).toEqual([`127.0.0.1:${port}`, `localhost:${port}`]);
  expect(after.pathname).toBe(before.pathname);
  expect(after.searchParams.get('secret')).toBe('Gr8-Secret');
});

it('has a question of the execution with the same id answered by no link, form or button of the earlier one', async () => {
  const later = await askIn({ client, sandbox, credential }, { text: 'Pay 9000 EUR?' });
  expect(later.id).toBe(asked.id);
  const [link] = asked.links;
  const opened = await open(link);
  expect([opened.status, opened.text.includes('9000')]).toEqual([410, false]);
  const { token = '' } = asked.form;
  for (const at of [link, later.links[0]]) {
    const pressed = await submit(at, { token, choice: 'approve' });
    expect([at, [403, 410].includes(pressed.status)]).toEqual([at, true]);
  }
  expect((await client.getExecution(later.id)).status).toBe('waiting');
  await answer(linkIn(sentTo(sandbox)[0]), 'decline');
  expect((await client.waitUntilAwake(later.id)).json('Ask')).toMatchObject([
    { data: { approved: false }, by: 'link' },
  ]);
});

it('has a wait of the execution with the same id woken by no callback of the earlier one', async () => {
  const later = await waitForDelivery();
  expect(later.id).toBe(waited.id);
  const callback = { success: true, id: waited.messageId, status: 'DELIVERED' };
  expect(await (await postJson(waited.hook, callback)).json()).toEqual({ error: 'Invalid token' });
  expect((await client.getExecution(later.id)).status).toBe('waiting');
});

it('has a code that was used before it work once more, as docs/internals/codes-and-questions.md says', async () => {
  expect([await verify(), await verify()]).toEqual(['ok', 'used']);
});

it('has a callback of a message that n8n has forgotten start the workflow once more, with the number of its address', async () => {
  const { id, hook, callback } = heard;
  expect((await postJson(hook, callback)).status).toBe(200);
  const executions = await client.waitForExecutions(id, 2);
  expect(executions.flatMap((execution) => execution.json('Callback'))).toMatchObject([
    { phone: 380501234568, sent_as: 'sms', outcome: 'delivered' },
  ]);
});

it('has a wait woken when status has the outcome, past the proxy, which never sees the token of the execution', async () => {
  sandbox.decideOutcome(() => ({ steps: [{ status: 'DELIVERED', afterMs: 4000, silent: true }] }));
  const send = action('Send', credential, smsForm({ waitForDelivery: true, waitAmount: 5 }));
  const { id, status } = await client.runToEnd(workflow([rows('Rows', recipients(2)), send]), START);
  expect(status).toBe('waiting');
  const asleepAt = Date.now();
  const execution = await client.waitUntilAwake(id);
  expect(Date.now() - asleepAt).toBeLessThan(30_000);
  const delivered = { outcome: 'delivered', final: true };
  expect(execution.json('Send')).toMatchObject([delivered, delivered]);
  expect(execution.json('Send')[0]).not.toHaveProperty('reason');
  expect(proxy.received.length).toBeGreaterThan(0);
  expect(proxy.received.filter(({ url }) => url?.includes('webhook-waiting'))).toEqual([]);
});
