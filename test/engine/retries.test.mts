/** What outlasts n8n's Retry On Fail, the settings of On Error, and a stop: journal, ids, reads, errors of the whole node. */
import type { IDataObject } from 'n8n-workflow';

import { credentialsFor, NODE_NAME, retry } from '../support/engine.mts';
import type { NodeRun, NodeRunOptions } from '../support/engine.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';
import { startWebServer } from '../support/web-server.mts';

const sandbox = testSandbox();

const SEND = smsForm();
const items = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({ phone: 447700900000 + i }));
const RETRY = { retryOnFail: true };

const run = async (parameters: IDataObject, more: Partial<NodeRunOptions> = {}) =>
  await runOn(sandbox, { parameters, items: items(3), ...more });

it.each<[string, IDataObject, RegExp]>([
  [
    'an address that is missing',
    { ...SEND, options: { delivery: 'queued' } },
    /'Queue Address' of the credential is empty/,
  ],
  [
    'a setting out of its range',
    { ...SEND, options: grouped({ batchSize: 0 }) },
    /'Batch Size' must be a whole/,
  ],
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
  const parameters = { resource: 'account', operation: 'getBalance' };
  // Four requests of the first try, and one of the second, fail.
  sandbox.faults.add({ kind: 'status-before', status: 502, times: 5 });
  const { status, json } = await run(parameters, { ...RETRY, items: [{}] });
  expect([status, json]).toEqual(['success', [expect.objectContaining({ amount: expect.any(Number) })]]);
  sandbox.faults.add({ kind: 'status-before', status: 502 });
  const failed = await run(parameters, { items: [{}] });
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
    options: { messageId: '={{ $json.id }}' },
    smsSignature: senderNamed('={{ $json.sender }}'),
  };
  // With On Error set to continue, n8n repeats the node while its first item carries an error.
  sandbox.faults.add({ kind: 'refuse-items', error: 'Zorble', times: 1 });
  const { json } = await run(parameters, { ...RETRY, items: list, onError: 'continueRegularOutput' });
  expect(json.map(({ error }) => error)).toEqual([
    undefined,
    expect.stringContaining("'Message ID' is the same as for row 1"),
    expect.stringContaining('Alpha-name'),
  ]);
  expect(sandbox.messages.accepted).toBe(1);
});

const CALL = { resource: 'otp', operation: 'call', phone: '={{ $json.phone }}' };

it('a call that was made, and whose code was lost with the answer, is an error, is not made again, and is not asked about again', async () => {
  sandbox.faults.add({ kind: 'drop-after', times: 1 });
  const { status, error } = await run(CALL, { ...RETRY, maxTries: 3, items: items(1) });
  expect(status).toBe('error');
  expect(error?.message).toMatch(/^The call was made, but its code is unknown$/);
  const naming = (type: string) => sandbox.requests.filter(({ body }) => JSON.stringify(body).includes(type));
  expect(naming('"call/otp"')).toHaveLength(1);
  expect(naming('"status"')).toHaveLength(1);
});

it.each([null, false, '', '12'])('takes no call for done whose code is %j', async (code) => {
  const server = await startWebServer((response, { body }) => {
    const { data } = JSON.parse(body) as { data: Array<{ id: number }> };
    const results = data.map(({ id }) => ({ success: true, data: { id, code, price: 1 } }));
    response.end(JSON.stringify({ success: true, data: results }));
  });
  const { error } = await run(CALL, {
    items: items(1),
    credentials: credentialsFor({ ...sandbox, baseUrl: server.url }),
  });
  await server.close();
  expect(error?.message).toBe('The call was made, but its code is unknown');
});

it('says of a call whose answer is lost, and of which nothing is known, where to look for it', async () => {
  sandbox.faults.add({ kind: 'drop-before', sparesStatus: false });
  const { error } = await run(CALL, { items: items(1) });
  expect(error?.message).toMatch(/^Unknown whether this was sent: /);
  expect(error?.description).toMatch(/^It was not sent again, .* in your gateway account/);
});

it('never queues a call, whose code comes with the answer alone', async () => {
  const { json } = await run({ ...CALL, options: { delivery: 'queued' } });
  expect(json[0]).toMatchObject({ code: expect.stringMatching(/^\d{4}$/) });
  expect(sandbox.requests.map(({ endpoint }) => endpoint)).toEqual(['sync']);
});

/** What n8n keeps of a stopped node, which throws away its output: the journal in the run data, by item. */
function journalOf({ execution }: NodeRun): Array<{ jsons?: unknown }> {
  const contexts = Object.values(execution.executionData?.contextData ?? {});
  const journal = contexts.map((context) => context.messagingGatewayJournal).find(Boolean) ?? {};
  return Object.values(Object.values(journal as Record<string, object>)[0] ?? {});
}

it('sends no further batch once the execution is stopped, and says of each message what became of it', async () => {
  sandbox.faults.add({ kind: 'slow', delayMs: 100 });
  const stopped = await run(
    { ...SEND, options: grouped({ batchSize: 10 }) },
    {
      items: items(1000),
      onError: 'continueRegularOutput',
      abortWhen: () => sandbox.requests.length >= 5,
    },
  );
  const requests = sandbox.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  // One may have been on its way.
  expect(sandbox.requests.length).toBeLessThanOrEqual(requests + 1);
  expect(requests).toBeLessThan(50);
  expect(stopped.status).toBe('canceled');

  const accepted = journalOf(stopped).filter((entry) => entry.jsons !== undefined).length;
  const given = stopped.json.filter(({ error }) => error === undefined).length;
  expect(Math.max(accepted, given)).toBeGreaterThan(0);
  expect(Math.max(accepted, given)).toBeLessThanOrEqual(sandbox.messages.accepted);
});

it('an edited wait that can not be read ends a Retry before anything leaves, and rows that are done keep their results', async () => {
  const list = [...items(2), { phone: 447700900002, sender: 'Stranger' }].map((item) => ({
    sender: 'TestSender',
    ...item,
  }));
  const failed = await run({ ...SEND, smsSignature: senderNamed('={{ $json.sender }}') }, { items: list });
  expect(failed.status).toBe('error');
  const edited = failed.parts.graph.getNode(NODE_NAME)!;
  Object.assign(edited.parameters, { waitForDelivery: true, waitAmount: -1, waitUnit: 'minutes' });
  const stopped = await retry(failed, NODE_NAME);
  expect(stopped.error?.message).toMatch(/^'Wait Amount' must be a number above 0/);
  edited.onError = 'continueRegularOutput';
  const { requests } = sandbox.counts();
  const [rows] = (await retry(failed, NODE_NAME)).outputs(NODE_NAME);
  expect(rows.map(({ json }) => [typeof json.msg_id, json.error ?? ''])).toEqual([
    ['number', ''],
    ['number', ''],
    ['undefined', expect.stringContaining('Error in Alpha-name')],
  ]);
  expect(sandbox.counts()).toMatchObject({ requests, accepted: 2 });
});

it.each(['smsTemplate', 'viberTemplate'])(
  'a limit of %s: Get Many is checked before its request',
  async (resource) => {
    const parameters = { resource, operation: 'getAll', returnAll: false, limit: '={{ $json.most }}' };
    const list = [{ most: 5 }, { most: 0 }, { most: 5 }];
    const { json } = await run(parameters, { items: list, onError: 'continueRegularOutput' });
    expect(json.map(({ error }) => error).filter(Boolean)).toEqual([
      expect.stringContaining("'Limit' must be a whole number"),
    ]);
    const { requests } = sandbox.counts();
    expect((await run(parameters, { items: list })).error?.message).toContain("'Limit' must be");
    expect(sandbox.counts().requests).toBe(requests);
  },
);
