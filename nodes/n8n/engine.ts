import type { IExecuteFunctions } from 'n8n-workflow';
import * as workflow from 'n8n-workflow';

/** Methods that n8n 1.123 lacks, or the context of a webhook or a list. This file alone calls them. */
type AnyContext = object & Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal' | 'isToolExecution'>>;

/** Whether n8n says that an agent's tool runs; n8n 1.123 never does. */
export const isToolRun = (context: AnyContext): boolean => context.isToolExecution?.() === true;

/** The end of the name of each node type that n8n derives for human reviews. */
export const REVIEW_TYPE = 'HitlTool';

/** The end of the name of each node type that n8n derives for agents' tools. */
export const TOOL_TYPE = 'Tool';

/** Whether the node runs as a human review of an agent's tools: a node type that n8n derives from `sendAndWait`. */
export const isHumanReview = (context: IExecuteFunctions): boolean =>
  context.getNode().type.endsWith(REVIEW_TYPE);

/**
 * Whether the node runs as a tool of an AI agent, by the node type that n8n derives for tools, or by what n8n says of the run: newer
 * agents run a tool like any other node. A human review is no tool, since the agent doesn't fill it in.
 */
export function isAgentTool(context: IExecuteFunctions): boolean {
  const { type } = context.getNode();
  return !isHumanReview(context) && (type.endsWith(TOOL_TYPE) || isToolRun(context));
}

/**
 * Has n8n check the signatures of this execution's addresses (`getSignedResumeUrl`). Older versions check them only if
 * asked; newer ones, which lack the method, always do.
 */
export const requireSignature = (context: object): void =>
  (context as { setSignatureValidationRequired?: () => void }).setSignatureValidationRequired?.();

/** Returns the signal that aborts when the execution is stopped; undefined where n8n has none for the context. */
export const cancelSignal = (context: AnyContext): AbortSignal | undefined =>
  context.getExecutionCancelSignal?.();

/**
 * Returns the context with another signal in place of the signal that stops its execution, for a call of n8n's request helper, which
 * replaces the signal of a request by that of its context. Once n8n's helper does otherwise, an exchange that is cut off ends just as
 * soon, and its connection stays open until the server closes it or the execution ends.
 */
export const withSignal = <T extends object>(context: T, signal: unknown): T =>
  'getExecutionCancelSignal' in context
    ? Object.assign(Object.create(context) as T, { getExecutionCancelSignal: () => signal })
    : context;

type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Sleeps; rejects as soon as the signal aborts. Older versions of n8n have a function of its own for that. */
export const abortableSleep: Sleep = async (milliseconds, signal) => {
  const { sleepWithAbort = workflow.sleep } = workflow as { sleepWithAbort?: Sleep };
  await sleepWithAbort(milliseconds, signal);
};
