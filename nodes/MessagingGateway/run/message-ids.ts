import type { IExecuteFunctions } from 'n8n-workflow';

import type { IdMemory } from './id-maker';
import { createIdMaker } from './id-maker';

const CONTEXT_KEY = 'messagingGatewayIds';
const OWNERS_KEY = 'messagingGatewayOwners';

/** Returns the index of this run of the node in its execution, from 0. */
export function runIndexOf(context: IExecuteFunctions): number {
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return typeof runIndex === 'number' ? runIndex : 0;
}

/** Which execution's journal tells all that was sent by a run of the node, by its index. */
const ownersOf = (context: IExecuteFunctions): Record<string, string> =>
  (context.getContext('node')[OWNERS_KEY] ??= {}) as Record<string, string>;

/**
 * Whether n8n repeats a saved execution in which this run had begun. What the execution sent is in its journal; what
 * another repetition of it sent is saved nowhere, and this may be the first repetition or the tenth.
 */
export function mayHaveSentBefore(context: IExecuteFunctions, runIndex: number): boolean {
  const execution = context.getExecutionId();
  const owner = (ownersOf(context)[runIndex] ??= execution);
  return context.getMode() === 'retry' && owner !== execution;
}

/** Records that from now on the journal has all that this execution sends and asks about. */
export function ownRun(context: IExecuteFunctions, runIndex: number): void {
  ownersOf(context)[runIndex] = context.getExecutionId();
}

/**
 * Returns a function that takes the index of an item of this run, below `count`, and returns its id: the same id when n8n repeats the
 * node in the same execution. The record of ids is in the run data of the execution, shared by all its send nodes.
 */
export function makeMessageIds(
  context: IExecuteFunctions,
  runIndex: number,
  count: number,
): (itemIndex: number) => number {
  return createIdMaker({
    instanceId: context.getInstanceId(),
    executionId: context.getExecutionId(),
    // Names are unique in a workflow; ids of hand-written nodes need not be.
    nodeKey: context.getNode().name,
    runIndex,
    count,
    nowMs: Date.now(),
    memory: (context.getContext('flow')[CONTEXT_KEY] ??= {}) as IdMemory,
  });
}
