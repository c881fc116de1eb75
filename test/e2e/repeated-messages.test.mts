/**
 * Thirty rows with a fixed number in a real n8n, with the packed package: one message leaves, with a wait, a retry, a refusal
 * of it, and each kind of message. What each row comes out with is in engine/repeated-messages.
 */
import type { IDataObject } from 'n8n-workflow';

import { e2eHost } from '../support/e2e-host.mts';
import { viberForm } from '../support/operation-cases.mts';
import { action, rows, START, workflow } from '../support/real-n8n.mts';
import { senderNamed, sentTo, smsForm } from '../support/sends.mts';

const host = e2eHost({
  config: { outcomes: { fallback: { steps: [{ status: 'DELIVERED', afterMs: 2000 }] } } },
});

beforeEach(() => host.sandbox.reset());

const PHONE = '447700900161';
const THIRTY = Array.from({ length: 30 }, (_, row) => ({ row }));
const SMS = smsForm({ phone: PHONE, smsMessage: 'The import is done' });
const VOICE = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A' };
const STAGES = [{ channel: 'sms', message: 'The import is done', signature: senderNamed() }];

const FORMS: Array<[name: string, form: IDataObject]> = [
  ['SMS', SMS],
  ['Viber', { operation: 'sendViber', ...viberForm('text+image+link') }],
  ['voice', { operation: 'sendVoice', message: 'The import is done', ...VOICE }],
  ['pipeline', { operation: 'sendPipeline', pipeline: { stages: STAGES } }],
];

async function run(parameters: IDataObject, settings: IDataObject = {}) {
  const form = { resource: 'message', phone: PHONE, ...parameters };
  const send = action('Send', host.credential, form, settings);
  const execution = await host.client.runToEnd(workflow([rows('Rows', THIRTY), send]), START);
  return {
    execution,
    json: execution.failure() === '' ? execution.json('Send') : [],
    hints: execution.runs('Send')[0].hints?.map(({ message }) => message) ?? [],
  };
}

const duplicatesIn = (json: Array<Record<string, unknown>>) =>
  json.filter(({ duplicate }) => duplicate === true).length;

it.each(FORMS)(
  'thirty equal rows of %s leave once, and thirty times where the option says so',
  async (_, form) => {
    const { json, hints } = await run(form);
    expect([json.length, duplicatesIn(json), new Set(json.map(({ id }) => id)).size]).toEqual([30, 29, 1]);
    expect(hints).toEqual([expect.stringMatching(/^30 rows are the same message .* it is sent once/)]);
    expect(sentTo(host.sandbox)).toHaveLength(1);

    const all = await run({ ...form, options: { repeatedMessages: 'sendAll' } });
    expect([all.json.length, duplicatesIn(all.json), all.hints]).toEqual([30, 0, []]);
    expect(host.sandbox.counts()).toMatchObject({ accepted: 31, distinctIds: 31 });
  },
);

it('waits for the one message, and gives each row its outcome', async () => {
  const { execution } = await run({ ...SMS, waitForDelivery: true });
  const ended = await host.client.waitUntilAwake(execution.id);
  const json = ended.json('Send');
  expect(json.map(({ outcome, final }) => [outcome, final])).toEqual(Array(30).fill(['delivered', true]));
  expect([duplicatesIn(json), host.sandbox.messages.accepted]).toEqual([29, 1]);
});

it('sends it once in all tries of Retry On Fail, also where the first was refused', async () => {
  host.sandbox.faults.add({ kind: 'refuse-items', error: 'Zorble', times: 1 });
  const retried = await run(SMS, { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 });
  expect([retried.json.length, duplicatesIn(retried.json)]).toEqual([30, 29]);
  expect(host.sandbox.counts()).toMatchObject({ accepted: 1, distinctIds: 1 });
});

it('gives the refusal of the first to all rows, by the error output', async () => {
  host.sandbox.faults.add({ kind: 'refuse-items', error: 'Zorble', times: 1 });
  const { execution } = await run(SMS, { onError: 'continueErrorOutput' });
  const failed = execution.runs('Send')[0].data?.main[1] ?? [];
  expect(failed.map(({ json }) => [json.row, String(json.error).includes('Zorble')])).toEqual(
    THIRTY.map(({ row }) => [row, true]),
  );
  expect(sentTo(host.sandbox)).toHaveLength(1);
});
