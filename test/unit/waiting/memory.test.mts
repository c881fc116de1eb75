/** How long a process keeps the data of the executions that it watches: as long as they wait. On n8n's own contexts. */
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IExecuteFunctions, IWebhookData, IWebhookFunctions } from 'n8n-workflow';

import { receiveCallback } from '../../../nodes/MessagingGateway/waiting/callbacks.ts';
import { OpenWait } from '../../../nodes/MessagingGateway/waiting/open-wait.ts';
import { Watches } from '../../../nodes/MessagingGateway/waiting/watch.ts';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { shortOrLong } from '../../support/long-form.mts';
import { contextParts } from '../../support/contexts.mts';
import { core, workflow as n8n } from '../../support/engine-parts.mts';
import { startWebServer } from '../../support/web-server.mts';
import type { WebServer } from '../../support/web-server.mts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

let sandbox: Sandbox;
let server: WebServer;

beforeAll(async () => {
  sandbox = await startSandbox();
  server = await startWebServer((response) => {
    response.writeHead(410, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'The execution does not wait for this' }));
  });
});
afterAll(async () => {
  await sandbox.close();
  await server.close();
});

/** An execution with one message, and what n8n's contexts of it are made of. */
function partsOf(index: number) {
  const credential = { apiKey: sandbox.account().key, baseUrl: sandbox.baseUrl };
  const parts = contextParts(credential, String(index));
  const { node } = parts;
  const items = [{ json: { id: index + 1, type: 'sms', outcome: 'unknown', final: false } }];
  const step = { node, data: { main: [items] }, source: null };
  const execution = n8n.createRunExecutionData({ executionData: { nodeExecutionStack: [step] } });
  return { ...parts, items, step, execution, key: `sleep-${index}` };
}

const resumeUrl = () => `${server.url}/webhook-waiting/1`;

/** Has a process watch an execution. Returns references to its data that don't keep them. */
type Start = (watches: Watches, index: number, limitAt: number) => Promise<Array<WeakRef<object>>>;

/** A callback comes to a process that doesn't know the execution. */
const called: Start = async (watches, index, limitAt) => {
  const { node, graph, extra, execution, key } = partsOf(index);
  const exchange = {
    // As in n8n's executeWebhook(), where functions of this object refer to the execution.
    checkTriggerCredentialStatus: async () => await Promise.resolve(execution as never),
    httpRequest: {
      method: 'POST',
      body: { id: index + 1, success: false, status: 'SENT' },
      headers: {},
    } as never,
    httpResponse: {} as never,
  };
  const context = new core.WebhookContext(
    graph,
    node,
    Object.assign(extra, exchange),
    'webhook',
    {} as IWebhookData,
    [],
    execution,
  ) as IWebhookFunctions;
  context.evaluateExpression = (expression: string) =>
    expression.includes('resumeUrl') ? resumeUrl() : ({ key, limitAt } as never);
  expect(await receiveCallback(context, watches)).toEqual({ webhookResponse: { received: true } });
  return [new WeakRef(execution)];
};

/** The execution's node runs in the process. */
const ran: Start = async (watches, index, limitAt) => {
  const { node, graph, extra, items, step, execution, key } = partsOf(index);
  const context = new core.ExecuteContext(
    graph,
    node,
    extra,
    'trigger',
    execution,
    0,
    items,
    { main: [items] },
    step,
    [],
  ) as IExecuteFunctions;
  context.evaluateExpression = resumeUrl;
  await watches.start(context, { key, limitAt }, new OpenWait(items.map(({ json }) => json)));
  return [new WeakRef(execution), new WeakRef(items)];
};

const COUNT = shortOrLong(20, 100);
/** Milliseconds for which the executions sleep. */
const LIMIT = 600_000;
const clock = Date.now;

afterEach(() => jest.restoreAllMocks());

it.each<[string, Start]>([
  ['whose callback came to it', called],
  ['whose node ran in it', ran],
])('A process forgets the data of an execution %s as soon as the wait is over.', async (_, start) => {
  const watches = new Watches();
  const limitAt = Date.now() + LIMIT;
  const references: Array<WeakRef<object>> = [];
  for (let i = 0; i < COUNT; i++) references.push(...(await start(watches, i, limitAt)));
  expect(watches.size).toBe(COUNT);
  jest.spyOn(Date, 'now').mockImplementation(() => clock() + LIMIT);
  while (watches.size > 0) await later(20);
  // A WeakRef keeps its target until the end of the turn.
  for (let i = 0; i < 5; i++) {
    await later(20);
    collectGarbage();
  }
  expect(references.filter((reference) => reference.deref() !== undefined)).toHaveLength(0);
});
