/** The approval in a real n8n: its pages in a phone's browser without scripts, and what n8n itself answers. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';
import type { Browser, BrowserContextOptions } from 'playwright-core';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import type { CredentialReference } from '../../tools/n8n-host/rest-client.mts';
import { withCredential } from '../../tools/n8n-host/workflow.mts';
import { readExamples } from '../../tools/start/examples.mts';
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
import { askIn, phoneOf, pictures } from '../support/approval-host.mts';
import { axeFindings, hasChromium, keepPicture, launch } from '../support/chromium.mts';
import { Editor } from '../support/editor.mts';
import { shortOrLong } from '../support/long-form.mts';
import {
  ACTION,
  action,
  CREDENTIAL_TYPE,
  credentialData,
  realN8n,
  rows,
  START,
  workflow,
} from '../support/real-n8n.mts';
import type { NodeJson, RealN8n } from '../support/real-n8n.mts';
import { placesOf } from '../support/secret-search.mts';
import { startWebServer } from '../support/web-server.mts';

let n8n: RealN8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let browser: Browser | undefined;

beforeAll(async () => {
  sandbox = await startSandbox();
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Approval', CREDENTIAL_TYPE, credentialData(sandbox));
  if (hasChromium) browser = await launch();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  await browser?.close();
  await sandbox?.close();
});

const ask = async (parameters: IDataObject = {}) => await askIn({ n8n, sandbox, credential }, parameters);
const phone = async (more: BrowserContextOptions = {}) => await phoneOf(browser!, more);
const ended = async (id: string) => await n8n.client.waitUntilAwake(id, 20_000);

const TEXT =
  'Pay invoice 17?\n\n<script>alert(1)</script> <b>1,234.50 EUR</b> to Example Ltd & Sons, "before Friday".\nאישור: שלום';

const inBrowser = hasChromium ? it : it.skip;

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
    expect(await page.locator('.from').innerText()).toMatch(/^Test \d+$/);
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

  inBrowser('takes free text and forms', async () => {
    const texts = await ask({ responseType: 'freeText', options: { responseFieldLabel: 'Why not?' } });
    const page = await phone();
    await page.goto(texts.links[0]);
    await page.getByLabel('Why not?').fill('Too <i>late</i>');
    await pictures(page, 'text');
    await page.getByRole('button', { name: 'Submit' }).tap();
    await page.getByRole('status').waitFor();
    expect((await ended(texts.id)).json('Ask')).toMatchObject([{ data: { text: 'Too <i>late</i>' } }]);

    sandbox.reset();
    const values = [
      { fieldLabel: 'Amount', fieldType: 'number', requiredField: true },
      {
        fieldLabel: 'Account',
        fieldType: 'dropdown',
        fieldOptions: { values: [{ option: 'A' }, { option: 'B' }] },
      },
      {
        fieldLabel: 'Copies',
        fieldType: 'checkbox',
        fieldOptions: { values: [{ option: 'Law' }, { option: 'CFO' }] },
      },
      {
        fieldLabel: 'Urgency',
        fieldType: 'radio',
        fieldOptions: { values: [{ option: 'Low' }, { option: 'High' }] },
      },
    ];
    const form = await ask({ responseType: 'customForm', formFields: { values } });
    await page.goto(form.links[0]);
    await page.getByLabel('Amount').fill('12.5');
    await page.getByLabel('Account').selectOption('B');
    await page.getByLabel('Law').check();
    await page.getByLabel('CFO').check();
    await page.getByLabel('High').check();
    await pictures(page, 'form');
    await page.getByRole('button', { name: 'Submit' }).tap();
    await page.getByRole('status').waitFor();
    expect((await ended(form.id)).json('Ask')).toMatchObject([
      { data: { Amount: 12.5, Account: 'B', Copies: ['Law', 'CFO'], Urgency: 'High' } },
    ]);
  });

  inBrowser('has pages in which axe finds nothing', async () => {
    const values = [
      { fieldLabel: 'Amount', fieldType: 'number', requiredField: true },
      {
        fieldLabel: 'Copies',
        fieldType: 'checkbox',
        fieldOptions: { values: [{ option: 'Law' }, { option: 'CFO' }] },
      },
      { fieldLabel: 'Account', fieldType: 'dropdown', fieldOptions: { values: [{ option: 'A' }] } },
    ];
    const question = await ask({ text: TEXT });
    sandbox.reset();
    const form = await ask({ responseType: 'customForm', formFields: { values } });
    const findings: unknown[] = [];
    const page = await phone({ javaScriptEnabled: true });
    const check = async () => {
      findings.push(...(await axeFindings(page)));
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(question.links[0]);
      await check();
      await page.goto(form.links[0]);
      await check();
      await page.evaluate("document.querySelector('form').noValidate = true");
      await page.getByRole('button', { name: 'Submit' }).tap();
      await page.locator('[aria-invalid]').waitFor();
      await check();
    }
    await pictures(page, 'wrong');
    expect(findings).toEqual([]);
    await answer(question.links[0], 'decline');
    expect((await ended(question.id)).json('Ask')).toMatchObject([{ data: { approved: false } }]);
  });

  inBrowser('counts one of two phones that answer at once', async () => {
    const { id, links } = await ask({ phone: [MANAGER, DEPUTY].join() });
    const pages = [await phone(), await phone()];
    await Promise.all(pages.map((page, i) => page.goto(links[i])));
    const taps = pages.map(async (page, i) => {
      await Promise.all([page.waitForNavigation(), page.getByRole('button').nth(i).tap()]);
    });
    await Promise.all(taps);
    const texts = await Promise.all(pages.map((page) => page.locator('body').innerText()));
    const execution = await ended(id);
    const [{ decided_by: by, data }] = execution.json('Ask') as Array<{
      decided_by: number;
      data: IDataObject;
    }>;
    const first = by === MANAGER ? 0 : 1;
    expect(data.approved).toBe(first === 0);
    expect(texts[first]).toContain('has been recorded');
    expect(texts[1 - first]).not.toContain('has been recorded');
    console.log(`The second phone saw: ${texts[1 - first].replace(/\s+/g, ' ').slice(0, 200)}`);
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
      expect((await n8n.client.getExecution(id)).status).toBe('waiting');
    } finally {
      await site.close();
    }
  });
});

describe('a link', () => {
  it('survives many previews, of which n8n answers those by HEAD itself', async () => {
    const { id, links } = await ask();
    const agents = [
      'WhatsApp/2.23.20',
      'Viber/13',
      'facebookexternalhit/1.1',
      'TelegramBot (like TwitterBot)',
      '',
    ];
    const statuses = new Set<number>();
    for (let i = 0; i < shortOrLong(60, 200); i += 10) {
      const calls = Array.from({ length: 10 }, (_, k) => i + k).map(async (n) => {
        const headers = { 'user-agent': agents[n % agents.length], 'sec-purpose': 'prefetch' };
        return (await fetch(links[0], { method: n % 4 === 3 ? 'HEAD' : 'GET', headers })).status;
      });
      for (const status of await Promise.all(calls)) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    expect((await n8n.client.getExecution(id)).status).toBe('waiting');
    await answer(links[0], 'approve');
    expect((await ended(id)).json('Ask')).toMatchObject([{ data: { approved: true } }]);
  });

  it('with a changed signature gets 4xx', async () => {
    const { id, links } = await ask();
    const other = links[0].replace(/signature=(.)/, (_, first) => `signature=${first === '0' ? '1' : '0'}`);
    expect([(await open(other)).status, (await answer(other, 'approve')).status]).toEqual([401, 401]);
    expect((await open(links[0].replace('?', '?r=1&'))).status).toBe(401);
    expect((await n8n.client.getExecution(id)).status).toBe('waiting');
  });
});

describe('every item that enters', () => {
  const EARLIER = { data: { approved: true }, approved: true, decided_by: DEPUTY };
  const items = (count: number) => Array.from({ length: count }, (_, i) => ({ invoice: i + 1, ...EARLIER }));
  const ASK = { ...BOTH_BUTTONS, text: '=Pay invoice {{ $json.invoice }}?' };
  const to = (...nodes: string[]) => nodes.map((node) => ({ node, type: 'main', index: 0 }));
  const NO_OP = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
  /** Answers one question after the other, as they come; returns which invoices were asked about. */
  async function answerAll(id: string, choices: string[]): Promise<string[]> {
    for (const [index, choice] of choices.entries()) {
      for (const end = Date.now() + 20_000; sentTo(sandbox).length <= index && Date.now() < end; ) await sleep(20);
      await n8n.client.waitForExecution(id);
      expect((await answer(linkIn(sentTo(sandbox)[index]), choice)).text).toContain('has been recorded');
    }
    return sentTo(sandbox).map(({ sms_message }) => /\d+/.exec(String(sms_message))![0]);
  }
  const run = async (between: NodeJson[], connections: IDataObject, count: number): Promise<string> => {
    const { nodes } = workflow([rows('Rows', items(count)), ...between, action('Ask', credential, approvalForm(ASK)), NO_OP]);
    const joined = { [START]: { main: [to('Rows')] }, Ask: { main: [to('After')] }, ...connections };
    const { id } = await n8n.client.createWorkflow({
      name: 'Every item',
      settings: { executionOrder: 'v1' },
      nodes,
      connections: joined,
    });
    return await n8n.client.runManually(id, START);
  };

  it('by two branches into one approval is asked about, and none passes as approved', async () => {
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
    const id = await run([branch], { Rows: { main: [to('If')] }, If: { main: [to('Ask'), to('Ask')] } }, 2);
    expect((await answerAll(id, ['decline', 'decline'])).sort()).toEqual(['1', '2']);
    const execution = await ended(id);
    const outputs = execution.runs('Ask').map(({ data }) => data?.main[0]?.map(({ json }) => json));
    expect(outputs).toMatchObject([[{ data: { approved: false } }], [{ data: { approved: false } }]]);
  });

  it('of ten in a loop is asked about by itself', async () => {
    const loop: NodeJson = {
      name: 'Loop Over Items',
      type: 'n8n-nodes-base.splitInBatches',
      typeVersion: 3,
      parameters: { batchSize: 1, options: {} },
    };
    const choices = Array.from({ length: 10 }, (_, i) => (i % 3 === 0 ? 'approve' : 'decline'));
    const id = await run(
      [loop],
      {
        Rows: { main: [to('Loop Over Items')] },
        'Loop Over Items': { main: [to('After'), to('Ask')] },
        Ask: { main: [to('Loop Over Items')] },
      },
      10,
    );
    expect(await answerAll(id, choices)).toEqual(items(10).map(({ invoice }) => String(invoice)));
    const done = (await ended(id)).json('After').map(({ data }) => (data as IDataObject).approved);
    expect(done).toEqual(choices.map((choice) => choice === 'approve'));
  });
});

describe('an earlier answer in the data', () => {
  const EARLIER = { invoice: 17, approved: true, data: { approved: true }, decided_by: DEPUTY };

  it.each([
    ['approve', true],
    ['decline', false],
  ])('of a parent does not count in its sub-workflow, whose own answer (%s) comes back', async (choice, approved) => {
    const called: NodeJson = {
      name: 'Called',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      parameters: { inputSource: 'passthrough' },
    };
    const { nodes, connections } = workflow([called, action('Ask', credential, approvalForm(BOTH_BUTTONS))]);
    const child = await n8n.client.createWorkflow({
      name: 'Sub-workflow that asks',
      nodes: nodes.filter(({ name }) => name !== START),
      connections: { Called: connections.Called },
    });
    const call: NodeJson = {
      name: 'Call',
      type: 'n8n-nodes-base.executeWorkflow',
      typeVersion: 1.2,
      parameters: { workflowId: { __rl: true, mode: 'id', value: child.id }, options: {} },
    };
    const after: NodeJson = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
    const parent = await n8n.client.runToEnd(workflow([rows('Rows', [EARLIER]), call, after]), START);
    expect(parent.failure()).toBe('');
    expect(parent.status).toBe('waiting');
    expect(parent.runs('After')).toEqual([]);
    expect(sentTo(sandbox)).toHaveLength(1);
    expect((await answer(linkIn(sentTo(sandbox)[0]), choice)).text).toContain('has been recorded');
    const execution = await ended(parent.id);
    expect(execution.status).toBe('success');
    expect(execution.json('After')).toMatchObject([{ data: { approved }, decided_by: MANAGER }]);
    expect(sentTo(sandbox)).toHaveLength(1);
  });

  it.each(['the run before', 'a run that waits', 'pinned input'])(
    'of %s does not count where the node alone is run',
    async (source) => {
      const ASK = action('Ask', credential, approvalForm(BOTH_BUTTONS));
      const pinned = source === 'pinned input';
      // n8n's editor saves the field with every workflow.
      const withPins = {
        ...workflow([rows('Rows', [pinned ? { invoice: 17 } : EARLIER]), ASK]),
        pinData: pinned ? { Rows: [{ json: EARLIER }] } : {},
      };
      const saved = await n8n.client.createWorkflow(withPins);
      const first = await n8n.client.runManually(saved.id, START);
      expect((await n8n.client.waitForExecution(first)).status).toBe('waiting');
      const [link] = sentTo(sandbox).map(linkIn);
      if (source !== 'a run that waits') {
        await answer(link, 'approve');
        expect((await ended(first)).json('Ask')).toMatchObject([{ data: { approved: true } }]);
      }
      const { runData } = (await n8n.client.getExecution(first)).data.resultData;
      expect(JSON.stringify(runData.Rows)).toContain('"data":{"approved":true}');
      const destinationNode = { nodeName: 'Ask', mode: 'inclusive' };
      const { executionId } = await n8n.client.call<{ executionId: string }>('POST', `/workflows/${saved.id}/run`, {
        destinationNode,
        runData,
        dirtyNodeNames: [],
      });
      const alone = await n8n.client.waitForExecution(executionId);
      expect([alone.failure(), alone.status]).toEqual(['', 'waiting']);
      expect(sentTo(sandbox)).toHaveLength(2);
      await answer(linkIn(sentTo(sandbox)[1]), 'decline');
      const execution = await ended(executionId);
      expect(execution.runs('Ask')).toHaveLength(1);
      expect(execution.json('Ask')).toMatchObject([{ data: { approved: false }, decided_by: MANAGER }]);
      if (source === 'a run that waits') await n8n.client.call('POST', `/executions/${first}/stop`);
    },
  );
});

inBrowser.each(['approve', 'decline'])('keeps the signature of a link to %s out of all that n8n shows', async (choice) => {
  const { id, links } = await ask({ phone: [MANAGER, DEPUTY].join() });
  const signatures = links.map((link) => new URL(link).searchParams.get('signature') ?? '');
  expect(signatures).toEqual([expect.stringMatching(/^.{32,}$/), expect.stringMatching(/^.{32,}$/)]);
  await answer(links[1], choice);
  const { workflowId, data } = await ended(id);
  const suspect = { workflowId, executionId: id, nodes: ['Ask', 'After'] };
  // Loading the editor takes longer than all of the rest.
  const isInEditor = choice === 'approve' || shortOrLong(false, true);
  const search = { browser: isInEditor ? browser : undefined, n8n, shown: String(DEPUTY) };
  const { resumeToken: token = '' } = data as { resumeToken?: string };
  // n8n keeps its own token with the data of the execution, where the search finds it.
  const places = await placesOf(search, [...signatures.map((one) => one.slice(0, 24)), token], suspect);
  expect(places).toEqual(['execution_data.data', `rest: ${token}`]);
});

it('takes any call of a waiting execution without an answer of 5xx, and decides nothing by it', async () => {
  const { id, links } = await ask();
  const form = await ask({ responseType: 'freeText' });
  const link = form.links[form.links.length - 1];
  const bodies = [undefined, '', '{', 'null', '["approve"]', '"approve"', '{"choice":"approve"}', 'choice=approve&token='];
  // n8n itself never answers XML that is none.
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'];
  const others = ['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({ method, type: '', body: '{"data":null}' }));
  const posts = ['', ...types].flatMap((type) =>
    bodies.map((body) => ({ method: 'POST', type, body })),
  );
  const calls = [links[0], link].flatMap((url) => [...posts, ...others].map((call) => ({ url, ...call })));
  const wrong: unknown[] = [];
  for (const { url, method, type, body } of calls) {
    const headers = type === '' ? undefined : { 'content-type': type };
    const { status } = await fetch(url, { method, body, headers });
    if (status >= 500) wrong.push([method, type, body, status]);
  }
  expect(wrong).toEqual([]);
  expect([(await n8n.client.getExecution(id)).status, (await n8n.client.getExecution(form.id)).status]).toEqual([
    'waiting',
    'waiting',
  ]);
});

describe('the example', () => {
  it.each([
    ['approve', 'Pay After Approval', `Approved by ${MANAGER}`],
    ['decline', 'Do Not Pay', `Declined by ${MANAGER}`],
  ])('asks the manager, who may %s', async (choice, node, note) => {
    const { 'invoice-approval': example } = await readExamples();
    const imported = withCredential(example, CREDENTIAL_TYPE, credential);
    const { id, status } = await n8n.client.runToEnd(imported, START);
    expect(status).toBe('waiting');
    const [operation, ...others] = sentTo(sandbox);
    expect(others).toEqual([]);
    expect(operation).toMatchObject({
      phone: MANAGER,
      sms_message: expect.stringContaining('Pay 1850 to Sample & Sons? '),
    });
    const link = linkIn(operation);
    const page = await open(link);
    expect(page.text).toContain('Invoice 2002');
    await answer(link, choice);
    const execution = await ended(id);
    expect(execution.status).toBe('success');
    expect(execution.json(node)).toEqual([{ invoice: '2002', note: expect.stringContaining(note) }]);
    expect(execution.json('Pay at Once')).toEqual([{ invoice: '2001', note: 'Up to 1,000' }]);
  });
});

describe('the example with a deputy', () => {
  let own: Sandbox;
  let id: string;
  // n8n looks for limits once a minute: this one passes while other tests run.
  beforeAll(async () => {
    own = await startSandbox();
    const its = await n8n.client.createCredential('Deputy', CREDENTIAL_TYPE, credentialData(own));
    const { 'approval-deputy': example } = await readExamples();
    const limited = JSON.stringify(example).replace('"resumeAmount":15', '"resumeAmount":0.02');
    const imported = withCredential(JSON.parse(limited) as typeof example, CREDENTIAL_TYPE, its);
    id = (await n8n.client.runToEnd(imported, START)).id;
  });
  afterAll(() => own.close());

  it('calls the deputy and asks again once nobody has answered', async () => {
    const deputy = () => sentTo(own).filter(({ phone }) => phone === DEPUTY);
    for (const end = Date.now() + 90_000; deputy().length < 2 && Date.now() < end; ) await sleep(200);
    await n8n.client.waitForExecution(id);
    const [call, question] = deputy();
    expect(call).toMatchObject({ type: 'voice', message: expect.stringContaining('Invoice 2002 waits') });
    expect(question.sms_message).toContain('Pay 1850 to Sample & Sons? ');
    const [first] = sentTo(own);
    expect(first.phone).toBe(MANAGER);
    expect((await open(linkIn(first))).text).not.toContain('<form');
    await answer(linkIn(question), 'approve');
    const execution = await ended(id);
    expect(execution.json('Pay')).toEqual([
      { invoice: '2002', note: expect.stringContaining(`Approved by ${DEPUTY}`) },
    ]);
    expect(execution.runs('Do Not Pay')).toEqual([]);
  });
});

describe("n8n's editor", () => {
  inBrowser(
    'warns of a text that makes the SMS more than one, and offers the node as a human review',
    async () => {
      const editor = await Editor.open(browser!, n8n);
      const hint = editor.page.getByText('billed as two or more');
      const ask = (name: string, parameters: IDataObject, type = ACTION) => [
        { ...action(name, credential, approvalForm(parameters)), type },
      ];
      const text = 'Pay invoice 17 over 1,234.50 EUR?';
      const { id } = await n8n.client.createWorkflow(
        workflow(
          ask('Two parts', { text }),
          ask('One part', { text, options: { shortLink: true } }),
          ask('Review', { message: 'May I?' }, `${ACTION}HitlTool`),
        ),
      );
      await editor.openWorkflow(id);
      await editor.openNode('Two parts');
      await hint.waitFor();
      await keepPicture(editor.page, 'approval-editor');
      await editor.openNode('One part');
      expect(await hint.count()).toBe(0);
      await editor.openNode('Review');
      await keepPicture(editor.page, 'approval-review');
      const shown = await editor.shown();
      expect(shown).toEqual(expect.arrayContaining(['message', 'phone', 'smsSignature', 'text']));
      expect(shown).not.toEqual(expect.arrayContaining(['responseType', 'resource', 'operation']));
    },
  );
});
