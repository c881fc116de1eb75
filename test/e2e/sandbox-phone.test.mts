/** The sandbox's phone page in a real browser: what arrives is shown, what a person does has its effect, everybody can use it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { CHANNEL_NAMES } from '../../sandbox/operations/channels.mts';
import { stageOf } from '../support/contract-samples.mts';
import { axeFindings, describeInBrowser, launch } from '../support/chromium.mts';
import { eventually } from '../support/eventually.mts';
import { SAMPLES } from '../support/sample-messages.mts';
import { GOOD, listenForCallbacks, run, runOne } from '../unit/sandbox/client.mts';
import type { Hook } from '../unit/sandbox/client.mts';

/** A number reserved for fiction. */
const PHONE = 447700900100;
const SMS = { ...GOOD.sms, phone: PHONE };

let browser: Browser;
let sandbox: Sandbox;
let hook: Hook;
let page: Page;
/** What went wrong in the page so far: errors, console messages, dialogs, requests to elsewhere. */
let problems: string[];

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Starts a sandbox whose messages wait for a person, and opens its phone page. */
async function open(options: BrowserContextOptions = {}): Promise<void> {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  hook = await listenForCallbacks();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  page.on('dialog', (dialog) => {
    // The page itself asks one question; markup out of a message would alert.
    if (dialog.type() !== 'confirm') problems.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(sandbox.baseUrl)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(sandbox.phonePageUrl);
  await page.getByText('No messages yet').waitFor();
}

afterEach(async () => {
  await page.close();
  await sandbox.close();
  await hook.close();
  expect(problems).toEqual([]);
});

const card = (id: number) => page.locator(`.message[data-msg-id="${sandbox.messages.byId(id)[0].msgId}"]`);
const bar = (name: string | RegExp) => page.locator('.top').getByRole('button', { name });
const focused = async () => await page.evaluate(() => document.activeElement?.textContent);
const count = (selector: string) => async () => await page.locator(selector).count();

describeInBrowser('a message', () => {
  beforeEach(() => open());

  test('appears at once; marking it delivered sends the callback', async () => {
    await runOne(sandbox, { ...SMS, hook: hook.url, sms_message: 'Your code is 4821' });
    await card(1).locator('.words', { hasText: 'Your code is 4821' }).waitFor();
    await card(1).getByText('GSM-7 · 17 of 160 · 1 part').waitFor();
    await card(1).getByRole('button', { name: 'Delivered' }).click();
    await card(1).locator('.ticks', { hasText: 'Delivered' }).waitFor();
    await card(1)
      .getByText(/^Callback DELIVERED → 200 in \d+ ms$/)
      .waitFor();
    expect(hook.received.map(({ body }) => body.status)).toEqual(['DELIVERED']);
  });

  test('what it says is text, never markup, whatever it is', async () => {
    const nasty = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const stubborn = { toString: 1, valueOf: 1 };
    const addresses = {
      viber_link: 'javascript:alert(3)',
      viber_image: 'data:text/html,<script>alert(4)</script>',
    };
    await run(sandbox, [
      { ...SMS, sms_message: nasty },
      { ...GOOD['viber+sms'], id: 2, phone: PHONE, viber_message: nasty, viber_button: nasty, ...addresses },
      { type: 'pipeline', id: 3, phone: PHONE, pipeline: ['whatsapp'], whatsapp: { message: stubborn } },
    ]);
    await card(3).locator('.words', { hasText: 'toString' }).waitFor();
    sandbox.act(sandbox.messages.byId(1)[0].msgId, 'reply', { message: nasty });
    await card(1).locator('.answer', { hasText: 'onerror' }).waitFor();
    await card(2).getByText('Details').click();
    await card(2).getByText('Request and answer').click();
    await card(2).getByLabel('Request 1', { exact: true }).getByText('onerror').waitFor();
    await run(sandbox, [
      { ...SMS, id: 5, sms_message: 'Pay at https://x.example/a?b=1. Not javascript:alert(5)' },
    ]);
    const link = card(5).locator('.words a');
    await link.waitFor();
    expect(await link.evaluate(({ outerHTML }) => outerHTML)).toContain('rel="noreferrer noopener"');
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([
      'https://x.example/a?b=1',
      '_blank',
    ]);
    const found = 'main script, img[src="x"], [href^="javascript"], [href^="data"]';
    expect(await page.locator(found).count()).toBe(0);
    expect(await card(1).locator('.words').first().textContent()).toBe(nasty);
  });

  test('offers what its channel can, and the digits of a call', async () => {
    await run(sandbox, [
      { ...GOOD.voice, phone: PHONE, dtmf: true },
      { ...SMS, id: 2 },
      { ...GOOD['call/otp'], id: 3, phone: PHONE },
      { ...GOOD.viber, id: 4, phone: PHONE },
    ]);
    const offersOf = async (id: number) => {
      const [text] = await card(id).getByRole('group', { name: 'What becomes' }).allInnerTexts();
      return text.split(/\s*\n\s*/);
    };
    await eventually(
      async () => await Promise.all([1, 2, 3, 4].map(offersOf)),
      [
        ['Answered', 'Not answered'],
        ['Delivered', 'Failed'],
        ['Answered', 'Not answered'],
        ['Delivered', 'Read', 'Failed'],
      ],
    );
    await card(3)
      .getByText(`… ${sandbox.messages.byId(3)[0].code}`)
      .waitFor();
    await card(1).getByRole('button', { name: 'Press 5' }).click();
    await card(1).getByText('Pressed 5').waitFor();
    await eventually(focused, '5');
    expect(sandbox.messages.byId(1)[0]).toMatchObject({ reply: '5', status: 'DELIVERED', duration: 12 });
  });

  test('falls back along its path, and an answer comes back', async () => {
    await runOne(sandbox, { ...GOOD['viber+sms'], phone: PHONE, hook: hook.url, sms_message: 'By SMS then' });
    await card(1).locator('.step.current', { hasText: 'Viber' }).waitFor();
    await page.getByRole('button', { name: 'Failed → SMS' }).click();
    await card(1).locator('.words', { hasText: 'By SMS then' }).waitFor();
    await card(1).locator('.step.failed', { hasText: 'Viber' }).getByText('Not delivered').waitFor();
    await card(1).locator('.step.current', { hasText: 'SMS' }).waitFor();
    await page.getByLabel('Answer from').fill('Thanks <3');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.locator('.answer', { hasText: 'Thanks <3' }).waitFor();
    await card(1).getByText('The contract doesn’t promise answers to SMS').waitFor();
    await sandbox.settled();
    expect(hook.received.map(({ body }) => [body.status, body.type])).toEqual([['REPLIED', 'sms']]);
  });

  test('shows its time line, what went over the wire without the key, and how n8n took its callback', async () => {
    await runOne(sandbox, { ...SMS, hook: hook.url });
    await card(1).getByText('Details').click();
    await card(1).getByText('Operation as it was sent').click();
    await card(1).getByRole('button', { name: 'Delivered' }).click();
    await card(1).locator('.time-line', { hasText: 'Callback DELIVERED → 200' }).waitFor();
    await card(1).getByText('Last callback, raw').click();
    await card(1).getByLabel('Body of the callback').getByText('"status": "DELIVERED"').waitFor();
    await card(1).getByText('Request and answer').click();
    await card(1).getByLabel('Request 1', { exact: true }).waitFor();
    // Opened before the outcome changed the message.
    await card(1).getByLabel('Operation').getByText('"sms_message"').waitFor();
    expect(await card(1).innerHTML()).not.toContain(sandbox.account().key);
  });

  test('of a call reports to the notification address, which its details set', async () => {
    await runOne(sandbox, { ...GOOD.voice, phone: PHONE });
    await card(1).getByText('none is set: see Details').waitFor();
    await card(1).getByText('Details', { exact: true }).click();
    await card(1).getByLabel('Notification address').fill(hook.url);
    await card(1).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The notification address is saved, for messages from now on.').waitFor();
    await runOne(sandbox, { ...GOOD.voice, id: 2, phone: PHONE });
    await card(2).getByRole('button', { name: 'Answered', exact: true }).click();
    await card(2).locator('.line', { hasText: 'Callback DELIVERED → 200' }).waitFor();
    expect(hook.received.map(({ body }) => body.status)).toEqual(['DELIVERED']);
  });

  test('without a callback says why: there is no address, or nobody listens at it', async () => {
    const dead = await listenForCallbacks(() => 404);
    const url = dead.url.replace('/hook', '/webhook-test/x/callback');
    await run(sandbox, [SMS, { ...SMS, id: 2, hook: url }]);
    await bar(/Deliver all \(2\)/).click();
    await card(1).locator('.line', { hasText: 'the message carries no callback address' }).waitFor();
    await card(2)
      .locator('.line.bad', { hasText: '→ 404' })
      .getByText(/press “Execute step”/)
      .waitFor();
    await dead.close();
  });
});

describeInBrowser('the page', () => {
  beforeEach(() => open());

  test('shows as many phones as fit, and finds the others by words', async () => {
    const five = [0, 1, 2, 3, 4].map((more) => ({ ...SMS, id: more + 1, phone: PHONE + more }));
    await run(sandbox, [{ ...five[0], sms_message: 'To be found' }, ...five.slice(1)]);
    const phone = (more: number) => page.locator(`.phone[data-phone="${PHONE + more}"]`);
    for (const more of [2, 3, 4]) await phone(more).waitFor();
    await page.getByLabel('Find a number').fill('be found');
    await page.locator('.number', { hasText: '900103' }).waitFor({ state: 'detached' });
    await page.locator('.number', { hasText: '900100' }).click();
    await phone(0).getByText('To be found').waitFor();
    await phone(3).waitFor();
    await page.getByLabel('Find a number').fill('nowhere');
    await page.getByText('Nothing found for “nowhere”').waitFor();
  });

  test('has its phones in the order of the list', async () => {
    const to = (more: number) => ({ ...SMS, id: more + 1, phone: PHONE + more });
    await run(sandbox, [to(0), to(1)]);
    await page.locator('.phone').nth(1).waitFor();
    await run(sandbox, [to(2)]);
    await page.locator('.phone').nth(2).waitFor();
    const numbers = async (each: string) =>
      (await page.locator(each).allInnerTexts()).map((text) => /\d{6}/.exec(text)?.[0]);
    await eventually(() => numbers('.phone-head'), ['900102', '900101', '900100']);
    expect(await numbers('.number')).toEqual(['900102', '900101', '900100']);
  });

  test('has room for its buttons on a small phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByLabel('Delivery', { exact: true }).selectOption({ index: 0 });
    const many = Array.from({ length: 41 }, (_, i) => ({ ...SMS, id: i + 1 }));
    await run(sandbox, many);
    const deliverAll = page.getByRole('button', { name: 'Deliver all (41)' });
    await deliverAll.waitFor();
    for (const button of [deliverAll, bar('Clear all')]) {
      const box = await button.boundingBox();
      expect(box!.x + box!.width).toBeLessThanOrEqual(360 - 16);
    }
  });

  test('hides no new message: without room for its phone, it stands in full in the list', async () => {
    const to = (more: number) => ({ ...SMS, id: more + 1, phone: PHONE + more });
    await run(sandbox, [to(0), to(1), to(2)]);
    await page.locator('.phone').nth(2).waitFor();
    const long = 'Your code is 681423. It is valid for 5 minutes.';
    await run(sandbox, [{ ...to(3), sms_message: long }]);
    const preview = page.locator('.number', { hasText: '900103' }).locator('.number-preview');
    await preview.getByText(long).waitFor();
    await eventually(() => preview.evaluate((box) => box.scrollWidth > box.clientWidth), false);
    await eventually(count('.phone'), 3);
  });

  test('gives address and key to copy while it is empty', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy API Address' }).click();
    await page.getByText('Copied').waitFor();
    await eventually(copied, sandbox.baseUrl);
    await page.getByRole('button', { name: 'Copy API Key' }).click();
    await eventually(copied, sandbox.account().key);
  });

  test('delivers by itself where a person says so, and clears everything after a question', async () => {
    await page.getByLabel('Delivery', { exact: true }).selectOption('Automatic: read');
    await page.waitForResponse(/config$/);
    await runOne(sandbox, { ...SMS, hook: hook.url });
    await sandbox.settled();
    expect(hook.received.map(({ body }) => body.status)).toEqual(['READ']);
    await bar('Clear all').click();
    await page.getByText('No messages yet').waitFor();
    expect(sandbox.messages.accepted).toBe(0);
  });
});

const findings = async (where: string) => (await axeFindings(page)).map((found) => `${where}: ${found}`);

/** Each scheme once, on a desk and on a phone. */
const LOOKS: Array<['light' | 'dark', number]> = [
  ['light', 1440],
  ['dark', 390],
];

it.each(LOOKS)('axe finds nothing in %s, %i pixels wide', async (colorScheme, width) => {
  await open({ colorScheme, viewport: { width, height: 844 } });
  await page.getByRole('button', { name: 'Copy API Key' }).waitFor();
  const found = await findings('empty');
  await run(sandbox, SAMPLES);
  await run(sandbox, [
    { ...SMS, hook: hook.url },
    { ...SMS, id: 2, sms_signature: 'Nobody' },
    { ...GOOD['call/otp'], id: 3, phone: PHONE },
    ...CHANNEL_NAMES.map((channel, index) => {
      const stage = { pipeline: [channel], [channel]: stageOf(channel) };
      return { type: 'pipeline', id: 10 + index, phone: PHONE, ...stage };
    }),
  ]);
  const msgId = (type: string) => sandbox.messages.list().find((message) => message.type === type)!.msgId;
  sandbox.act(msgId('pipeline'), 'fail');
  sandbox.act(msgId('viber+sms'), 'status', { status: 'READ' });
  sandbox.act(msgId('rcs'), 'reply', { message: 'Thank you' });
  sandbox.act(msgId('voice'), 'dtmf', { digit: '1' });
  sandbox.act(sandbox.messages.byId(1)[0].msgId, 'status', { status: 'READ' });
  await sandbox.settled();
  await page.locator('.message').nth(1).waitFor();
  found.push(...(await findings('phones')));
  await page.getByText('Details').last().click();
  await page.getByText('Request and answer').click();
  await page.locator('pre').nth(1).waitFor();
  found.push(...(await findings('details')));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  expect(found).toEqual([]);
});
