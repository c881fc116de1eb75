/** The action node's wait for delivery, on the part of n8n that wakes waiting executions. Large runs are in e2e/wait. */
import type { IDataObject } from 'n8n-workflow';

import { sleepsOn } from '../../nodes/MessagingGateway/suspend/sleep.ts';
import { until } from '../../tools/until.mts';
import type { NodeSettings } from '../support/engine.mts';
import { ACTION_NODE, credentialsFor, NODE_NAME, PASS_NODE, SOURCE_NODE } from '../support/engine.mts';
import { previewGaps } from '../support/previews.mts';
import { grouped, senderNamed, smsForm } from '../support/sends.mts';
import { testSandbox, testWaitingHost } from '../support/test-sandbox.mts';
import { postJson } from '../support/web-server.mts';

const host = testWaitingHost();
// No outcome but by the callbacks of the test, which come while the execution sleeps.
const sandbox = testSandbox({ config: { outcomes: { fallback: { steps: [] } } } });

const run = async (items: IDataObject[], parameters: IDataObject, settings: NodeSettings = {}) =>
  await host.run({
    items,
    credentials: credentialsFor(sandbox),
    nodes: [
      { name: 'Start', type: SOURCE_NODE },
      { name: NODE_NAME, type: ACTION_NODE, parameters: smsForm(parameters), ...settings },
      { name: 'After', type: PASS_NODE },
    ],
  });

it('Wait for Delivery sleeps until the callbacks of all messages came, returns their outcomes in order, and stops watching', async () => {
  const items = [0, 1, 2].map((item) => ({ phone: `38050123456${item}` }));
  const slept = await run(items, { waitForDelivery: true, waitAmount: 5, waitUnit: 'minutes' });
  expect(slept.error).toBeUndefined();
  expect(slept.status).toBe('waiting');
  // n8n saves an object once, however often the data of an execution refers to it.
  const { executionData, resultData } = slept.execution;
  const shown = resultData.runData[NODE_NAME][0].data?.main[0];
  const [kept] = executionData?.nodeExecutionStack[0].data.main ?? [];
  expect(kept).toHaveLength(3);
  kept?.forEach((item, i) => expect(shown?.[i]).toBe(item));

  // As n8n saves it, the execution sleeps until it has woken.
  const { key } = executionData?.contextData[`node:${NODE_NAME}`].messagingGatewaySleep as { key: string };
  const sleeps = async ({ execution }: Pick<typeof slept, 'execution'>) => {
    const saved = JSON.parse(JSON.stringify(execution)) as object;
    const getRunExecutionData = async () => await Promise.resolve(saved);
    return await sleepsOn({ additionalData: { getRunExecutionData } } as never, slept.id, key);
  };
  expect(await sleeps(slept)).toBe(true);

  const woken = host.woken(slept.id);
  for (const { operation } of sandbox.messages.list()) {
    const callback = { success: true, id: operation.id, type: 'sms', status: 'DELIVERED' };
    const answer = await postJson(String(operation.hook), callback);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  }
  const woke = await woken;
  expect(woke.status).toBe('success');
  expect(await sleeps(woke)).toBe(false);
  const output = woke.outputs('After')[0];
  const meant = { outcome: 'delivered', final: true, success: true, arrived: true };
  expect(output).toMatchObject(
    items.map(({ phone }, item) => ({ json: { phone: Number(phone), ...meant }, pairedItem: { item } })),
  );
  const jsons = output.map(({ json }) => json);
  expect(previewGaps('message', 'sendSms', jsons)).toEqual([]);
  expect(sandbox.counts()).toMatchObject({ accepted: 3, doubledIds: 0 });
  // The node watches its own execution until n8n says that it has ended.
  await until('the watcher to end', () =>
    host.calls.find(({ status, body }) => status === 409 && Boolean((body as IDataObject).wake)),
  );
});

it.each([
  [1, 1],
  [20, 20],
  [21, 20],
  [500, 20],
  [2000, 5],
  [5000, 3],
])('of %i messages, gives %i the address of the execution, spread over the run', async (count, most) => {
  const items = Array.from({ length: count }, (_, item) => ({ phone: String(380501230000 + item) }));
  await run(items, { waitForDelivery: true });
  const addressed = sandbox.messages.list().flatMap(({ operation }, item) => (operation.hook ? [item] : []));
  expect(addressed).toHaveLength(most);
  const gaps = addressed.map((item, i) => item - (addressed[i - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.ceil(count / most));
  expect(addressed[0]).toBe(0);
});

it('says on the error branch what to do about a row that failed, and which message that was', async () => {
  const items = [
    { phone: '380501234560', sender: 'Stranger' },
    { phone: '380501234561', sender: 'TestSender' },
  ];
  const parameters = { waitForDelivery: true, smsSignature: senderNamed('={{ $json.sender }}') };
  const slept = await run(items, parameters, { onError: 'continueErrorOutput' });
  expect(slept.status).toBe('waiting');
  const woken = host.woken(slept.id);
  const [{ operation }] = sandbox.messages.list();
  await postJson(String(operation.hook), { success: true, id: operation.id, status: 'DELIVERED' });
  const [good, bad] = (await woken).outputs(NODE_NAME);
  expect(good).toMatchObject([{ json: { id: operation.id, outcome: 'delivered' } }]);
  const text = /Alpha-name.*Row 1: .*ID of the message: \d{16}$/;
  expect(bad).toMatchObject([{ json: { ...items[0], error: expect.stringMatching(text) as string } }]);
});

it('waits for every row that is open, also for one that was sent before and does not ask to wait', async () => {
  const parameters = {
    waitForDelivery: '={{ $json.waits }}',
    options: grouped({ sendOnceKey: '={{ $json.order }}' }),
  };
  const earlier = { order: '1', phone: '380501234561', waits: false };
  await run([earlier], parameters);
  const slept = await run([{ order: '2', phone: '380501234562', waits: true }, earlier], parameters);
  expect(slept.status).toBe('waiting');
  const woken = host.woken(slept.id);
  const [before, after] = sandbox.messages.list();
  for (const { id } of [after, before])
    await postJson(String(after.operation.hook), { success: true, id, type: 'sms', status: 'DELIVERED' });
  const output = (await woken).outputs('After')[0].map(({ json }) => json);
  expect(output).toMatchObject([
    { outcome: 'delivered', final: true },
    { outcome: 'delivered', final: true, result: 'duplicate' },
  ]);
});

it('waits as long as the first row that waits says', async () => {
  const items = [
    { phone: '380501234561', wait: false, minutes: 600 },
    { phone: '380501234562', wait: true, minutes: 60 },
    { phone: '380501234563', wait: true, minutes: 5 },
  ];
  const slept = await run(items, {
    ...{ waitForDelivery: '={{ $json.wait }}', waitAmount: '={{ $json.minutes }}', waitUnit: 'minutes' },
  });
  expect(slept.status).toBe('waiting');
  const minutes = (Number(slept.waitTill) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(59);
  // n8n itself goes on a minute after the limit.
  expect(minutes).toBeLessThanOrEqual(61);
  await host.passLimit(slept.id);
});
