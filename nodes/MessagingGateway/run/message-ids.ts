import type { IExecuteFunctions } from 'n8n-workflow';

import type { IdMemory } from './id-maker';
import { createIdMaker } from './id-maker';

const CONTEXT_KEY = 'messagingGatewayIds';

/** Which run of the node this is in its execution, from 0. */
export function runIndexOf(context: IExecuteFunctions): number {
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return typeof runIndex === 'number' ? runIndex : 0;
}

/**
 * Made ids for the items of one run of the node: the same again when n8n runs it again in the same execution.
 * The counter lives in the run data of the execution, shared by all its send nodes.
 */
export function makeMessageIds(context: IExecuteFunctions, count: number): (itemIndex: number) => number {
  let make: ((itemIndex: number) => number) | undefined;
  return (itemIndex) => {
    make ??= createIdMaker({
      instanceId: context.getInstanceId(),
      executionId: context.getExecutionId(),
      nodeKey: context.getNode().id ?? context.getNode().name,
      runIndex: runIndexOf(context),
      count,
      nowMs: Date.now(),
      memory: (context.getContext('flow')[CONTEXT_KEY] ??= {}) as IdMemory,
    });
    return make(itemIndex);
  };
}
