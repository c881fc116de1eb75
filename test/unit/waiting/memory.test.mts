/** What a process keeps of the executions that sleep in it: nothing of their data. On n8n's own contexts of webhooks. */
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { INode, IWebhookData, IWebhookFunctions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials.ts';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node.ts';
import { callReceiver } from '../../../nodes/MessagingGateway/waiting/callbacks.ts';
import { WaitKeeper } from '../../../nodes/MessagingGateway/waiting/keeper.ts';
import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { additionalData, credentialsHelper, nodeTypesOf, PACKAGE_NAME } from '../../support/engine-host.mts';
import { core, workflow as n8n } from '../../support/engine-parts.mts';
import { startWebServer } from '../../support/web-server.mts';
import type { WebServer } from '../../support/web-server.mts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const TYPE = `${PACKAGE_NAME}.messagingGateway`;
const CREDENTIAL = 'messagingGatewayApi';
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

/** Has one execution adopted, as n8n calls it. Returns a reference to its data that doesn't keep it. */
async function adopted(keeper: WaitKeeper, index: number, limitAt: number): Promise<WeakRef<object>> {
  const node: INode = {
    id: 'node',
    name: 'Send',
    type: TYPE,
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
    credentials: { [CREDENTIAL]: { id: '1', name: 'Test' } },
  };
  const nodeTypes = nodeTypesOf({ [TYPE]: new MessagingGateway() });
  const graph = new n8n.Workflow({ id: 'w', nodes: [node], connections: {}, active: false, nodeTypes });
  const credential = { apiKey: sandbox.account().key, baseUrl: sandbox.baseUrl };
  const helper = credentialsHelper({ [CREDENTIAL]: new MessagingGatewayApi() }, { [CREDENTIAL]: credential });
  const extra = additionalData('http://127.0.0.1:9', String(index), helper);
  const json = { id: index + 1, type: 'sms', outcome: 'unknown', final: false };
  const execution = n8n.createRunExecutionData({
    executionData: { nodeExecutionStack: [{ node, data: { main: [[{ json }]] }, source: null }] },
  });
  const key = `sleep-${index}`;
  const exchange = {
    // As in n8n's executeWebhook(), where functions of this object refer to the execution.
    checkTriggerCredentialStatus: async () => await Promise.resolve(execution as never),
    httpRequest: { method: 'POST', body: { sleep: key, todo: 'adopt' }, headers: {} } as never,
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
  context.evaluateExpression = (expression: string) => {
    if (expression.includes('resumeUrl')) return `${server.url}/webhook-waiting/1`;
    return { key, limitAt } as never;
  };
  expect(await callReceiver(keeper)(context)).toEqual({ webhookResponse: { sleeping: true } });
  return new WeakRef(execution);
}

it('keeps no data of a hundred sleeping executions', async () => {
  const keeper = new WaitKeeper();
  const limitAt = Date.now() + 15_000;
  const references: Array<WeakRef<object>> = [];
  for (let i = 0; i < 100; i++) references.push(await adopted(keeper, i, limitAt));
  expect(keeper.size).toBe(100);
  // A WeakRef keeps its target until the end of the turn.
  for (let i = 0; i < 5; i++) {
    await later(20);
    collectGarbage();
  }
  expect(references.filter((reference) => reference.deref() !== undefined)).toHaveLength(0);
  expect(keeper.size).toBe(100);
  while (keeper.size > 0) await later(100);
});
