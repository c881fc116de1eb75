/**
 * What the package uses of n8n without n8n documenting it (nodes/n8n/undocumented.ts), against the engine itself: a test here
 * fails once n8n changes it. What an agent's run looks like is in human-review.test.mts and agent-tool.test.mts.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { savedExecution, savedItems, sleepAlone, toErrorBranch } from '../../nodes/n8n/undocumented.ts';
import { core } from '../support/engine-parts.mts';
import { PASS_NODE, SOURCE_NODE, stand } from '../support/engine.mts';
import { testWaitingHost } from '../support/test-sandbox.mts';

const host = testWaitingHost();
/** What webhook() got. */
let seen: { isOwn: boolean; items: INodeExecutionData[] };

const ITEMS = [{ json: { kept: 'asleep' } }];
const sleeper = stand('sleeper', ['main'], {
  async execute() {
    this.getContext('node').url = this.evaluateExpression('{{ $execution.resumeUrl }}', 0) as string;
    await this.putExecutionToWait(new Date(Date.now() + 60_000));
    sleepAlone(this, ITEMS);
    return [this.getInputData()];
  },
  async webhook() {
    const isOwn = Array.isArray((this as unknown as { connectionInputData?: unknown }).connectionInputData);
    seen = { isOwn, items: savedItems(this) };
    return await Promise.resolve({ workflowData: [[{ json: { woken: true } }]], webhookResponse: {} });
  },
});
sleeper.description.webhooks = [
  {
    name: 'default',
    httpMethod: 'POST',
    path: '={{ $nodeId }}',
    restartWebhook: true,
    isFullPath: true,
    responseData: '',
  },
];

/** Runs two branches into one node that sleeps. */
const twoBranches = async () =>
  await host.run({
    items: [{ entered: true }],
    nodeTypes: { 'test.sleeper': sleeper },
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: 'Sleep', type: 'test.sleeper' },
      { name: 'After', type: PASS_NODE },
    ],
    connections: [
      ['Start', 'Sleep'],
      ['Start', 'Sleep'],
      ['Sleep', 'After'],
    ],
  });

const jsonOf = (items: INodeExecutionData[]): IDataObject[] => items.map(({ json }) => json);

it('a sleeping entry passes its own items on at the limit, and each further entry sleeps by itself', async () => {
  const { id, waitTill } = await twoBranches();
  expect(waitTill).toBeDefined();
  const second = await host.passLimit(id);
  expect(jsonOf(second.outputs('After')[0] ?? [])).toEqual([{ kept: 'asleep' }]);
  expect(second.waitTill).toBeDefined();
  const last = await host.passLimit(id);
  expect(last.waitTill).toBeUndefined();
  expect(jsonOf(last.outputs('After', 1)[0])).toEqual([{ kept: 'asleep' }]);
});

it('a called execution has the items with which it fell asleep at hand', async () => {
  const { id, execution } = await twoBranches();
  const { url } = execution.executionData!.contextData['node:Sleep'] as { url: string };
  const woken = host.woken(id);
  expect((await fetch(`${url}/node-1`, { method: 'POST' })).status).toBe(200);
  await woken;
  expect(seen).toMatchObject({ isOwn: true, items: [{ json: { kept: 'asleep' } }] });
});

it('n8n reads a saved execution by the function of the additional data that a called execution has as well', async () => {
  const asked: string[] = [];
  const getRunExecutionData = async (id: string) => {
    asked.push(id);
    return await Promise.resolve({ waitTill: new Date() });
  };
  const additionalData = { getRunExecutionData } as never;
  const { getExecutionDataById } = core.ExecuteContext.prototype;
  await getExecutionDataById.call({ additionalData } as never, '7');
  const parts = [{}, {}, additionalData, 'trigger', {}, []] as unknown as ConstructorParameters<
    typeof core.WebhookContext
  >;
  expect(await savedExecution(new core.WebhookContext(...parts), '8')).toHaveProperty('waitTill');
  expect(asked).toEqual(['7', '8']);
});

it('an item with an error that is not enumerable leaves by the error branch with all its fields, over those of its row', async () => {
  const failing = stand('failing', ['main'], {
    async execute() {
      const item = toErrorBranch({ json: { error: 'Bad', code: 7 }, pairedItem: { item: 1 } }, 'Bad');
      return await Promise.resolve([[{ json: { good: true }, pairedItem: { item: 0 } }, item]]);
    },
  });
  const { outputs } = await host.run({
    items: [{ row: 1 }, { row: 2, code: 1 }],
    nodeTypes: { 'test.failing': failing },
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: 'Fail', type: 'test.failing', onError: 'continueErrorOutput' },
    ],
  });
  expect(outputs('Fail').map(jsonOf)).toEqual([[{ good: true }], [{ row: 2, error: 'Bad', code: 7 }]]);
});
