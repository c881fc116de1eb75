/** n8n's editor in headless Chromium: the form follows what is chosen in it. */
import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import type { WorkflowJson } from '../../tools/n8n-host/rest-client.mts';
import { approvalForm } from '../support/approval.mts';
import { describeInBrowser, keepPicture, launch } from '../support/chromium.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { Editor } from '../support/editor.mts';
import { eventually } from '../support/eventually.mts';
import { ACTION, action, workflow } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

/** As somebody writes it who makes the workflow without the form. */
const WRITTEN_STAGE = { channel: 'viber', message: 'Hi', signature: 'TestSender', viberType: 'text' };

describeInBrowser("n8n's editor", () => {
  const host = e2eHost();
  let browser: Browser;
  let editor: Editor;

  /** One workflow for all tests: loading the editor takes longer than what is looked at in it. */
  const FORMS: Record<string, IDataObject> = {
    Pipeline: { operation: 'sendPipeline' },
    'Written by hand': { operation: 'sendPipeline', pipeline: { stages: [WRITTEN_STAGE] } },
    Check: {
      operation: 'sendSms',
      ...smsForm({
        phone: '447700900001',
        smsMessage: '=Hello {{ $json.nobody }}',
        options: { checkOnly: true },
      }),
    },
    Options: { operation: 'sendSms', ...smsForm({ phone: '447700900001' }) },
    Question: approvalForm(),
    Review: approvalForm({ message: 'May I?' }),
  };

  let workflowId = '';

  /** The options of a node as n8n has saved them. */
  async function savedOptions(name: string): Promise<IDataObject> {
    const { nodes } = await host.client.call<WorkflowJson>('GET', `/workflows/${workflowId}`);
    return (nodes.find((node) => node.name === name)?.parameters.options ?? {}) as IDataObject;
  }

  beforeAll(async () => {
    const actions = Object.entries(FORMS).map(([name, form]) => [
      {
        ...action(name, host.credential, { resource: 'message', phone: '447700900001', ...form }),
        ...(name === 'Review' && { type: `${ACTION}HitlTool` }),
      },
    ]);
    ({ id: workflowId } = await host.client.createWorkflow(workflow(...actions)));
    browser = await launch();
    editor = await Editor.open(browser, host);
    await editor.openWorkflow(workflowId);
  });
  afterAll(async () => await browser?.close());

  // What each choice shows is in test/description; this is how the editor follows a choice.
  it('begins a pipeline with Viber and SMS, and adds stages, each with the fields and senders of its channel', async () => {
    await editor.openNode('Pipeline');
    await editor.form.locator('[data-test-id^="fixed-collection-add"]').first().click();
    const viber = ['channel', 'signature', 'message'];
    for (const [title, fields] of [
      ['Voice Call', ['voiceGender', 'voiceLanguage', 'voiceName', 'message']],
      ['Telegram', ['message']],
    ] as const) {
      await editor.choose(editor.parameter('channel').nth(2), title);
      const shown = async () => (await editor.shown()).slice(3);
      await eventually(shown, [...viber, 'channel', 'signature', 'message', 'channel', ...fields]);
    }
    const lists = editor.form.locator('[data-test-id="rlc-input"]');
    const offered = editor.page.locator('[data-test-id="rlc-item"]:visible');
    for (const [stage, names] of [
      ['TestSender (…)', 'ViberSender (Viber)'],
      ['InfoSender (SMS)', 'TestSender (…)'],
    ].entries()) {
      await lists.nth(stage).click();
      // TestSender is approved on each channel of the sandbox.
      const named = async () =>
        (await offered.allInnerTexts()).map((text) => text.replace(/^(TestSender) \(.*\)$/, '$1 (…)'));
      await eventually(named, names);
      await editor.page.keyboard.press('Escape');
    }
  });

  it('shows a sender of a stage that was written as plain text, as text that can be changed', async () => {
    await editor.openNode('Written by hand');
    const sender = editor.form.locator('[data-test-id="rlc-input"]');
    await eventually(async () => await sender.inputValue(), 'TestSender');
    await editor.form.locator('[data-test-id="parameter-issues"]').waitFor({ state: 'detached' });
    await sender.fill('ViberSender');
    await editor.runUntil(editor.output.getByText('msg_id').first());
    expect(host.sandbox.messages.list().at(-1)?.operation.viber).toMatchObject({ signature: 'ViberSender' });
  });

  it('says below the node that it sends nothing, and after a run what Check Only found', async () => {
    const { requests } = host.sandbox.counts();
    await editor.openNode('Check');
    const { output } = editor;
    await editor.runUntil(output.getByText("Nothing was sent: 'Check Only' is on"));
    await output.getByText('The text has an empty {{ $json.nobody }}').waitFor();
    await output.getByText('1 message, 1 SMS part').waitFor();
    expect(host.sandbox.counts().requests).toBe(requests);
    await editor.page.keyboard.press('Escape');
    const node = editor.page.locator('[data-test-id="canvas-node"][data-node-name="Check"]');
    await node.getByText('Check Only: sends nothing', { exact: true }).waitFor();
  });

  it('shows the fields of an added option at once, without a number that reads as "nothing", and keeps them', async () => {
    await editor.openNode('Options');
    const groups: Array<[title: string, name: string, fields: string[]]> = [
      ['Limits', 'limits', ['maxMessages', 'maxParts', 'maxTotalParts']],
      ['Avoid Doubles', 'avoidDoubles', ['repeatedMessages', 'sendOnceKey']],
      ['Send Window', 'sendWindow', ['from', 'until', 'days', 'timeZone']],
      ['Delivery Report', 'deliveryReport', ['hookFromTrigger', 'hook']],
      ['Sender by Country', 'senders', ['prefix', 'sender']],
      ['Speed', 'speed', ['batchSize', 'batchInterval', 'timeout']],
    ];
    for (const [title] of groups) await editor.addOption(title);
    const added = ['waitForDelivery', ...groups.flatMap(([, , fields]) => fields)];
    const last = async () => (await editor.shown()).slice(-added.length);
    await eventually(last, added);
    for (const number of ['maxMessages', 'batchSize']) {
      const field = editor.parameter(number).locator('input');
      await eventually(async () => await field.inputValue(), '');
    }
    await keepPicture(editor.page, 'options-editor');
    const saved = Object.fromEntries(groups.map(([, name]) => [name, expect.anything()]));
    await eventually(async () => await savedOptions('Options'), saved);
    // An open node is in the address of the page: n8n would open it by itself, before or after the click.
    await editor.page.locator('[data-test-id="ndv-close-button"]').click();
    await editor.form.waitFor({ state: 'hidden' });
    await editor.page.reload();
    await editor.openNode('Options');
    await eventually(last, added);
  });

  it('says what a question costs as SMS, and offers the node as a human review', async () => {
    await editor.openNode('Question');
    await editor.form.getByText('2 parts up to 129 Latin letters').waitFor();
    await keepPicture(editor.page, 'approval-editor');
    await editor.openNode('Review');
    await keepPicture(editor.page, 'approval-review');
    const shown = async () => await editor.shown();
    await eventually(shown, expect.arrayContaining(['message', 'phone', 'smsSignature', 'text']));
    expect(await shown()).not.toEqual(expect.arrayContaining(['responseType', 'resource', 'operation']));
  });
});
