/** One-time passwords as visitors meet them: the examples in a real n8n. What their pages look like is in example-pages. */
import type { IDataObject } from 'n8n-workflow';

import { FormVisitor } from '../../tools/start/form.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { callHook, changedExample, untilServed } from '../support/otp-host.mts';
import type { ExampleChange } from '../support/otp-host.mts';
import { codeIn, wrongFor } from '../support/otp.mts';
import { filesWith, placesOf } from '../support/secret-search.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

const publish = async (file: string, change: ExampleChange) =>
  await host.publish(await changedExample(file, host.credential, change));

/** The names of the fields that hold a text, anywhere in a value. */
function fieldsWith(text: string, value: unknown, field = ''): string[] {
  if (typeof value !== 'object' || value === null) return String(value).includes(text) ? [field] : [];
  const found = Object.entries(value).flatMap(([key, inner]) => fieldsWith(text, inner, key));
  return [...new Set(found)];
}

/** A visitor of a form who has submitted a number. */
async function begin(path: string, phone: string): Promise<FormVisitor> {
  const url = `${host.url}/form/${path}`;
  await untilServed(url);
  const visitor = new FormVisitor();
  await visitor.open(url);
  await visitor.submit(phone);
  return visitor;
}

describe('the form', () => {
  let late: FormVisitor;
  let expiresAt: number;

  beforeAll(async () => {
    // A code expires after 30 seconds at the earliest, so it is sent first.
    const options = { cooldown: 600 };
    await publish('one-time-password-form', { path: 'b', send: { expiresIn: 30 }, options });
    late = await begin('one-time-password-b', '447700920002');
    expiresAt = Date.now() + 30_000;
  });

  it('leads from the number to verified, over a wrong code, a resend and a call, and keeps the code out of n8n', async () => {
    // Eight digits, because the digits of a shorter one can be found in dates and ids by chance.
    const change = { path: 'a', send: { codeLength: 8 }, options: { cooldown: 0 } };
    const { id } = await publish('one-time-password-form', change);
    const phone = '447700920001';
    const visitor = await begin('one-time-password-a', '+44 7700 920001');
    const answer = async (code: string, option = '') => await visitor.submit(code, option);
    const code = codeIn(host.sandbox, phone);
    expect(await filesWith(host.folder, code)).toEqual([]);

    expect(await answer(' ')).toContain('Enter the code, or choose how to get another one.');
    // Until the visitor types it, the code is nowhere in n8n.
    const suspect = { workflowId: id, executionId: visitor.executionId };
    expect(await placesOf(host, [code], suspect)).toEqual([]);

    const wrong = wrongFor(code);
    expect(await answer(wrong, 'Send another SMS')).toContain('This is not the code. 4 attempts are left.');
    expect(await answer('', 'Call me instead')).toContain('We are calling you.');
    const called = codeIn(host.sandbox, phone);
    expect(host.sandbox.messages.list().at(-1)).toMatchObject({ operation: { type: 'voice' } });
    expect(await filesWith(host.folder, called)).toEqual([]);
    const typed = `${called.slice(0, 3)} ${called.slice(3)}`;
    expect(await answer(typed)).toContain('Your phone number is confirmed.');
    await visitor.leave();

    await host.client.untilExecutions(id, 1);
    expect(await placesOf(host, [code, called, [...called].join(', ')], suspect)).toEqual([]);
    // What was typed is in the field of the form, and nowhere else.
    const { data } = await host.client.getExecution(suspect.executionId);
    for (const text of [typed, wrong]) expect(fieldsWith(text, data.resultData.runData)).toEqual(['code']);
  });

  it('sends no other code within the cooldown, and ends after too many attempts and after the time is up', async () => {
    const visitor = await begin('one-time-password-b', '447700920003');
    expect(await visitor.submit('', 'Send another SMS')).toMatch(/Another code can be sent in \d+ minutes\./);
    const wrong = wrongFor(codeIn(host.sandbox, '447700920003'));
    for (const words of ['4 attempts are', '3 attempts are', '2 attempts are', 'One attempt is'])
      expect(await visitor.submit(wrong)).toContain(`${words} left.`);
    expect(await visitor.submit(wrong)).toContain('Too many attempts');

    await new Promise((resolve) => setTimeout(resolve, Math.max(0, expiresAt - Date.now())));
    const html = await late.submit(codeIn(host.sandbox, '447700920002'));
    expect(html).toContain('The code has expired');
    expect(html).toMatch(/<a href="\.\.\/form\/one-time-password[\w-]*">Go back to the first page<\/a>/);
  });
});

it('leaves the challenge of a visitor, which works once, open when a stranger asks for a code for the same number', async () => {
  const { client } = host;
  const { id } = await publish('one-time-password-exactly-once', { path: 'x', options: { cooldown: 0 } });
  expect((await client.waitForExecution(await client.runManually(id, 'Once'))).status).toBe('success');
  const phone = '447700920021';
  const call = async (what: string, body: IDataObject) =>
    await callHook(client, `one-time-password-x-once-${what}`, { phone, ...body });
  const { challenge } = await call('send', {});
  const code = codeIn(host.sandbox, phone);
  expect(await call('send', {})).toMatchObject({ status: 200 });
  const RIGHT = { status: 200, valid: true, reason: 'ok', attempts_left: 0 };
  expect(await call('verify', { challenge, code })).toEqual(RIGHT);
  expect(await call('verify', { challenge, code })).toMatchObject({ valid: false, reason: 'used' });
  // Another code for the same visitor belongs to the same row.
  const first = await call('send', {});
  const second = await call('send', { challenge: first.challenge });
  const newest = codeIn(host.sandbox, phone);
  expect(await call('verify', { challenge: second.challenge, code: newest })).toMatchObject({ reason: 'ok' });
  const EMPTY = { status: 200, valid: false, reason: 'invalid', attempts_left: 0 };
  expect(await call('verify', { challenge: second.challenge })).toEqual(EMPTY);
});
