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
 * The parts of n8n that this package uses without n8n documenting them. Each function says what happens once n8n changes its part;
 * test/engine/undocumented.test.mts notices, and docs/internals/verification.md lists them.
 */

/**
 * Makes the items the data of the sleeping execution: n8n passes them to webhook() and, at its own limit, on to the next
 * node. Gives the entry on n8n's stack a node object of its own as well: n8n disables the node of the entry that wakes, and
 * would otherwise disable it for every other entry of the node, whose items would pass through unprocessed.
 * Uses: n8n saves the same entry that it returns. Once n8n saves another one, a wake returns the node's input, in which nothing
 * counts as an answer; and of two branches into one node the second passes through.
 */
export function sleepAlone(context: IExecuteFunctions, items: INodeExecutionData[]): void {
  const entry = context.getExecuteData();
  entry.data = { main: [items.map(toSleeping)] };
  entry.node = { ...entry.node };
}

/**
 * Returns an item that n8n sends to the error branch with all fields of its json, merged over the columns of its row.
 * Uses: n8n looks at `error` of an item, copies only enumerable properties, and gives an item that still has its `error` the
 * message of that error as its only field. Once n8n copies items before it looks, such a row leaves by the first branch, with its fields.
 */
export const toErrorBranch = (item: INodeExecutionData, message: string): INodeExecutionData =>
  Object.defineProperty(item, 'error', { value: new Error(message), enumerable: false });

/**
 * Returns an item as it can sleep: n8n saves only enumerable properties, and copies the items that wake before it looks for errors.
 * After that, n8n knows an error by a json of nothing but `error`: its text says what to do, and of which message.
 */
function toSleeping(item: INodeExecutionData): INodeExecutionData {
  if (item.error === undefined) return item;
  const { error, what_to_do: advice, id } = item.json;
  const ofMessage = id === undefined ? '' : ` ID of the message: ${String(id)}`;
  return { json: { error: `${String(error)}. ${String(advice)}${ofMessage}` }, pairedItem: item.pairedItem };
}

/**
 * Returns the items with which the called execution fell asleep, as n8n saved them. An expression returns them as well,
 * but has n8n copy each of them into its sandbox and back: a third of a second for 20,000.
 * Uses: `connectionInputData` of the context. Without that, the expression stands in for it.
 */
export function savedItems(context: IWebhookFunctions): INodeExecutionData[] {
  const { connectionInputData } = context as unknown as { connectionInputData?: unknown };
  const items: unknown = Array.isArray(connectionInputData)
    ? connectionInputData
    : context.evaluateExpression('{{ $input.all() }}', 0);
  return items as INodeExecutionData[];
}

/**
 * Returns an execution as n8n's database has it; undefined where it was deleted. Rejects where the database can't be read.
 * Uses: `getRunExecutionData` of the additional data, which n8n documents for the contexts of executions alone
 * (`getExecutionDataById`). Without it, this rejects, and an execution that was stopped is asked about until its limit.
 */
export async function savedExecution(
  context: object,
  executionId: string,
): Promise<IRunExecutionData | undefined> {
  const { additionalData } = context as { additionalData: IWorkflowExecuteAdditionalData };
  return await additionalData.getRunExecutionData(executionId);
}

/**
 * Whether an error of `getCredentials` says that the credential was deleted.
 * Uses: the name of n8n's error. Without it, messages are asked about with the last key, until the limits of their waits.
 */
export const isCredentialDeleted = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'CredentialNotFoundError';

const executionOf = (context: IExecuteFunctions): Partial<IRunExecutionData> =>
  (context as unknown as { runExecutionData?: IRunExecutionData | null }).runExecutionData ?? {};

/**
 * Returns a text that an execution shares with all its Retries, and with nothing else; undefined where there is none.
 * Uses: the token in `$execution.resumeUrl`, which n8n makes for each execution at random and copies into its Retries. n8n
 * before 2.41 has none: in a Retry, the first run of a node, which n8n copies as well, stands in for the token. Without both,
 * the messages of each Retry have ids of their own, and a Retry can't find what another Retry has sent.
 */
export function sharedByRetries(context: IExecuteFunctions): string | undefined {
  const { $execution } = context.getWorkflowDataProxy(0) as { $execution?: { resumeUrl?: unknown } };
  const token = /[?&]signature=([^&]+)/.exec(String($execution?.resumeUrl))?.[1];
  if (token !== undefined || context.getMode() !== 'retry') return token;
  const runs = Object.entries(executionOf(context).resultData?.runData ?? {}).flatMap(([name, all]) =>
    all.map(({ startTime, executionTime, executionIndex, data }) => ({
      is: [name, startTime, executionTime, executionIndex, data?.main?.[0]?.[0]],
      startTime,
    })),
  );
  if (runs.length === 0) return undefined;
  const first = runs.reduce((earliest, run) => (run.startTime < earliest.startTime ? run : earliest));
  return JSON.stringify(first.is);
}

/**
 * Whether n8n noted this run of a node when it was started again after a kill: one run of each node, however often the node had run,
 * as a success where any of them had ended.
 */
const isNotedAsDone = ({ data }: ITaskData): boolean =>
  data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;

/**
 * Whether the execution that is repeated by Retry may have been stopped, or n8n killed, in this run of the node or behind it. After a
 * kill, n8n begins at the first node anew. It notes that the node crashed, and Retry takes the note away again; or that the node
 * was done, with nothing of what was sent. Without a note, the run data have one first node, and after any other end two: that of the
 * execution, and that of the Retry.
 * Uses: the run data of the execution. Without them, each Retry counts as cut off, and sends no message that has neither a key
 * nor an id of its own.
 */
export function mayBeCutOff(context: IExecuteFunctions): boolean {
  const runData = executionOf(context).resultData?.runData ?? {};
  const own = runData[context.getNode().name];
  const isNoted =
    own?.every(({ executionStatus }) => executionStatus === 'crashed') || own?.some(isNotedAsDone);
  const firstNodes = Object.values(runData)
    .flat()
    .filter(({ executionIndex }) => executionIndex === 0);
  return isNoted === true || firstNodes.length < 2;
}

/**
 * Has `$fromAI` read the arguments of this very call, and returns whether it does. An AI Agent 2.x whose Batch Size is above 1
 * calls a tool several times at once, and n8n (2.41) gives all these calls the same run index: each of them would
 * read number, text and `confirm` of the first.
 * Uses: n8n keeps the input of each call in the run data of the tool, and `$fromAI` finds it by the `runIndex` of the context.
 * Once n8n changes either, a call that would read the arguments of another one is refused.
 */
export function readsOwnArguments(context: IExecuteFunctions): boolean {
  const input = context.getInputData();
  const runs = executionOf(context).resultData?.runData[context.getNode().name] ?? [];
  const inputs = Array.from(runs, (run: ITaskData | undefined) => run?.inputOverride?.ai_tool?.[0]);
  const own = inputs.indexOf(input);
  if (own !== -1) (context as unknown as { runIndex: number }).runIndex = own;
  const { $runIndex } = context.getWorkflowDataProxy(0) as { $runIndex?: number };
  const read = inputs[$runIndex ?? 0];
  return read === undefined || !isToolRun(context) || JSON.stringify(read) === JSON.stringify(input);
}

/**
 * Whether the agent that calls this tool has several items, and `$json` is the first of them in each call, as with AI Agent 2.x.
 * Uses: `connectionInputData` of the context. Without that, a tool writes what the first item holds for each item.
 */
export function seesFirstItemOnly(context: IExecuteFunctions): boolean {
  const { connectionInputData } = context as unknown as { connectionInputData?: unknown[] };
  return (connectionInputData?.length ?? 0) > context.getInputData().length;
}

/**
 * Returns the call for which n8n runs the node, with its id, as the model numbers it, and the name of the agent that waits
 * for its result; undefined where there is none. On this call n8n will act, whereas the input item mixes the call with the
 * agent's own item and with whatever else the model passed.
 * Uses: the agent's entry on n8n's stack, with the run index and the id of the call. Without that, there is no call:
 * a human review refuses to ask, and the lock "By a Person" stays closed.
 */
function agentCall(context: IExecuteFunctions) {
  const { name } = context.getNode();
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  const id = context.getInputData()[0]?.json.toolCallId;
  const stack = executionOf(context).executionData?.nodeExecutionStack ?? [];
  for (const { node, metadata } of stack) {
    const found = metadata?.subNodeExecutionData?.actions.find(
      (one) => one.nodeName === name && one.runIndex === runIndex && one.action.id === id,
    );
    if (!found) continue;
    const more: Record<string, unknown> = { ...found.action.metadata };
    return { id: found.action.id, input: found.action.input as unknown, agent: node.name, metadata: more };
  }
  return undefined;
}

/** Fields of the input item of a review that aren't the agent's: n8n adds them, or they are the call itself. */
const OF_THE_CALL = ['tool', 'toolParameters', 'toolCallId'];

/** Returns the parameters, as they are filled in, of the tool of this package with this name; undefined for any other node. */
function ownToolForm(context: IExecuteFunctions, name: unknown): Record<string, unknown> | undefined {
  const { workflow } = context as unknown as { workflow?: { nodes?: Record<string, INode> } };
  const tool = Object.values(workflow?.nodes ?? {}).find((node) => node.name === name);
  const type = context.getNode().type.replace(REVIEW_TYPE, TOOL_TYPE);
  return tool?.type === type ? (tool.parameters as Record<string, unknown>) : undefined;
}

/**
 * Returns the call that this human review is asked about: the tool, what it will be called with, and the fields of the
 * node's input item besides, since n8n passes those of the agent's item on to the tool; and, where the tool is one of this package,
 * its form as it is filled in. Undefined where n8n doesn't say; see `agentCall`.
 * Uses: `workflow.nodes` of the context. Without them, the page shows the call without the numbers of the people whom it names.
 */
export function reviewedCall(context: IExecuteFunctions) {
  const found = agentCall(context);
  const hitl = found?.metadata.hitl as
    | { toolName?: unknown; gatedToolNodeName?: unknown; originalInput?: unknown }
    | undefined;
  if (found === undefined || typeof hitl?.toolName !== 'string') return undefined;
  const { json } = context.getInputData()[0];
  const others = Object.entries(json).filter(([name]) => !OF_THE_CALL.includes(name));
  return {
    id: found.id,
    tool: hitl.toolName,
    parameters: hitl.originalInput,
    others: Object.fromEntries(others),
    form: ownToolForm(context, hitl.gatedToolNodeName),
  };
}

/**
 * Returns the node that let the call of this tool through, between it and the agent, with its type, whether that is the review of this
 * package, the id of the call, what the tool is called with, and what the node put out so far in this execution; undefined for a call that came another way.
 * Uses: `agentCall`, and the run data of the review. Without them, the lock "By a Person" stays closed.
 */
export function approvingReview(context: IExecuteFunctions) {
  const call = agentCall(context);
  const name = call?.metadata.parentNodeName;
  if (call === undefined || typeof name !== 'string') return undefined;
  const among = context.getParentNodes(call.agent, { connectionType: 'ai_tool', depth: 1 });
  const type = among.find((node) => node.name === name)?.type;
  if (type === undefined) return undefined;
  const runs = executionOf(context).resultData?.runData[name] ?? [];
  const outputs = runs.flatMap(({ data }) => data?.ai_tool?.[0] ?? []).map(({ json }) => json);
  const isOwn = type.endsWith(REVIEW_TYPE) && type.replace(REVIEW_TYPE, TOOL_TYPE) === context.getNode().type;
  return { name, type, isOwn, callId: call.id, input: call.input, outputs };
}

/**
 * Returns the nodes of a type that are in the workflow and not deactivated, each with its name, its parameters and the
 * production URL of its webhook `path`.
 * n8n tells a node nothing of the other nodes of its workflow, and what a trigger saves of its own address is outdated once
 * n8n moves: n8n (2.41) doesn't call a published trigger's `create` when it starts.
 * Uses: `workflow.nodes` and `additionalData.webhookBaseUrl` of the context. Without them there are none, and a send with
 * 'To This Workflow' in 'Delivery Report' is refused before anything leaves.
 */
export function webhookNodes(context: IExecuteFunctions, type: string, path: string) {
  const { workflow, additionalData } = context as unknown as {
    workflow?: { id: string; nodes?: Record<string, INode> };
    additionalData?: { webhookBaseUrl?: unknown };
  };
  const base = additionalData?.webhookBaseUrl;
  if (workflow?.nodes === undefined || typeof base !== 'string') return [];
  return Object.values(workflow.nodes)
    .filter((node) => node.type === type && node.disabled !== true)
    .map((node) => ({
      name: node.name,
      url: NodeHelpers.getNodeWebhookUrl(base, workflow.id, node, path, false),
      parameters: node.parameters as Record<string, unknown>,
    }));
}
