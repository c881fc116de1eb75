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
import { e2eHost } from '../support/e2e-host.mts';
import { forgedLinks } from '../support/forged-links.mts';
import { agentWorkflow } from '../support/real-agent.mts';
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
import { filesWith, placesOf } from '../support/secret-search.mts';
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

/**
 * Tries every spelling with what can be read of a waiting execution, as a stranger and with the session of a user who may
 * read it: a page, a form, a reply. Nothing may come of it. Returns how many calls reached the node, which refused them.
 */
async function tryAll(id: string, [link]: string[], otherExecutionId: string): Promise<number> {
  const { data } = await host.client.getExecution(id);
  const { resumeToken: token = '' } = data as { resumeToken?: string };
  const readable = JSON.stringify(data);
  // The key and the number of the question, which its node saves, and whatever else is as long as a secret.
  const found = readable.matchAll(/"(?:key|nonce)":"?([\w-]+)|"([\w-]{16})"/g);
  const guesses = [...new Set(Array.from(found, ([, saved, other]) => saved ?? other))];
  expect(guesses.length).toBeGreaterThan(1);
  const nodeId = decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? '');
  const known = {
    url: host.url,
    executionId: id,
    token,
    nodeId,
    otherNodeId: 'Rows',
    otherExecutionId,
    guesses,
  };
  const { name, value } = host.client.session;
  let refused = 0;
  for (const [spelling, address] of forgedLinks(known)) {
    for (const cookie of ['', `${name}=${value}`]) {
      const call = async (type?: string, body?: string) => {
        const headers = { ...(cookie && { cookie }), ...(type !== undefined && { 'content-type': type }) };
        const response = await fetch(address, {
          headers,
          ...(body !== undefined && { method: 'POST', body }),
        });
        const text = await response.text();
        expect([spelling, /name="token"|invoice|recorded|received/.test(text)]).toEqual([spelling, false]);
        // What n8n answers there is a page of its own, about forms.
        const refusals = spelling === 'the address of forms' ? [200, 404] : [401, 404, 410];
        expect([spelling, refusals]).toEqual([spelling, expect.arrayContaining([response.status])]);
        if (response.status === 410) refused += 1;
      };
      await call();
      for (const guess of [token, ...guesses.slice(0, 2)]) {
        const form = new URLSearchParams({ token: guess, choice: 'approve' }).toString();
        await call('application/x-www-form-urlencoded', form);
      }
      const reply = { success: true, id: 1, replies: [{ message: 'yes' }] };
      await call('application/json', JSON.stringify(reply));
    }
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
  expect(await tryAll(id, links, other.id)).toBeGreaterThan(50);
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
  expect(await tryAll(id, links, '999999')).toBeGreaterThan(50);
  const toCustomer = () => sentTo(host.sandbox).filter(({ phone }) => phone === PHONE);
  expect(toCustomer()).toEqual([]);
  expect((await answer(links[0], 'approve')).text).toContain('has been recorded');
  await host.client.waitUntilAwake(id);
  expect(toCustomer()).toHaveLength(1);
  await model.close();
});

it("keeps a question's secrets out of all that n8n shows, saves and exports", async () => {
  const form = approvalForm({ ...BOTH_BUTTONS, phone: [MANAGER, DEPUTY].join() });
  const options = { approveWords: 'yes' };
  const { id, status } = await host.client.runToEnd(
    workflow([action('Ask', host.credential, { ...form, channels: ['viber', 'sms'], options })]),
    START,
  );
  expect(status).toBe('waiting');
  const hooks = askedPeople().map(({ hook }) => String(hook));
  const links = askedPeople().map(linkIn);
  const page = await open(links[0]);
  const secrets = [...new Set([...links, ...hooks].map(secretIn))];
  expect([secrets.length, page.token?.length]).toEqual([3, 16]);
  const { workflowId } = await host.client.getExecution(id);
  const search = async () => ({
    places: await placesOf(host, [...secrets, String(page.token)], { workflowId, executionId: id }),
    files: (await Promise.all(secrets.map(async (secret) => await filesWith(host.folder, secret)))).flat(),
  });
  expect(await search()).toEqual({ places: [], files: [] });
  await answer(links[1], 'approve');
  await host.client.waitUntilAwake(id);
  expect(await search()).toEqual({ places: [], files: [] });
});

it('the link of a question opens nothing once the API key of the credential is another', async () => {
  const data = credentialData(host.sandbox);
  const credential = await host.client.createCredential('Changing', CREDENTIAL_TYPE, data);
  const { id } = await host.client.runToEnd(
    workflow([action('Ask', credential, approvalForm(BOTH_BUTTONS))]),
    START,
  );
  const [link] = askedPeople().map(linkIn);
  const { token = '' } = await open(link);
  const change = async (apiKey: string) =>
    await host.client.call('PATCH', `/credentials/${credential.id}`, {
      ...{ name: 'Changing', type: CREDENTIAL_TYPE, data: { ...data, apiKey } },
    });
  await change('another-key');
  const page = await open(link);
  expect([page.status, page.token]).toEqual([410, undefined]);
  expect(page.text).toContain('no longer open');
  const body = new URLSearchParams({ token, choice: 'approve' });
  expect((await fetch(link, { method: 'POST', body })).status).toBe(410);
  await change(String(data.apiKey));
  expect((await answer(link, 'approve')).text).toContain('has been recorded');
  expect((await host.client.waitUntilAwake(id)).status).toBe('success');
});
