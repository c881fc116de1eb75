import type {
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  IRunExecutionData,
  ITaskData,
  IWebhookFunctions,
  IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { isToolRun, REVIEW_TYPE, TOOL_TYPE } from './engine';

/**
 * All that this package uses of n8n and n8n doesn't document. The comment of each function ends with what the function uses, and with
 * what happens once n8n changes that. test/engine/undocumented.test.mts notices such a change, and docs/internals/verification.md
 * lists the uses.
 */

/** What n8n's contexts hold beside the methods that n8n documents. */
interface Undocumented {
  runExecutionData?: Partial<IRunExecutionData> | null;

  /** The items that expressions read. */
  connectionInputData?: unknown;
  additionalData?: Partial<IWorkflowExecuteAdditionalData>;
  workflow?: { id: string; nodes?: Record<string, INode> };
  runIndex?: number;
}

const inside = (context: object): Undocumented => context as Undocumented;

/** Returns the runs of all nodes, by their names. */
const runDataOf = (context: IExecuteFunctions): Record<string, ITaskData[]> =>
  inside(context).runExecutionData?.resultData?.runData ?? {};

/**
 * Has the execution sleep with these items: n8n passes them to webhook() or, at the time that `putExecutionToWait` got, to the next node.
 * Each entry on n8n's stack is a run to come: a node and its input. When an execution wakes, n8n disables the node of the entry that
 * slept, so that n8n passes the items on without running the node again. Where two branches lead into the node, their two entries share one
 * node object, and n8n would not run the node for the second entry: this function gives the sleeping entry an object of its own.
 * Uses: n8n saves the entry that `getExecuteData` returns. Without that, a wake returns the node's input, in which nothing counts as an
 * answer, and the items of a second branch pass through.
 */
export function sleepAlone(context: IExecuteFunctions, items: INodeExecutionData[]): void {
  const entry = context.getExecuteData();
  entry.data = { main: [items.map(asSleeping)] };
  entry.node = { ...entry.node };
}

/**
 * Returns an item as it can sleep. n8n saves no property that isn't enumerable, such as the `error` of `toErrorBranch`. After the wake,
 * n8n takes an item for failed where its json has `error` and no other field. This function therefore puts into one text what failed,
 * what to do, and of which message.
 */
function asSleeping(item: INodeExecutionData): INodeExecutionData {
  if (item.error === undefined) return item;
  const { error, what_to_do: advice, id } = item.json;
  const ofMessage = id === undefined ? '' : ` ID of the message: ${String(id)}`;
  return { json: { error: `${String(error)}. ${String(advice)}${ofMessage}` }, pairedItem: item.pairedItem };
}

/**
 * Returns the items with which an execution fell asleep, as n8n saved them: the execution whose webhook is called.
 * Uses: `connectionInputData` of the context. Without that, an expression returns the same items, and n8n copies each of them into its
 * sandbox and back: a third of a second for 20,000.
 */
export function savedItems(context: IWebhookFunctions): INodeExecutionData[] {
  const { connectionInputData } = inside(context);
  const items: unknown = Array.isArray(connectionInputData)
    ? connectionInputData
    : context.evaluateExpression('{{ $input.all() }}', 0);
  return items as INodeExecutionData[];
}

/**
 * Returns an execution as n8n's database has it; undefined where a person deleted it. Rejects where the database can't be read.
 * Uses: `getRunExecutionData` of the additional data, which n8n documents for the contexts of executions alone
 * (`getExecutionDataById`). Without that, this rejects, and an execution that was stopped is asked about until its limit.
 */
export async function savedExecution(
  context: object,
  executionId: string,
): Promise<IRunExecutionData | undefined> {
  const { additionalData } = context as { additionalData: IWorkflowExecuteAdditionalData };
  return await additionalData.getRunExecutionData(executionId);
}

/**
 * Whether an error of `getCredentials` says that a person deleted the credential.
 * Uses: the name of n8n's error. Without that, messages are asked about with the last key, until the limits of their waits.
 */
export const isCredentialDeleted = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'CredentialNotFoundError';

/**
 * Returns an item that n8n sends to the error branch with all fields of its json. On the error branch, n8n adds the columns of the
 * input item; the fields of the json win.
 * Uses: n8n goes through the items twice. First, n8n sends a copy of each item with an `error` to the error branch. Then n8n reduces each
 * item that still has an `error` to its message. The copy has none, since n8n copies enumerable properties alone, and so keeps its fields.
 * Once n8n copies items before it looks for an `error`, such an item leaves by the first branch, with its fields.
 */
export const toErrorBranch = (item: INodeExecutionData, message: string): INodeExecutionData =>
  Object.defineProperty(item, 'error', { value: new Error(message), enumerable: false });

/**
 * Returns a text that all Retries of an execution share, and no Retry of another execution has; undefined where there is none. From
 * n8n 2.41 on, the retried execution itself has the text, too; in n8n before 2.41, that execution gets undefined.
 * Uses: the token in `$execution.resumeUrl`, which n8n 2.41 makes for each execution at random and copies into its Retries. n8n before
 * 2.41 has no token: in a Retry, the earliest run that n8n copied from the execution stands in for the token. Without both, the messages
 * of each Retry have ids of their own, and a Retry can't find what another Retry has sent.
 */
export function sharedByRetries(context: IExecuteFunctions): string | undefined {
  const token = executionToken(context);
  if (token !== undefined) return token;
  return context.getMode() === 'retry' ? firstRunAsText(runDataOf(context)) : undefined;
}

/**
 * Returns the text that an execution shares with all its Retries; undefined before n8n 2.41.
 * Uses: the token in `$execution.resumeUrl`. Without that, a Retry of an agent that may have been cut off sends no message that has
 * neither a key nor an id of its own.
 */
export function executionToken(context: IExecuteFunctions): string | undefined {
  const { $execution } = context.getWorkflowDataProxy(0) as { $execution?: { resumeUrl?: unknown } };
  return /[?&]signature=([^&]+)/.exec(String($execution?.resumeUrl))?.[1];
}

/** Returns what tells the earliest run of any node from other runs: its node, its times, its place and its first item. */
function firstRunAsText(runData: Record<string, ITaskData[]>): string | undefined {
  const runs = Object.entries(runData).flatMap(([name, all]) => all.map((run) => ({ name, run })));
  if (runs.length === 0) return undefined;
  const { name, run } = runs.reduce((first, one) => (one.run.startTime < first.run.startTime ? one : first));
  const { startTime, executionTime, executionIndex, data } = run;
  return JSON.stringify([name, startTime, executionTime, executionIndex, data?.main?.[0]?.[0]]);
}

/**
 * Whether the retried execution may have been stopped, or n8n killed, in this run of the node or in a node after it.
 * Uses: the run data of the execution. Without those, each Retry counts as cut off, and sends no message that has neither a key
 * nor an id of its own.
 */
export function mayBeCutOff(context: IExecuteFunctions): boolean {
  const runData = runDataOf(context);
  const own = runData[context.getNode().name];
  // Retry takes the last run of the node away where n8n noted a crash in it. A single run then leaves an empty list, for which `every` is
  // true, too. An ordinary error of the node leaves the same list, which is why the execution only may have been cut off.
  const hasCrashed = own?.every(({ executionStatus }) => executionStatus === 'crashed') === true;
  if (hasCrashed || own?.some(isNotedAsDone) === true) return true;
  // n8n counts the runs of an execution from 0, and those of a Retry from 0 again. A Retry that goes on where the execution ended has two
  // runs with the index 0: the first run of the execution, which n8n copied, and its own first run. After a stop, or a kill that n8n noted
  // in no run, n8n copies nothing: the Retry begins at the start of the workflow, and has its own first run alone.
  const firstRuns = Object.values(runData)
    .flat()
    .filter(({ executionIndex }) => executionIndex === 0);
  return firstRuns.length < 2;
}

/**
 * Whether the retried execution may have been stopped, or n8n killed, while an agent was at work that has the node as its tool.
 * Uses: the run data of the execution. Without those, each Retry of an agent counts as cut off.
 */
export function mayAgentBeCutOff(context: IExecuteFunctions): boolean {
  const runs = Object.values(runDataOf(context)).flat();
  if (runs.some((run) => run.executionStatus === 'crashed' || isNotedAsDone(run))) return true;
  // n8n counts the runs of a Retry from 0, and has noted the model's call, but not yet the agent that is at work. In a Retry that began at
  // the start of the workflow, the agent's index is therefore missing below the last one. Where none is missing, n8n copied a run from
  // the execution, and so knows where that ended.
  const last = runs.reduce((max, { executionIndex }) => Math.max(max, executionIndex), 0);
  return runs.length <= last;
}

/** The run of an agent that calls a tool. */
export interface AgentRun {
  /** Runs that other nodes than tools and models had ended when the agent began: the same number as long as the agent's run lasts. */
  ended: number;

  /** Whether a model has failed in the agent's run. n8n may have run the agent again then, by Retry On Fail of the agent. */
  hasModelFailed: boolean;
}

/**
 * Returns what n8n has noted of the run of the agent that calls this tool.
 * Uses: the run data of the execution. Without those, an AI Agent before version 3 that n8n runs again sends its messages again.
 */
export function agentRun(context: IExecuteFunctions): AgentRun {
  const runs = Object.values(runDataOf(context))
    .flat()
    .filter((run: ITaskData | undefined) => run !== undefined);
  // Tools and models put out nothing by `main`.
  const ended = runs.filter(({ data }) => data?.main !== undefined);
  const last = ended.reduce((max, { executionIndex }) => Math.max(max, executionIndex), -1);
  const hasModelFailed = runs.some(
    ({ executionIndex, executionStatus, inputOverride }) =>
      executionIndex > last && executionStatus === 'error' && inputOverride?.ai_languageModel !== undefined,
  );
  return { ended: ended.length, hasModelFailed };
}

/**
 * Whether n8n noted this run as done when n8n started again after a kill. n8n then notes one run for each node, however often the node had
 * run, and without anything that the node put out. The run counts as successful where the node had ended a run at least once.
 */
const isNotedAsDone = ({ data }: ITaskData): boolean =>
  data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;

/**
 * Returns the nodes of a type that are in the workflow and not deactivated, each with its name, its parameters and the
 * production URL of its webhook `path`.
 * n8n tells a node nothing of the other nodes of its workflow, and what a trigger saves of its own address is outdated once
 * n8n moves: n8n (2.41) doesn't call a published trigger's `create` when it starts.
 * Uses: `workflow.nodes` and `additionalData.webhookBaseUrl` of the context. Without those there are no nodes, and a send with
 * 'To This Workflow' in 'Delivery Report' is refused before anything leaves.
 */
export function webhookNodes(context: IExecuteFunctions, type: string, path: string) {
  const { workflow, additionalData } = inside(context);
  const base: unknown = additionalData?.webhookBaseUrl;
  if (workflow?.nodes === undefined || typeof base !== 'string') return [];
  return Object.values(workflow.nodes)
    .filter((node) => node.type === type && node.disabled !== true)
    .map((node) => ({
      name: node.name,
      url: NodeHelpers.getNodeWebhookUrl(base, workflow.id, node, path, false),
      parameters: node.parameters as Record<string, unknown>,
    }));
}

/**
 * Makes `$fromAI` read the arguments of this very call; returns false where it would read those of another call. An AI Agent 2.x whose
 * Batch Size is above 1 calls a tool several times at once, and n8n (2.41) gives all these calls the same run index: each call would
 * read the number, the text and `confirm` of the first one.
 * Uses: n8n keeps the input of each call in the run data of the tool, and `$fromAI` finds that input by the `runIndex` of the context.
 * Without `runIndex`, a call that would read the arguments of another call is refused. Without the inputs, each call counts as its own.
 */
export function takeOwnArguments(context: IExecuteFunctions): boolean {
  const input = context.getInputData();
  const runs = runDataOf(context)[context.getNode().name] ?? [];
  // Where n8n has not noted a run yet, `runs` has a hole: `Array.from` reads a hole as undefined, and `map` would skip it.
  const inputs = Array.from(runs, (run: ITaskData | undefined) => run?.inputOverride?.ai_tool?.[0]);
  const own = inputs.indexOf(input);
  if (own !== -1) inside(context).runIndex = own;
  const { $runIndex = 0 } = context.getWorkflowDataProxy(0) as { $runIndex?: number };
  const inputRead = inputs[$runIndex];
  return (
    inputRead === undefined || !isToolRun(context) || JSON.stringify(inputRead) === JSON.stringify(input)
  );
}

/**
 * Whether `$json` in this tool is the agent's first item in each call, though the agent has several items: AI Agent 2.x calls so.
 * Uses: `connectionInputData` of the context. Without that, a tool sends the values of the first item for each item.
 */
export function seesFirstItemOnly(context: IExecuteFunctions): boolean {
  const { connectionInputData } = inside(context);
  return Array.isArray(connectionInputData) && connectionInputData.length > context.getInputData().length;
}

/** The call of a tool that an agent waits for. */
interface AgentCall {
  /** The id that the model gave the call. */
  id: string;
  input: unknown;

  /** The name of the agent. */
  agent: string;
  metadata: Record<string, unknown>;
}

/**
 * Returns the call for which n8n runs this node, and which n8n will carry out; undefined where there is none. The input item isn't that
 * call: n8n mixes into it the agent's own item and whatever else the model passed.
 * Uses: the agent's entry on n8n's stack, with the run index and the id of the call. Without that, there is no call:
 * a human review refuses to ask, and the lock "By a Person" stays closed.
 */
function agentCall(context: IExecuteFunctions): AgentCall | undefined {
  const { name } = context.getNode();
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  const callId = context.getInputData()[0]?.json.toolCallId;
  const stack = inside(context).runExecutionData?.executionData?.nodeExecutionStack ?? [];
  for (const { node: agent, metadata } of stack) {
    const found = metadata?.subNodeExecutionData?.actions.find(
      (one) => one.nodeName === name && one.runIndex === runIndex && one.action.id === callId,
    );
    if (found === undefined) continue;
    const { id, input, metadata: ofCall } = found.action;
    return { id, input, agent: agent.name, metadata: { ...ofCall } };
  }
  return undefined;
}

/**
 * Returns the call that this human review is asked about: the tool, what the tool will be called with, the other fields of the input
 * item, which n8n passes on to the tool, and the form of the tool as it is filled in, where the tool is of this package. Undefined
 * where n8n doesn't say.
 * Uses: `agentCall`, and `workflow.nodes` of the context. Without `workflow.nodes`, there is no form: where the call names people, the
 * page shows no numbers beside their names.
 */
export function reviewedCall(context: IExecuteFunctions) {
  const call = agentCall(context);
  const hitl = call?.metadata.hitl as
    | { toolName?: unknown; gatedToolNodeName?: unknown; originalInput?: unknown }
    | undefined;
  if (call === undefined || typeof hitl?.toolName !== 'string') return undefined;
  const { json } = context.getInputData()[0];
  const others = Object.entries(json).filter(([name]) => !FIELDS_OF_CALL.includes(name));
  return {
    id: call.id,
    tool: hitl.toolName,
    parameters: hitl.originalInput,
    others: Object.fromEntries(others),
    form: ownToolForm(context, hitl.gatedToolNodeName),
  };
}

/** Fields of the input item of a review that hold the call; all others come from the agent's item. */
const FIELDS_OF_CALL = ['tool', 'toolParameters', 'toolCallId'];

/** Returns the parameters, as they are filled in, of the tool of this package with this name; undefined for any other node. */
function ownToolForm(context: IExecuteFunctions, name: unknown): Record<string, unknown> | undefined {
  const nodes = Object.values(inside(context).workflow?.nodes ?? {});
  const tool = nodes.find((node) => node.name === name);
  const ownType = context.getNode().type.replace(REVIEW_TYPE, TOOL_TYPE);
  return tool?.type === ownType ? (tool.parameters as Record<string, unknown>) : undefined;
}

/**
 * Returns the node between this tool and the agent that let the call through: its type, whether that is the review of this package, the
 * id of the call, what the tool is called with, and what the node put out so far in this execution. Undefined for a call that came
 * straight from the agent.
 * Uses: `agentCall`, and the run data of the review. Without those, the lock "By a Person" stays closed.
 */
export function approvingReview(context: IExecuteFunctions) {
  const call = agentCall(context);
  const name = call?.metadata.parentNodeName;
  if (call === undefined || typeof name !== 'string') return undefined;
  const neighbours = context.getParentNodes(call.agent, { connectionType: 'ai_tool', depth: 1 });
  const type = neighbours.find((node) => node.name === name)?.type;
  if (type === undefined) return undefined;
  const runs = runDataOf(context)[name] ?? [];
  const outputs = runs.flatMap(({ data }) => data?.ai_tool?.[0] ?? []).map(({ json }) => json);
  const isOwn = type.endsWith(REVIEW_TYPE) && type.replace(REVIEW_TYPE, TOOL_TYPE) === context.getNode().type;
  return { name, type, isOwn, callId: call.id, input: call.input, outputs };
}
