/** One-time passwords as visitors meet them: the examples in a real n8n and a real browser at the width of a phone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { TMP } from '../../tools/paths.mts';
import { FormVisitor } from '../../tools/start/form.mts';
import { launch } from '../support/editor.mts';
import { callHook, filesWith, publishExample, untilServed } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';

jest.setTimeout(120_000);

/** More for a longer run: OTP_SUBMISSIONS=2000. */
const SUBMISSIONS = Number(process.env.OTP_SUBMISSIONS ?? 80);

let sandbox: Sandbox;
let n8n: RealN8n;
let browser: Browser;
let credential: { id: string; name: string };
const open: Array<{ id: string }> = [];

beforeAll(async () => {
  sandbox = await startSandbox({
    config: { outcomes: { fallback: { steps: [] } }, keep: { messages: 5000 } },
  });
  n8n = await realN8n();
  credential = await n8n.client.createCredential('Codes', CREDENTIAL_TYPE, credentialData(sandbox));
  browser = await launch();
});
afterAll(async () => {
  for (const workflow of open) await n8n.client.deactivate(workflow);
  await browser?.close();
  await sandbox?.close();
});

const publish = async (file: string, change: Parameters<typeof publishExample>[3]) => {
  const workflow = await publishExample(n8n.client, file, credential, change);
  open.push(workflow);
  return workflow;
};
const phonePage = async () => await browser.newPage({ viewport: { width: 390, height: 844 } });
const shot = async (page: Page, name: string) =>
  await page.screenshot({ path: join(TMP, 'screenshots', `${name}.png`), fullPage: true });

/** The newest message on the sandbox's phone page, as a person reads it. */
async function readPhone(phone: string): Promise<string> {
  const page = await phonePage();
  await page.goto(`${sandbox.phonePageUrl}?phone=${phone}`);
  const text = await page.locator('.bubble .words').last().textContent();
  await page.close();
  return text ?? '';
}

class FormPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async begin(path: string, phone: string): Promise<void> {
    await untilServed(`${n8n.url}/form/${path}`);
    await this.page.goto(`${n8n.url}/form/${path}`);
    await this.page.getByLabel('Phone number').fill(phone);
    await this.page.getByRole('button').click();
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ timeout: 20_000 });
  }

  async enter(code: string): Promise<void> {
    await this.page.locator('input[type="text"]').first().fill(code);
    await this.next();
  }

  async choose(option: string): Promise<void> {
    await this.page.locator('select').selectOption(option);
    await this.next();
  }

  private async next(): Promise<void> {
    const gone = this.page.waitForEvent('framenavigated', { timeout: 20_000 });
    await this.page.getByRole('button').click();
    await gone;
  }
}

describe('the form', () => {
  let late: FormPage;
  let expiresAt: number;

  beforeAll(async () => {
    // A code expires after 30 seconds at the earliest, so it is sent first.
    await publish('one-time-password-form', { path: 'b', send: { expiresIn: 30 } });
    late = new FormPage(await phonePage());
    await late.begin('one-time-password-b', '447700920002');
    await late.sees('We have sent an SMS');
    expiresAt = Date.now() + 30_000;
  });

  it('leads from the number to verified, over a wrong code, a resend and a call, and keeps the code out of n8n', async () => {
    const { id } = await publish('one-time-password-form', { path: 'a', options: { cooldown: 10 } });
    const form = new FormPage(await phonePage());
    const phone = '447700920001';
    await form.begin('one-time-password-a', '+44 7700 920001');
    await form.sees('We have sent an SMS to your phone.');
    await shot(form.page, 'otp-form-code');
    const code = codeIn(sandbox, phone);
    expect(await readPhone(phone)).toContain(code);
    expect(await filesWith(n8n.folder, code)).toEqual([]);

    await form.choose('Send another SMS');
    await form.sees(/Another code can be sent in \d+ seconds?\./);
    await shot(form.page, 'otp-form-cooldown');
    await form.enter(wrongFor(code));
    await form.sees('This is not the code. You can try 4 times more.');
    await shot(form.page, 'otp-form-wrong');

    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await form.choose('Call me instead');
    await form.sees('We are calling you.');
    const called = codeIn(sandbox, phone);
    expect(sandbox.messages.list().at(-1)).toMatchObject({ operation: { type: 'voice' } });
    expect(await filesWith(n8n.folder, called)).toEqual([]);
    await form.enter(`${called.slice(0, 3)} ${called.slice(3)}`);
    await form.sees('Your phone number is confirmed.');
    await shot(form.page, 'otp-form-verified');
    await form.page.close();

    const [execution] = await n8n.client.waitForExecutions(id, 1);
    const typed = `${called.slice(0, 3)} ${called.slice(3)}`;
    const log = await readFile(n8n.logFile, 'utf8');
    for (const text of [code, called, typed]) {
      expect(JSON.stringify(execution.data)).not.toContain(text);
      expect(log).not.toContain(text);
    }
  });

  it('ends after too many attempts, and after the time is up', async () => {
    const form = new FormPage(await phonePage());
    await form.begin('one-time-password-b', '447700920003');
    await form.sees('We have sent an SMS');
    const code = codeIn(sandbox, '447700920003');
    for (const words of ['4 times', '3 times', '2 times', 'once']) {
      await form.enter(wrongFor(code));
      await form.sees(`You can try ${words} more.`);
    }
    await form.enter(wrongFor(code));
    await form.sees('Too many attempts');
    await shot(form.page, 'otp-form-too-many');
    await form.page.close();

    const again = new FormPage(await phonePage());
    await again.begin('one-time-password-b', '447700920003');
    await again.sees(/This number has just got a code\. Try again in \d+ seconds\./);
    await shot(again.page, 'otp-form-not-sent');
    await again.page.close();

    await new Promise((resolve) => setTimeout(resolve, Math.max(0, expiresAt - Date.now())));
    await late.enter(codeIn(sandbox, '447700920002'));
    await late.sees('The code has expired');
    await shot(late.page, 'otp-form-expired');
    await late.page.close();
  });
});

describe('the web page', () => {
  it('works against its webhooks, which know used codes and those of others', async () => {
    await publish('one-time-password-web-page', { path: 'w' });
    await untilServed(`${n8n.url}/webhook/one-time-password-w-page`);
    const page = await phonePage();
    await page.goto(`${n8n.url}/webhook/one-time-password-w-page`);
    await page.getByLabel('Phone number').fill('+44 7700 920010');
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await page.getByText('We have sent an SMS to your phone.').waitFor();
    const code = codeIn(sandbox, '447700920010');
    await page.getByLabel('Code').fill(wrongFor(code));
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByText('This is not the code. Tries left: 4').waitFor();
    await page.getByRole('button', { name: 'Send another code' }).click();
    await page.getByText(/Another code can be sent in \d+ seconds/).waitFor();
    await shot(page, 'otp-page-cooldown');
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByText('Your phone number is confirmed.').waitFor();
    await shot(page, 'otp-page-verified');
    await page.close();

    const phone = '447700920011';
    const sent = await callHook(n8n.client, 'one-time-password-w-send', { phone });
    expect(sent).toEqual({
      status: 200,
      challenge: expect.stringMatching(/^[\w-]+$/) as string,
      expires_at: expect.stringMatching(/Z$/) as string,
    });
    const { challenge } = sent;
    const right = codeIn(sandbox, phone);
    const verify = async (body: object) =>
      await callHook(n8n.client, 'one-time-password-w-verify', { challenge, phone, code: right, ...body });
    expect(await verify({ phone: '447700920010' })).toMatchObject({ valid: false, reason: 'invalid' });
    expect(await verify({ challenge: '' })).toMatchObject({ valid: false, reason: 'invalid' });
    expect(await verify({})).toEqual({ status: 200, valid: true, reason: 'ok', attempts_left: 0 });
    expect(await verify({})).toMatchObject({ valid: false, reason: 'used' });
    expect(await callHook(n8n.client, 'one-time-password-w-send', { phone: 'nobody' })).toMatchObject({
      status: 400,
      reason: 'failed',
    });
  });
});

it('logs in by voice call', async () => {
  await publish('login-by-call', { path: 'v' });
  const visitor = new FormVisitor();
  await untilServed(`${n8n.url}/form/login-by-call-v`);
  await visitor.open(`${n8n.url}/form/login-by-call-v`);
  await visitor.submit('447700920020');
  const code = codeIn(sandbox, '447700920020');
  expect(code).toMatch(/^\d{4}$/);
  expect((await visitor.submit(wrongFor(code))).html).toContain('This is not the code');
  expect((await visitor.submit([...code].join('-'))).html).toContain('Welcome back');
});

it(
  'keeps a public form within its fences while strangers submit it, and honest visitors get their code',
  async () => {
    await publish('one-time-password-form', {
      path: 'p',
      options: { cooldown: 0 },
    });
    const url = `${n8n.url}/form/one-time-password-p`;
    await untilServed(`${n8n.url}/form/one-time-password-p`);
    const before = sandbox.messages.accepted;
    const numbers = Math.ceil(SUBMISSIONS / 4);
    const submit = async (phone: number) => {
      const body = new FormData();
      body.append('field-0', String(phone));
      return (await fetch(url, { method: 'POST', body })).status;
    };
    const honest = async (phone: string) => {
      const visitor = new FormVisitor();
      await visitor.open(url);
      await visitor.submit(phone);
      return (await visitor.submit(await untilCode(phone), '')).html;
    };
    const untilCode = async (phone: string): Promise<string> => {
      const isThere = () => sandbox.messages.list().some((one) => String(one.phone) === phone);
      for (let tries = 0; tries < 100 && !isThere(); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return codeIn(sandbox, phone);
    };
    const began = Date.now();
    const pages: string[] = [];
    const statuses: number[] = [];
    for (let n = 0; n < SUBMISSIONS; n += 20) {
      // The first numbers are tried most often: each gets five codes at most.
      const batch = Array.from({ length: Math.min(20, SUBMISSIONS - n) }, (_, i) =>
        submit(447700930000 + Math.floor(((n + i) % numbers) / ((n + i) % 3 === 0 ? 8 : 1))),
      );
      if (n < 60) pages.push(await honest(String(447700921000 + n)));
      statuses.push(...(await Promise.all(batch)));
    }
    expect(pages).toEqual(
      Array(pages.length).fill(expect.stringContaining('Your phone number is confirmed')),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const byPhone = new Map<number, number>();
    for (const { phone } of sandbox.messages.list())
      byPhone.set(Number(phone), (byPhone.get(Number(phone)) ?? 0) + 1);
    const most = Math.max(
      ...[...byPhone].filter(([phone]) => phone >= 447700930000).map(([, count]) => count),
    );
    expect(most).toBeLessThanOrEqual(5);
    const sent = sandbox.messages.accepted - before;
    // A third of the submissions were for an eighth of the numbers.
    expect(sent).toBeLessThan(0.9 * (SUBMISSIONS + pages.length));
    expect((await fetch(`${n8n.url}/healthz/readiness`)).status).toBe(200);
    console.log(
      `${SUBMISSIONS} submissions with ${numbers} numbers in ${Math.round((Date.now() - began) / 1000)} s: ${sent} codes were sent, ${most} to one number at most`,
    );
  },
  60_000 + 1000 * SUBMISSIONS,
);
