/**
 * Runs workflows in process in n8n's own engine (n8n-core's WorkflowExecute): real expressions, credentials,
 * HTTP, retries, error outputs and pairing, with the package of the sources.
 */
import type {
  ExecutionError,
  ExecutionStatus,
  IConnections,
  IDataObject,
  INode,
  INodeExecutionData,
  INodeParameters,
  INodeType,
  IRun,
  IRunExecutionData,
  ITaskData,
  IWorkflowBase,
  IWorkflowExecuteAdditionalData,
  NodeConnectionType,
  OnError,
  Workflow,
  WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData, credentialsHelper, nodePackage, nodeTypesOf, PACKAGE_NAME } from './engine-host.mts';
import { core, workflow as n8n } from './engine-parts.mts';

export { PACKAGE_NAME };
export const ACTION_NODE = `${PACKAGE_NAME}.messagingGateway`;
export const CREDENTIAL = 'messagingGatewayApi';

/** Node that gives the items of the run. */
export const SOURCE_NODE = 'harness.source';
/** Node that gives what it gets. */
export const PASS_NODE = 'harness.pass';

/** Name of the node under test in `runNode`. */
export const NODE_NAME = 'Messaging Gateway';

/** An item as a test writes it: its json alone, or a whole n8n item. */
export type Item = IDataObject | INodeExecutionData;

/** The settings of a node besides its parameters. */
export interface NodeSettings {
  typeVersion?: number;
  onError?: OnError;
  retryOnFail?: boolean;
  /** 2 to 5; n8n's default is 3. */
  maxTries?: number;
}

export interface RunOptions {
  /** Data of the credentials by type; absent fields get the defaults of the credential type. */
  credentials?: Record<string, IDataObject>;
  executionId?: string;
  /** `manual` by default. */
  mode?: WorkflowExecuteMode;
  /** Cancels the execution once this is so. */
  abortWhen?: () => boolean;
  /** Address of n8n, for `$execution.resumeUrl` and webhooks; see waiting-host.mts for one that answers. */
  instanceUrl?: string;
  /** Whether the workflow is published; it isn't by default. */
  active?: boolean;
  /** More node types of the test, by type name. */
  nodeTypes?: Record<string, INodeType>;
}

export interface WorkflowNode extends NodeSettings {
  name: string;
  type: string;
  webhookId?: string;
  disabled?: boolean;
  parameters?: IDataObject;
}

export interface WorkflowRunOptions extends RunOptions {
  nodes: WorkflowNode[];
  /**
   * From, to, the number of the output (default 0; the error output comes after the node's own), and the type of
   * the connection (default `main`; `ai_tool` from a tool to its agent).
   * Left out, the nodes follow each other in their order.
   */
  connections?: Array<[from: string, to: string, output?: number, type?: NodeConnectionType]>;
  /** Items that the first node gets. */
  items: Item[];
  /** Of the workflow. */
  name?: string;
}

export interface WorkflowRun {
  /** As n8n saves it; `canceled` from the moment of the cancellation, whatever the node makes of it. */
  status: ExecutionStatus;
  /** The error that ended the execution. */
  error?: ExecutionError;
  /** Items that a node gave, by output, of its last run or of run `runIndex`. */
  outputs(nodeName: string, runIndex?: number): INodeExecutionData[][];
  /** Run data by node name: one entry for each run of the node. */
  runData: Record<string, ITaskData[]>;
  /** Everything that n8n would save of the execution. */
  execution: IRunExecutionData;
  /** When a waiting execution goes on at the latest. */
  waitTill?: Date | null;
  /** What it ran with, for whoever wakes it. */
  parts: RunParts;
}

interface RunParts {
  graph: Workflow;
  mode: WorkflowExecuteMode;
  additionalData: IWorkflowExecuteAdditionalData;
}

export interface NodeRunOptions extends RunOptions, NodeSettings {
  parameters: IDataObject;
  /** Default: one empty item. */
  items?: Item[];
  /** Type of the node under test; the action node by default. */
  type?: string;
  /** Nodes that are in the workflow without being connected. */
  others?: WorkflowNode[];
}

export interface NodeRun extends Omit<WorkflowRun, 'outputs'> {
  /** Items by output; with `onError: 'continueErrorOutput'` the second holds what failed. */
  outputs: INodeExecutionData[][];
  /** Items of the first output. */
  items: INodeExecutionData[];
  /** The json of the items of the first output. */
  json: IDataObject[];
  /** The data that n8n keeps of the node's run, its own error included. */
  task?: ITaskData;
  /** The hints that the editor shows with the output. */
  hints: string[];
}

/** A node type that stands in for another one. */
export const stand = (
  name: string,
  inputs: INodeType['description']['inputs'],
  more: Partial<INodeType>,
): INodeType => ({
  description: {
    displayName: name,
    name,
    group: ['transform'],
    version: 1,
    description: name,
    defaults: { name },
    inputs,
    outputs: ['main'],
    properties: [],
  },
  ...more,
});

/** One that gives what it gets. */
export const passThrough: INodeType = stand('pass', ['main', 'ai_tool'], {
  async execute() {
    return await Promise.resolve([this.getInputData()]);
  },
});

const HARNESS_NODES: Record<string, INodeType> = { [SOURCE_NODE]: passThrough, [PASS_NODE]: passThrough };

function nodesOf(nodes: WorkflowNode[], credentials: Record<string, IDataObject>): INode[] {
  const details = Object.keys(credentials).map((type, index) => [
    type,
    { id: String(index + 1), name: type },
  ]);
  return nodes.map((node, index) => ({
    id: `node-${index}`,
    typeVersion: 1,
    position: [index * 200, 0],
    waitBetweenTries: 1,
    ...node,
    parameters: (node.parameters ?? {}) as INodeParameters,
    ...(node.type.startsWith(PACKAGE_NAME) && {
      credentials: Object.fromEntries(details) as INode['credentials'],
    }),
  }));
}

function connectionsOf({ nodes, connections }: WorkflowRunOptions): IConnections {
  const inOrder: NonNullable<WorkflowRunOptions['connections']> = nodes
    .slice(1)
    .map(({ name }, index) => [nodes[index].name, name]);
  const all: IConnections = {};
  for (const [from, to, output = 0, type = 'main'] of connections ?? inOrder) {
    const outputs = ((all[from] ??= {})[type] ??= []);
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: to, type, index: 0 });
  }
  return all;
}

const asItem = (item: Item): INodeExecutionData =>
  typeof item.json === 'object' && item.json !== null
    ? (item as INodeExecutionData)
    : { json: item as IDataObject };

function executionOf(graph: Workflow, items: Item[], first: string): IRunExecutionData {
  const node = graph.nodes[first];
  const data = { main: [items.map(asItem)] };
  return n8n.createRunExecutionData({
    startData: {},
    executionData: { nodeExecutionStack: [{ node, data, source: null }] },
  });
}

async function finish(
  execute: InstanceType<typeof core.WorkflowExecute>,
  graph: Workflow,
  abortWhen?: () => boolean,
) {
  const execution = execute.processRunExecutionData(graph);
  if (abortWhen === undefined) return await execution;
  const timer = setInterval(() => {
    if (!abortWhen()) return;
    clearInterval(timer);
    execution.cancel();
  }, 5);
  try {
    return await execution;
  } finally {
    clearInterval(timer);
  }
}

/** An address where nothing listens: a node that calls n8n must not reach one that happens to run on the machine. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * Runs a workflow to its end, its wait or its cancellation.
 * @throws WorkflowHasIssuesError when a required parameter of a node is empty, as n8n does before it runs anything;
 *   Error when a type of a node or a credential is missing from the options
 */
export async function runWorkflow(options: WorkflowRunOptions): Promise<WorkflowRun> {
  const { nodes, credentials = {}, mode = 'manual', active = false } = options;
  const { nodes: packageNodes, credentials: credentialTypes } = await nodePackage();
  const graph = new n8n.Workflow({
    id: 'harness-workflow',
    name: options.name ?? 'Harness',
    nodes: nodesOf(nodes, credentials),
    connections: connectionsOf(options),
    active,
    nodeTypes: nodeTypesOf({ ...HARNESS_NODES, ...packageNodes, ...options.nodeTypes }),
    settings: { timezone: 'Europe/Kyiv', executionOrder: 'v1' },
  });
  const { instanceUrl = NOWHERE, executionId = '1' } = options;
  const extra = additionalData(instanceUrl, executionId, credentialsHelper(credentialTypes, credentials));
  const execution = executionOf(graph, options.items, nodes[0].name);
  return await runExecution({ graph, mode, additionalData: extra }, execution, options.abortWhen);
}

/** Runs what stands on the stack of an execution, as n8n does with a new one and with one that goes on. */
export async function runExecution(
  parts: RunParts,
  execution: IRunExecutionData,
  abortWhen?: () => boolean,
): Promise<WorkflowRun> {
  const { graph, mode, additionalData: extra } = parts;
  extra.hooks = new core.ExecutionLifecycleHooks(mode, extra.executionId!, { id: graph.id } as IWorkflowBase);
  const saved: IRun[] = [];
  extra.hooks.addHandler('workflowExecuteAfter', (fullRunData) => void saved.push(fullRunData));
  const execute = new core.WorkflowExecute(extra, mode, execution);
  const result: IRun = await finish(execute, graph, abortWhen);
  const { runData, error } = result.data.resultData;
  return {
    status: saved[0]?.status ?? result.status,
    error,
    runData,
    execution: result.data,
    waitTill: result.waitTill,
    parts,
    outputs(nodeName, runIndex) {
      const runs = runData[nodeName] ?? [];
      const task = runIndex === undefined ? runs.at(-1) : runs[runIndex];
      return (task?.data?.main ?? []).map((items) => items ?? []);
    },
  };
}

/**
 * Runs one node behind a source that returns `items`.
 * @throws Error as `runWorkflow`
 */
export async function runNode(options: NodeRunOptions): Promise<NodeRun> {
  const { parameters, items = [{}], type = ACTION_NODE, others = [], ...more } = options;
  const { credentials, executionId, mode, abortWhen, instanceUrl, active, nodeTypes, ...settings } = more;
  const result = await runWorkflow({
    ...{ credentials, executionId, mode, abortWhen, instanceUrl, active, nodeTypes, items },
    nodes: [
      { name: 'Source', type: SOURCE_NODE },
      { name: NODE_NAME, type, parameters, ...settings },
      ...others,
    ],
    connections: [['Source', NODE_NAME]],
  });
  const outputs = result.outputs(NODE_NAME);
  const first = outputs[0] ?? [];
  const task = result.runData[NODE_NAME]?.at(-1);
  return {
    ...result,
    outputs,
    items: first,
    json: first.map(({ json }) => json),
    task,
    hints: task?.hints?.map(({ message }) => message) ?? [],
  };
}

/**
 * Runs a failed execution again as n8n's Retry does: a new execution with a copy of what was saved of the old one, in which the
 * failed node begins anew. n8n takes its workflow for unpublished.
 */
export async function retry(
  { execution, parts }: Pick<WorkflowRun, 'execution' | 'parts'>,
  nodeName: string,
  executionId = 'retry',
): Promise<WorkflowRun> {
  const { runData, error: _, ...resultData } = execution.resultData;
  const before = { ...resultData, runData: { ...runData, [nodeName]: runData[nodeName].slice(0, -1) } };
  const saved = JSON.stringify({ ...execution, resultData: before });
  // n8n numbers the runs of nodes of each execution from 0.
  const extra = { ...parts.additionalData, executionId, currentNodeExecutionIndex: 0 };
  parts.graph.active = false;
  return await runExecution(
    { ...parts, mode: 'retry', additionalData: extra },
    JSON.parse(saved) as IRunExecutionData,
  );
}

/** Data of the package's credential for a sandbox. */
export const credentialsFor = (
  { baseUrl, asyncUrl, mcpUrl }: { baseUrl: string; asyncUrl: string; mcpUrl: string },
  apiKey = 'sandbox-key',
): Record<string, IDataObject> => ({ [CREDENTIAL]: { apiKey, baseUrl, asyncUrl, mcpUrl } });
