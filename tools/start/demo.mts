import type { IDataObject } from 'n8n-workflow';

import type { Sandbox, SandboxMessage } from '../../sandbox/server.mts';
import { answer, linkIn, open } from '../../test/support/approval.mts';
import { FormVisitor } from './form.mts';
import type { FormPage } from './form.mts';
import type { Example } from './examples.mts';
import type { N8nClient } from '../n8n-host/rest-client.mts';

/** Numbers of the demonstration, as people write them and as the gateway takes them. */
const FIRST = { written: '+44 (0)7700 900123', number: '447700900123' };
const SECOND = { written: '0044 7700 900124', number: '447700900124' };

const MANAGER = '447700900001';

const FINISH_LIMIT_MS = 20_000;

export interface DemoParts {
  client: N8nClient;
  /** The imported examples by file name, see `importExamples`. */
  examples: Record<string, Example>;
  /** The sandbox that the credential points at, which must leave messages to a person to decide. */
  sandbox: Sandbox;
  /** Where n8n serves forms and webhooks, without a slash at the end. */
  publicUrl: string;
  /** Takes each line that tells what happens. */
  tell: (line: string) => void;
}

/**
 * Does the main job by itself and tells it step by step: the one-time password form with the right and a wrong
 * code, bulk SMS, a campaign that is stopped and run again, a delivery callback, and an approval by phone.
 * @throws Error at the first thing that is not as it has to be, with what was seen instead
 */
export async function demonstrate(parts: DemoParts): Promise<void> {
  await verifiedByCode(parts);
  await triedAgain(parts);
  await sentInBulk(parts);
  await resumedAfterStop(parts);
  await startedByCallback(parts);
  await approvedByPhone(parts);
}

async function verifiedByCode(parts: DemoParts): Promise<void> {
  parts.tell('One-time password behind a form');
  const visit = await askForCode(parts, FIRST);
  parts.tell(`  The code ${visit.code} is entered on the second page.`);
  expectText(await visit.visitor.submit(visit.code), 'Your phone number is confirmed', 'the page "Verified"');
  parts.tell('  The flow says: Verified.');
  await visit.end('Verified');
}

async function triedAgain(parts: DemoParts): Promise<void> {
  parts.tell('The same form with a wrong code, and then the right one');
  const visit = await askForCode(parts, SECOND);
  const wrong = visit.code === '000000' ? '000001' : '000000';
  parts.tell(`  The code ${wrong} is entered instead.`);
  expectText(await visit.visitor.submit(wrong), 'This is not the code', 'the page that asks again');
  parts.tell('  The same page says: This is not the code. You can try 4 times more.');
  expectText(await visit.visitor.submit(visit.code), 'Your phone number is confirmed', 'the page "Verified"');
  parts.tell(`  The code ${visit.code} is entered, and the flow says: Verified.`);
  await visit.end('Verified');
}

interface Visit {
  visitor: FormVisitor;
  code: string;
  /** Leaves the form and sees to it that its execution ended at a node. */
  end(lastNode: string): Promise<void>;
}

async function askForCode(parts: DemoParts, { written, number }: typeof FIRST): Promise<Visit> {
  const { client, tell } = parts;
  const example = exampleOf(parts, 'one-time-password-form');
  const url = `${parts.publicUrl}/${example.path}`;
  const visitor = new FormVisitor();
  expectText(await visitor.open(url), 'Confirm your phone number', 'the first page');
  tell(`  The form at ${url} is submitted with the number ${written}.`);
  expectText(await visitor.submit(written), 'We have sent an SMS', 'the page that asks for the code');
  const message = newestOn(parts, number);
  const code = /\b\d{6}\b/.exec(textOf(message))?.[0];
  if (code === undefined) throw new Error(`The SMS to ${number} holds no code: ${textOf(message)}`);
  tell(`  The sandbox phone ${number} shows an SMS: "${textOf(message)}"`);
  return {
    visitor,
    code,
    async end(lastNode) {
      await visitor.leave();
      const execution = await client.waitUntilAwake(visitor.executionId, FINISH_LIMIT_MS);
      const ended = execution.data.resultData.lastNodeExecuted;
      if (execution.status !== 'success' || ended !== lastNode) {
        throw new Error(
          `The execution of the form is "${execution.status}" at "${ended}", not done at "${lastNode}"`,
        );
      }
    },
  };
}

async function sentInBulk(parts: DemoParts): Promise<void> {
  const { client, tell } = parts;
  tell('Bulk SMS from rows');
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

async function resumedAfterStop(parts: DemoParts): Promise<void> {
  const { client, sandbox, tell } = parts;
  tell('Resume a campaign after a crash');
  const example = exampleOf(parts, 'resumed-campaign');
  const accepted = () => sandbox.counts().accepted;
  const before = accepted();
  const removeFault = sandbox.faults.add({ kind: 'hang-after', times: 1 });
  const id = await client.runManually(example.id, 'Start');
  await client.until(FINISH_LIMIT_MS, 'the campaign to be taken', () => accepted() > before || undefined);
  await client.call('POST', `/executions/${id}/stop`, {});
  removeFault();
  const taken = accepted() - before;
  tell(`  The gateway takes ${taken} messages, and the execution is stopped before it hears of that.`);
  const execution = await client.waitForExecution(await client.runManually(example.id, 'Start'));
  const known = execution.json('Send SMS').filter(({ duplicate }) => duplicate === true);
  if (execution.status !== 'success' || known.length !== taken || accepted() - before !== taken) {
    throw new Error(
      `The second run is "${execution.status}" with ${known.length} of ${taken} rows sent before, and ${accepted() - before} messages are on the phones. ${execution.failure()}`,
    );
  }
  tell(`  Run again, all ${known.length} rows come out as sent before, and the phones get nothing twice.`);
}

async function startedByCallback(parts: DemoParts): Promise<void> {
  const { client, tell } = parts;
  tell('Reacting to delivery callbacks');
  const example = exampleOf(parts, 'delivery-callbacks');
  const sending = await client.waitForExecution(await client.runManually(example.id, 'Start by Hand'));
  const [sent] = sending.json('Send a Test SMS');
  if (!sent) throw new Error(`The test message was not sent. ${sending.failure()}`);
  const message = newestOn(parts, String(sent.phone));
  tell(`  An SMS is sent with the callback address ${String(message.operation.hook)}`);
  const before = new Set((await client.listExecutions(example.id)).map(({ id }) => id));
  parts.sandbox.act(message.msgId, 'status', { status: 'DELIVERED' });
  tell(`  The message ${message.id} is marked as delivered on the sandbox phone.`);
  const after = await client.waitForExecutions(example.id, before.size + 1);
  const execution = after.find(({ id }) => !before.has(id)) ?? after[0];
  const [event] = execution.json('When a Message Changes');
  const [note] = execution.json('Note Delivery');
  if (execution.status !== 'success' || event?.id !== sent.id || event?.outcome !== 'delivered' || !note) {
    throw new Error(
      `The callback of message ${String(sent.id)} led to an execution "${execution.status}" with ${JSON.stringify(event)}`,
    );
  }
  tell(`  Its callback starts the workflow (execution ${execution.id}): ${String(note.note)}.`);
}

async function approvedByPhone(parts: DemoParts): Promise<void> {
  const { client, tell } = parts;
  tell('Invoice above 1,000: ask the manager');
  const id = await client.runManually(exampleOf(parts, 'invoice-approval').id, 'Start');
  const asleep = await client.waitForExecution(id);
  if (asleep.status !== 'waiting') {
    throw new Error(`The approval is "${asleep.status}", not waiting for the manager. ${asleep.failure()}`);
  }
  const message = newestOn(parts, MANAGER);
  tell(`  The sandbox phone ${MANAGER} shows an SMS: "${textOf(message)}"`);
  const link = linkIn(message.operation as IDataObject);
  expectText(
    { url: link, html: (await open(link)).text },
    'Sample &amp; Sons asks for 1850. Pay it?',
    'the question',
  );
  tell('  Its link opens a page that asks the same; opening it decides nothing.');
  const { text } = await answer(link, 'approve');
  expectText({ url: link, html: text }, 'Your answer has been recorded', 'the thanks');
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

function expectText({ url, html }: FormPage, text: string, what: string): void {
  if (!html.includes(text)) throw new Error(`${url} does not show ${what}: "${text}" is not in it`);
}
