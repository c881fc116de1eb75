/**
 * The part of n8n's server that wakes waiting executions, over HTTP: it saves an execution that goes to sleep, hands
 * calls of its resume address to webhook(), and goes on at the time limit. Answers as n8n's WaitingWebhooks does:
 * 401 without the execution's token (for the operation `sendAndWait`: without a signature of the address), 404 for
 * another path or method, 409 while it runs and when it has ended; for `sendAndWait`, a page of its own in place of
 * both except while it runs.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseForm } from 'node:querystring';

import { parse, stringify } from 'flatted';
import type {
  IRunExecutionData,
  IWebhookData,
  IWebhookDescription,
  IWebhookResponseData,
  IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { Container, core } from './engine-parts.mts';
import { runExecution, runWorkflow } from './engine.mts';
import type { WorkflowRun, WorkflowRunOptions } from './engine.mts';

/** A call that came to a resume address. */
export interface Call {
  body: unknown;
  /** Of the answer. */
  status: number;
}

export interface WaitingHost {
  url: string;
  /** All calls so far. */
  calls: Call[];
  /**
   * Runs a workflow until it ends or sleeps. Returns the id of the execution as well, which is the next one unless `options` name one
   * that was given before, as by an n8n whose database was put back.
   * @throws Error as `runWorkflow`
   */
  run(options: WorkflowRunOptions): Promise<WorkflowRun & { id: string }>;
  /** The execution after its end or, where it is woken and sleeps again, at its next sleep. */
  woken(executionId: string): Promise<WorkflowRun>;
  /** Goes on as at the time limit of the sleep. */
  passLimit(executionId: string): Promise<WorkflowRun>;
  close(): Promise<void>;
}

interface Refusal {
  status: number;
  message: string;
}

const running = (id: string): Refusal => ({
  status: 409,
  message: `The execution "${id}" is running already.`,
});

/** The words of n8n's page where nothing waits for an answer. */
const NO_ACTION: Refusal = { status: 200, message: 'No action required' };

interface Sleeping {
  id: string;
  entry: Entry;
  run: WorkflowRun;
  webhook: IWebhookData;
}

interface Entry {
  state: 'running' | 'waiting' | 'ended';
  run?: WorkflowRun;
  /** How it went on last. */
  next: Promise<WorkflowRun>;
  /** Those who wait until it goes on. */
  waiting: Array<(next: Promise<WorkflowRun>) => void>;
}

/** What n8n reads back from its database: values only, and shared ones shared. */
const saved = (execution: IRunExecutionData) => parse(stringify(execution)) as IRunExecutionData;

/** The execution as n8n hands it on when something wakes it: the node that slept does not run again. */
function awakened({ execution }: WorkflowRun): IRunExecutionData {
  const data = saved(execution);
  const { lastNodeExecuted, runData } = data.resultData;
  const [next] = data.executionData?.nodeExecutionStack ?? [];
  if (!next || lastNodeExecuted === undefined) throw new Error('The execution does not wait');
  next.node.disabled = true;
  data.waitTill = undefined;
  runData[lastNodeExecuted].pop();
  return data;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

function webhookOf(
  { parts, execution }: WorkflowRun,
  method: string,
  path: string,
): IWebhookData | undefined {
  const { graph, additionalData } = parts;
  const node = graph.getNode(execution.resultData.lastNodeExecuted ?? '');
  if (!node) return undefined;
  const { webhooks = [] } = graph.nodeTypes.getByNameAndVersion(node.type, node.typeVersion).description;
  const read = (description: IWebhookDescription, property: 'path' | 'httpMethod') =>
    asText(graph.expression.getSimpleParameterValue(node, description[property], 'internal', {}));
  const found = webhooks.find(
    (one) =>
      one.restartWebhook === true &&
      read(one, 'httpMethod').split(',').includes(method) &&
      read(one, 'path')
        .trim()
        .replace(/^\/|\/$/g, '') === path,
  );
  return (
    found && {
      httpMethod: method as IWebhookData['httpMethod'],
      node: node.name,
      path,
      webhookDescription: found,
      workflowId: graph.id,
      workflowExecuteAdditionalData: additionalData,
    }
  );
}

/** Whether a call is for a node that asks a person, whose addresses n8n signs one by one. */
function asksPerson({ parts }: WorkflowRun, suffix = ''): boolean {
  const node = Object.values(parts.graph.nodes).find(({ id }) => id === decodeURIComponent(suffix));
  return node?.parameters.operation === 'sendAndWait';
}

/** Whether n8n refuses a call of a custom form for its encoding. */
function lacksFormData({ parts }: WorkflowRun, { node }: IWebhookData, request: IncomingMessage): boolean {
  const { operation, responseType } = parts.graph.getNode(node)?.parameters ?? {};
  const isForm = operation === 'sendAndWait' && responseType === 'customForm';
  return isForm && !(request.headers['content-type'] ?? '').includes('multipart/form-data');
}

const isSigned = (url: URL): boolean =>
  core.validateUrlSignature(
    url.searchParams.get('signature') ?? '',
    url,
    Container.get(core.InstanceSettings).hmacSignatureSecret,
  );

/** The body of a request as n8n hands the body to a node; of a multipart form, n8n keeps the parts alone. */
async function bodyOf(
  request: IncomingMessage,
): Promise<{ body: unknown; rawBody?: Buffer; contentType?: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const rawBody = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  const text = rawBody.toString();
  if (type.includes('json') && text !== '') return { body: JSON.parse(text) as unknown, rawBody };
  if (type.includes('multipart/form-data')) {
    const form = await new Response(rawBody, { headers: { 'content-type': type } }).formData();
    const data = [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    });
    return {
      body: { data: Object.fromEntries(data) as object, files: {} },
      contentType: 'multipart/form-data',
    };
  }
  if (type.includes('urlencoded')) return { body: parseForm(text), rawBody };
  return { body: {}, rawBody };
}

/** Adds the methods of express that nodes use. */
const asExpress = (response: ServerResponse) =>
  Object.assign(response, {
    status: (statusCode: number) => Object.assign(response, { statusCode }),
    json: (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    send: (body: unknown) => response.end(typeof body === 'string' ? body : JSON.stringify(body)),
    header: (name: string, value: string) => response.setHeader(name, value),
  });

async function callWebhook(
  run: WorkflowRun,
  webhook: IWebhookData,
  execution: IRunExecutionData,
  exchange: Pick<IWorkflowExecuteAdditionalData, 'httpRequest' | 'httpResponse'>,
): Promise<IWebhookResponseData> {
  const { graph, additionalData, mode } = run.parts;
  const node = graph.getNode(webhook.node);
  const type = node && graph.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
  if (!node || !type?.webhook) throw new Error(`${webhook.node} has no webhook()`);
  const extra = { ...additionalData, ...exchange };
  const context = new core.WebhookContext(graph, node, extra, mode, webhook, [], execution);
  await graph.expression.acquireIsolate();
  try {
    return (await type.webhook.call(context)) as IWebhookResponseData;
  } finally {
    await graph.expression.releaseIsolate();
  }
}

/** n8n's own answer, where the node gives none. */
function answerOf({ workflowData, webhookResponse }: IWebhookResponseData, webhook: IWebhookData): unknown {
  const { responseData = 'firstEntryJson' } = webhook.webhookDescription;
  if (workflowData === undefined) return webhookResponse ?? { message: 'Webhook call received' };
  if (responseData === 'noData') return undefined;
  return responseData || (webhookResponse ?? { message: 'Workflow was started' });
}

/** Starts a host on loopback. Close it at the end of the tests. */
export async function startWaitingHost(): Promise<WaitingHost> {
  const entries = new Map<string, Entry>();
  const calls: Call[] = [];

  const settle = (entry: Entry, run: WorkflowRun): WorkflowRun => {
    Object.assign(entry, { run, state: run.waitTill ? 'waiting' : 'ended' });
    return run;
  };
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id);
    if (!entry) throw new Error(`No execution ${id}`);
    return entry;
  };
  const goOn = (entry: Entry, { parts }: WorkflowRun, execution: IRunExecutionData) => {
    const next = runExecution(parts, execution).then((run) => settle(entry, run));
    // Whoever waits for it sees an error; nobody has to.
    next.catch(() => undefined);
    Object.assign(entry, { state: 'running', next });
    for (const goesOn of entry.waiting.splice(0)) goesOn(next);
    return next;
  };

  /** The sleeping execution that a call is for, or what n8n answers instead. */
  function find(request: IncomingMessage, called: URL): Refusal | Sleeping {
    const { method = '' } = request;
    const { pathname, searchParams } = called;
    const [, id = '', suffix] = /^\/webhook-waiting\/([^/]+)(?:\/(.*))?$/.exec(pathname) ?? [];
    const entry = entries.get(id);
    if (!entry) return { status: 404, message: `The execution "${id}" does not exist.` };
    if (entry.state === 'running') return running(id);
    const { run } = entry;
    const toPerson = run !== undefined && asksPerson(run, suffix);
    if (toPerson && !isSigned(called)) return { status: 401, message: 'Invalid signature' };
    if (entry.state === 'ended' || !run) {
      if (toPerson && run.error === undefined) return NO_ACTION;
      return { status: 409, message: `The execution "${id}" has finished already.` };
    }
    // A path that was put behind $execution.resumeUrl is in its query.
    const [token, suffixOfToken = ''] = (searchParams.get('signature') ?? '').split(/\/(.*)/s);
    if (!toPerson && token !== run.execution.resumeToken) return { status: 401, message: 'Invalid token' };
    const webhook = webhookOf(run, method, decodeURIComponent(suffix ?? suffixOfToken));
    if (!webhook && toPerson) return NO_ACTION;
    if (webhook && method === 'POST' && lacksFormData(run, webhook, request))
      return { status: 415, message: 'Expected multipart/form-data' };
    if (!webhook) return { status: 404, message: `No waiting webhook of execution "${id}" matches.` };
    return { id, entry, run, webhook };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const called = new URL(request.url ?? '/', url);
    const parts = await bodyOf(request);
    response.on('finish', () => calls.push({ body: parts.body, status: response.statusCode }));
    const { status, json } = asExpress(response);
    const refuse = ({ status: code, message }: Refusal) => {
      status(code);
      json({ code, message });
    };
    const found = find(request, called);
    if ('message' in found) return refuse(found);
    const { id, entry, run, webhook } = found;
    const execution = awakened(run);
    const query = Object.fromEntries(called.searchParams);
    const result = await callWebhook(run, webhook, execution, {
      httpRequest: Object.assign(request, { ...parts, query, params: {} }) as never,
      httpResponse: response as never,
    });
    if (result.workflowData !== undefined) {
      // Another call may have woken it in the meantime.
      if (entry.state !== 'waiting' || entry.run !== run) return refuse(running(id));
      const [next] = execution.executionData?.nodeExecutionStack ?? [];
      next.data.main = result.workflowData;
      next.metadata = { ...next.metadata, forwardAllOutputs: true } as typeof next.metadata;
      void goOn(entry, run, execution);
    }
    if (result.noWebhookResponse !== true) {
      const answer = answerOf(result, webhook);
      if (typeof answer === 'string') response.end(answer);
      else json(answer);
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ message: String(error) }));
    });
  });
  // On a busy machine a client may use a connection again that was idle for longer than the usual five seconds.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    calls,
    async run(options) {
      const { executionId: id = String(entries.size + 1) } = options;
      const started = runWorkflow({ ...options, executionId: id, instanceUrl: url });
      const next = started.then((run) => settle(entry, run));
      const entry: Entry = { state: 'running', next, waiting: [] };
      entries.set(id, entry);
      return { ...(await next), id };
    },
    async woken(executionId) {
      const { state, next, waiting } = entryOf(executionId);
      return await (state === 'waiting' ? new Promise((resolve) => waiting.push(resolve)) : next);
    },
    async passLimit(executionId) {
      const entry = entryOf(executionId);
      if (entry.state !== 'waiting' || !entry.run) throw new Error(`Execution ${executionId} does not wait`);
      return await goOn(entry, entry.run, awakened(entry.run));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
