/** The `pipeline` operation: several channels, tried in the order given (gateway-api.md, "Pipelines"). */
import { firstProblem, hookUrl, identifier, isObject, phone, undeclaredNames } from '../checks.mts';
import type { OperationFields } from '../checks.mts';
import type { JsonObject } from '../types.mts';
import { CHANNEL_NAMES, CHANNELS } from './channels.mts';

const OWN_NAMES = new Set(['type', 'id', 'phone', 'pipeline', 'hook', ...CHANNEL_NAMES]);

const OWN: OperationFields = {
  fields: { id: identifier, phone, pipeline: channelList, hook: hookUrl },
  required: ['id', 'phone', 'pipeline'],
};

function channelList(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'has to be an array';
  if (value.length === 0) return 'is empty';
  const seen = new Set<unknown>();
  for (const channel of value) {
    if (!CHANNEL_NAMES.some((known) => known === channel)) {
      return `has to hold only ${CHANNEL_NAMES.join(', ')}`;
    }
    if (seen.has(channel)) return `names ${String(channel)} twice`;
    seen.add(channel);
  }
  return undefined;
}

/**
 * The first thing wrong with a pipeline operation, or undefined. The contract's table marks the objects of five channels
 * as required, which makes no sense for a pipeline of two: the object of each channel that it names is demanded.
 */
export function pipelineProblem(operation: JsonObject): string | undefined {
  const problem = firstProblem(operation, OWN);
  if (problem) return problem;
  for (const channel of operation.pipeline as string[]) {
    const stage = operation[channel];
    if (stage === undefined) return `${channel} is required`;
    if (!isObject(stage)) return `${channel} has to be an object`;
    const { stage: shape, tolerated } = CHANNELS[channel];
    const inStage = firstProblem(stage, { ...shape, fields: { ...shape.fields, ...tolerated } });
    if (inStage) return `${channel}.${inStage}`;
  }
  return undefined;
}

/** Undeclared properties of a pipeline and its stages, and stages that `pipeline` does not name. */
export function pipelineExtras(operation: JsonObject): { undeclared: string[]; unused: string[] } {
  const undeclared = undeclaredNames(operation, OWN_NAMES);
  const unused: string[] = [];
  const named = Array.isArray(operation.pipeline) ? operation.pipeline : [];
  for (const channel of CHANNEL_NAMES) {
    const stage = operation[channel];
    if (!isObject(stage)) continue;
    undeclaredNames(stage, new Set(Object.keys(CHANNELS[channel].stage.fields)), `${channel}.`, undeclared);
    if (!named.includes(channel)) unused.push(channel);
  }
  return { undeclared, unused };
}
