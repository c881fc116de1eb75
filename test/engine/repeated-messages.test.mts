/**
 * Rows that are the same message to the same number, in n8n's engine: a fixed number behind a list. What leaves is what the
 * sandbox got. Waiting has the parts of n8n that it needs in this file as well.
 */
import type { IDataObject } from 'n8n-workflow';

import type { NodeRunOptions } from '../support/engine.mts';
import { ACTION_NODE, credentialsFor, NODE_NAME, PASS_NODE, SOURCE_NODE } from '../support/engine.mts';
import { viberForm } from '../support/operation-cases.mts';
import { grouped, senderNamed, sentTo, smsForm } from '../support/sends.mts';
import { runOn, testSandbox, testWaitingHost } from '../support/test-sandbox.mts';
import { postJson } from '../support/web-server.mts';

const host = testWaitingHost();
const sandbox = testSandbox({ config: { queueDelayMs: 1, outcomes: { fallback: { steps: [] } } } });

const PHONE = 447700900161;
const rows = (count: number): IDataObject[] => Array.from({ length: count }, (_, row) => ({ row }));
const VOICE = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A' };
const SMS_STAGE = { channel: 'sms', message: 'Done', signature: senderNamed() };

const sms = (options: IDataObject = {}, more: IDataObject = {}): IDataObject =>
  smsForm({ phone: String(PHONE), smsMessage: 'The import is done', options: grouped(options), ...more });

const run = async (parameters: IDataObject, items = rows(30), more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, { parameters, items, ...more });

const SAID =
  "30 rows are the same message to the same number: it is sent once. If each row should send, set 'Repeated Messages' in 'Avoid Doubles' to Send All";

const FORMS: Array<[operation: string, form: IDataObject]> = [
  ['sendSms', sms()],
  ['sendViber', { operation: 'sendViber', ...viberForm('carousel') }],
  ['sendViberSms', { ...sms(), operation: 'sendViberSms', ...viberForm('text') }],
  ['sendVoice', { operation: 'sendVoice', message: 'The import is done', ...VOICE }],
  ['sendPipeline', { operation: 'sendPipeline', pipeline: { stages: [SMS_STAGE] } }],
];

describe.each(FORMS)('%s with a fixed number and text behind thirty rows', (_, form) => {
  const parameters = { resource: 'message', phone: String(PHONE), ...form };

  it('sends one message, gives each row its result, and says so', async () => {
    const { json, items, hints, error } = await run(parameters);
    expect(error).toBeUndefined();
    expect(sentTo(sandbox)).toHaveLength(1);
    const [first, ...others] = json;
    expect(first).toMatchObject({ phone: PHONE, msg_id: expect.any(Number) });
    expect(first.result).toBe('sent');
    expect(others).toEqual(Array(29).fill({ ...first, result: 'duplicate' }));
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows(30).map((_row, item) => ({ item })));
    expect(hints).toContain(SAID);
  });

  it('sends thirty messages where the option says so, without a word', async () => {
    const { json, hints } = await run({ ...parameters, options: grouped({ repeatedMessages: 'sendAll' }) });
    expect(new Set(json.map(({ id }) => id)).size).toBe(30);
    expect(json.filter(({ result }) => result === 'duplicate')).toEqual([]);
    expect(sandbox.messages.accepted).toBe(30);
    expect(hints).toEqual([]);
  });

  it('counts one message in Check Only', async () => {
    const { json, hints } = await run({ ...parameters, options: { checkOnly: true } });
    expect(json.map(({ result }) => result)).toEqual(['checked', ...Array<string>(29).fill('duplicate')]);
    expect(hints).toEqual([expect.stringContaining(SAID)]);
    expect(hints[0]).toMatch(/^1 message(, 1 SMS part)?\. Nothing was sent: /);
    expect(sandbox.counts().requests).toBe(0);
  });
});

it('sends one message to a person whose name has a blank too many in one of two rows', async () => {
  const items = ['Anna', ' Anna ', 'An na'].map((name) => ({ name }));
  const text = { smsMessage: '=Hello {{ $json.name }}, your order is ready for {{ $json.name }}' };
  const { json } = await run(sms({}, text), items);
  expect(json.map(({ result }) => result)).toEqual(['sent', 'duplicate', 'sent']);
  expect(sentTo(sandbox)).toHaveLength(2);
});

describe('rows that are told apart', () => {
  it.each<[string, IDataObject, IDataObject?]>([
    ['by a letter of the text', { smsMessage: '=Row {{ $json.row }}' }],
    ['by the number', { phone: `={{ ${PHONE} + $json.row }}` }],
    ['by an id', {}, { messageId: '={{ 1 + $json.row }}' }],
    ['by the sender', { smsSignature: senderNamed('={{ ["TestSender", "InfoSender"][$json.row] }}') }],
    ['by a field that the form lacks', {}, { additionalProperties: '={{ { tag: $json.row } }}' }],
    ['by a lifetime', {}, { smsLifetime: '={{ 3600 + $json.row }}' }],
    [
      'by their callback fields',
      {},
      {
        hook: 'https://example.com/hook',
        callbackFields: { values: [{ name: 'row', value: '={{ $json.row }}' }] },
      },
    ],
    ['by their callback address', {}, { hook: '=https://example.com/hook/{{ $json.row }}' }],
    ['by their keys', {}, { sendOnceKey: '=row {{ $json.row }}' }],
  ])('all go: %s', async (_, parameters, options = {}) => {
    const { json, hints, error } = await run(sms(options, parameters), rows(2));
    expect(error).toBeUndefined();
    expect(json.filter(({ result }) => result === 'duplicate')).toEqual([]);
    expect(sandbox.counts()).toMatchObject({ accepted: 2, distinctIds: 2 });
    expect(hints).toEqual([]);
  });

  it('go apart from each other, and several messages are counted', async () => {
    const texts = ['a', 'b', 'a', 'c', 'b', 'a'].map((text) => ({ text }));
    const { json, hints } = await run(sms({}, { smsMessage: '={{ $json.text }}' }), texts);
    expect(json.map(({ result }) => result)).toEqual([
      'sent',
      'sent',
      'duplicate',
      'sent',
      'duplicate',
      'duplicate',
    ]);
    expect(json[2].id).toBe(json[0].id);
    expect(json[4].id).toBe(json[1].id);
    expect(sentTo(sandbox).map(({ sms_message }) => sms_message)).toEqual(['a', 'b', 'c']);
    expect(hints).toEqual([
      "5 rows hold only 2 different messages (content and number): each is sent once. If each row should send, set 'Repeated Messages' in 'Avoid Doubles' to Send All",
    ]);
  });

  it('are counted as messages beside a row that failed', async () => {
    const items = [{ phone: PHONE }, { phone: PHONE }, { phone: PHONE + 1 }, { phone: 'none' }];
    const form = sms({}, { phone: '={{ $json.phone }}' });
    const { hints } = await run(form, items, { onError: 'continueRegularOutput' });
    expect(hints[0]).toMatch(/^3 of 4 accepted as 2 messages, 1 not sent: see "error" in its row/);
    expect(sentTo(sandbox)).toHaveLength(2);
  });

  it('are those that are only checked: they take no result from the others', async () => {
    const options = { checkOnly: '={{ $json.row < 2 }}' };
    const { json } = await run(sms(options), rows(4));
    expect(json.map(({ result }) => result)).toEqual(['checked', 'duplicate', 'sent', 'duplicate']);
    expect(sentTo(sandbox)).toHaveLength(1);
  });
});

describe('Refuse', () => {
  const refusing = sms({ repeatedMessages: 'refuse' });

  it('sends nothing where the run stops at errors, and names the row', async () => {
    const { error } = await run(refusing);
    expect(error?.message).toMatch(/^'Phone Number' repeats row 1, with the same message: \d+ \[item 1\]$/);
    expect(error?.description).toContain("Remove the repeats, or set 'Repeated Messages'");
    expect(sandbox.counts().requests).toBe(0);
  });

  it('sends the first where it goes on, also in a check', async () => {
    const { json } = await run(refusing, rows(3), { onError: 'continueRegularOutput' });
    expect(json.map(({ error }) => error !== undefined)).toEqual([false, true, true]);
    expect(json[1].what_to_do).toBe(
      "Row 2: remove the repeats, or set 'Repeated Messages' in 'Avoid Doubles' to Send Once",
    );
    expect(sentTo(sandbox)).toHaveLength(1);
    const checked = await run(sms({ repeatedMessages: 'refuse', checkOnly: true }));
    expect(checked.json[1]).toMatchObject({ result: 'invalid', what_to_do: json[1].what_to_do });
  });

  it('takes no other word', async () => {
    const { error } = await run(sms({ repeatedMessages: 'never' }));
    expect(error?.message).toBe(
      "'Repeated Messages' must be sendOnce, sendAll or refuse, not never [item 0]",
    );
  });
});

describe('what becomes of the one message becomes of all rows', () => {
  it('its refusal is that of each row', async () => {
    sandbox.faults.add({ kind: 'refuse-items', error: 'Zorble', times: 1 });
    const { json } = await run(sms(), rows(3), { onError: 'continueRegularOutput' });
    expect(sentTo(sandbox)).toHaveLength(1);
    expect(json.map(({ error }) => error)).toEqual(
      Array(3).fill('The gateway refused this operation: "Zorble"'),
    );
    expect(json.map(({ id, result }) => [id, result])).toEqual(Array(3).fill([json[0].id, 'refused']));
  });

  it('its queue number is that of each row', async () => {
    const { json } = await run(sms({ delivery: 'queued' }));
    expect(new Set(json.map(({ request_id }) => request_id)).size).toBe(1);
    await sandbox.settled();
    expect(sandbox.messages.accepted).toBe(1);
  });

  it('its outcome, for which the execution waits', async () => {
    const slept = await host.run({
      items: rows(5),
      credentials: credentialsFor(sandbox),
      nodes: [
        { name: 'Start', type: SOURCE_NODE },
        { name: NODE_NAME, type: ACTION_NODE, parameters: sms({}, { waitForDelivery: true }) },
        { name: 'After', type: PASS_NODE },
      ],
    });
    expect([slept.error, slept.status]).toEqual([undefined, 'waiting']);
    const hints = slept.runData[NODE_NAME][0].hints?.map(({ message }) => message) ?? [];
    expect(hints).toContain(SAID.replace('30', '5'));
    expect(hints.join()).not.toContain('as sent');
    const [{ hook, id }] = sentTo(sandbox);
    const woken = host.woken(slept.id);
    const callback = { success: true, id, type: 'sms', status: 'DELIVERED' };
    expect((await postJson(String(hook), callback)).status).toBe(200);
    const output = (await woken).outputs('After')[0].map(({ json }) => json);
    expect(output.map((json) => [json.id, json.outcome, json.final])).toEqual(
      Array(5).fill([id, 'delivered', true]),
    );
    expect(output.filter(({ result }) => result === 'duplicate')).toHaveLength(4);
    expect(sandbox.messages.accepted).toBe(1);
  });
});

describe('Retry On Fail', () => {
  const RETRY = { retryOnFail: true, maxTries: 3 };

  it('sends nothing of what the first try sent, nor the rows that repeat it', async () => {
    // The second number's message is refused, so that the node runs again.
    const items = [0, 0, 1, 1, 0].map((other) => ({
      phone: PHONE + other,
      sender: other ? 'Stranger' : 'TestSender',
    }));
    const parameters = smsForm({ smsSignature: senderNamed('={{ $json.sender }}') });
    const { json } = await run(parameters, items, { ...RETRY, onError: 'continueRegularOutput' });
    expect(json.map(({ result }) => result)).toEqual([
      'sent',
      'duplicate',
      'refused',
      'refused',
      'duplicate',
    ]);
    expect(sandbox.messages.accepted).toBe(1);

    const stopped = await run(parameters, items, RETRY);
    expect(stopped.error?.message).toMatch(/Alpha-name.*\[item 2\]$/);
    expect(sandbox.messages.accepted).toBe(2);
  });

  it('sends the first again where nothing was sent, and nothing else', async () => {
    sandbox.faults.add({ kind: 'refuse-items', error: 'Zorble', times: 1 });
    const { json, status } = await run(sms(), rows(30), RETRY);
    expect(status).toBe('success');
    expect(json).toHaveLength(30);
    expect(sandbox.counts()).toMatchObject({ accepted: 1, distinctIds: 1 });
  });

  it('asks about one whose answer was lost, and gives its fate to all', async () => {
    sandbox.faults.add({ kind: 'drop-after', times: 1 });
    const { json, status } = await run(sms(), rows(3), RETRY);
    expect([status, json.length]).toEqual(['success', 3]);
    expect(sandbox.messages.accepted).toBe(1);
  });
});

it('one password goes to a number in Telegram once, and a call, which has a password of its own, for each row', async () => {
  const telegram = { resource: 'otp', operation: 'sendTelegram', phone: String(PHONE), message: '482913' };
  const { hints } = await run(telegram);
  expect(sandbox.messages.accepted).toBe(1);
  expect(hints).toEqual(['30 rows are the same message to the same number: it is sent once']);
  const { json } = await run({ resource: 'otp', operation: 'call', phone: String(PHONE) }, rows(3));
  expect(json.filter(({ result }) => result === 'duplicate')).toEqual([]);
  expect(sandbox.messages.accepted).toBe(4);
});

it('what is no message is asked, created and called for each row', async () => {
  const { json } = await run({ resource: 'number', operation: 'lookup', phone: String(PHONE) }, rows(3));
  expect(json.filter(({ result }) => result === 'duplicate')).toEqual([]);
  expect(sentTo(sandbox)).toHaveLength(3);
});
