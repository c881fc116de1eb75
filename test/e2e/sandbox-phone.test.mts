/** The sandbox's phone page in a real browser: what arrives is shown, what a person does has its effect. */
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { GOOD, listenForCallbacks, PHONE, run, runOne } from '../unit/sandbox/client.mts';
import type { Hook } from '../unit/sandbox/client.mts';

jest.setTimeout(60_000);

let browser: Browser;
let sandbox: Sandbox;
let hook: Hook;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});
afterAll(() => browser.close());

beforeEach(async () => {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  hook = await listenForCallbacks();
  page = await browser.newPage();
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => problems.push(message.text()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(sandbox.baseUrl)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(sandbox.phonePageUrl);
  await page.getByText('No messages yet').waitFor();
});
afterEach(async () => {
  await page.close();
  await sandbox.close();
  await hook.close();
  expect(problems).toEqual([]);
});

test('a message appears at once; marking it delivered sends the callback', async () => {
  await runOne(sandbox, { ...GOOD.sms, hook: hook.url, sms_message: 'Your code is 4821' });
  const bubble = page.locator('.bubble');
  await bubble.locator('.words', { hasText: 'Your code is 4821' }).waitFor();
  await bubble.getByRole('button', { name: 'Delivered' }).click();
  await bubble.getByText('DELIVERED', { exact: true }).waitFor();
  await bubble.getByText('Callback DELIVERED was taken (200)').waitFor();
  expect(hook.received.map(({ body }) => body.status)).toEqual(['DELIVERED']);
});

test('what a message says is text, never markup', async () => {
  const nasty = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await run(sandbox, [
    { ...GOOD.sms, sms_message: nasty },
    {
      ...GOOD['viber+sms'],
      viber_message: nasty,
      viber_button: nasty,
      viber_link: 'javascript:alert(3)',
      viber_image: 'data:text/html,<script>alert(4)</script>',
    },
    { ...GOOD.voice, message: nasty, colour: nasty },
  ]);
  await page.locator('.words', { hasText: 'onerror' }).first().waitFor();
  expect(
    await page.locator('#thread script, #thread img[src="x"], #thread [href^="javascript"]').count(),
  ).toBe(0);
  expect(await page.locator('.words').first().textContent()).toBe(nasty);
});

test('a fallback goes on to its next channel, and an answer comes back', async () => {
  await runOne(sandbox, { ...GOOD['viber+sms'], hook: hook.url, sms_message: 'By SMS then' });
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.locator('.words', { hasText: 'By SMS then' }).waitFor();
  await page.fill('#composer-text', 'Thanks <3');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.locator('.answer', { hasText: 'Thanks <3' }).waitFor();
  await sandbox.settled();
  expect(hook.received.map(({ body }) => [body.status, body.type])).toEqual([['REPLIED', 'sms']]);
});

test('digits of a voice call, and one thread for each number', async () => {
  await run(sandbox, [
    { ...GOOD.voice, dtmf: true },
    { ...GOOD.telegram, id: 2, phone: PHONE + 1, message: '739214' },
    { ...GOOD['call/otp'], id: 3, phone: PHONE + 1 },
  ]);
  await page.locator('.number').nth(1).waitFor();
  await page.locator('.number', { hasText: '45 67' }).click();
  await page.getByRole('button', { name: 'Press 5' }).click();
  await page.getByText('pressed 5').waitFor();
  expect(sandbox.messages.byId(1)[0]).toMatchObject({ reply: '5', status: 'DELIVERED' });
  await page.locator('.number', { hasText: '45 68' }).click();
  await page.locator('.code', { hasText: '739214' }).waitFor();
  await page.getByText(`… ${sandbox.messages.byId(3)[0].code}`).waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByText('No messages yet').waitFor();
  expect(sandbox.messages.accepted).toBe(0);
});
