/** The action node's wait for delivery, on the part of n8n that wakes waiting executions. Large runs are in e2e/wait. */
import type { IDataObject } from 'n8n-workflow';

import { until } from '../../tools/until.mts';
import { ACTION_NODE, credentialsFor, NODE_NAME, PASS_NODE, SOURCE_NODE } from '../support/engine.mts';
import type { WorkflowRunOptions } from '../support/engine.mts';
import { previewGaps } from '../support/previews.mts';
import { smsForm } from '../support/sends.mts';
import { testSandbox, testWaitingHost } from '../support/test-sandbox.mts';

const host = testWaitingHost();
// No outcome but by the callbacks of a test, which come while the execution sleeps.
const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });
beforeEach(() => {
  host.calls.length = 0;
});

async function post(address: string, body: object): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, (await response.json()) as unknown];
}

describe('Wait for Delivery', () => {
  const NODES = [
    { name: 'Start', type: SOURCE_NODE },
    {
      name: NODE_NAME,
      type: ACTION_NODE,
      parameters: smsForm({ waitForDelivery: true, waitAmount: 5, waitUnit: 'minutes' }),
    },
    { name: 'After', type: PASS_NODE },
  ];
  const send = (executionId: string, items: IDataObject[], connections?: WorkflowRunOptions['connections']) =>
    host.run({ executionId, items, credentials: credentialsFor(sandbox), nodes: NODES, connections });

  /** The sleeping execution, woken by the callbacks of its messages. */
  const delivered = async (executionId: string, messages: ReturnType<typeof sandbox.messages.list>) => {
    const woken = host.woken(executionId);
    for (const { operation } of messages) {
      const callback = { success: true, id: operation.id, type: 'sms', status: 'DELIVERED' };
      expect(await post(String(operation.hook), callback)).toEqual([200, { received: true }]);
    }
    return await woken;
  };

  /** The node watches its own executions; it stops when n8n says that the execution has ended. */
  const watcherEnds = async () =>
    await until(9000, 'the watcher to end', () =>
      host.calls.find(({ status, body }) => status === 409 && (body as IDataObject).todo === 'resume'),
    );

  it('sleeps until the callbacks of all messages came, and returns their outcomes in order', async () => {
    const items = [0, 1, 2].map((item) => ({ phone: `38050123456${item}` }));
    const slept = await send('10', items);
    expect(slept.error).toBeUndefined();
    expect(slept.status).toBe('waiting');
    // n8n saves an object once, however often the data of an execution refers to it.
    const { executionData, resultData } = slept.execution;
    const shown = resultData.runData[NODE_NAME][0].data?.main[0];
    const [kept] = executionData?.nodeExecutionStack[0].data.main ?? [];
    expect(kept).toHaveLength(3);
    kept?.forEach((item, i) => expect(shown?.[i]).toBe(item));
    const run = await delivered('10', sandbox.messages.list());
    expect(run.status).toBe('success');
    const output = run.outputs('After')[0];
    const meant = { outcome: 'delivered', final: true, success: true, arrived: true };
    expect(output).toMatchObject(
      items.map(({ phone }, item) => ({ json: { phone: Number(phone), ...meant }, pairedItem: { item } })),
    );
    const jsons = output.map(({ json }) => json);
    expect(previewGaps('message', 'sendSms', jsons)).toEqual([]);
    expect(sandbox.counts()).toMatchObject({ accepted: 3, doubledIds: 0 });
    await watcherEnds();
  });

  it('sends and waits for the items of each of two branches into the node', async () => {
    const slept = await send(
      '13',
      [{ phone: '447700900001' }],
      [
        ['Start', NODE_NAME],
        ['Start', NODE_NAME],
        [NODE_NAME, 'After'],
      ],
    );
    expect(slept.status).toBe('waiting');
    const messages = () => sandbox.messages.list();
    const second = await delivered('13', messages());
    expect([second.status, messages().length]).toEqual(['waiting', 2]);
    const run = await delivered('13', messages().slice(1));
    expect(run.status).toBe('success');
    const outcomes = [0, 1].map((index) => run.outputs('After', index)[0].map(({ json }) => json.outcome));
    expect(outcomes).toEqual([['delivered'], ['delivered']]);
    expect(sandbox.counts()).toMatchObject({ accepted: 2, doubledIds: 0 });
    await watcherEnds();
  });
});
