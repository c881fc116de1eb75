/** n8n's editor in headless Chromium: the form follows what is chosen in it. */
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

jest.setTimeout(90_000);

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

  const openAction = async (operation: string) => {
    const node = action('Send', credential, { resource: 'message', operation, phone: '380501234567' });
    const { id } = await n8n.client.createWorkflow(workflow([node]));
    await editor.openNode(id, 'Send');
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
    await openAction('sendPipeline');
    await editor.form.getByText('Add Channel').first().click();
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

  it('adds stages to a pipeline, each with its own channel', async () => {
    await openAction('sendPipeline');
    await editor.form.getByText('Add Channel').first().click();
    await editor.parameter('channel').first().waitFor();
    await editor.form.locator('[data-test-id="fixed-collection-add"]').click();
    await editor.parameter('channel').nth(1).waitFor();
    await editor.choose(editor.parameter('channel').nth(1), 'Telegram');
    const shown = (await editor.shown()).slice(3, -2);
    expect(shown).toEqual(['channel', 'message', 'signature', 'channel', 'message']);
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
    await panel.getByText('Webhook URLs').waitFor();
    if (!(await panel.getByText('Test URL', { exact: true }).isVisible())) {
      await panel.getByText('Webhook URLs').click();
    }
    await panel.getByText('Test URL', { exact: true }).waitFor();
    await panel.getByText('Production URL', { exact: true }).waitFor();
    expect(await panel.innerText()).toMatch(/production URL/i);
  });
}
