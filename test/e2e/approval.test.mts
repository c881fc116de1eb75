/** The approval in a real n8n: its pages in a phone's browser without scripts, and what n8n itself answers. */
import type { IDataObject } from 'n8n-workflow';
import type { Browser, BrowserContextOptions } from 'playwright-core';

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
import { askIn, callOf, phoneOf, pictures } from '../support/approval-host.mts';
import { axeFindings, hasBrowser, inBrowser, launch } from '../support/chromium.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { action, rows, START, workflow } from '../support/real-n8n.mts';
import type { NodeJson } from '../support/real-n8n.mts';
import { placesOf } from '../support/secret-search.mts';
import { startWebServer } from '../support/web-server.mts';

const host = e2eHost();
let browser: Browser | undefined;

beforeAll(async () => {
  if (hasBrowser) browser = await launch();
});
beforeEach(() => host.sandbox.reset());
afterAll(async () => await browser?.close());

const ask = async (parameters: IDataObject = {}) => await askIn(host, parameters);
const phone = async (more: BrowserContextOptions = {}) => await phoneOf(browser!, more);
const ended = async (id: string) => await host.client.waitUntilAwake(id);

const TEXT =
  'Pay invoice 17?\n\n<script>alert(1)</script> <b>1,234.50 EUR</b> to Example Ltd & Sons, "before Friday".\nאישור: שלום';

describe('on a phone', () => {
  inBrowser('approves by one tap, without scripts, and shows what was decided', async () => {
    const { id, links } = await ask({ text: TEXT, options: { responseFormTitle: 'Invoice 17' } });
    const page = await phone();
    await page.goto(links[0]);
    await pictures(page, 'question');
    expect(await page.locator('h1').innerText()).toBe('Invoice 17');
    expect(await page.locator('.text').innerText()).toContain(
      '<script>alert(1)</script> <b>1,234.50 EUR</b>',
    );
    expect(await page.locator('.from').innerText()).toBe(
      'This question was sent by a workflow of TestSender.',
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const boxes = await Promise.all((await page.getByRole('button').all()).map((one) => one.boundingBox()));
    expect(boxes.every((box) => box !== null && box.height >= 44 && box.width >= 44)).toBe(true);
    await page.getByRole('button', { name: 'Approve' }).tap();
    expect(await page.getByRole('status').innerText()).toContain('Your answer has been recorded');
    expect(await page.locator('strong').innerText()).toBe('Approve');
    await pictures(page, 'recorded');
    const execution = await ended(id);
    expect(execution.status).toBe('success');
    expect(execution.json('After')).toMatchObject([
      { invoice: 17, approved: 'true', by: 'link', decided_by: MANAGER },
    ]);
    const again = await page.goto(links[0]);
    expect([again?.status(), await page.locator('h1').innerText()]).toEqual([200, 'No action required']);
    await pictures(page, 'n8n-ended');
  });

  inBrowser('takes a form, and has pages in which axe finds nothing', async () => {
    const choices = (...options: string[]) => ({
      fieldOptions: { values: options.map((option) => ({ option })) },
    });
    const values = [
      { fieldLabel: 'Amount', fieldType: 'number', requiredField: true },
      { fieldLabel: 'Account', fieldType: 'dropdown', ...choices('A', 'B') },
      { fieldLabel: 'Copies', fieldType: 'checkbox', ...choices('Law', 'CFO') },
      { fieldLabel: 'Urgency', fieldType: 'radio', ...choices('Low', 'High') },
    ];
    const { id, links } = await ask({ text: TEXT, responseType: 'customForm', formFields: { values } });
    const findings: unknown[] = [];
    const page = await phone({ javaScriptEnabled: true });
    const check = async () => {
      findings.push(...(await axeFindings(page)));
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(links[0]);
      await check();
      await page.evaluate("document.querySelector('form').noValidate = true");
      await page.getByRole('button', { name: 'Submit' }).tap();
      await page.locator('[aria-invalid]').waitFor();
      await check();
    }
    await pictures(page, 'wrong');
    expect(findings).toEqual([]);
    await page.getByLabel('Amount').fill('12.5');
    await page.getByLabel('Account').selectOption('B');
    await page.getByLabel('Law').check();
    await page.getByLabel('CFO').check();
    await page.getByLabel('High').check();
    await page.getByRole('button', { name: 'Submit' }).tap();
    await page.getByRole('status').waitFor();
    expect((await ended(id)).json('Ask')).toMatchObject([
      { data: { Amount: 12.5, Account: 'B', Copies: ['Law', 'CFO'], Urgency: 'High' } },
    ]);
  });

  inBrowser('decides nothing by a form of another site', async () => {
    const { id, links } = await ask();
    const site = await startWebServer((response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<form method="post" action="${links[0]}"><button name="choice" value="approve">Win</button></form><iframe src="${links[0]}"></iframe>`,
      );
    });
    try {
      const page = await phone();
      await page.goto(site.url);
      await page.waitForTimeout(300);
      expect(page.frames()[1].url()).toMatch(/^chrome-error/);
      const [response] = await Promise.all([
        page.waitForNavigation(),
        page.getByRole('button', { name: 'Win' }).tap(),
      ]);
      expect(response?.status()).toBe(403);
      expect((await host.client.getExecution(id)).status).toBe('waiting');
    } finally {
      await site.close();
    }
  });
});

// Any call at all is in unit/approval/answer.
it('is decided by no preview and by no call of its link that is none of the page, and n8n answers none with 5xx', async () => {
  const { id, links } = await ask();
  const prefetched = { 'user-agent': 'WhatsApp/2.23.20', 'sec-purpose': 'prefetch' };
  for (const method of ['GET', 'HEAD'])
    expect((await fetch(links[0], { method, headers: prefetched })).status).toBe(200);
  for (const type of [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    for (const body of ['{', '["approve"]', 'choice=approve&token=']) {
      const { status } = await fetch(links[0], { method: 'POST', body, headers: { 'content-type': type } });
      expect([type, body, status >= 500]).toEqual([type, body, false]);
    }
  }
  expect((await fetch(links[0], { method: 'PUT', body: '{"data":null}' })).status).toBeLessThan(500);
  expect((await host.client.getExecution(id)).status).toBe('waiting');
});

it('every item that enters by two branches into one approval is asked about, and none passes as approved', async () => {
  const EARLIER = { data: { approved: true }, approved: true, decided_by: DEPUTY };
  const condition = {
    id: '1',
    leftValue: '={{ $json.invoice }}',
    rightValue: 1,
    operator: { type: 'number', operation: 'equals' },
  };
  const options = { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 };
  const branch: NodeJson = {
    name: 'If',
    type: 'n8n-nodes-base.if',
    typeVersion: 2.2,
    parameters: { conditions: { options, combinator: 'and', conditions: [condition] }, options: {} },
  };
  const items = [1, 2].map((invoice) => ({ invoice, ...EARLIER }));
  const form = approvalForm({ ...BOTH_BUTTONS, text: '=Pay invoice {{ $json.invoice }}?' });
  const flow = workflow([rows('Rows', items), branch, action('Ask', host.credential, form)]);
  const toAsk = { node: 'Ask', type: 'main', index: 0 };
  const { id: workflowId } = await host.client.createWorkflow({
    ...flow,
    settings: { executionOrder: 'v1' },
    connections: { ...flow.connections, If: { main: [[toAsk], [toAsk]] } },
  });
  const id = await host.client.runManually(workflowId, START);
  for (const asked of [1, 2]) {
    await until(`question ${asked}`, () => sentTo(host.sandbox).length >= asked || undefined);
    await host.client.waitForExecution(id);
    const page = await answer(linkIn(sentTo(host.sandbox)[asked - 1]), 'decline');
    expect(page.text).toContain('has been recorded');
  }
  const questions = sentTo(host.sandbox).map(({ sms_message }) => /\d+/.exec(String(sms_message))?.[0]);
  expect(questions.sort()).toEqual(['1', '2']);
  const outputs = (await ended(id)).runs('Ask').map(({ data }) => data?.main[0]?.map(({ json }) => json));
  expect(outputs).toMatchObject([[{ data: { approved: false } }], [{ data: { approved: false } }]]);
});

describe('an earlier answer in the data', () => {
  const EARLIER = { invoice: 17, approved: true, data: { approved: true }, decided_by: DEPUTY };

  it('of a parent does not count in its sub-workflow, whose own answer comes back', async () => {
    const call = await callOf(host, [action('Ask', host.credential, approvalForm(BOTH_BUTTONS))]);
    const after: NodeJson = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
    const parent = await host.client.runToEnd(workflow([rows('Rows', [EARLIER]), call, after]), START);
    expect(parent.failure()).toBe('');
    expect(parent.status).toBe('waiting');
    expect(parent.runs('After')).toEqual([]);
    expect(sentTo(host.sandbox)).toHaveLength(1);
    expect((await answer(linkIn(sentTo(host.sandbox)[0]), 'decline')).text).toContain('has been recorded');
    const execution = await ended(parent.id);
    expect(execution.status).toBe('success');
    expect(execution.json('After')).toMatchObject([{ data: { approved: false }, decided_by: MANAGER }]);
    expect(sentTo(host.sandbox)).toHaveLength(1);
  });

  it.each(['the run before', 'pinned input'])(
    'of %s does not count where the node alone is run',
    async (source) => {
      const ask = action('Ask', host.credential, approvalForm(BOTH_BUTTONS));
      const isPinned = source === 'pinned input';
      // n8n's editor saves the field with every workflow.
      const withPins = {
        ...workflow([rows('Rows', [isPinned ? { invoice: 17 } : EARLIER]), ask]),
        pinData: isPinned ? { Rows: [{ json: EARLIER }] } : {},
      };
      const saved = await host.client.createWorkflow(withPins);
      const first = await host.client.runManually(saved.id, START);
      expect((await host.client.waitForExecution(first)).status).toBe('waiting');
      await answer(linkIn(sentTo(host.sandbox)[0]), 'approve');
      expect((await ended(first)).json('Ask')).toMatchObject([{ data: { approved: true } }]);
      const { runData } = (await host.client.getExecution(first)).data.resultData;
      expect(JSON.stringify(runData.Rows)).toContain('"data":{"approved":true}');
      const { executionId } = await host.client.call<{ executionId: string }>(
        'POST',
        `/workflows/${saved.id}/run`,
        { destinationNode: { nodeName: 'Ask', mode: 'inclusive' }, runData, dirtyNodeNames: [] },
      );
      const alone = await host.client.waitForExecution(executionId);
      expect([alone.failure(), alone.status]).toEqual(['', 'waiting']);
      expect(sentTo(host.sandbox)).toHaveLength(2);
      await answer(linkIn(sentTo(host.sandbox)[1]), 'decline');
      const execution = await ended(executionId);
      expect(execution.runs('Ask')).toHaveLength(1);
      expect(execution.json('Ask')).toMatchObject([{ data: { approved: false }, decided_by: MANAGER }]);
    },
  );
});

it('keeps the signature of a link out of all that n8n shows', async () => {
  const { id, links } = await ask({ phone: [MANAGER, DEPUTY].join() });
  const signatures = links.map((link) => new URL(link).searchParams.get('signature') ?? '');
  expect(signatures).toEqual([expect.stringMatching(/^.{32,}$/), expect.stringMatching(/^.{32,}$/)]);
  await answer(links[1], 'approve');
  const { workflowId, data } = await ended(id);
  const { resumeToken: token = '' } = data as { resumeToken?: string };
  // n8n keeps its own token with the data of the execution, where the search finds it.
  const texts = [...signatures.map((one) => one.slice(0, 24)), token];
  expect(await placesOf(host, texts, { workflowId, executionId: id })).toEqual([
    'execution_data.data',
    `rest: ${token}`,
  ]);
});

it.each([
  ['approve', 'Pay After Approval', `Approved by ${MANAGER}`],
  ['decline', 'Do Not Pay', `Declined by ${MANAGER}`],
])('asks the manager in the example, who may %s', async (choice, node, note) => {
  const { id, status } = await host.client.runToEnd(await host.example('invoice-approval'), START);
  expect(status).toBe('waiting');
  const [operation, ...others] = sentTo(host.sandbox);
  expect(others).toEqual([]);
  const sms_message = expect.stringContaining('Pay 1850 to Sample & Sons? ');
  expect(operation).toMatchObject({ phone: MANAGER, sms_message });
  const link = linkIn(operation);
  expect((await open(link)).text).toContain('Invoice 2002');
  await answer(link, choice);
  const execution = await ended(id);
  expect(execution.json(node)).toEqual([{ invoice: '2002', note: expect.stringContaining(note) }]);
  expect(execution.json('Pay at Once')).toEqual([{ invoice: '2001', note: 'Up to 1,000' }]);
});

it('calls the deputy and asks again in the example whose question does not reach the manager', async () => {
  host.sandbox.decideOutcome(({ phone: number }) =>
    number === MANAGER ? { steps: [{ status: 'UNDELIVERABLE', error: 'No route' }] } : { steps: [] },
  );
  const { id } = await host.client.runToEnd(await host.example('approval-deputy'), START);
  const deputy = () => sentTo(host.sandbox).filter(({ phone: number }) => number === DEPUTY);
  await until('the question to the deputy', () => deputy().length >= 2 || undefined);
  host.sandbox.decideOutcome(undefined);
  await host.client.waitForExecution(id);
  const [call, question] = deputy();
  expect(call).toMatchObject({ type: 'voice', message: expect.stringContaining('Invoice 2002 waits') });
  expect(question.sms_message).toContain('Pay 1850 to Sample & Sons? ');
  const [first] = sentTo(host.sandbox);
  expect(first.phone).toBe(MANAGER);
  expect((await open(linkIn(first))).text).not.toContain('<form');
  await answer(linkIn(question), 'approve');
  const execution = await ended(id);
  expect(execution.json('Ask the Manager')).toMatchObject([
    { by: 'undelivered', messages: [{ phone: MANAGER, outcome: 'failed', error: 'No route' }] },
  ]);
  expect(execution.json('Pay')).toEqual([
    { invoice: '2002', note: expect.stringContaining(`Approved by ${DEPUTY}`) },
  ]);
  expect(execution.runs('Do Not Pay')).toEqual([]);
});
