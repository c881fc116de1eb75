import type { IDataObject } from 'n8n-workflow';

import type { Sandbox, SandboxMessage } from '../../sandbox/server.mts';
import { answer, linkIn, open } from '../../test/support/approval.mts';
import { codeIn, wrongFor } from '../../test/support/otp.mts';
import { FormVisitor } from './form.mts';
import type { Example } from './examples.mts';
import type { N8nClient } from '../n8n-host/rest-client.mts';

/** A number as people write it and as the gateway takes it. */
const VISITOR = { written: '+44 (0)7700 900123', number: '447700900123' };

const MANAGER = '447700900001';

const FINISH_LIMIT_MS = 20_000;

interface DemoParts {
  client: N8nClient;
  /** The imported examples by file name, see `importExamples`. */
  examples: Record<string, Example>;
  /** The sandbox that the credential points at, which must leave messages to a person to decide. */
  sandbox: Sandbox;
  /** Where n8n serves forms and webhooks, without a slash at the end. */
  publicUrl: string;
}

/**
 * Does the main job by itself and tells it step by step: the one-time password form with a wrong and the right code,
 * bulk SMS, and an approval by phone.
 * @throws Error at the first thing that is not as it has to be, with what was seen instead
 */
export async function demonstrate(parts: DemoParts): Promise<void> {
  await verifiedByCode(parts);
  await sentInBulk(parts);
  await approvedByPhone(parts);
}

async function verifiedByCode(parts: DemoParts): Promise<void> {
  tell(exampleOf(parts, 'one-time-password-form').name);
  const url = `${parts.publicUrl}/${exampleOf(parts, 'one-time-password-form').path}`;
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
  const execution = await parts.client.waitUntilAwake(visitor.executionId, FINISH_LIMIT_MS);
  const ended = execution.data.resultData.lastNodeExecuted;
  if (execution.status !== 'success' || ended !== 'Verified') {
    throw new Error(
      `The execution of the form is "${execution.status}" at "${ended}", not done at "Verified"`,
    );
  }
  tell(`  The code ${code} is entered, and the flow says: Verified.`);
}

async function sentInBulk(parts: DemoParts): Promise<void> {
  const { client } = parts;
  tell(exampleOf(parts, 'bulk-sms').name);
  const id = await client.runManually(exampleOf(parts, 'bulk-sms').id, 'Start');
  const execution = await client.waitForExecution(id);
  const sent = execution.json('Sent');
  const refused = execution.json('Not Sent');
  if (execution.status !== 'success' || sent.length !== 3 || refused.length !== 1) {
    throw new Error(
      `Bulk SMS is "${execution.status}" with ${sent.length} sent and ${refused.length} refused, not 3 and 1. ${execution.failure()}`,
    );
  }
  for (const row of sent) {
    const message = newestOn(parts, String(row.phone));
    if (String(message.id) !== row.message)
      throw new Error(`Message ${row.message} is not on the phone ${row.phone}`);
  }
  tell(`  ${sent.length} rows are sent and on the sandbox phone.`);
  tell(`  1 row takes the error branch: ${String(refused[0].reason)}`);
}

async function approvedByPhone(parts: DemoParts): Promise<void> {
  const { client } = parts;
  tell(exampleOf(parts, 'invoice-approval').name);
  const id = await client.runManually(exampleOf(parts, 'invoice-approval').id, 'Start');
  const asleep = await client.waitForExecution(id);
  if (asleep.status !== 'waiting') {
    throw new Error(`The approval is "${asleep.status}", not waiting for the manager. ${asleep.failure()}`);
  }
  const message = newestOn(parts, MANAGER);
  tell(`  The sandbox phone ${MANAGER} shows an SMS: "${textOf(message)}"`);
  const link = linkIn(message.operation as IDataObject);
  expectText((await open(link)).text, 'Sample &amp; Sons asks for 1850. Pay it?', 'the question');
  tell('  Its link opens a page that asks the same; opening it decides nothing.');
  const { text } = await answer(link, 'approve');
  expectText(text, 'Your answer has been recorded', 'the thanks');
  const execution = await client.waitUntilAwake(id, FINISH_LIMIT_MS);
  const [paid] = execution.json('Pay After Approval');
  if (execution.status !== 'success' || paid?.invoice !== '2002') {
    throw new Error(`After the approval the execution is "${execution.status}". ${execution.failure()}`);
  }
  tell(`  The button "Pay" is pressed, and the workflow goes on: ${String(paid.note)}.`);
}

/** The newest message on a number of the sandbox phone. @throws Error when there is none */
function newestOn({ sandbox }: DemoParts, number: string): SandboxMessage {
  const message = sandbox.messages.byPhone(Number(number)).at(-1);
  if (!message) throw new Error(`The sandbox phone has no message for ${number}`);
  return message;
}

const textOf = ({ operation }: SandboxMessage): string => String(operation.sms_message);

function exampleOf({ examples }: DemoParts, file: string): Example {
  const example = examples[file];
  if (!example) throw new Error(`The example ${file} was not imported`);
  return example;
}

function expectText(html: string, text: string, what: string): void {
  if (!html.includes(text)) throw new Error(`This is not ${what}, since "${text}" is not in it:\n${html}`);
}

/** Takes each line that tells what happens. */
const tell = console.log;
