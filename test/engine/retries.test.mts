/** What outlasts n8n's Retry On Fail and the settings of On Error: journal, ids, reads, and errors of the whole node. */
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor } from '../support/engine.mts';
import type { NodeRunOptions } from '../support/engine.mts';
import { senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

const SEND = smsForm();
const items = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ phone: 447700900000 + i }));
const RETRY = { retryOnFail: true };

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, { parameters, items: items(3), ...more });

it.each<[string, IDataObject, RegExp]>([
  ['an address that is missing', { ...SEND, delivery: 'queued' }, /'Async URL' of the credential is empty/],
  ['a setting out of its range', { ...SEND, options: { batchSize: 0 } }, /'Batch Size' must be a whole/],
])('an error of the node as a whole is that of each item: %s', async (_, parameters, message) => {
  const credentials = credentialsFor({ ...sandbox, asyncUrl: '' });
  const regular = await run(parameters, { credentials, onError: 'continueRegularOutput' });
  expect(regular.json.map(({ error }) => error)).toEqual(Array(3).fill(expect.stringMatching(message)));
  const { outputs } = await run(parameters, { credentials, onError: 'continueErrorOutput' });
  const phones = outputs.map((output) => output.map(({ json }) => json.phone));
  expect(phones).toEqual([[], items(3).map(({ phone }) => phone)]);
  expect((await run(parameters, { credentials })).error?.message).toMatch(message);
  expect(sandbox.counts().accepted).toBe(0);
});

it('asks again for what only reads, in each try', async () => {
  // Four requests of the first try, and one of the second, fail.
  sandbox.faults.add({ kind: 'status-before', status: 502, times: 5 });
  const { status, json } = await run(
    { resource: 'account', operation: 'getBalance' },
    { ...RETRY, items: [{}] },
  );
  expect(status).toBe('success');
  expect(json[0]).toHaveProperty('amount');
  sandbox.faults.add({ kind: 'status-before', status: 502 });
  const failed = await run({ resource: 'account', operation: 'getBalance' }, { items: [{}] });
  expect(failed.error?.description).not.toMatch(/twice|sent/);
});

it('refuses a Message ID that another item of the run was sent with in an earlier try', async () => {
  const list = [
    { phone: 447700900000, id: 1, sender: 'TestSender' },
    { phone: 447700900001, id: 1, sender: 'TestSender' },
    { phone: 447700900002, id: 2, sender: 'Stranger' },
  ];
  const parameters = {
    ...SEND,
    messageId: '={{ $json.id }}',
    smsSignature: senderNamed('={{ $json.sender }}'),
  };
  // With On Error set to continue, n8n repeats the node while its first item carries an error.
  sandbox.faults.add({ kind: 'refuse-items', error: 'Zorble', times: 1 });
  const { json } = await run(parameters, { ...RETRY, items: list, onError: 'continueRegularOutput' });
  expect(json.map(({ error }) => error)).toEqual([
    undefined,
    expect.stringContaining("'Message ID' must be different for each item"),
    expect.stringContaining('Alpha-name'),
  ]);
  expect(sandbox.messages.accepted).toBe(1);
});

it('a call that was made, and whose code was lost with the answer, is an error, is not made again, and is not asked about again', async () => {
  sandbox.faults.add({ kind: 'drop-after', times: 1 });
  const parameters = { resource: 'otp', operation: 'call', phone: '={{ $json.phone }}' };
  const { status, error } = await run(parameters, { ...RETRY, maxTries: 3, items: items(1) });
  expect(status).toBe('error');
  expect(error?.message).toMatch(/^It was carried out, but its one-time password is unknown \(id \d+\)$/);
  const naming = (type: string) => sandbox.requests.filter(({ body }) => JSON.stringify(body).includes(type));
  expect(naming('"call/otp"')).toHaveLength(1);
  expect(naming('"status"')).toHaveLength(1);
});

it('says of a call whose answer is lost, and of which nothing is known, where to look for it', async () => {
  sandbox.faults.add({ kind: 'drop-before', sparesStatus: false });
  const parameters = { resource: 'otp', operation: 'call', phone: '={{ $json.phone }}' };
  const { error } = await run(parameters, { items: items(1) });
  expect(error?.message).toMatch(/^Unknown whether this was sent: /);
  expect(error?.description).toMatch(/^The call may have been made, .* See your gateway account/);
});

it('sends links without the blanks that were pasted around them, and refuses a host and port in place of one', async () => {
  const parameters = {
    resource: 'message',
    operation: 'sendViber',
    phone: '={{ $json.phone }}',
    viberSignature: senderNamed('ViberSender'),
    viberType: 'text+link',
    viberMessage: 'Hello',
    viberButton: 'Open',
    viberLink: ' https://example.com/a\n',
  };
  expect((await run(parameters)).status).toBe('success');
  const [{ body }] = sandbox.requests;
  expect((body as { data: IDataObject[] }).data[0].viber_link).toBe('https://example.com/a');
  const refused = await run({ ...parameters, viberLink: 'example.com:8080/x' });
  expect(refused.error?.message).toContain("'Viber Button Link' must be a complete address");
  const app = await run({ ...parameters, viberLink: 'tel:+447700900000' });
  expect(app.status).toBe('success');
});

it('never queues a call, whose code comes with the answer alone', async () => {
  const parameters = { resource: 'otp', operation: 'call', phone: '={{ $json.phone }}', delivery: 'queued' };
  const { json } = await run(parameters);
  expect(json[0]).toMatchObject({ code: expect.stringMatching(/^\d{4}$/) });
  expect(sandbox.requests.map(({ endpoint }) => endpoint)).toEqual(['sync']);
});
