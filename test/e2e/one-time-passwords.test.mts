/** One-time passwords as visitors meet them: the examples in a real n8n and a real browser at the width of a phone. */

import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { FormVisitor } from '../../tools/start/form.mts';
import { keepPicture, launch } from '../support/chromium.mts';
import { callHook, filesWith, publishExample, untilServed } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';
import { admit, countCodes, formEntrance, lookFor, webPageEntrance } from '../support/otp-crowd.mts';
import type { CrowdCount } from '../support/otp-crowd.mts';
import { credentialData, CREDENTIAL_TYPE, realN8n } from '../support/real-n8n.mts';
import type { RealN8n } from '../support/real-n8n.mts';
import { placesOf as searchFor } from '../support/secret-search.mts';
import type { Suspect } from '../support/secret-search.mts';

/** More for a longer run: OTP_SUBMISSIONS=2000. */
const SUBMISSIONS = Number(process.env.OTP_SUBMISSIONS ?? 60);
const VISITORS = 3;
/** Seconds before another code is sent, in which a person looks at the page and a test looks for the code. */
const COOLDOWN = 15;

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
/** The newest message on the sandbox's phone page, as a person reads it. */
async function readPhone(phone: string): Promise<string> {
  const page = await phonePage();
  await page.goto(`${sandbox.phonePageUrl}?phone=${phone}`);
  const text = await page.locator('.bubble .words').last().textContent();
  await page.close();
  return text ?? '';
}

const newest = async (workflowId: string) => (await n8n.client.listExecutions(workflowId))[0].id;

/** Where in n8n one of some texts can be read; the editor shows a challenge. */
const placesOf = async (texts: string[], suspect: Suspect) =>
  await searchFor({ browser, n8n, shown: 'challenge' }, texts, suspect);

/** The names of the fields that hold a text, anywhere in a value. */
function fieldsWith(text: string, value: unknown, field = ''): string[] {
  if (typeof value !== 'object' || value === null) return String(value).includes(text) ? [field] : [];
  const found = Object.entries(value).flatMap(([key, inner]) => fieldsWith(text, inner, key));
  return [...new Set(found)];
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

  /** Asks for another code; one that is typed as well is verified all the same. */
  async choose(option: string, typed = ''): Promise<void> {
    await this.page.locator('input[type="text"]').first().fill(typed);
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
    // Eight digits, because the digits of a shorter one can be found in dates and ids by chance.
    const send = { codeLength: 8 };
    const { id } = await publish('one-time-password-form', {
      path: 'a',
      send,
      options: { cooldown: COOLDOWN },
    });
    const form = new FormPage(await phonePage());
    const phone = '447700920001';
    await form.begin('one-time-password-a', '+44 7700 920001');
    await form.sees('We have sent an SMS to your phone.');
    const sentAt = Date.now();
    await keepPicture(form.page, 'otp-form-code');
    const code = codeIn(sandbox, phone);
    expect(await readPhone(phone)).toContain(code);
    expect(await filesWith(n8n.folder, code)).toEqual([]);

    await form.choose('Send another SMS');
    await form.sees(/Another code can be sent in \d+ seconds?\./);
    await keepPicture(form.page, 'otp-form-cooldown');
    await form.enter(' ');
    await form.sees('Enter the code, or choose how to get another one.');
    // Until the visitor types it, the code is nowhere in n8n.
    const suspect = { workflowId: id, executionId: await newest(id), nodes: ['Send Code'] };
    expect(await placesOf([code], suspect)).toEqual([]);

    const wrong = wrongFor(code);
    await form.choose('Send another SMS', wrong);
    await form.sees('This is not the code. You can try 4 times more.');
    await keepPicture(form.page, 'otp-form-wrong');
    expect(await placesOf([code], { ...suspect, nodes: ['Send Code', 'Verify'] })).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, sentAt + 1000 * COOLDOWN - Date.now()));
    await form.choose('Call me instead');
    await form.sees('We are calling you.');
    await keepPicture(form.page, 'otp-form-called');
    const called = codeIn(sandbox, phone);
    expect(sandbox.messages.list().at(-1)).toMatchObject({ operation: { type: 'voice' } });
    expect(await filesWith(n8n.folder, called)).toEqual([]);
    const typed = `${called.slice(0, 3)} ${called.slice(3)}`;
    await form.enter(typed);
    await form.sees('Your phone number is confirmed.');
    await keepPicture(form.page, 'otp-form-verified');
    await form.page.close();

    await n8n.client.waitForExecutions(id, 1);
    const sentCodes = [code, called, [...called].join(', ')];
    expect(await placesOf(sentCodes, { ...suspect, nodes: ['Ask for Code', 'Verify'] })).toEqual([]);
    // What was typed is in the field of the form, and nowhere else.
    const { data } = await n8n.client.getExecution(suspect.executionId);
    for (const text of [typed, wrong]) expect(fieldsWith(text, data.resultData.runData)).toEqual(['code']);
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
    await keepPicture(form.page, 'otp-form-too-many');
    await form.page.close();

    const again = new FormPage(await phonePage());
    await again.begin('one-time-password-b', '447700920003');
    await again.sees(/This number has just got a code\. Try again in \d+ seconds\./);
    await keepPicture(again.page, 'otp-form-not-sent');
    await again.page.close();

    await new Promise((resolve) => setTimeout(resolve, Math.max(0, expiresAt - Date.now())));
    await late.enter(codeIn(sandbox, '447700920002'));
    await late.sees('The code has expired');
    await keepPicture(late.page, 'otp-form-expired');
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
    await keepPicture(page, 'otp-page-cooldown');
    await page.getByLabel('Code').fill(code);
    const first = await page.evaluate<string>('challenge');
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByText('Your phone number is confirmed.').waitFor();
    await keepPicture(page, 'otp-page-verified');

    // As in another tab, which still has its challenge.
    const enter = async (phone: string, challenge: string, typed: string, answer: string) => {
      await page.evaluate(`phone = '${phone}'; challenge = '${challenge}'; verify.hidden = false`);
      await page.getByLabel('Code').fill(typed);
      await page.getByRole('button', { name: 'Check the code' }).click();
      await page.getByText(answer).waitFor();
    };
    await enter('447700920010', first, code, 'This code was used before.');
    await keepPicture(page, 'otp-page-used');
    const { challenge: another } = await callHook(n8n.client, 'one-time-password-w-send', {
      phone: '447700920012',
    });
    const theirs = codeIn(sandbox, '447700920012');
    await enter('447700920013', String(another), theirs, 'This is not a code for this phone number.');
    await keepPicture(page, 'otp-page-not-theirs');
    for (let n = 0; n < 5; n++) {
      await callHook(n8n.client, 'one-time-password-w-verify', {
        phone: '447700920012',
        challenge: another,
        code: wrongFor(theirs, n),
      });
    }
    await enter('447700920012', String(another), theirs, 'The code was wrong too often.');
    await keepPicture(page, 'otp-page-sixth');
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
  expect(code).toMatch(/^\d{6}$/);
  expect((await visitor.submit(wrongFor(code))).html).toContain('This is not the code');
  expect((await visitor.submit([...code].join('-'))).html).toContain('Welcome back');
});

it('A stranger who asks for a code for the same number does not close the challenge of a visitor, which works once.', async () => {
  const { client } = n8n;
  const { id } = await publish('one-time-password-exactly-once', { path: 'x', options: { cooldown: 0 } });
  expect((await client.waitForExecution(await client.runManually(id, 'Once'))).status).toBe('success');
  const phone = '447700920021';
  const call = async (what: string, body: IDataObject) =>
    await callHook(client, `one-time-password-x-once-${what}`, { phone, ...body });
  const { challenge } = await call('send', {});
  const code = codeIn(sandbox, phone);
  expect(await call('send', {})).toMatchObject({ status: 200 });
  const RIGHT = { status: 200, valid: true, reason: 'ok', attempts_left: 0 };
  expect(await call('verify', { challenge, code })).toEqual(RIGHT);
  expect(await call('verify', { challenge, code })).toMatchObject({ valid: false, reason: 'used' });
  // Another code for the same visitor belongs to the same row.
  const first = await call('send', {});
  const second = await call('send', { challenge: first.challenge });
  const newest = codeIn(sandbox, phone);
  expect(await call('verify', { challenge: second.challenge, code: newest })).toMatchObject({ reason: 'ok' });
  const EMPTY = { status: 200, valid: false, reason: 'invalid', attempts_left: 0 };
  expect(await call('verify', { challenge: second.challenge })).toEqual(EMPTY);
});

/** Strangers submit numbers from here on; honest visitors have the numbers below. */
const CROWDS = { form: 447700930000, page: 447700940000 };

describe('while strangers submit it', () => {
  const before = () => sandbox.messages.list().length;
  const phonesSince = (first: number) =>
    sandbox.messages
      .list()
      .slice(first)
      .map(({ phone }) => Number(phone));
  const codeFor = async (phone: number) => {
    const isThere = () => (phonesSince(0).includes(phone) ? true : undefined);
    await lookFor(`The code for ${phone}`, isThere);
    return codeIn(sandbox, phone);
  };
  const checkFences = async (first: number, firstStranger: number, count: CrowdCount) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { all, most } = countCodes(phonesSince(first), firstStranger);
    console.log(`${SUBMISSIONS} submissions: ${JSON.stringify({ ...count, codes: all, most })}`);
    expect(most).toBeLessThanOrEqual(5);
    // A third of the submissions were for an eighth of the numbers.
    expect(all).toBeLessThan(0.9 * SUBMISSIONS);
    expect(all).toBeGreaterThan(SUBMISSIONS / 4);
    expect(count.confirmed).toBe(VISITORS);
    expect((await fetch(`${n8n.url}/healthz/readiness`)).status).toBe(200);
  };
  const crowd = { submissions: SUBMISSIONS, numbers: Math.ceil(SUBMISSIONS / 4), visitors: VISITORS };
  const LIMIT_MS = 60_000 + 1000 * SUBMISSIONS;

  it(
    'a form stays within its fences, and honest visitors get their code',
    async () => {
      await publish('one-time-password-form', { path: 'p', options: { cooldown: 0, workflowLimit: 2000 } });
      const url = `${n8n.url}/form/one-time-password-p`;
      await untilServed(url);
      const first = before();
      const count = await admit({
        ...crowd,
        firstStranger: CROWDS.form,
        ...formEntrance(url, codeFor),
      });
      expect(count.statuses).toEqual({ 200: SUBMISSIONS });
      await checkFences(first, CROWDS.form, count);
    },
    LIMIT_MS,
  );

  it(
    'so does a web page, which keeps no execution waiting',
    async () => {
      const options = { cooldown: 0, workflowLimit: 2000 };
      const { id } = await publish('one-time-password-web-page', { path: 'q', options });
      await callHook(n8n.client, 'one-time-password-q-verify', { challenge: '', phone: '', code: '' });
      const first = before();
      const count = await admit({
        ...crowd,
        firstStranger: CROWDS.page,
        ...webPageEntrance(n8n.client, 'q', codeFor),
      });
      expect(Object.keys(count.statuses)).toEqual(['200', '429']);
      await checkFences(first, CROWDS.page, count);
      const executions = await n8n.client.listExecutions(id);
      expect(executions.filter(({ status }) => status === 'waiting')).toEqual([]);
    },
    LIMIT_MS,
  );
});
