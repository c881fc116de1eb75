/**
 * What the gateway refuses, and what a try that failed half way left behind, by the node's settings in n8n. Every entry of the
 * catalogue of errors is in unit/errors, every way in which a request fails in unit/n8n/request.
 */
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { grouped, senderNamed, sentTo, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const SEND = smsForm({
  smsSignature: senderNamed('={{ $json.sender }}'),
  smsMessage: '=Order {{ $json.order }}',
});

/** Items of which those at `bad` have a sender that isn't approved. */
const items = (count: number, bad: number[] = []): IDataObject[] =>
  Array.from({ length: count }, (_, item) => ({
    phone: `3805012345${10 + item}`,
    sender: bad.includes(item) ? 'Stranger' : 'TestSender',
    order: item,
  }));

const run = (options: Partial<NodeRunOptions>) =>
  runOn(sandbox, { parameters: SEND, items: items(5), ...options });

describe('items that the gateway refuses', () => {
  const refused = { items: items(5, [1, 3]) };

  it('stop the node, with what became of all items', async () => {
    const { status, error, outputs } = await run(refused);
    expect(status).toBe('error');
    expect(outputs).toEqual([]);
    expect(error?.message).toMatch(/Error in Alpha-name.* \[item 1\]$/);
    expect(error?.description).toMatch(/^Row 2 of 5\. .* Of all rows: 3 of 5 accepted, 2 refused\./);
    // The contract lists these words, so that nothing is asked about.
    expect(sandbox.counts()).toMatchObject({ requests: 1, accepted: 3 });
  });

  it('go on beside the others with On Error set to continue, in their places', async () => {
    const { status, items: all } = await run({ ...refused, onError: 'continueRegularOutput' });
    expect(status).toBe('success');
    expect(all.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
    expect(all.map(({ json }) => 'msg_id' in json)).toEqual([true, false, true, false, true]);
    expect(all[3].json.error).toMatch(/Error in Alpha-name"$/);
  });

  it.each([
    [5, [3], '4 of 5 accepted, 1 refused: see "error" in its row'],
    [5, [1, 3], '3 of 5 accepted, 2 refused: see "error" in their rows'],
    [1, [0], '0 of 1 accepted, 1 refused: see "error" in its row'],
  ])('are counted in the editor: of %i items %j', async (count, bad, message) => {
    for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
      const { task } = await run({ items: items(count, bad), onError, mode: 'trigger' });
      expect(task?.hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
    }
    expect((await run({})).task?.hints ?? []).toEqual([]);
  });

  const AGAIN = "'Execute step' sends the accepted messages again";
  const ONLY_THE_REST = "'Retry' in Executions sends only what was not sent";
  it.each<[string, Partial<NodeRunOptions>, string | undefined]>([
    ['in the editor', refused, `${AGAIN}; ${ONLY_THE_REST}.`],
    ['in the editor, which offers no Retry then', { ...refused, onError: 'continueRegularOutput' }, AGAIN],
    ['outside of it', { ...refused, mode: 'trigger' }, undefined],
    ['where nothing was accepted', { items: items(2, [0, 1]) }, undefined],
    [
      'with a key',
      { ...refused, parameters: { ...SEND, options: grouped({ sendOnceKey: '={{ $json.order }}-sent' }) } },
      undefined,
    ],
  ])('beside accepted ones, %s, say which way leaves those alone', async (_, options, sentence) => {
    const { error, task } = await run(options);
    const told = [error?.description ?? '', ...(task?.hints ?? []).map(({ message }) => message)].join();
    expect(told).toMatch(/\d of \d accepted, \d refused/);
    expect(/'Execute step' sends the accepted.*$/.exec(told)?.[0]).toBe(sentence);
  });

  it('leave by the error branch, each with its columns, what is wrong, what to do, and its id', async () => {
    const { outputs } = await run({ ...refused, onError: 'continueErrorOutput' });
    const [good, bad] = outputs;
    expect(good.map(({ pairedItem }) => pairedItem)).toEqual([0, 2, 4].map((item) => ({ item })));
    expect(bad.map(({ pairedItem }) => pairedItem)).toEqual([1, 3].map((item) => ({ item })));
    bad.forEach(({ json }, place) => {
      const item = [1, 3][place];
      expect(json).toMatchObject({ sender: 'Stranger', order: item });
      expect(json.error).toMatch(/Error in Alpha-name"$/);
      const { id } = sentTo(sandbox)[item];
      expect(json).toMatchObject({ ...refused.items[item], id, result: 'refused' });
      expect(json.what_to_do).toMatch(new RegExp(`^Row ${item + 1}: choose .*Get Senders`));
      const columns = ['phone', 'sender', 'order'];
      expect(Object.keys(json)).toEqual([...columns, 'result', 'error', 'what_to_do', 'id']);
    });
  });
});

it('names the senders of all channels where the gateway refuses one: it does not say which', async () => {
  const stage = (channel: string, signature: unknown) => ({ channel, message: 'Hi', signature });
  const stages = [
    { ...stage('viber', 'ViberSender'), viberType: 'text' },
    { channel: 'telegram', message: '482913' },
    stage('sms', senderNamed('NoSuchSender')),
  ];
  const { error } = await run({
    parameters: smsForm({ operation: 'sendPipeline', pipeline: { stages } }),
    items: items(1),
  });
  expect(error?.message).toContain('The gateway did not accept the sender: "Error in Alpha-name"');
  expect(error?.description).toContain(
    'Senders of this message: "ViberSender" (Viber), "NoSuchSender" (SMS).',
  );
  const { error: single } = await run({ items: items(1, [0]) });
  expect(single?.message).toContain(
    'The gateway did not accept the sender "Stranger" (SMS): "Error in Alpha-name"',
  );
  expect(single?.description).toContain('Nothing was sent');
  expect(single?.description).toContain('Account: Get Senders lists');
  expect(single?.description).not.toContain('Senders of this message');
});

it('gives invalid input by the error branch, with its input, and sends the rest', async () => {
  const mixed = items(4);
  Object.assign(mixed[2], { phone: 'nobody', message: 'column' });
  const { outputs } = await run({ items: mixed, onError: 'continueErrorOutput' });
  expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 3].map((item) => ({ item })));
  const error = "'Phone Number' is not a phone number: nobody";
  const told = { result: 'invalid', error, what_to_do: "Row 3: correct 'Phone Number'" };
  expect(outputs[1].map(({ json }) => json)).toEqual([{ ...mixed[2], ...told }]);
  expect(sandbox.counts()).toMatchObject({ requests: 1, accepted: 3 });
});

it('a key that the gateway refuses is the error of every item with On Error set to an error branch', async () => {
  const credentials = credentialsFor(sandbox, 'wrong-key');
  const { outputs } = await run({ credentials, onError: 'continueErrorOutput' });
  expect(outputs.map(({ length }) => length)).toEqual([0, 5]);
  for (const { json } of outputs[1])
    expect(json.error).toContain('The gateway did not accept the API key: "Access denied"');
  // What n8n can act on.
  expect((await run({ credentials })).error).toMatchObject({ failure: { cause: 'credential-invalid' } });
});

it('says that no secure connection was made where a server speaks plain HTTP, and sends nothing', async () => {
  const baseUrl = sandbox.baseUrl.replace('http:', 'https:');
  const { error } = await run({ credentials: credentialsFor({ ...sandbox, baseUrl }) });
  expect(error?.message).toContain('No secure connection to the gateway could be made');
  expect(sandbox.counts().requests).toBe(0);
});

describe('what is said of an operation that sends no message', () => {
  const LOOKUP = { resource: 'number', operation: 'lookup', phone: '380501234567' };
  const CREATE = {
    resource: 'smsTemplate',
    operation: 'create',
    template: 'Your code is 1234',
    name: 'Code',
  };
  const DELETE = { resource: 'viberTemplate', operation: 'delete', template: 'Code' };
  const BALANCE = { resource: 'account', operation: 'getBalance' };
  const said = async (parameters: IDataObject, options: Partial<NodeRunOptions> = {}): Promise<string> => {
    const { error } = await run({ parameters, items: [{}], ...options });
    return `${error?.message}\n${error?.description}`;
  };

  it.each<[what: string, parameters: IDataObject, words: RegExp]>([
    [
      'a lookup whose answer is lost',
      LOOKUP,
      /^The connection .*\nThe gateway may have looked it up and billed/,
    ],
    ['a new template', CREATE, /^Unknown whether this was carried out: .*\n.*with Get Many/],
    ['a deletion', DELETE, /^Unknown whether this was carried out: /],
  ])('is about %s', async (_, parameters, words) => {
    sandbox.faults.add({ kind: 'drop-after' });
    const text = await said(parameters);
    expect(text).toMatch(words);
    expect(text).not.toMatch(/\bsen[dt]\b|Get Status|message/);
  });

  it('is that nothing was changed where the gateway refuses', async () => {
    sandbox.faults.add({ kind: 'refuse-items', error: 'No such words' });
    expect(await said(CREATE)).toMatch(/"No such words"\nNothing was changed\. /);
  });

  it('is that rows had no answer, not that nobody asked, where a gateway that was asked again and again is silent', async () => {
    sandbox.faults.add({ kind: 'status-before', status: 504, sparesStatus: false });
    const form = { resource: 'message', operation: 'getStatus', messageId: '={{ $json.order + 1 }}' };
    expect(await said(form, { items: items(3) })).toMatch(
      /Of all rows: 0 of 3 answered, 3 without an answer\.$/,
    );
    expect(sandbox.counts().requests).toBeGreaterThan(1);
  });

  it('is nothing of sending where the key is refused', async () => {
    const credentials = credentialsFor(sandbox, 'wrong-key');
    expect(await said(BALANCE, { credentials })).toMatch(/\nCheck in this order/);
    expect(await said(DELETE, { credentials })).toMatch(/\nNothing was changed\. Check/);
  });
});

it('names the message that may have been sent', async () => {
  sandbox.faults.add({ kind: 'drop-after', sparesStatus: false });
  const { error } = await run({ items: items(2) });
  expect(error?.message).toMatch(/^Unknown whether this was sent: /);
  const [{ id }] = sentTo(sandbox);
  expect(error?.description).toContain(`Its id is ${id}.`);
  expect(error?.description).toContain('0 of 2 accepted, 2 unknown');
  expect(error?.description).not.toContain('Run it again');
});

it('never asks to run again what may have been sent', async () => {
  sandbox.faults.add({ kind: 'refuse', error: 'Internal error' });
  const { error } = await run({
    parameters: { resource: 'otp', operation: 'call', phone: '380501234567' },
    items: [{}],
  });
  expect(error?.message).toMatch(/^Unknown whether this was sent: The gateway reports a fault of its own/);
  expect(error?.description).not.toMatch(/run it again/i);
});
