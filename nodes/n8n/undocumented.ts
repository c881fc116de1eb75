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
 * All that this package uses of n8n and n8n doesn't document. Each function says what it uses, and what happens once n8n changes that;
 * test/engine/undocumented.test.mts notices the change, and docs/internals/verification.md lists the functions.
 */

/**
 * Makes the items the data of the sleeping execution: n8n passes them to webhook() and, at its own limit, on to the next node. The
 * entry on n8n's stack gets a node object of its own, since n8n disables the node of the entry that wakes: where two branches lead
 * into the node, the second entry shares the object, and its items would pass through unprocessed.
 * Uses: the entry that `getExecuteData` returns is the one that n8n saves. Once n8n saves another one, a wake returns the node's input,
 * in which nothing counts as an answer; and the items of a second branch pass through.
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
 * Returns an item as it can sleep. n8n saves only enumerable properties, and copies the items that wake, so that it then knows a failed
 * item only by a json with nothing but `error`: that one text has to say what failed, what to do, and of which message.
 */
function toSleeping(item: INodeExecutionData): INodeExecutionData {
  if (item.error === undefined) return item;
  const { error, what_to_do: advice, id } = item.json;
  const ofMessage = id === undefined ? '' : ` ID of the message: ${String(id)}`;
  return { json: { error: `${String(error)}. ${String(advice)}${ofMessage}` }, pairedItem: item.pairedItem };
}

/**
 * Returns the items with which the called execution fell asleep, as n8n saved them. An expression returns the items as well,
 * but n8n copies each of them into its sandbox and back for that: a third of a second for 20,000.
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
 * Whether n8n wrote this run of a node down itself when it started again after a kill: one run for each node, however often the node had
 * run, and a successful one where any of them had ended.
 */
const isNotedAsDone = ({ data }: ITaskData): boolean =>
  data?.main?.[0]?.[0]?.json.isArtificialRecoveredEventItem === true;

/**
 * Whether the execution that Retry repeats may have been stopped, or n8n killed, in this run of the node or behind it. After a kill, n8n
 * notes that the node crashed, and Retry takes this note away, which leaves an empty list; or n8n notes that the node was done, without
 * anything that it sent. Where there is no note, the first node of the workflow tells: after a kill, a Retry begins at that node anew, and
 * the run data have the node once. After any other end they have it twice, once of the execution and once of the Retry.
 * Uses: the run data of the execution. Without them, each Retry counts as cut off, and sends no message that has neither a key
 * nor an id of its own.
 */
export function mayBeCutOff(context: IExecuteFunctions): boolean {
  const runData = executionOf(context).resultData?.runData ?? {};
  const own = runData[context.getNode().name];
  const hasCrashed = own?.every(({ executionStatus }) => executionStatus === 'crashed') === true;
  const firstNodes = Object.values(runData)
    .flat()
    .filter(({ executionIndex }) => executionIndex === 0);
  return hasCrashed || own?.some(isNotedAsDone) === true || firstNodes.length < 2;
}

/**
 * Makes `$fromAI` read the arguments of this very call, and returns whether it then does. An AI Agent 2.x whose Batch Size is above 1
 * calls a tool several times at once, and n8n (2.41) gives all these calls the same run index: each call would read the number, the
 * text and `confirm` of the first one.
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
 * Whether `$json` in this tool is the first of several items of the agent in each call, as with AI Agent 2.x.
 * Uses: `connectionInputData` of the context. Without that, a tool sends the values of the first item for each item.
 */
export function seesFirstItemOnly(context: IExecuteFunctions): boolean {
  const { connectionInputData } = context as unknown as { connectionInputData?: unknown[] };
  return (connectionInputData?.length ?? 0) > context.getInputData().length;
}

/**
 * Returns the call for which n8n runs the node, with the id that the model gave it, and the name of the agent that waits for its
 * result; undefined where there is none. n8n will carry out this call, whereas the input item mixes the call with the agent's own item
 * and with whatever else the model passed.
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

/** Fields of the input item of a review that hold the call; all others come from the agent's item. */
const OF_THE_CALL = ['tool', 'toolParameters', 'toolCallId'];

/** Returns the parameters, as they are filled in, of the tool of this package with this name; undefined for any other node. */
function ownToolForm(context: IExecuteFunctions, name: unknown): Record<string, unknown> | undefined {
  const { workflow } = context as unknown as { workflow?: { nodes?: Record<string, INode> } };
  const tool = Object.values(workflow?.nodes ?? {}).find((node) => node.name === name);
  const type = context.getNode().type.replace(REVIEW_TYPE, TOOL_TYPE);
  return tool?.type === type ? (tool.parameters as Record<string, unknown>) : undefined;
}

/**
 * Returns the call that this human review is asked about: the tool, what it will be called with, the other fields of the input item,
 * which n8n passes on to the tool, and the form of the tool as it is filled in, where the tool is of this package. Undefined where n8n
 * doesn't say; see `agentCall`.
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
 * Returns the node between this tool and the agent that let the call through: its type, whether it is the review of this package, the
 * id of the call, what the tool is called with, and what the node put out so far in this execution. Undefined for a call that came
 * straight from the agent.
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
