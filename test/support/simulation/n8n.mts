/** n8n around the node: its execution, its data, and its Retry On Fail, as n8n 2.41 does it. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ItemResult } from '../../../nodes/MessagingGateway/run/item-result.ts';
import type { VirtualClock } from './clock.mts';
import type { FullResponse, ModelGateway, Operation, Origin } from './gateway.mts';
import type { Trace } from './outcome.mts';
import type { Product } from './product.mts';
import type { ExecutionPlan, ItemPlan, NodePlan, NodeRunPlan } from './scenario.mts';

export const API_KEY = 'key-4711-do-not-tell';
const BASE_URL = 'https://gateway.example';
const ASYNC_URL = 'https://queue.example';

/** What one try of the node came to. */
export interface Try {
  startedAt: number;
  endedAt: number;
  /** Requests made before this try, and until its end. */
  requests: [from: number, to: number];
  /** What became of each item; undefined where the run as a whole failed. */
  results?: ItemResult[];
  /** What the node passes on; undefined where it threw. */
  items?: INodeExecutionData[];
  error?: Error & { description?: unknown; context?: Record<string, unknown> };
  /** What n8n keeps of the node after this try, as text. */
  memory: string;
}

/** One run of a node, with all its tries. */
export interface NodeRun {
  execution: number;
  run: number;
  plan: NodeRunPlan;
  tries: Try[];
  /** When the execution is stopped, if it is. */
  stopsAt: number;
}

/** What n8n keeps with an execution. */
interface RunData {
  flow: IDataObject;
  nodes: Record<string, IDataObject>;
}

export interface World {
  clock: VirtualClock;
  gateway: ModelGateway;
  product: Product;
  trace: Trace;
}

/** Runs the nodes of an execution, one after the other. Returns what each came to. */
export async function execute(world: World, plan: ExecutionPlan, execution: number): Promise<NodeRun[]> {
  const { clock, trace } = world;
  const stopping = new AbortController();
  if (plan.cancelAfter !== undefined) {
    clock.after(plan.cancelAfter, () => {
      trace(() => `execution ${execution} is stopped`);
      stopping.abort(new Error('The execution was cancelled'));
    });
  }
  const stopsAt = clock.now + (plan.cancelAfter ?? Infinity);
  let data: RunData = { flow: {}, nodes: {} };
  const runs: NodeRun[] = [];
  for (const [run, nodeRun] of plan.runs.entries()) {
    const record: NodeRun = { execution, run, plan: nodeRun, tries: [], stopsAt };
    runs.push(record);
    const { retryOnFail, maxTries, waitBetweenTries } = nodeRun.node;
    const tries = retryOnFail ? Math.min(5, Math.max(2, maxTries)) : 1;
    for (let attempt = 0; attempt < tries; attempt++) {
      // n8n doesn't look at a stop between two tries.
      if (attempt > 0) await clock.sleep(waitBetweenTries);
      const outcome = await runOnce(world, data, record, { plan, signal: stopping.signal, attempt });
      record.tries.push(outcome);
      data = JSON.parse(outcome.memory) as RunData;
      const hasFailed = outcome.error !== undefined || isError(outcome.items?.[0]?.json.error);
      if (!hasFailed) break;
    }
    const last = record.tries[record.tries.length - 1];
    if (stopping.signal.aborted || (last.error && nodeRun.node.onError === 'stopWorkflow')) break;
  }
  return runs;
}

const isError = (value: unknown): boolean => value !== undefined && value !== null;

interface Attempt {
  plan: ExecutionPlan;
  signal: AbortSignal;
  attempt: number;
}

async function runOnce(
  world: World,
  data: RunData,
  { plan: nodeRun, execution, run }: NodeRun,
  { plan, signal, attempt }: Attempt,
): Promise<Try> {
  const { clock, gateway, product, trace } = world;
  trace(
    () =>
      `execution ${execution}, run ${run} of "${nodeRun.node.name}", ${nodeRun.items.length} items, try ${attempt + 1}`,
  );
  const context = contextOf({ gateway, plan, nodeRun, data, signal, origin: { execution, run, attempt } });
  const before = gateway.requests.length;
  const outcome: Try = { startedAt: clock.now, endedAt: 0, requests: [before, before], memory: '' };
  const { run: original } = product.operation;
  // The results behind the items, which an error of the node hides.
  product.operation.run = async (started) => (outcome.results = await original(started));
  try {
    outcome.items = await product.execute(context);
    trace(() => `passes on ${JSON.stringify(outcome.items?.map(({ json }) => json))}`);
  } catch (error) {
    outcome.error = error as Try['error'];
    trace(() => `fails: ${outcome.error?.message}\n   ${String(outcome.error?.description)}`);
  } finally {
    product.operation.run = original;
  }
  outcome.endedAt = clock.now;
  outcome.requests = [before, gateway.requests.length];
  outcome.memory = JSON.stringify(data);
  trace(() => `memory: ${outcome.memory}`);
  return outcome;
}

interface Surroundings {
  gateway: ModelGateway;
  plan: ExecutionPlan;
  nodeRun: NodeRunPlan;
  data: RunData;
  signal: AbortSignal;
  origin: Origin;
}

function contextOf({ gateway, plan, nodeRun, data, signal, origin }: Surroundings): IExecuteFunctions {
  const { node, runIndex } = nodeRun;
  const items = nodeRun.items.map(inputOf);
  const parameters = parametersOf(node);
  const context = {
    getNode: () => ({
      ...node,
      type: 'n8n-nodes-messaging-gateway.messagingGateway',
      typeVersion: 1,
      position: [0, 0],
      parameters,
    }),
    getInputData: () => items,
    getNodeParameter: (name: string, _item: number, fallback?: unknown) =>
      name in parameters ? parameters[name] : fallback,
    getInstanceId: () => 'instance',
    getExecutionId: () => plan.id,
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
    getContext: (type: string) => (type === 'flow' ? data.flow : (data.nodes[node.name] ??= {})),
    getExecutionCancelSignal: () => signal,
    continueOnFail: () => node.onError !== 'stopWorkflow',
    isToolExecution: () => false,
    addExecutionHints: () => undefined,
    getCredentials: async () =>
      await Promise.resolve({ apiKey: API_KEY, baseUrl: BASE_URL, asyncUrl: ASYNC_URL, mcpUrl: '' }),
    helpers: {
      async httpRequestWithAuthentication(
        _credential: string,
        options: RequestOptions,
      ): Promise<FullResponse> {
        const { url, body, abortSignal = signal } = options;
        return await gateway.call({
          endpoint: url.startsWith(ASYNC_URL) ? 'async' : 'sync',
          operations: body.data,
          signal: abortSignal,
          isStopped: () => signal.aborted,
          origin,
        });
      },
    },
  };
  return context as unknown as IExecuteFunctions;
}

interface RequestOptions {
  url: string;
  body: { data: Operation[] };
  abortSignal?: AbortSignal;
}

const inputOf = ({ text, phone, signature, messageId, delivery }: ItemPlan): INodeExecutionData => ({
  json: { text, phone, signature, messageId: messageId ?? '', delivery },
});

const parametersOf = ({ options }: NodePlan): Record<string, unknown> => ({
  resource: 'message',
  operation: 'sendSms',
  phone: '={{ $json.phone }}',
  smsSignature: '={{ $json.signature }}',
  smsMessage: '={{ $json.text }}',
  messageId: '={{ $json.messageId }}',
  delivery: '={{ $json.delivery }}',
  options,
});
