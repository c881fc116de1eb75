/**
 * What a new capability costs: an operation of each kind is one file (test/support/operations) and one line in the list
 * of operations. Each runs here in n8n's engine, without another file knowing of it.
 */
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import { credentialsFor, PACKAGE_NAME, runNode } from '../support/engine.mts';
import { optionNames, shownFields } from '../support/form.mts';
import { codeOf, sendSecret } from '../support/operations/choosing-operation.mts';
import { ask } from '../support/operations/page-operation.mts';
import { sendReminder } from '../support/operations/plain-operation.mts';
import { senderNamed } from '../support/sends.mts';
import { startWaitingHost } from '../support/waiting-host.mts';
import type { WaitingHost } from '../support/waiting-host.mts';

const NODE = `${PACKAGE_NAME}.extended`;

let node: INodeType;
let sandbox: Sandbox;
let host: WaitingHost;

beforeAll(async () => {
  // The line in the list; the form is made from it when the node is loaded.
  OPERATIONS.push(sendReminder, sendSecret, ask);
  const { MessagingGateway } = await import('../../nodes/MessagingGateway/MessagingGateway.node.ts');
  node = new MessagingGateway();
  sandbox = await startSandbox();
  host = await startWaitingHost();
});

afterAll(async () => {
  await host.close();
  await sandbox.close();
});

const PHONE = '={{ $json.phone }}';
const ITEMS = [1, 2, 3, 4].map((n) => ({ phone: 447700900000 + n, via: n % 2 ? 'sms' : 'telegram' }));

const run = async (parameters: IDataObject, more: object = {}) =>
  await runNode({
    type: NODE,
    nodeTypes: { [NODE]: node },
    credentials: credentialsFor(sandbox),
    items: ITEMS,
    parameters,
    ...more,
  });

const sentOperations = () =>
  sandbox.requests
    .flatMap(({ body }) => (body as { data: IDataObject[] }).data)
    .filter(({ type }) => type !== 'status');

beforeEach(() => (sandbox.requests.length = 0));

it('sends a plain operation, with form, checks and options that follow from the contract', async () => {
  const parameters = {
    resource: 'message',
    operation: 'sendReminder',
    phone: PHONE,
    smsSignature: senderNamed(),
    smsMessage: 'Tomorrow at ten',
  };
  const { json } = await run(parameters);
  expect(json.map(({ type, phone }) => [type, phone])).toEqual(ITEMS.map(({ phone }) => ['sms', phone]));
  expect(optionNames(shownFields(node.description, parameters as INodeParameters))).toEqual(
    expect.arrayContaining(['smsLifetime', 'checkOnly']),
  );
  const refused = await run({ ...parameters, options: { smsLifetime: 5 } });
  expect(refused.error?.message).toMatch(
    /'SMS Lifetime \(Seconds\)' must be a whole number of seconds from 3600/,
  );
});

describe('an operation that chooses its wire type for each item', () => {
  const parameters = { resource: 'otp', operation: 'sendSecret', phone: PHONE, via: '={{ $json.via }}' };

  it('sends several types in one request, and keeps its code to itself', async () => {
    const { json, execution } = await run(parameters);
    expect(sandbox.requests).toHaveLength(1);
    expect(sentOperations().map(({ type }) => type)).toEqual(['sms', 'telegram', 'sms', 'telegram']);
    for (const [i, operation] of sentOperations().entries()) {
      const code = codeOf(json[i].id);
      expect(String(operation.message ?? operation.sms_message)).toContain(code);
      expect(JSON.stringify(execution)).not.toContain(code);
    }
  });

  it('shows what it hides in Check Only neither', async () => {
    const { json } = await run({ ...parameters, options: { checkOnly: true } });
    expect(sandbox.requests).toHaveLength(0);
    for (const item of json) {
      expect(item).toMatchObject({ checked: true });
      expect(JSON.stringify(item)).not.toContain(codeOf(item.id));
    }
  });

  it('builds the same operation again when n8n repeats the node, and its journal has no code', async () => {
    // The second request is refused whatever it holds, so the first try ends with an error.
    sandbox.faults.add({ kind: 'refuse', error: 'Access denied', after: 1, times: 1 });
    const { json, runData } = await run(
      { ...parameters, options: { batchSize: 2 } },
      { retryOnFail: true, maxTries: 2 },
    );
    const sent = sentOperations();
    expect(sent).toHaveLength(6);
    expect(sent.slice(4)).toEqual(sent.slice(2, 4));
    expect(json.map(({ id }) => id)).toEqual([...sent.slice(0, 2), ...sent.slice(4)].map(({ id }) => id));
    for (const { id } of json) expect(JSON.stringify(runData)).not.toContain(codeOf(id));
  });
});

it('sleeps, serves its page by GET and goes on by POST, each item with its own data', async () => {
  const parameters = { resource: 'message', operation: 'ask', question: '=Go on with {{ $json.phone }}?' };
  const nodes = [
    { name: 'Source', type: 'harness.source' },
    { name: 'Ask', type: NODE, parameters },
  ];
  const slept = await host.run({ nodes, nodeTypes: { [NODE]: node }, items: ITEMS, executionId: '71' });
  expect(slept.waitTill).toBeInstanceOf(Date);
  const url = `${host.url}/webhook-waiting/71/node-1?signature=${slept.execution.resumeToken ?? ''}`;
  const page = await fetch(url);
  expect(await page.text()).toContain(`<h1>Go on with ${ITEMS[0].phone}?</h1>`);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(404);
  const woken = host.woken('71');
  const body = new URLSearchParams({ answer: 'yes' });
  expect(await (await fetch(url, { method: 'POST', body })).json()).toEqual({ thanks: true });
  const [items] = (await woken).outputs('Ask');
  expect(items.map(({ json }) => json)).toEqual(
    ITEMS.map(({ phone }) => ({ question: `Go on with ${phone}?`, answer: 'yes' })),
  );
});
