/** Who can't answer a question in a real n8n: whoever knows its execution, and not the secret of a link. */
import { until } from '../../tools/until.mts';
import {
  answer,
  approvalForm,
  BOTH_BUTTONS,
  DEPUTY,
  linkIn,
  MANAGER,
  open,
  sentTo,
} from '../support/approval.mts';
import { askIn, callOf } from '../support/approval-host.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { forgedLinks, guessedLink } from '../support/forged-links.mts';
import { shortOrLong } from '../support/long-form.mts';
import { exportedFrom } from '../support/n8n-exports.mts';
import { agentWorkflow } from '../support/real-agent.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import {
  action,
  ACTION,
  credentialData,
  CREDENTIAL_TYPE,
  reshape,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import { startModel } from '../support/scripted-model.mts';
import { filesWith, placesOf, shownBy } from '../support/secret-search.mts';
import { smsForm } from '../support/sends.mts';

const host = e2eHost({ config: { queueDelayMs: 1, outcomes: { afterMs: 1 } } });
beforeEach(() => host.sandbox.reset());

const tokenIn = (address: unknown): string =>
  (new URL(String(address)).searchParams.get('signature') ?? '').split('/')[0];
const secretIn = (link: string): string => new URL(link).searchParams.get('k') ?? '';
const askedPeople = () =>
  sentTo(host.sandbox).filter(({ phone }) => [MANAGER, DEPUTY].includes(Number(phone)));

/** Waits until so many people were asked and n8n has put the execution to sleep; gives their links. */
async function linksOf(count: number): Promise<string[]> {
  return await until(`${count} questions`, async () => {
    const links = askedPeople().map(linkIn);
    return links.length >= count && (await open(links[0])).status === 200 ? links : undefined;
  });
}

/** What can be read of a waiting execution: its resume token, and what could be taken for a secret. */
interface Readable {
  token: string;
  guesses: string[];
}

async function readExecution(id: string): Promise<Readable> {
  const { data } = await host.client.getExecution(id);
  const { resumeToken: token = '' } = data as { resumeToken?: string };
  // The key of the sleep, which the node saves, and whatever else is as long as a secret.
  const found = JSON.stringify(data).matchAll(/"key":"([\w-]+)|"([\w-]{16})"/g);
  return { token, guesses: [...new Set(Array.from(found, ([, saved, other]) => saved ?? other))] };
}

/**
 * Tries every spelling with what can be read, in turn as a stranger and with the session of a user who may read it, and in turn as
 * a reader of the page, as its form, and as a reply that the gateway reports. Nothing may come of it. Returns how many calls reached the node, which refused them.
 */
async function tryAll(
  { id, links: [link], otherId }: { id: string; links: string[]; otherId: string },
  readable?: Readable,
): Promise<number> {
  const { token, guesses } = readable ?? (await readExecution(id));
  expect(guesses.length).toBeGreaterThan(1);
  const nodeId = decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? '');
  const known = {
    url: host.url,
    executionId: id,
    token,
    nodeId,
    otherNodeId: 'Rows',
    otherExecutionId: otherId,
    guesses,
  };
  const { name, value } = host.client.session;
  let calls = 0;
  let refused = 0;
  const call = async ([spelling, address]: [string, string], type?: string, body?: string) => {
    // Each spelling and each kind of call comes from both.
    const cookie = ++calls % 2 === 0 ? `${name}=${value}` : undefined;
    const headers = { ...(cookie && { cookie }), ...(type !== undefined && { 'content-type': type }) };
    const response = await fetch(address, { headers, ...(body !== undefined && { method: 'POST', body }) });
    const text = await response.text();
    expect([spelling, /name="token"|invoice|recorded|received/.test(text)]).toEqual([spelling, false]);
    // What n8n answers there is a page of its own, about forms.
    const refusals = spelling === 'the address of forms' ? [200, 401, 404] : [401, 404, 410];
    expect([spelling, refusals]).toEqual([spelling, expect.arrayContaining([response.status])]);
    if (response.status === 410) refused += 1;
  };
  const approve = async (link: [string, string], guess: string) => {
    const form = new URLSearchParams({ token: guess, choice: 'approve' }).toString();
    await call(link, 'application/x-www-form-urlencoded', form);
  };
  const reply = JSON.stringify({ success: true, id: 1, replies: [{ message: 'yes' }] });
  const pageTokens = [token, ...guesses.slice(0, 2)];
  for (const [place, forged] of forgedLinks({ ...known, guesses: [] }).entries()) {
    const ways = [
      async () => await call(forged),
      async () => await approve(forged, pageTokens[Math.floor(place / 3) % pageTokens.length]),
      async () => await call(forged, 'application/json', reply),
    ];
    await ways[place % ways.length]();
  }
  // A secret that is right shows the question, whatever comes with it.
  for (const guess of guesses) {
    const forged = guessedLink(known, guess);
    await call(forged);
    await approve(forged, guess);
  }
  expect((await host.client.getExecution(id)).status).toBe('waiting');
  return refused;
}

it('no spelling of the resume token opens a question, from run data or from the hook of an earlier wait', async () => {
  const wait = { waitForDelivery: true, waitAmount: 5, waitUnit: 'minutes' };
  const people = [MANAGER, DEPUTY].join();
  const flow = workflow([
    rows('Rows', [{ phone: '380501234567' }]),
    action('Send', host.credential, smsForm(wait)),
    reshape('Url', '={{ { url: $execution.resumeUrl } }}'),
    action('Ask', host.credential, approvalForm({ ...BOTH_BUTTONS, phone: people })),
  ]);
  const { id: workflowId } = await host.client.createWorkflow(flow);
  const id = await host.client.runManually(workflowId, START);
  const links = await linksOf(2);
  const execution = await host.client.waitForExecution(id);
  const { resumeToken } = execution.data as { resumeToken?: string };
  const [{ hook }] = sentTo(host.sandbox);
  expect([tokenIn(hook), tokenIn(execution.json('Url')[0].url)]).toEqual([resumeToken, resumeToken]);
  host.sandbox.reset();
  const other = await host.client.runToEnd(workflow([action('Ask', host.credential, approvalForm())]), START);
  expect(await tryAll({ id, links, otherId: other.id })).toBeGreaterThan(10);
  // The token where n8n expects a signature, and the signature of another's link around one's own secret.
  for (const address of [
    links[0].replace(/signature=.*/, `signature=${resumeToken}`),
    links[0].replace(secretIn(links[0]), secretIn(links[1])),
  ]) {
    expect((await open(address)).status).toBe(401);
  }
  expect((await answer(links[1], 'decline')).text).toContain('has been recorded');
  const done = await host.client.waitUntilAwake(id);
  expect(done.json('Ask')).toMatchObject([{ data: { approved: false }, decided_by: DEPUTY }]);
});

it("no spelling of it lets an agent's call through a human review, whose link does", async () => {
  const PHONE = 380501234567;
  const toolParameters = { phone: String(PHONE), text: 'Your invoice is paid' };
  const model = await startModel([
    { call: 'Send', with: { toolParameters, hitlParameters: {} } },
    { say: 'Done' },
  ]);
  const credentials = { [CREDENTIAL_TYPE]: host.credential };
  const form = smsForm({
    phone: "={{ $fromAI('phone', 'number') }}",
    smsMessage: "={{ $fromAI('text', 'text') }}",
    allowSending: true,
    confirmation: 'person',
  });
  const tool = {
    name: 'Send',
    type: `${ACTION}Tool`,
    parameters: { descriptionType: 'auto', ...form },
    credentials,
  };
  const parameters = approvalForm({ text: '' });
  const review = { name: 'Review', type: `${ACTION}HitlTool`, parameters, credentials };
  const flow = await agentWorkflow(host.client, model, [tool], { review });
  const { id: workflowId } = await host.client.createWorkflow(flow);
  const id = await host.client.runManually(workflowId, START);
  const links = await linksOf(1);
  await host.client.waitForExecution(id);
  expect(await tryAll({ id, links, otherId: '999999' })).toBeGreaterThan(10);
  const toCustomer = () => sentTo(host.sandbox).filter(({ phone }) => phone === PHONE);
  expect(toCustomer()).toEqual([]);
  expect((await answer(links[0], 'approve')).text).toContain('has been recorded');
  await host.client.waitUntilAwake(id);
  expect(toCustomer()).toHaveLength(1);
  await model.close();
});

it("no token opens a question in a sub-workflow, its own or its parent's, and its link does", async () => {
  const ask = action('Ask', host.credential, approvalForm({ ...BOTH_BUTTONS, phone: String(MANAGER) }));
  const call = await callOf(host, [ask]);
  const after: NodeJson = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
  const { id: workflowId } = await host.client.createWorkflow(
    workflow([rows('Rows', [{ invoice: 17 }]), call, after]),
  );
  const parentId = await host.client.runManually(workflowId, START);
  const links = await linksOf(1);
  expect((await host.client.waitForExecution(parentId)).status).toBe('waiting');
  const [, childId = ''] = /webhook-waiting\/(\d+)\//.exec(links[0]) ?? [];
  expect([childId === parentId, Number(childId) > 0]).toEqual([false, true]);
  const [child, parent] = [await readExecution(childId), await readExecution(parentId)];
  const known = { token: parent.token, guesses: child.guesses.slice(0, 2) };
  const ofChild = { id: childId, links, otherId: parentId };
  expect(await tryAll(ofChild, child)).toBeGreaterThan(10);
  await tryAll(ofChild, known);
  await tryAll({ id: parentId, links, otherId: childId }, known);
  expect((await answer(links[0], 'decline')).text).toContain('has been recorded');
  const done = await host.client.waitUntilAwake(parentId);
  expect(done.json('After')).toMatchObject([{ data: { approved: false }, decided_by: MANAGER }]);
});

/** The exports of n8n, in the long form, in which a text occurs; they hold the question itself. */
async function exportsWith(texts: string[], executionId: string): Promise<string[]> {
  if (shortOrLong(true, false)) return [];
  const exported = Object.entries(await exportedFrom(host.folder));
  const { data } = await host.client.getExecution(executionId);
  const { resumeToken = '' } = data as { resumeToken?: string };
  const holding = (text: string) => exported.filter(([, file]) => file.includes(text)).map(([name]) => name);
  expect([holding('Pay invoice').length > 0, holding(resumeToken).length > 0]).toEqual([true, true]);
  return texts.flatMap(holding);
}

it("keeps a question's secrets out of all that n8n shows, saves and exports", async () => {
  const options = { replyWords: { values: { approveWords: 'yes' } } };
  const phone = [MANAGER, DEPUTY].join();
  const { id, links } = await askIn(host, { phone, channels: ['viber', 'sms'], options });
  const hooks = askedPeople().map(({ hook }) => String(hook));
  const page = await open(links[0]);
  const secrets = [...new Set([...links, ...hooks].map(secretIn))];
  expect([secrets.length, page.token?.length]).toEqual([3, 16]);
  const { workflowId } = await host.client.getExecution(id);
  const all = [...secrets, String(page.token)];
  const search = async () => ({
    places: [
      ...(await placesOf(host, all, { workflowId, executionId: id })),
      ...(await shownBy(host, { workflowId, executionId: id }, all)),
    ],
    files: (await Promise.all(secrets.map(async (secret) => await filesWith(host.folder, secret)))).flat(),
    exports: await exportsWith(all, id),
  });
  const nowhere = { places: [], files: [], exports: [] };
  expect(await search()).toEqual(nowhere);
  await answer(links[1], 'approve');
  await host.client.waitUntilAwake(id);
  expect(await search()).toEqual(nowhere);
});

it('a question whose credential was deleted has a page that says so, and takes no answer', async () => {
  const data = credentialData(host.sandbox);
  const credential = await host.client.createCredential('Deleted', CREDENTIAL_TYPE, data);
  const {
    id,
    links: [link],
  } = await askIn({ ...host, credential });
  const { token = '' } = await open(link);
  await host.client.call('DELETE', `/credentials/${credential.id}`);
  const page = await open(link);
  expect([page.status, page.token]).toEqual([503, undefined]);
  expect(page.text).toMatch(/opens no question.*changed or removed/s);
  const body = new URLSearchParams({ token, choice: 'approve' });
  expect((await fetch(link, { method: 'POST', body })).status).toBe(503);
  const reply = JSON.stringify({ success: true, id: 1, replies: [{ message: 'yes' }] });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(link, { method: 'POST', headers, body: reply })).status).toBe(503);
  expect((await host.client.getExecution(id)).status).toBe('waiting');
});

it('the link of a question opens nothing once the API key of the credential is another', async () => {
  const data = credentialData(host.sandbox);
  const credential = await host.client.createCredential('Changing', CREDENTIAL_TYPE, data);
  const {
    id,
    links: [link],
  } = await askIn({ ...host, credential });
  const { token = '' } = await open(link);
  const change = async (apiKey: string) =>
    await host.client.call('PATCH', `/credentials/${credential.id}`, {
      ...{ name: 'Changing', type: CREDENTIAL_TYPE, data: { ...data, apiKey } },
    });
  await change('another-key');
  const page = await open(link);
  expect([page.status, page.token]).toEqual([410, undefined]);
  expect(page.text).toContain('opens no question');
  const body = new URLSearchParams({ token, choice: 'approve' });
  expect((await fetch(link, { method: 'POST', body })).status).toBe(410);
  await change(String(data.apiKey));
  expect((await answer(link, 'approve')).text).toContain('has been recorded');
  expect((await host.client.waitUntilAwake(id)).status).toBe('success');
});
