/** What the sandbox's phone page has beside the phones, in a real browser; and whether everybody can use it. */
import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.mts';
import { axeFindings, launch } from '../support/chromium.mts';
import { shortOrLong } from '../support/long-form.mts';
import { openPhonePage } from '../support/phone-page.mts';
import type { OpenPhonePage } from '../support/phone-page.mts';
import { GOOD, listenForCallbacks, queue, run, runOne } from '../unit/sandbox/client.mts';
import type { Hook } from '../unit/sandbox/client.mts';

/** A number reserved for fiction. */
const PHONE = 447700900200;
const SMS = { ...GOOD.sms, phone: PHONE };

let browser: Browser;
let opened: OpenPhonePage;
let sandbox: Sandbox;
let hook: Hook;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function open(options: Parameters<typeof openPhonePage>[1] = {}): Promise<void> {
  opened = await openPhonePage(browser, options);
  ({ sandbox, hook, page } = opened);
}

afterEach(async () => {
  await opened.close();
  expect(opened.problems).toEqual([]);
});

const panel = () => page.locator('#panel');
const tool = (name: string) => page.locator('.top').getByRole('button', { name });
const row = (text: string | RegExp) => panel().locator('.activity li', { hasText: text });

describe('tools', () => {
  beforeEach(() => open());

  test('the empty page gives address and key to copy, and sends samples of every channel', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy Base URL' }).click();
    await page.getByText('Copied').waitFor();
    expect(await copied()).toBe(sandbox.baseUrl);
    await page.getByRole('button', { name: 'Copy API Key' }).click();
    await page.waitForFunction(
      async (url) => (await navigator.clipboard.readText()) !== url,
      sandbox.baseUrl,
    );
    expect(await copied()).toBe(sandbox.account().key);
    await page.getByRole('button', { name: 'Send sample messages' }).click();
    await page.locator('.message').nth(6).waitFor();
    const shown = await page
      .locator('.message')
      .evaluateAll((list) => list.map((one) => (one as HTMLElement).dataset.channel));
    expect(new Set(shown)).toEqual(new Set(['sms', 'viber', 'rcs', 'telegram', 'voice', 'whatsapp']));
    expect(await page.locator('.slide').count()).toBe(3);
    const phones = sandbox.messages.list().map(({ phone }) => String(phone));
    expect(phones.every((phone) => /^447700900\d{3}$/.test(phone))).toBe(true);
  });

  test('the activity shows requests, refused messages and why, callbacks and their answers', async () => {
    await run(sandbox, [
      { ...SMS, hook: hook.url },
      { ...SMS, id: 2, sms_signature: 'Nobody' },
    ]);
    await run(sandbox, [SMS], 'wrong');
    await queue(sandbox, [{ ...SMS, id: 3, phone: 'x' }]);
    await tool('Activity').click();
    await row('Refused: Error in Alpha-name').getByText('sms 2 to +44 7700 900200').waitFor();
    await row('Access denied').getByText('POST /api/json.php').waitFor();
    await row('Refused: phone has to be').waitFor();
    await row('2 × sms').locator('summary').click();
    await row('2 × sms').locator('pre', { hasText: '"msg_id"' }).waitFor();
    await tool('Deliver all (1)').click();
    await row('Callback DELIVERED').locator('summary').click();
    await row('Callback DELIVERED').locator('pre', { hasText: '"success": true' }).waitFor();
    await panel().getByRole('button', { name: 'Refused 2' }).click();
    expect(await panel().locator('.activity li').count()).toBe(2);
    expect(await panel().innerHTML()).not.toContain(sandbox.account().key);
  });

  test('a fault strikes as often as wanted, and can be switched off', async () => {
    await tool('Faults').click();
    await panel().getByRole('button', { name: 'Switch on: Messages refused' }).click();
    await panel().getByText('Struck 0 times, 1 to go').waitFor();
    expect(await runOne(sandbox, SMS)).toMatchObject({ success: false, error: 'Internal error' });
    await panel().getByText('Struck once, 0 to go').waitFor();
    expect(await runOne(sandbox, SMS)).toMatchObject({ success: true });
    await panel().getByLabel('How often').selectOption('every request');
    await panel().getByRole('button', { name: 'Switch on: Late' }).click();
    await panel().getByText('until switched off').waitFor();
    await run(sandbox, [SMS, SMS]).catch(() => undefined);
    await panel().getByText('2 messages will be taken late').waitFor();
    await panel().getByRole('button', { name: 'Switch off: Late' }).click();
    await panel().getByRole('button', { name: 'Switch off: Messages refused' }).click();
    await panel().getByText('No fault is on').waitFor();
    expect(sandbox.faults.list()).toEqual([]);
    await panel().getByLabel('Each answer takes').fill('300');
    await page.keyboard.press('Tab');
    await page.waitForTimeout(200);
    expect(sandbox.config.latencyMs).toBe(300);
  });

  test('every fault on the page is one that the sandbox has', async () => {
    await tool('Faults').click();
    const all = panel().getByRole('button', { name: /^Switch on/ });
    await all.first().waitFor();
    const count = await all.count();
    for (let index = 0; index < count; index += 1) await all.nth(index).click();
    await panel()
      .getByRole('button', { name: /^Switch off/ })
      .nth(count - 1)
      .waitFor();
    expect(sandbox.faults.list()).toHaveLength(count);
    expect(count).toBeGreaterThan(8);
  });

  test('a test callback goes to any address here, with any outcome, and shows the answer', async () => {
    await tool('Test callback').click();
    await panel().getByLabel('Address').fill(hook.url);
    await panel().getByLabel('Outcome').selectOption('Voice call: digit pressed');
    await panel().getByLabel('id', { exact: true }).fill('77');
    await panel().getByRole('button', { name: 'Send test callback' }).click();
    await panel()
      .getByText(/^Callback → 200 in \d+ ms$/)
      .waitFor();
    await panel().getByLabel('Outcome').selectOption('Failed: expired');
    await panel().getByRole('button', { name: 'Send test callback' }).click();
    await expectReceived(2);
    expect(hook.received.map(({ body }) => body)).toEqual([
      expect.objectContaining({ success: true, id: '77', type: 'voice', reply: '1', duration: 12 }),
      expect.objectContaining({ success: false, id: '77', type: 'sms', status: 'EXPIRED' }),
    ]);
    await panel().getByLabel('Body').fill('[1]');
    await panel().getByRole('button', { name: 'Send test callback' }).click();
    await panel().getByText('The body has to be a JSON object').waitFor();
    await panel().getByLabel('Body').fill('{}');
    await panel().getByLabel('Address').fill('https://example.com/');
    await panel().getByRole('button', { name: 'Send test callback' }).click();
    await page.getByText('url has to be on this machine').waitFor();
    const gone = await listenForCallbacks();
    await gone.close();
    await panel().getByLabel('Address').fill(gone.url);
    await panel().getByRole('button', { name: 'Send test callback' }).click();
    await panel().getByText('no answer. No answer (ECONNREFUSED)').waitFor();
    // The refused address is said by the browser's console too.
    opened.problems.splice(
      0,
      Infinity,
      ...opened.problems.filter((text) => !text.includes('400 (Bad Request)')),
    );
  });

  async function expectReceived(count: number): Promise<void> {
    while (hook.received.length < count) await page.waitForTimeout(20);
  }

  test('everything is cleared only after a question', async () => {
    await run(
      sandbox,
      [1, 2, 3, 4, 5].map((id) => ({ ...SMS, id })),
    );
    await page.locator('.phone').first().waitFor();
    await tool('Clear all').click();
    await page.getByRole('dialog').getByText('5 messages').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(sandbox.messages.accepted).toBe(5);
    await tool('Clear all').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('No messages yet').waitFor();
    expect(sandbox.messages.accepted).toBe(0);
  });

  test('delivery by itself is switched on and off', async () => {
    const delivery = page.getByLabel('Delivery', { exact: true });
    expect(await delivery.inputValue()).toBe('manual');
    await delivery.selectOption('Automatic: read');
    await page.waitForTimeout(200);
    await runOne(sandbox, { ...SMS, hook: hook.url });
    await expectReceived(1);
    expect(hook.received[0].body.status).toBe('READ');
    sandbox.configure({ outcomes: { fallback: { steps: [{ status: 'EXPIRED' }] } } });
    await page.waitForFunction(() => document.querySelector('select')!.value === 'own');
    await delivery.selectOption('By hand');
    await page.waitForTimeout(200);
    expect(sandbox.config.outcomes.fallback).toEqual({ steps: [] });
  });
});

const findings = async (where: string) => (await axeFindings(page)).map((found) => `${where}: ${found}`);

type Look = ['light' | 'dark', number];

/** Each scheme and each width once. */
const LOOKS: Look[] = [
  ['light', 1440],
  ['dark', 390],
];
const OTHER_LOOKS: Look[] = [
  ['dark', 1440],
  ['light', 390],
];

describe.each([...LOOKS, ...shortOrLong([], OTHER_LOOKS)])('in %s, %i pixels wide', (colorScheme, width) => {
  test('axe finds nothing', async () => {
    await open({ colorScheme, viewport: { width, height: 844 } });
    await page.getByRole('button', { name: 'Copy API Key' }).waitFor();
    const found = await findings('empty');
    await page.getByRole('button', { name: 'Send sample messages' }).click();
    await page
      .locator('.message')
      .nth(width > 1000 ? 6 : 2)
      .waitFor();
    await run(sandbox, [
      { ...SMS, hook: hook.url },
      { ...SMS, id: 2, sms_signature: 'Nobody' },
      { ...GOOD['call/otp'], id: 3, phone: PHONE },
    ]);
    const msgId = (type: string) => sandbox.messages.list().find((message) => message.type === type)!.msgId;
    sandbox.act(msgId('pipeline'), 'fail');
    sandbox.act(msgId('viber+sms'), 'status', { status: 'READ' });
    sandbox.act(msgId('rcs'), 'reply', { message: 'Thank you' });
    sandbox.act(msgId('voice'), 'dtmf', { digit: '1' });
    sandbox.act(sandbox.messages.byId(1)[0].msgId, 'status', { status: 'READ' });
    sandbox.faults.add({ kind: 'slow', endpoint: 'mcp' });
    await sandbox.settled();
    // All channels beside each other on a desktop; a phone shows one number at a time.
    const numbers = await page.locator('.number-main').all();
    for (const number of width > 1000 ? numbers : numbers.slice(0, 1)) {
      await number.click();
      found.push(...(await findings('phones')));
    }
    await page.getByRole('button', { name: 'Details' }).first().click();
    await panel().getByText('Request and answer').click();
    await panel().locator('pre').nth(1).waitFor();
    found.push(...(await findings('message')));
    for (const name of ['activity', 'faults', 'callback', 'setup']) {
      await page.locator(`#tab-${name}`).click();
      if (name === 'activity') await panel().locator('summary').first().click();
      found.push(...(await findings(name)));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.locator('#panel-close').click();
    await page.getByRole('button', { name: 'Clear all' }).click();
    found.push(...(await findings('question')));
    expect(found).toEqual([]);
  });
});
