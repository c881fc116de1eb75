/** The pages that the examples serve, at the width of a phone, in light and dark: read by axe, and without a sideways scroll. */

import type { Browser, Page } from 'playwright-core';

import { until } from '../../tools/until.mts';
import { axeFindings, hasBrowser, inBrowser, keepPicture, launch } from '../support/chromium.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { callHook, changedExample, untilServed } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';

const WIDTH = 390;
/** Numbers of this file alone: a number gets one code in 30 seconds from an n8n, whichever workflow sends it. */
const PHONES = { page: '447700960001', call: '447700960002', form: '447700960003', other: '447700960004' };

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });
let browser: Browser | undefined;
let page: Page;
let findings: string[];

beforeAll(async () => {
  if (hasBrowser) browser = await launch();
});
beforeEach(async () => {
  findings = [];
  if (browser) page = await browser.newPage({ viewport: { width: WIDTH, height: 844 } });
});
afterEach(async () => await page?.close());
afterAll(async () => await browser?.close());

/** Notes what axe finds in the page as it is now, of serious weight, and whether it is wider than the phone. */
async function look(where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const serious = (await axeFindings(page)).filter((found) => /^(serious|critical) /.test(found));
    findings.push(...serious.map((found) => `${where}, ${colorScheme}: ${found}`));
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > WIDTH) findings.push(`${where}: ${width} pixels wide`);
}

const publish = async (file: string) =>
  await host.publish(await changedExample(file, host.credential, { path: 'look' }));

async function goTo(path: string): Promise<void> {
  await untilServed(`${host.url}/${path}`);
  await page.goto(`${host.url}/${path}`);
}

const press = async (name: string) => await page.getByRole('button', { name }).click();

/**
 * Submits the first page of a form, and goes on to the next one. n8n's page asks for that until a question of its own fails,
 * and then never again: whoever waits in vain opens the address that n8n has given the page.
 */
async function submit(button: string, heading: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await press(button);
  const { formWaitingUrl } = (await (await answered).json()) as { formWaitingUrl: string };
  const next = page.getByRole('heading', { name: heading });
  try {
    await next.waitFor({ timeout: 10_000 });
  } catch {
    await until(`the page "${heading}" at ${formWaitingUrl}`, async () => {
      // An execution that is still at work answers with no page.
      await page.goto(formWaitingUrl).catch(() => undefined);
      return (await next.isVisible()) || undefined;
    });
  }
}

inBrowser('shows on the web page of one-time passwords what axe finds nothing in', async () => {
  await publish('one-time-password-web-page');
  await goTo('webhook/one-time-password-look-page');
  await look('number');
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(241, 242, 245)');
  await page.getByLabel('Phone number').fill(`+${PHONES.page}`);
  await page.route('**/one-time-password-look-send', async (route) => await route.abort(), { times: 1 });
  await press('Send me a code');
  await page.getByText('There was no answer.').waitFor();
  await press('Send me a code');
  await page.getByText('We have sent an SMS to your phone.').waitFor();
  await look('code');
  const code = codeIn(host.sandbox, PHONES.page);
  const enter = async (typed: string, answer: string) => {
    await page.getByLabel('Code').fill(typed);
    await press('Check the code');
    await page.getByText(answer).waitFor();
  };
  await enter(wrongFor(code), 'This is not the code. Tries left: 4');
  await press('Send another code');
  await page.getByText(/Another code can be sent in \d+ seconds/).waitFor();
  await keepPicture(page, 'otp-page-cooldown');
  const first = await page.evaluate<string>('challenge');
  await enter(code, 'Your phone number is confirmed.');
  await look('confirmed');

  // As in another tab, which still has its challenge.
  const enterAs = async (phone: string, challenge: string, typed: string, answer: string) => {
    await page.evaluate(`phone = '${phone}'; challenge = '${challenge}'; verify.hidden = false`);
    await enter(typed, answer);
  };
  await enterAs(PHONES.page, first, code, 'This code was used before.');
  const sent = await callHook(host.client, 'one-time-password-look-send', { phone: PHONES.other });
  const challenge = String(sent.challenge);
  const theirs = codeIn(host.sandbox, PHONES.other);
  await enterAs('447700960005', challenge, theirs, 'This is not a code for this phone number.');
  const body = { phone: PHONES.other, challenge };
  for (let n = 0; n < 5; n++) {
    await callHook(host.client, 'one-time-password-look-verify', { ...body, code: wrongFor(theirs, n) });
  }
  await enterAs(PHONES.other, challenge, theirs, 'The code was wrong too often.');
  await keepPicture(page, 'otp-page-sixth');
  expect(findings).toEqual([]);
});

inBrowser.each([
  ['one-time-password-form', 'one-time-password-look', 'Send me a code', 'Continue', 'is confirmed'],
  ['login-by-call', 'login-by-call-look', 'Call me', 'Log in', 'Welcome back'],
])(
  'shows in the form of %s, up to its end pages, what axe finds nothing in',
  async (file, path, ask, check, end) => {
    const phone = file === 'login-by-call' ? PHONES.call : PHONES.form;
    await publish(file);
    await goTo(`form/${path}`);
    await look('number');
    await page.getByLabel('Phone number').fill(phone);
    await submit(ask, 'Enter the code');
    await look('code');
    await keepPicture(page, `example-${path}-code`);
    await page.locator('input[type="text"]').first().fill(codeIn(host.sandbox, phone));
    await press(check);
    await page.getByText(end).waitFor();
    await look('end');
    await keepPicture(page, `example-${path}-end`);
    await goTo(`form/${path}`);
    await page.getByLabel('Phone number').fill(phone);
    await press(ask);
    await page.getByText(/Try again in/).waitFor();
    await look('refused');
    expect(findings).toEqual([]);
  },
);
