/** What a process keeps of the executions that it watches: messages, and one context for all. On n8n's own contexts. */
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IExecuteFunctions } from 'n8n-workflow';

import { OpenWait } from '../../../nodes/gateway/client/open-wait.ts';
import { watchMessages } from '../../../nodes/MessagingGateway/approval/arrival.ts';
import { watchDelivery } from '../../../nodes/MessagingGateway/delivery-wait/wait-for-delivery.ts';
import { watches } from '../../../nodes/MessagingGateway/suspend/poller.ts';
import { shortOrLong } from '../../support/long-form.mts';
import { contextParts } from '../../support/contexts.mts';
import { core, workflow as n8n } from '../../support/engine-parts.mts';
import { testSandbox } from '../../support/own-sandbox.mts';
import { sendJson, testServer } from '../../support/web-server.mts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const sandbox = testSandbox();
const n8nServer = testServer((response) => {
  sendJson(response, { error: 'The execution does not wait for this' }, 410);
});

/** Has a process watch an execution whose node ran in it. Returns references to its data that don't keep them. */
async function watched(index: number, limitAt: number): Promise<Array<WeakRef<object>>> {
  const credential = { apiKey: sandbox.account().key, baseUrl: sandbox.baseUrl };
  const { node, graph, extra } = contextParts(credential, String(index));
  const items = [{ json: { id: index + 1, type: 'sms', outcome: 'unknown', final: false } }];
  const data = { main: [items] };
  const step = { node, data, source: null };
  const execution = n8n.createRunExecutionData({ executionData: { nodeExecutionStack: [step] } });
  const run = [graph, node, extra, 'trigger', execution, 0, items, data, step] as const;
  const context: IExecuteFunctions = new core.ExecuteContext(...run, []);
  context.evaluateExpression = () => `${n8nServer.url}/webhook-waiting/1`;
  // Waits for delivery and questions in turn.
  const note = { key: `sleep-${index}`, limitAt };
  if (index % 2 === 0) await watchDelivery(context, note, new OpenWait(items.map(({ json }) => json)));
  else {
    const recipients = [{ phone: 447700900001, id: index }];
    await watchMessages(
      context,
      { ...note, recipients, type: 'sms' },
      context.evaluateExpression('', 0) as string,
    );
  }
  return [new WeakRef(execution), new WeakRef(items)];
}

const COUNT = shortOrLong(2000, 6000);
/** Waits before the first measurement, for what the process keeps anyway. */
const FIRST = 200;
/** Bytes of heap for a wait of one message at most: 38,000 with a context for each. */
const MAX_BYTES = 2000;
/** Milliseconds for which the executions sleep. */
const LIMIT = 600_000;
const clock = Date.now;

afterEach(() => jest.restoreAllMocks());

async function heapUsed(): Promise<number> {
  // A WeakRef keeps its target until the end of the turn.
  for (let i = 0; i < 5; i++) {
    await later(20);
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

it('keeps some numbers of each execution, the data of the newest one as long as any waits, and nothing in the end', async () => {
  const limitAt = Date.now() + LIMIT;
  const references: Array<WeakRef<object>> = [];
  const kept = () => references.filter((reference) => reference.deref() !== undefined).length;
  /** Waits as long as a busy machine may need. */
  const untilKept = async (count: number) => {
    for (let seconds = 0; seconds < 20 && kept() > count; seconds++) {
      await later(1000);
      await heapUsed();
    }
    expect(kept()).toBe(count);
  };
  for (let i = 0; i < FIRST; i++) references.push(...(await watched(i, limitAt)));
  const before = await heapUsed();
  for (let i = FIRST; i < FIRST + COUNT; i++) references.push(...(await watched(i, limitAt)));
  // A question under way holds the context with which it began.
  await untilKept(2);
  const bytes = ((await heapUsed()) - before) / COUNT;
  expect(watches.size).toBe(FIRST + COUNT);
  expect(bytes).toBeLessThan(MAX_BYTES);
  jest.spyOn(Date, 'now').mockImplementation(() => clock() + LIMIT);
  while (watches.size > 0) await later(20);
  // The poller looks at its waits once more.
  await untilKept(0);
});
