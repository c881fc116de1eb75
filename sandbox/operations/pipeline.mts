/** The `pipeline` operation: several channels, tried in the order given (gateway-api.md, "Pipelines"). */
import {
  digits4to8,
  firstProblem,
  hookUrl,
  identifier,
  isObject,
  oneOf,
  phone,
  text,
  undeclaredNames,
} from '../checks.mts';
import type { OperationFields } from '../checks.mts';
import type { JsonObject } from '../types.mts';
import { VIBER_TYPES } from './fields.mts';

export const PIPELINE_CHANNELS = ['voice', 'telegram', 'viber', 'rcs', 'sms', 'whatsapp'] as const;

const messageText = (value: unknown) => (typeof value === 'string' ? undefined : 'has to be a string');
const unchecked = () => undefined;

const STAGES: Readonly<Record<string, OperationFields>> = {
  sms: { fields: { message: messageText, signature: text }, required: ['message', 'signature'] },
  // One-time passwords only (gateway-api.md, "Pipelines").
  telegram: { fields: { message: digits4to8 }, required: ['message'] },
  viber: {
    fields: { message: text, signature: text, type: oneOf(VIBER_TYPES) },
    required: ['message', 'signature', 'type'],
  },
  // The contract gives a voice stage no text; gateways in the wild take `message`, so it is tolerated here
  // (and still shows up among the undeclared properties).
  voice: {
    fields: { gender: oneOf(['male', 'female']), language: text, name: text, message: text },
    required: ['gender', 'language', 'name'],
  },
  rcs: { fields: { message: text, signature: text }, required: ['message', 'signature'] },
  // The service checks neither field (gateway-api.md, "Nested objects").
  whatsapp: { fields: { message: unchecked, signature: unchecked }, required: [] },
};

const STAGE_NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  sms: new Set(['message', 'signature']),
  telegram: new Set(['message']),
  viber: new Set(['message', 'signature', 'type']),
  voice: new Set(['gender', 'language', 'name']),
  rcs: new Set(['message', 'signature']),
  whatsapp: new Set(['message', 'signature']),
};

const OWN_NAMES = new Set(['type', 'id', 'phone', 'pipeline', 'hook', ...PIPELINE_CHANNELS]);

const OWN: OperationFields = {
  fields: { id: identifier, phone, pipeline: channelList, hook: hookUrl },
  required: ['id', 'phone', 'pipeline'],
};

function channelList(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'has to be an array';
  if (value.length === 0) return 'is empty';
  const seen = new Set<unknown>();
  for (const channel of value) {
    if (!(PIPELINE_CHANNELS as readonly unknown[]).includes(channel)) {
      return `has to hold only ${PIPELINE_CHANNELS.join(', ')}`;
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
    const inStage = firstProblem(stage, STAGES[channel]);
    if (inStage) return `${channel}.${inStage}`;
  }
  return undefined;
}

/** Undeclared properties of a pipeline and its stages, and stages that `pipeline` does not name. */
export function pipelineExtras(operation: JsonObject): { undeclared: string[]; unused: string[] } {
  const undeclared = undeclaredNames(operation, OWN_NAMES);
  const unused: string[] = [];
  const named = Array.isArray(operation.pipeline) ? operation.pipeline : [];
  for (const channel of PIPELINE_CHANNELS) {
    const stage = operation[channel];
    if (!isObject(stage)) continue;
    undeclaredNames(stage, STAGE_NAMES[channel], `${channel}.`, undeclared);
    if (!named.includes(channel)) unused.push(channel);
  }
  return { undeclared, unused };
}
