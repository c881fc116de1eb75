/** n8n around the node: its executions, their data, Retry On Fail, Retry, stops and crashes, as n8n 2.41 does it. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { FailedState, ItemResult } from '../../../nodes/MessagingGateway/run/item-result.ts';
import type { FullResponse, Operation, Origin } from './exchange.mts';
import { networkError } from './exchange.mts';
import type { ModelGateway } from './gateway.mts';
import { never } from './outcome.mts';
import type { Stage } from './outcome.mts';
import { inputOf, parametersOf } from './node-form.mts';
import type { ExecutionPlan, NodeRunPlan, Scenario } from './scenario.mts';

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
  /** What stands below its output. */
  hints: string[];
  /** Until when the execution sleeps, in milliseconds since 1970; undefined where it goes on. */
  asleepUntil?: number;
  /** The entry of its stack, which has the items with which it falls asleep. */
  entry: { node: object; data: { main?: INodeExecutionData[][] } };
}

/** One run of a node, with all its tries; those of a Retry are another one. */
export interface NodeRun {
  origin: Omit<Origin, 'attempt'>;
  plan: NodeRunPlan;
  kind: ExecutionPlan['kind'];
  tries: Try[];
  /** When the execution is stopped, if it is. */
  stopsAt: number;
}

/** What n8n keeps with an execution. */
interface RunData {
  flow: IDataObject;
  nodes: Record<string, IDataObject>;
}

interface World extends Stage<Scenario> {
  gateway: ModelGateway;
}

/** An execution that failed, as n8n saved it. */
interface Failed {
  lineage: number;
  memory: string;
  /** The run of a node that failed. */
  run: number;
}

interface Interruption {
  signal: AbortSignal;
  stopsAt: number;
  /** Whether n8n's process is gone: nothing of it goes on. */
  isDead(): boolean;
  died: Promise<'dead'>;
}

export class ModelN8n {
  private readonly world: World;

  private executions = 0;

  private lineages = 0;

  private failed: Failed | undefined;

  /** What the last execution went on with. */
  private retried: Failed | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** Runs the nodes of an execution, one after the other. Returns what each came to. */
  async execute(plan: ExecutionPlan): Promise<NodeRun[]> {
    const goesOn = this.failedBefore(plan.kind);
    if (goesOn === undefined && (plan.kind === 'retry' || plan.kind === 'retryAgain')) return [];
    this.failed = undefined;
    this.retried = goesOn;
    const lineage = goesOn?.lineage ?? this.lineages++;
    const execution = this.executions++;
    const interruption = this.interrupt(plan, execution);
    const runs: NodeRun[] = [];
    let memory = goesOn?.memory ?? JSON.stringify({ flow: {}, nodes: {} });
    for (const [run, nodeRun] of plan.runs.entries()) {
      if (run < (goesOn?.run ?? 0)) continue;
      const { stopsAt } = interruption;
      const record: NodeRun = {
        origin: {
          // What comes after the failed run was sent by a Retry before this one, of which nothing is saved.
          lineage: plan.kind === 'retryAgain' && run > (goesOn?.run ?? 0) ? this.lineages++ : lineage,
          execution,
          run,
          isBlind: plan.kind === 'retryAgain',
        },
        plan: nodeRun,
        kind: plan.kind,
        tries: [],
        stopsAt,
      };
      runs.push(record);
      const ended = await Promise.race([
        this.runNode(record, plan, { memory, interruption }),
        interruption.died,
      ]);
      // What a process that is gone would have passed on is nowhere.
      if (ended === 'dead') return runs;
      const last = record.tries[record.tries.length - 1];
      memory = last.memory;
      if (interruption.signal.aborted || last.asleepUntil !== undefined) break;
      if (last.error && nodeRun.node.onError === 'stopWorkflow') {
        this.failed = { lineage, memory, run };
        break;
      }
    }
    return runs;
  }

  /** The execution that a Retry goes on with. */
  private failedBefore(kind: ExecutionPlan['kind']): Failed | undefined {
    if (kind === 'retry') return this.failed;
    return kind === 'retryAgain' ? this.retried : undefined;
  }

  private interrupt({ cancelAfter, crashAfter }: ExecutionPlan, execution: number): Interruption {
    const { clock, trace } = this.world;
    const stopping = new AbortController();
    if (cancelAfter !== undefined) {
      clock.after(cancelAfter, () => {
        trace(() => `execution ${execution} is stopped`);
        stopping.abort(new Error('The execution was cancelled'));
      });
    }
    let isDead = false;
    const died = new Promise<'dead'>((resolve) => {
      if (crashAfter === undefined) return;
      clock.after(crashAfter, () => {
        trace(() => `n8n dies in execution ${execution}`);
        isDead = true;
        // What is left of it ends soon, and nobody looks at it.
        stopping.abort(new Error('The process is gone'));
        resolve('dead');
      });
    });
    return {
      signal: stopping.signal,
      stopsAt: clock.now + (cancelAfter ?? Infinity),
      isDead: () => isDead,
      died,
    };
  }

  /** Runs a node as often as its settings want. */
  private async runNode(
    record: NodeRun,
    plan: ExecutionPlan,
    { memory, interruption }: { memory: string; interruption: Interruption },
  ): Promise<void> {
    const { clock } = this.world;
    const { retryOnFail, maxTries, waitBetweenTries } = record.plan.node;
    const tries = retryOnFail ? Math.min(5, Math.max(2, maxTries)) : 1;
    let data = JSON.parse(memory) as RunData;
    for (let attempt = 0; attempt < tries; attempt++) {
      // n8n doesn't look at a stop between two tries.
      if (attempt > 0) await clock.sleep(waitBetweenTries);
      const outcome = await this.runOnce(data, record, { id: plan.id, interruption, attempt });
      if (interruption.isDead()) return;
      record.tries.push(outcome);
      data = JSON.parse(outcome.memory) as RunData;
      const hasFailed = outcome.error !== undefined || isError(outcome.items?.[0]?.json.error);
      if (!hasFailed) break;
    }
  }

  private async runOnce(data: RunData, record: NodeRun, attempt: Attempt): Promise<Try> {
    const { clock, gateway, product, trace } = this.world;
    const { plan: nodeRun, origin } = record;
    trace(
      () =>
        `execution ${origin.execution}, run ${origin.run} of "${nodeRun.node.name}", ${nodeRun.items.length} items, try ${attempt.attempt + 1}`,
    );
    const before = gateway.requests.length;
    const outcome: Try = {
      startedAt: clock.now,
      endedAt: 0,
      requests: [before, before],
      memory: '',
      hints: [],
      entry: { node: {}, data: {} },
    };
    const context = this.contextOf(record, data, { ...attempt, outcome });
    const operation = product.operation(nodeRun.node.operation);
    const { run: original } = operation;
    // The results behind the items, which an error of the node hides.
    operation.run = async (started) => (outcome.results = await original(started));
    try {
      const ended = product.execute(context);
      // It has begun, so that it has its own of what comes next.
      operation.run = original;
      outcome.items = await ended;
      trace(() => `passes on ${JSON.stringify(outcome.items?.map(({ json }) => json))}`);
    } catch (error) {
      outcome.error = error as Try['error'];
      trace(() => `fails: ${outcome.error?.message}\n   ${String(outcome.error?.description)}`);
    } finally {
      operation.run = original;
    }
    outcome.endedAt = clock.now;
    outcome.results = outcome.results?.map((result, item) => asItWakes(result, outcome, item));
    outcome.requests = [before, gateway.requests.length];
    outcome.memory = JSON.stringify(data);
    trace(() => `memory: ${outcome.memory}`);
    return outcome;
  }

  private contextOf(
    record: NodeRun,
    data: RunData,
    { id, interruption, attempt, outcome }: Attempt & { outcome: Try },
  ): IExecuteFunctions {
    const { gateway, trace } = this.world;
    const { plan: nodeRun, origin } = record;
    const { signal, isDead } = interruption;
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
      getNodeParameter: (
        name: string,
        item: number,
        fallback?: unknown,
        options?: { rawExpressions?: boolean },
      ) => {
        const raw = valueAt(parameters, name) ?? fallback;
        return options?.rawExpressions ? raw : evaluated(raw, items[item].json);
      },
      getInstanceId: () => 'instance',
      getMode: () => (record.kind === 'first' ? 'trigger' : 'retry'),
      getExecutionId: () => id,
      getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
      getContext: (type: string) => (type === 'flow' ? data.flow : (data.nodes[node.name] ??= {})),
      getExecutionCancelSignal: () => signal,
      continueOnFail: () => node.onError !== 'stopWorkflow',
      isToolExecution: () => false,
      addExecutionHints: (...all: Array<{ message: string }>) =>
        void outcome.hints.push(...all.map(({ message }) => message)),
      getCredentials: async () =>
        await Promise.resolve({
          // What a process counts for an account doesn't reach into other seeds.
          apiKey: `${API_KEY}-${gateway.scenario.seed}`,
          baseUrl: BASE_URL,
          asyncUrl: ASYNC_URL,
          mcpUrl: '',
        }),
      getWorkflow: () => ({ id: 'workflow', name: 'Workflow' }),
      getWorkflowStaticData: () => ({}),
      getExecuteData: () => outcome.entry,
      getSignedResumeUrl: (query: Record<string, string>) =>
        `https://n8n.example/webhook-waiting/1/node?${new URLSearchParams(query).toString()}&signature=4e0c8f5a1b2d3c`,
      evaluateExpression: () => 'https://n8n.example/webhook-waiting/1?signature=4e0c8f5a1b2d3c',
      putExecutionToWait: async (date: Date) => {
        trace(() => `sleeps until ${date.toISOString()}`);
        outcome.asleepUntil = date.getTime();
        return await Promise.resolve();
      },
      getParentNodes: () => [],
      getChildNodes: () => [],
      logger: {
        warn: () => undefined,
        debug: () => undefined,
        info: () => undefined,
        error: () => undefined,
      },
      helpers: {
        checkProcessedAndRecord: async (names: string[]) =>
          await Promise.resolve({ new: names, processed: [] }),
        // It sleeps no longer: what becomes of its sleep is shown elsewhere.
        httpRequest: async () =>
          await Promise.resolve({
            statusCode: 409,
            headers: {},
            body: { code: 409, message: 'It has finished' },
          }),
        async httpRequestWithAuthentication(
          _credential: string,
          options: RequestOptions,
        ): Promise<FullResponse> {
          if (isDead()) return await never();
          if (outcome.endedAt > 0) throw networkError('ECONNREFUSED', 'no connection', 'connect');
          const { url, body, abortSignal = signal } = options;
          const response = await gateway.call({
            endpoint: url.startsWith(ASYNC_URL) ? 'async' : 'sync',
            operations: body.data,
            signal: abortSignal,
            isStopped: () => signal.aborted,
            origin: { ...origin, attempt },
          });
          return isDead() ? await never() : response;
        },
      },
    };
    return context as unknown as IExecuteFunctions;
  }
}

/** The value at a path such as `pipeline.stages.0.text`, as n8n reads it. */
const valueAt = (parameters: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], parameters);

/** What n8n's engine makes of a raw parameter, whose expressions take a field of the item. */
function evaluated(raw: unknown, json: IDataObject): unknown {
  if (typeof raw === 'string') {
    const field = /^=\{\{ \$json\.(\w+) \}\}$/.exec(raw)?.[1];
    return field === undefined ? raw : json[field];
  }
  if (Array.isArray(raw)) return raw.map((one) => evaluated(one, json));
  if (typeof raw !== 'object' || raw === null) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, evaluated(value, json)]));
}

/** A result by what its item wakes with: while an execution sleeps, n8n shows no errors. */
function asItWakes(result: ItemResult, { asleepUntil, entry }: Try, item: number): ItemResult {
  const { error, message, details, ...json } = entry.data.main?.[0]?.[item]?.json ?? {};
  if (asleepUntil === undefined || 'error' in result || typeof error !== 'string') return result;
  // What was taken and not delivered has the gateway's reason.
  if (json.outcome === 'failed') return result;
  const own = (details ?? json) as IDataObject & { state?: FailedState };
  const description = String(message ?? own.description ?? '');
  return { error: { kind: 'service', message: error, description }, state: own.state, json: own };
}

const isError = (value: unknown): boolean => value !== undefined && value !== null;

interface Attempt {
  /** Of the execution. */
  id: string;
  interruption: Interruption;
  attempt: number;
}

interface RequestOptions {
  url: string;
  body: { data: Operation[] };
  abortSignal?: AbortSignal;
}
