/** n8n's editor in headless Chromium: the form follows what is chosen in it. */
import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { hasChromium, launch } from '../support/chromium.mts';
import { Editor } from '../support/editor.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  TRIGGER,
  workflow,
} from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

/** As 0.1.0 saved it. */
const SAVED_STAGE = { channel: 'viber', message: 'Hi', signature: 'TestSender', viberType: 'text' };

if (!hasChromium) {
  it('says what it left out', () => {
    console.warn('The editor was not looked at: chromium is not installed. On Debian: apt-get install chromium.');
    // The suite's own machines have it.
    expect(process.env.CI).not.toBe('true');
  });
} else {
  let browser: Browser;
  let sandbox: Sandbox;
  let editor: Editor;

  /** One workflow for all tests: loading the editor takes longer than what is looked at in it. */
  const FORMS: Record<string, IDataObject> = {
    Viber: { operation: 'sendViber' },
    Carousel: { operation: 'sendViber' },
    Stages: { operation: 'sendPipeline', pipeline: { stages: [{}] } },
    Pipeline: { operation: 'sendPipeline' },
    Senders: { operation: 'sendPipeline' },
    'Saved by 0.1.0': { operation: 'sendPipeline', pipeline: { stages: [SAVED_STAGE] } },
    Check: { operation: 'sendSms', ...smsForm({ phone: '447700900001', options: { checkOnly: true } }) },
    SMS: { operation: 'sendSms' },
  };

  beforeAll(async () => {
    sandbox = await startSandbox();
    const n8n = await realN8n();
    const credential = await n8n.client.createCredential('Editor', CREDENTIAL_TYPE, credentialData(sandbox));
    const actions = Object.entries(FORMS).map(([name, form]) =>
      action(name, credential, { resource: 'message', phone: '447700900001', ...form }),
    );
    const trigger = { id: 'callback', name: 'Callback', type: TRIGGER, typeVersion: 1, parameters: {} };
    const { nodes, ...rest } = workflow(...actions.map((node) => [node]));
    const { id } = await n8n.client.createWorkflow({
      ...rest,
      nodes: [...nodes, { ...trigger, position: [0, 300] }],
    });
    browser = await launch();
    editor = await Editor.open(browser, n8n);
    await editor.openWorkflow(id);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  const AROUND = ['resource', 'operation', 'phone', 'viberSignature', 'viberType'];
  const AFTER = ['messageId', 'delivery', 'waitForDelivery'];

  it('shows the fields of the chosen Viber message type, and no others', async () => {
    await editor.openNode('Viber');
    const contents: Array<[title: string, names: string[]]> = [
      ['Image', ['viberImage']],
      ['Text and Button', ['viberMessage', 'viberButton', 'viberLink']],
      ['Text, Image and Button', ['viberMessage', 'viberImage', 'viberButton', 'viberLink']],
      ['Carousel', ['viberMessage']],
      ['Text', ['viberMessage']],
    ];
    for (const [title, names] of contents) {
      await editor.choose(editor.parameter('viberType'), title);
      expect([title, await editor.shown()]).toEqual([title, [...AROUND, ...names, ...AFTER]]);
      const slides = editor.form.getByText('Viber Carousel', { exact: true });
      expect([title, await slides.count()]).toEqual([title, title === 'Carousel' ? 1 : 0]);
    }
  });

  it('shows the fields of a carousel slide', async () => {
    await editor.openNode('Carousel');
    await editor.choose(editor.parameter('viberType'), 'Carousel');
    await editor.form.getByText('Add Slide').first().click();
    await editor.parameter('caption').waitFor();
    const slide = (await editor.shown()).slice(AROUND.length + 1, -AFTER.length);
    expect(slide).toEqual(['caption', 'image', 'button', 'url', 'button2', 'url2']);
  });

  it('shows the fields of the channel of each pipeline stage', async () => {
    await editor.openNode('Stages');
    await editor.parameter('channel').waitFor();
    const stages: Array<[title: string, names: string[]]> = [
      ['Telegram', ['message']],
      ['Viber', ['message', 'signature', 'viberType']],
      ['Voice Call', ['voiceGender', 'voiceLanguage', 'voiceName', 'message']],
      ['RCS', ['message', 'signature']],
      ['WhatsApp', ['message', 'signature']],
      ['SMS', ['message', 'signature']],
    ];
    for (const [title, names] of stages) {
      await editor.choose(editor.parameter('channel'), title);
      const shown = await editor.shown();
      expect([title, shown]).toEqual([
        title,
        ['resource', 'operation', 'phone', 'channel', ...names, 'messageId', 'delivery'],
      ]);
    }
  });

  it('begins a pipeline with Viber and SMS, and adds stages, each with its own channel', async () => {
    await editor.openNode('Pipeline');
    await editor.form.locator('[data-test-id^="fixed-collection-add"]').first().click();
    await editor.parameter('channel').nth(2).waitFor();
    await editor.choose(editor.parameter('channel').nth(2), 'Telegram');
    const shown = (await editor.shown()).slice(3, -2);
    const viber = ['channel', 'message', 'signature', 'viberType'];
    expect(shown).toEqual([...viber, 'channel', 'message', 'signature', 'channel', 'message']);
  });

  it('offers the senders of the channel of each stage', async () => {
    await editor.openNode('Senders');
    const lists = editor.form.locator('[data-test-id="rlc-input"]');
    const offered = editor.page.locator('[data-test-id="rlc-item"]:visible');
    for (const [stage, names] of [
      ['TestSender (SMS, Viber, RCS)', 'ViberSender (Viber)'],
      ['InfoSender (SMS)', 'TestSender (SMS, Viber, RCS)'],
    ].entries()) {
      await lists.nth(stage).click();
      await offered.first().waitFor();
      expect(await offered.allInnerTexts()).toEqual(names);
      await editor.page.keyboard.press('Escape');
    }
  });

  it('shows the text that 0.1.0 saved for the sender of a stage, as text that can be changed', async () => {
    await editor.openNode('Saved by 0.1.0');
    const sender = editor.form.locator('[data-test-id="rlc-input"]');
    expect(await sender.inputValue()).toBe('TestSender');
    expect(await editor.form.locator('[data-test-id="parameter-issues"]').count()).toBe(0);
    await sender.fill('ViberSender');
    await editor.page.locator('[data-test-id="node-execute-button"]').click();
    await editor.page.locator('[data-test-id="output-panel"]').getByText('msg_id').first().waitFor();
    expect(sandbox.messages.list().at(-1)?.operation.viber).toMatchObject({ signature: 'ViberSender' });
  });

  it('says below the node what it does, and after a run that Check Only sent nothing', async () => {
    const { requests } = sandbox.counts();
    await editor.openNode('Check');
    await editor.page.locator('[data-test-id="node-execute-button"]').click();
    const output = editor.page.locator('[data-test-id="output-panel"]');
    await output.getByText("Nothing was sent: 'Check Only' is on").waitFor();
    expect(sandbox.counts().requests).toBe(requests);
    await editor.page.keyboard.press('Escape');
    const node = editor.page.locator('[data-test-id="canvas-node"][data-node-name="Check"]');
    await node.getByText('Send SMS', { exact: true }).waitFor();
  });

  it('offers the senders of the account from the list', async () => {
    await editor.openNode('SMS');
    await editor.form.locator('[data-test-id="rlc-input"]').click();
    await editor.page.getByText('TestSender (SMS, Viber, RCS)', { exact: true }).first().waitFor();
  });

  it('shows both URLs of the trigger and says which to use where', async () => {
    await editor.openNode('Callback');
    const panel = editor.page.locator('[data-test-id="ndv"]');
    // The steps beside the form name it too.
    const urls = panel.getByTitle(/webhook URLs/);
    await urls.waitFor();
    if (!(await panel.getByText('Test URL', { exact: true }).isVisible())) {
      await urls.click();
    }
    await panel.getByText('Test URL', { exact: true }).waitFor();
    await panel.getByText('Production URL', { exact: true }).waitFor();
    expect(await panel.innerText()).toMatch(/production URL/i);
  });
}
