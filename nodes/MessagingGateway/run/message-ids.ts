import type { IExecuteFunctions } from 'n8n-workflow';

import type { IdMemory } from './id-maker';
import { createIdMaker } from './id-maker';

const CONTEXT_KEY = 'messagingGatewayIds';
const LOOKED_KEY = 'messagingGatewayRepeated';

/** Returns the index of this run of the node in its execution, from 0. */
export function runIndexOf(context: IExecuteFunctions): number {
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return typeof runIndex === 'number' ? runIndex : 0;
}

/**
 * Whether n8n repeats a saved execution in which this run had ids already: they may have been sent by then, and by
 * another repetition of the same execution, of which this one knows nothing.
 */
export function mayHaveSentBefore(context: IExecuteFunctions, runIndex: number): boolean {
  if (context.getMode() !== 'retry') return false;
  // A second try of this execution knows from the journal what the first one left open.
  const looked = (context.getContext('node')[LOOKED_KEY] ??= {}) as Record<string, boolean>;
  const run = `${context.getExecutionId()}|${runIndex}`;
  if (looked[run]) return false;
  looked[run] = true;
  const { runs } = (context.getContext('flow')[CONTEXT_KEY] ?? {}) as IdMemory;
  return runs?.[`${context.getNode().name}|${runIndex}`] !== undefined;
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
