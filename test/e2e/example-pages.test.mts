/** The pages that the examples serve, at the width of a phone, in light and dark: read by axe, and without a sideways scroll. */

import type { Browser, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { axeFindings, hasChromium, keepPicture, launch } from '../support/chromium.mts';
import { publishExample, untilServed } from '../support/otp-host.mts';
import { codeIn } from '../support/otp.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';

const WIDTH = 390;
/** Numbers of this file alone: a number gets one code in 30 seconds from an n8n, whichever workflow sends it. */
const PHONES = { page: '447700960001', call: '447700960002', form: '447700960003' };
const inBrowser = hasChromium ? it : it.skip;

let sandbox: Sandbox;
let n8n: RealN8n;
let browser: Browser | undefined;
let page: Page;
let credential: { id: string; name: string };
let findings: string[];
const open: Array<{ id: string }> = [];

beforeAll(async () => {
  sandbox = await startSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Example pages', CREDENTIAL_TYPE, credentialData(sandbox));
  if (hasChromium) browser = await launch();
});
beforeEach(async () => {
  findings = [];
  if (browser) page = await browser.newPage({ viewport: { width: WIDTH, height: 844 } });
});
afterEach(async () => await page?.close());
afterAll(async () => {
  for (const workflow of open) await n8n.client.deactivate(workflow);
  await browser?.close();
  await sandbox?.close();
});

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

async function publish(file: string): Promise<void> {
  open.push(await publishExample(n8n.client, file, credential, { path: 'look' }));
}

async function goTo(path: string): Promise<void> {
  await untilServed(`${n8n.url}/${path}`);
  await page.goto(`${n8n.url}/${path}`);
}

const press = async (name: string) => await page.getByRole('button', { name }).click();

inBrowser('the web page of one-time passwords', async () => {
  await publish('one-time-password-web-page');
  // n8n registers the webhooks of a published workflow one after the other.
  for (const name of ['send', 'verify']) await n8n.client.untilRegistered(`webhook/one-time-password-look-${name}`);
  await goTo('webhook/one-time-password-look-page');
  await look('number');
  await page.getByLabel('Phone number').fill(`+${PHONES.page}`);
  await press('Send me a code');
  await page.getByText('We have sent an SMS to your phone.').waitFor();
  await look('code');
  await page.getByLabel('Code').fill(codeIn(sandbox, PHONES.page));
  await press('Check the code');
  await page.getByText('Your phone number is confirmed.').waitFor();
  await look('confirmed');
  expect(findings).toEqual([]);
});

inBrowser.each([
  ['one-time-password-form', 'one-time-password-look', 'Send me a code', 'Continue', 'is confirmed'],
  ['login-by-call', 'login-by-call-look', 'Call me', 'Log in', 'Welcome back'],
])('the form of %s, with its end pages', async (file, path, ask, check, end) => {
  const phone = file === 'login-by-call' ? PHONES.call : PHONES.form;
  await publish(file);
  await goTo(`form/${path}`);
  await look('number');
  await page.getByLabel('Phone number').fill(phone);
  await press(ask);
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  await look('code');
  await keepPicture(page, `example-${path}-code`);
  await page.locator('input[type="text"]').first().fill(codeIn(sandbox, phone));
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
});
