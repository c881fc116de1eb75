/** The sandbox's phone page in a real browser: what arrives is shown, what a person does has its effect. */
import type { Browser, Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.mts';
import { launch } from '../support/chromium.mts';
import { openPhonePage } from '../support/phone-page.mts';
import type { OpenPhonePage } from '../support/phone-page.mts';
import { GOOD, listenForCallbacks, run, runOne } from '../unit/sandbox/client.mts';
import type { Hook } from '../unit/sandbox/client.mts';

/** A number reserved for fiction. */
const PHONE = 447700900100;
const SMS = { ...GOOD.sms, phone: PHONE };
const STAGES = {
  viber: { message: 'By Viber', signature: 'TestSender', type: 'text' },
  sms: { message: 'By SMS', signature: 'TestSender' },
  whatsapp: { message: 'By WhatsApp', signature: 'TestSender' },
};

let browser: Browser;
let opened: OpenPhonePage;
let sandbox: Sandbox;
let hook: Hook;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

beforeEach(async () => {
  opened = await openPhonePage(browser);
  ({ sandbox, hook, page } = opened);
});
afterEach(async () => {
  await opened.close();
  expect(opened.problems).toEqual([]);
});

const card = (id: number) => page.locator(`.message[data-msg-id="${sandbox.messages.byId(id)[0].msgId}"]`);
const panel = () => page.locator('#panel');
const bar = (name: string | RegExp) => page.locator('.top').getByRole('button', { name });
const focused = () => page.evaluate(() => document.activeElement?.textContent);
/** Pixels by which something is wider than its place: the page, a thread, the panel. */
const overflow = () =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.thread, #panel-body')]
      .map((box) => box.scrollWidth - box.clientWidth)
      .reduce((most, wide) => Math.max(most, wide)),
  );

describe('one message', () => {
  test('appears at once; marking it delivered sends the callback', async () => {
    await runOne(sandbox, { ...SMS, hook: hook.url, sms_message: 'Your code is 4821' });
    await card(1).locator('.words', { hasText: 'Your code is 4821' }).waitFor();
    await card(1).getByText('GSM-7 · 17 of 160 · 1 segment').waitFor();
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
    await run(sandbox, [
      { ...SMS, sms_message: nasty },
      {
        ...GOOD['viber+sms'],
        id: 2,
        phone: PHONE,
        viber_message: nasty,
        viber_button: nasty,
        viber_link: 'javascript:alert(3)',
        viber_image: 'data:text/html,<script>alert(4)</script>',
      },
      { ...GOOD.voice, id: 3, phone: PHONE, message: nasty, colour: nasty },
      {
        ...{ type: 'pipeline', id: 4, phone: PHONE, pipeline: ['whatsapp'] },
        whatsapp: { message: stubborn, signature: stubborn },
      },
      { ...SMS, id: 5, sms_signature: nasty, type: nasty },
    ]);
    await card(4).locator('.words', { hasText: 'toString' }).waitFor();
    sandbox.act(sandbox.messages.byId(1)[0].msgId, 'reply', { message: nasty });
    sandbox.act(sandbox.messages.byId(3)[0].msgId, 'fail', { error: nasty });
    await card(1).locator('.answer', { hasText: 'onerror' }).waitFor();
    await card(3).getByRole('button', { name: 'Details' }).click();
    await panel().getByText('Request and answer').click();
    await panel().getByLabel('Request 1', { exact: true }).getByText('onerror').waitFor();
    await bar('Activity').click();
    await panel().getByText('Refused: Invalid message type').waitFor();
    const found = 'main script, img[src="x"], [href^="javascript"], [href^="data"]';
    expect(await page.locator(found).count()).toBe(0);
    expect(await card(1).locator('.words').first().textContent()).toBe(nasty);
  });

  test('offers what its channel can, and digits by mouse and by key', async () => {
    await run(sandbox, [
      { ...GOOD.voice, phone: PHONE, dtmf: true },
      { ...SMS, id: 2 },
      { ...GOOD['call/otp'], id: 3, phone: PHONE },
      { ...GOOD.viber, id: 4, phone: PHONE },
    ]);
    const offers = (id: number) => card(id).getByRole('toolbar', { name: 'What becomes' }).allInnerTexts();
    await card(4).waitFor();
    const all = await Promise.all([1, 2, 3, 4].map(offers));
    expect(all.map(([text]) => text.split(/\s*\n\s*/))).toEqual([
      ['Answered', 'Not answered'],
      ['Delivered', 'Failed'],
      ['Answered', 'Not answered'],
      ['Delivered', 'Read', 'Failed'],
    ]);
    await card(3)
      .getByText(`… ${sandbox.messages.byId(3)[0].code}`)
      .waitFor();
    await card(1).getByRole('button', { name: 'Press 5' }).click();
    await card(1).getByText('Pressed 5').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('8');
    await page.keyboard.press('7');
    await card(1).getByText('Pressed 7').waitFor();
    expect(sandbox.messages.byId(1)[0]).toMatchObject({ reply: '7', status: 'DELIVERED', duration: 12 });
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
    await sandbox.settled();
    expect(hook.received.map(({ body }) => [body.status, body.type])).toEqual([['REPLIED', 'sms']]);
  });

  test('shows its time line with request, answer and callback, and stays in its place', async () => {
    const link = `https://example.com/${'long'.repeat(100)}`;
    await run(sandbox, [
      { ...SMS, hook: hook.url, sms_message: link },
      { ...SMS, id: 2 },
    ]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await card(1).getByRole('button', { name: 'Details' }).click();
      if (width === 1440) await card(1).getByRole('button', { name: 'Delivered' }).click();
      const line = panel().locator('.time-line');
      for (const text of ['operation 1 of 2', 'Answered 200', 'ACCEPTED', 'Callback DELIVERED → 200'])
        await line.locator('li', { hasText: text }).waitFor();
      expect(await line.locator('li').nth(1).innerText()).toContain('ACCEPTED');
      await panel().getByText('Request and answer').click();
      await panel().locator('pre', { hasText: '"auth": "***"' }).waitFor();
      await panel().locator('pre', { hasText: '"parts"' }).waitFor();
      await panel().getByText('Operation as it was sent').click();
      expect(await overflow()).toBe(0);
      await page.keyboard.press('Escape');
      await panel().waitFor({ state: 'hidden' });
    }
  });
});

describe('silence is explained', () => {
  test('without an address, and with one that nobody listens at', async () => {
    const dead = await listenForCallbacks(() => 404);
    const url = dead.url.replace('/hook', '/webhook-test/x/callback');
    await run(sandbox, [SMS, { ...SMS, id: 2, hook: url }]);
    await card(1).getByText('No callback address.').waitFor();
    await bar(/Deliver all \(2\)/).click();
    await card(1).locator('.line.bad', { hasText: 'the message carries no callback address' }).waitFor();
    await card(2)
      .locator('.line.bad', { hasText: '→ 404' })
      .getByText(/press “Execute step”/)
      .waitFor();
    await dead.close();
  });

  test('for a pipeline, whose notification address can be set here', async () => {
    const pipeline = { type: 'pipeline', phone: PHONE, pipeline: ['whatsapp', 'viber', 'sms'], ...STAGES };
    await runOne(sandbox, { ...pipeline, id: 1 });
    await card(1).getByRole('button', { name: 'Set it' }).click();
    await page.getByLabel('Notification address').fill('not an address');
    await page.getByLabel('Notification address').fill(hook.url);
    await panel().getByRole('button', { name: 'Save' }).click();
    await page.getByText('The notification address is saved').waitFor();
    await runOne(sandbox, { ...pipeline, id: 2 });
    await card(2).getByRole('button', { name: 'Failed → Viber' }).click();
    await card(2).getByRole('button', { name: 'Read' }).click();
    await card(2).locator('.step.good', { hasText: 'Viber' }).waitFor();
    await card(2).getByText('Not needed').waitFor();
    await sandbox.settled();
    expect(hook.received.map(({ body }) => [body.id, body.type, body.status])).toEqual([
      ['2', 'viber', 'READ'],
    ]);
  });
});

describe('many numbers', () => {
  const five = [0, 1, 2, 3, 4].map((more) => ({
    ...SMS,
    id: more + 1,
    phone: PHONE + more,
    sms_message: `To ${more}`,
  }));

  test('phones stand side by side; others are chosen by mouse and arrow keys, and the focus stays', async () => {
    await run(sandbox, five);
    await page.locator('.phone').nth(2).waitFor();
    const shown = () => page.locator('.phone h2').allTextContents();
    expect(await shown()).toHaveLength(3);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('900104');
    await page.keyboard.press('End');
    expect(await focused()).toContain('900100');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const name = await focused();
    await page.keyboard.press('Enter');
    await runOne(sandbox, { ...SMS, id: 9, sms_message: 'One more' });
    await page.locator('.number', { hasText: 'One more' }).waitFor();
    expect((await focused())?.slice(0, 15)).toBe(name?.slice(0, 15));
    await page
      .getByRole('button', { name: /^Show \+44 7700 900\d+ beside/ })
      .first()
      .click();
    expect(await shown()).toHaveLength(4);
    await page.locator('.phone').first().getByRole('button', { name: 'Hide' }).click();
    expect(await shown()).toHaveLength(3);
    expect(await overflow()).toBe(0);
  });

  test('the search finds words and says when nothing is found', async () => {
    await run(sandbox, five);
    await page.getByLabel('Find a number').fill('to 3');
    await page.locator('.number', { hasText: '900103' }).waitFor();
    expect(await page.locator('.number').count()).toBe(1);
    await page.getByLabel('Find a number').fill('nowhere');
    await page.getByText('Nothing found for “nowhere”').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    expect(await page.locator('.number').count()).toBe(5);
  });

  test('what is new is in the title, and stays seen after a reload', async () => {
    await run(sandbox, five);
    await page.locator('.unread').nth(1).waitFor();
    expect(await page.title()).toBe('(2) Sandbox phone');
    await page
      .locator('.number', { has: page.locator('.unread') })
      .first()
      .locator('.number-main')
      .click();
    await page.waitForFunction(() => document.title.startsWith('(1)'));
    await page.reload();
    await page.locator('.unread').first().waitFor();
    expect(await page.locator('.unread').count()).toBe(1);
  });

  test('a page that is opened later starts with the latest, and keeps the one in use beside a panel', async () => {
    for (const one of five) await runOne(sandbox, one);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.locator('.phone').nth(2).waitFor();
    const shown = async () =>
      (await page.locator('.phone h2').allTextContents()).map((phone) => phone.slice(-1));
    expect(await shown()).toEqual(['2', '3', '4']);
    await card(3).getByRole('button', { name: 'Details' }).click();
    expect(await shown()).toEqual(['2', '4']);
    await page.keyboard.press('Escape');
    expect(await shown()).toEqual(['2', '3', '4']);
  });

  test('an answer is seen although one has scrolled up', async () => {
    await run(
      sandbox,
      Array.from({ length: 12 }, (_, index) => ({ ...SMS, id: index + 1 })),
    );
    await card(12).waitFor();
    await page.locator('.thread').evaluate((box) => (box.scrollTop = 0));
    await page.getByLabel('Answer from').fill('I am here');
    await page.keyboard.press('Enter');
    await page.locator('.answer', { hasText: 'I am here' }).waitFor();
    await page.waitForFunction(() => {
      const { bottom } = document.querySelector('.answer')!.getBoundingClientRect();
      return bottom <= document.querySelector('.thread')!.getBoundingClientRect().bottom;
    });
  });
});
