/** n8n's editor in headless Chromium: the form follows what is chosen in it. */
import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { Editor, hasChromium, launch } from '../support/editor.mts';
import {
  action,
  credentialData,
  CREDENTIAL_TYPE,
  realN8n,
  TRIGGER,
  workflow,
} from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { smsForm } from '../support/sends.mts';

if (!hasChromium) {
  it('says what it left out', () => {
    console.warn('The editor was not looked at: chromium is not installed. On Debian: apt-get install chromium.');
    // The suite's own machines have it.
    expect(process.env.CI).not.toBe('true');
  });
} else {
  let browser: Browser;
  let sandbox: Sandbox;
  let n8n: RealN8n;
  let credential: { id: string; name: string };
  let editor: Editor;

  beforeAll(async () => {
    sandbox = await startSandbox();
    n8n = await realN8n();
    credential = await n8n.client.createCredential('Editor', CREDENTIAL_TYPE, credentialData(sandbox));
    browser = await launch();
    editor = await Editor.open(browser, n8n);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  const openAction = async (operation: string, parameters: IDataObject = {}) => {
    const form = { resource: 'message', operation, phone: '447700900001', ...parameters };
    const { id } = await n8n.client.createWorkflow(workflow([action('Send', credential, form)]));
    await editor.openNode(id, 'Send');
    return id;
  };

  const AROUND = ['resource', 'operation', 'phone', 'viberSignature', 'viberType'];
  const AFTER = ['messageId', 'delivery', 'waitForDelivery'];

  it('shows the fields of the chosen Viber message type, and no others', async () => {
    await openAction('sendViber');
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
    await openAction('sendViber');
    await editor.choose(editor.parameter('viberType'), 'Carousel');
    await editor.form.getByText('Add Slide').first().click();
    await editor.parameter('caption').waitFor();
    const slide = (await editor.shown()).slice(AROUND.length + 1, -AFTER.length);
    expect(slide).toEqual(['caption', 'image', 'button', 'url', 'button2', 'url2']);
  });

  it('shows the fields of the channel of each pipeline stage', async () => {
    await openAction('sendPipeline', { pipeline: { stages: [{}] } });
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
    await openAction('sendPipeline');
    await editor.form.locator('[data-test-id^="fixed-collection-add"]').first().click();
    await editor.parameter('channel').nth(2).waitFor();
    await editor.choose(editor.parameter('channel').nth(2), 'Telegram');
    const shown = (await editor.shown()).slice(3, -2);
    const viber = ['channel', 'message', 'signature', 'viberType'];
    expect(shown).toEqual([...viber, 'channel', 'message', 'signature', 'channel', 'message']);
  });

  it('offers the senders of the channel of each stage', async () => {
    await openAction('sendPipeline');
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
    const stage = { channel: 'viber', message: 'Hi', signature: 'TestSender', viberType: 'text' };
    await openAction('sendPipeline', { pipeline: { stages: [stage] } });
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
    await openAction('sendSms', smsForm({ phone: '447700900001', options: { checkOnly: true } }));
    await editor.page.locator('[data-test-id="node-execute-button"]').click();
    const output = editor.page.locator('[data-test-id="output-panel"]');
    await output.getByText("Nothing was sent: 'Check Only' is on").waitFor();
    expect(sandbox.counts().requests).toBe(requests);
    await editor.page.keyboard.press('Escape');
    const node = editor.page.locator('[data-test-id="canvas-node"][data-node-name="Send"]');
    await node.getByText('Send SMS', { exact: true }).waitFor();
  });

  it('offers the senders of the account from the list', async () => {
    await openAction('sendSms');
    await editor.form.locator('[data-test-id="rlc-input"]').click();
    await editor.page.getByText('TestSender (SMS, Viber, RCS)', { exact: true }).first().waitFor();
  });

  it('shows both URLs of the trigger and says which to use where', async () => {
    const { id } = await n8n.client.createWorkflow({
      name: 'Panel',
      nodes: [
        { id: 't', name: 'Callback', type: TRIGGER, typeVersion: 1, position: [0, 0], parameters: {} },
      ],
      connections: {},
    } as never);
    await editor.openNode(id, 'Callback');
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
