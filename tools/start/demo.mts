import assert from 'node:assert/strict';

import type { IDataObject } from 'n8n-workflow';

import type { SandboxMessage } from '../../sandbox/server.mts';
import { answer, linkIn, open } from '../../test/support/approval.mts';
import { codeIn, wrongFor } from '../../test/support/otp.mts';
import { FormVisitor } from './form.mts';
import type { Execution } from '../n8n-host/rest-client.mts';
import type { Running } from './set-up.mts';

/** A number as people write it and as the gateway takes it. */
const VISITOR = { written: '+44 (0)7700 900123', number: '447700900123' };

const MANAGER = '447700900001';

/**
 * Does the main job by itself and tells it step by step: the one-time password form with a wrong and the right code,
 * bulk SMS, and an approval by phone.
 * @throws Error at the first thing that is not as it has to be, with what was seen instead
 */
export async function demonstrate(parts: Running): Promise<void> {
  await verifiedByCode(parts);
  await sentInBulk(parts);
  await approvedByPhone(parts);
}

async function verifiedByCode(parts: Running): Promise<void> {
  const { name, path } = parts.examples['one-time-password-form'];
  tell(name);
  const url = `${parts.n8n.webhooks.url}/${path}`;
  const visitor = new FormVisitor();
  expectText(await visitor.open(url), 'Confirm your phone number', 'the first page');
  tell(`  The form at ${url} is submitted with the number ${VISITOR.written}.`);
  expectText(await visitor.submit(VISITOR.written), 'We have sent an SMS', 'the page that asks for the code');
  const code = codeIn(parts.sandbox, VISITOR.number);
  tell(`  The sandbox phone ${VISITOR.number} shows an SMS: "${textOf(newestOn(parts, VISITOR.number))}"`);
  const wrong = wrongFor(code);
  expectText(await visitor.submit(wrong), 'This is not the code', 'the page that asks again');
  tell(`  The code ${wrong} is entered instead, and the same page says: This is not the code.`);
  expectText(await visitor.submit(code), 'Your phone number is confirmed', 'the page "Verified"');
  await visitor.leave();
  const execution = await parts.client.waitUntilAwake(visitor.executionId);
  const ended = `${execution.status} at ${execution.data.resultData.lastNodeExecuted}`;
  assert(ended === 'success at Verified', `The execution of the form ended: ${ended}`);
  tell(`  The code ${code} is entered, and the flow says: Verified.`);
}

async function sentInBulk(parts: Running): Promise<void> {
  const execution = await begin(parts, 'bulk-sms');
  const sent = execution.json('Sent');
  const refused = execution.json('Not Sent');
  const ended = `${execution.status}, ${sent.length} sent, ${refused.length} refused`;
  assert(ended === 'success, 3 sent, 1 refused', `Bulk SMS ended: ${ended}. ${execution.failure()}`);
  for (const { phone, message } of sent) {
    const { id } = newestOn(parts, String(phone));
    assert(String(id) === message, `Message ${String(message)} is not on the phone ${String(phone)}`);
  }
  tell(`  ${sent.length} rows are sent and on the sandbox phone.`);
  tell(`  1 row takes the error branch: ${String(refused[0].reason)}`);
}

async function approvedByPhone(parts: Running): Promise<void> {
  const asleep = await begin(parts, 'invoice-approval');
  assert(asleep.status === 'waiting', `The approval is "${asleep.status}". ${asleep.failure()}`);
  const message = newestOn(parts, MANAGER);
  tell(`  The sandbox phone ${MANAGER} shows an SMS: "${textOf(message)}"`);
  const link = linkIn(message.operation as IDataObject);
  expectText((await open(link)).text, 'Sample &amp; Sons asks for 1850. Pay it?', 'the question');
  tell('  Its link opens a page that asks the same; opening it decides nothing.');
  const { text } = await answer(link, 'approve');
  expectText(text, 'Your answer has been recorded', 'the thanks');
  const execution = await parts.client.waitUntilAwake(asleep.id);
  const [paid] = execution.json('Pay After Approval');
  const isPaid = execution.status === 'success' && paid?.invoice === '2002';
  assert(isPaid, `After the approval the execution is "${execution.status}". ${execution.failure()}`);
  tell(`  The button "Pay" is pressed, and the workflow goes on: ${String(paid.note)}.`);
}

/** Starts an example by hand; returns its execution when it has ended or sleeps. */
async function begin({ client, examples }: Running, file: string): Promise<Execution> {
  const { id, name } = examples[file];
  tell(name);
  return await client.waitForExecution(await client.runManually(id, 'Start'));
}

/** The newest message on a number of the sandbox phone. @throws Error when there is none */
function newestOn({ sandbox }: Running, number: string): SandboxMessage {
  const message = sandbox.messages.byPhone(Number(number)).at(-1);
  assert(message, `The sandbox phone has no message for ${number}`);
  return message;
}

const textOf = ({ operation }: SandboxMessage): string => String(operation.sms_message);

const expectText = (html: string, text: string, what: string): void =>
  assert(html.includes(text), `This is not ${what}, since "${text}" is not in it:\n${html}`);

/** Takes each line that tells what happens. */
const tell = console.log;
