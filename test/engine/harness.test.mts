import type { INodeType } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/server.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import {
  ACTION_NODE,
  credentialsFor,
  EXPRESSION_ENGINES,
  NODE_NAME,
  PASS_NODE,
  runNode,
  runWorkflow,
  SOURCE_NODE,
  useExpressionEngine,
} from '../support/engine.mts';
import { smsForm } from '../support/sends.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const SEND = smsForm({ smsMessage: '=Code {{ $json.code }}' });

const TWO = [
  { phone: '380501234567', code: 1234 },
  { phone: '380501234568', code: 5678 },
];

const BAD = [...TWO, { phone: 'nobody', code: 1 }];

describe.each(EXPRESSION_ENGINES)('with the %s expression engine', (engine) => {
  beforeAll(() => useExpressionEngine(engine));
  afterAll(() => useExpressionEngine('legacy'));

  it('sends what the items say, and pairs the results with them', async () => {
    const run = await runNode({ parameters: SEND, items: TWO, credentials: credentialsFor(sandbox) });
    expect(run.error).toBeUndefined();
    expect(run.status).toBe('success');
    expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    expect(run.json.map(({ phone }) => phone)).toEqual([380501234567, 380501234568]);
    expect(sandbox.counts()).toMatchObject({ requests: 1, accepted: 2 });
    expect(sandbox.requests[0].body).toMatchObject({
      auth: '***',
      data: [{ sms_message: 'Code 1234' }, { sms_message: 'Code 5678' }],
    });
  });
});

it('stops at bad input before a request leaves', async () => {
  const run = await runNode({ parameters: SEND, items: BAD, credentials: credentialsFor(sandbox) });
  expect(run.status).toBe('error');
  expect(run.error?.message).toMatch(/^'Phone Number' must be .* \[item 2\]$/);
  expect(run.outputs).toEqual([]);
  expect(sandbox.counts().requests).toBe(0);
});

it('gives what failed on the error branch', async () => {
  const run = await runNode({
    parameters: SEND,
    items: BAD,
    onError: 'continueErrorOutput',
    credentials: credentialsFor(sandbox),
  });
  expect(run.outputs[0]).toHaveLength(2);
  expect(run.outputs[1]).toHaveLength(1);
  expect(run.outputs[1][0].json).toMatchObject({ error: expect.stringContaining('[item 2]') });
});

it('gives what failed among the others with On Error set to continue', async () => {
  const run = await runNode({
    parameters: SEND,
    items: BAD,
    onError: 'continueRegularOutput',
    credentials: credentialsFor(sandbox),
  });
  expect(run.json.map((json) => 'error' in json)).toEqual([false, false, true]);
});

it('retries, and the run data of the execution outlasts the tries', async () => {
  sandbox.faults.add({ kind: 'drop-after', times: 1 });
  const run = await runNode({
    parameters: SEND,
    items: TWO,
    retryOnFail: true,
    maxTries: 3,
    waitBetweenTries: 1,
    credentials: credentialsFor(sandbox),
  });
  expect(run.status).toBe('success');
  expect(run.json).toHaveLength(2);
  expect(sandbox.counts()).toMatchObject({ accepted: 2, doubledIds: 0 });
});

it('runs a workflow of several nodes, with nodes of the test among them', async () => {
  const seen: unknown[] = [];
  const spy: INodeType = {
    description: {
      displayName: 'Spy',
      name: 'spy',
      group: ['transform'],
      version: 1,
      description: 'Spy',
      defaults: { name: 'Spy' },
      inputs: ['main'],
      outputs: ['main'],
      properties: [{ displayName: 'What', name: 'what', type: 'string', default: '' }],
    },
    async execute() {
      const items = this.getInputData();
      seen.push(...items.map((_, index) => this.getNodeParameter('what', index)));
      return await Promise.resolve([items]);
    },
  };
  const run = await runWorkflow({
    items: BAD,
    credentials: credentialsFor(sandbox),
    nodeTypes: { 'test.spy': spy },
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: NODE_NAME, type: ACTION_NODE, parameters: SEND, onError: 'continueErrorOutput' },
      { name: 'Sent', type: 'test.spy', parameters: { what: "={{ $('Start').item.json.code }}" } },
      { name: 'Failed', type: PASS_NODE },
    ],
    connections: [
      ['Start', NODE_NAME],
      [NODE_NAME, 'Sent', 0],
      [NODE_NAME, 'Failed', 1],
    ],
  });
  expect(run.error).toBeUndefined();
  expect(seen).toEqual([1234, 5678]);
  expect(run.outputs('Failed')[0]).toHaveLength(1);
});

it("merges the input on the error branch as n8n does: where an item holds a reason, but no 'error' of its own", async () => {
  const failing: INodeType = {
    description: {
      displayName: 'Failing',
      name: 'failing',
      group: ['transform'],
      version: 1,
      description: 'Failing',
      defaults: { name: 'Failing' },
      inputs: ['main'],
      outputs: ['main'],
      properties: [],
    },
    async execute() {
      const reason = { error: 'No', details: { id: 1 } };
      const [first, second] = [0, 1].map((item) => ({ json: { ...reason }, pairedItem: { item } }));
      const error = new NodeOperationError(this.getNode(), 'No');
      return await Promise.resolve([[first, { ...second, error }]]);
    },
  };
  const run = await runNode({
    parameters: {},
    type: 'test.failing',
    items: TWO,
    onError: 'continueErrorOutput',
    nodeTypes: { 'test.failing': failing },
  });
  expect(run.outputs[1].map(({ json }) => json)).toEqual([
    { ...TWO[0], error: 'No', details: { id: 1 } },
    { error: 'No' },
  ]);
});

it('cancels an execution', async () => {
  sandbox.faults.add({ kind: 'slow', delayMs: 300, times: 1 });
  const run = await runNode({
    parameters: { ...SEND, options: { batchSize: 1 } },
    items: TWO,
    abortWhen: () => sandbox.counts().accepted === 1,
    credentials: credentialsFor(sandbox),
  });
  expect(run.status).toBe('canceled');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(sandbox.counts()).toMatchObject({ requests: 1, accepted: 1 });
});
