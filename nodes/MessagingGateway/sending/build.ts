import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';

import type { Channel } from '../../gateway/contract/channels';
import { CHANNELS } from '../../gateway/contract/channels';
import type { WireOperation, WireType } from '../../gateway/contract/operations';
import { hasField, rulesOf } from '../../gateway/contract/operations';
import { findIssue, stageSchemas } from '../../gateway/contract/wire-fields';
import { isObject } from '../../gateway/text/json';
import { InvalidParameter, quoted, readFields } from '../fields/field';
import type { Field } from '../fields/field';
import { optionFieldsOf } from '../fields/options';
import { readOnce } from '../fields/property';
import { asObject } from '../fields/values';
import type { Effect, OperationNames } from '../run/description';
import type { Item } from '../run/item';
import type { ResultOf } from '../run/row';

export const ADDITIONAL_PROPERTIES_LABEL = 'Additional Properties';

interface BuildSpec {
  wireType: WireType;

  /** The fields of the form, in order. */
  fields: Field[];
}

/**
 * An operation that sends one operation object of the JSON API for each item, always of the same wire type. Its output
 * is the payload of the answer, unless `result` makes another of it.
 */
export interface WireOperationSpec extends OperationNames, BuildSpec {
  effect: Exclude<Effect, 'ownSwitch'>;

  result?: ResultOf;

  /**
   * Set in place of `result` where the output depends on the form: reads it before anything leaves.
   * Throws InvalidParameter for what can't be read.
   */
  resultFor?(item: Pick<Item, 'read'>): ResultOf;

  /** Form properties that are not wire fields, such as `returnAll`. */
  extra?: INodeProperties[];

  /** Set where only the synchronous endpoint returns the result, so that the operation can't be queued. */
  syncOnly?: true;
  outputSchema: z.ZodTypeAny;
}

/** The part of an item that is needed to build its operation. */
type BuildItem = Pick<Item, 'read' | 'options' | 'idFor'>;

/**
 * Compiles a specification, once for each run. Returns the function that builds the operation object of an item (gateway-api.md,
 * "Operation types"). That function throws InvalidParameter for a value that the contract doesn't accept.
 */
export function compileBuilder(spec: BuildSpec): (item: BuildItem) => WireOperation {
  const { wireType } = spec;
  const optionFields = optionFieldsOf(wireType);
  const rules = rulesOf(wireType);
  const hasPhone = hasField(wireType, 'phone');
  const readOptions = readOnce((options) => readFields(optionFields, (name) => options[name], rules));

  return (item) => {
    const { options } = item;
    const operation: WireOperation = { type: wireType };
    for (const field of spec.fields) field.fill(operation, item.read, rules, options);
    Object.assign(operation, readOptions(options));
    const additional = asObject(options.additionalProperties, ADDITIONAL_PROPERTIES_LABEL);
    const whole = additional ? withAdditional(operation, additional) : operation;
    // Each operation with a number has an `id` of the client's own; that of `status` is a field of its form.
    if (hasPhone) whole.id = item.idFor(whole);
    return whole;
  };
}

/**
 * Returns the operation with properties for which its form has no field: those that the contract doesn't list, which the
 * gateway accepts, the objects of channels that a pipeline doesn't try, and what the objects of the others lack. They can't
 * override the form's fields.
 * @throws InvalidParameter for a property that has its own field, and for one that the contract doesn't accept
 */
function withAdditional(operation: WireOperation, additional: Record<string, unknown>): WireOperation {
  const { type } = operation;
  const complete = { ...operation, ...additional };
  for (const [name, value] of Object.entries(additional)) {
    if (type === 'pipeline' && isChannel(name)) complete[name] = stageWith(name, operation[name], value);
    else if (name === 'type' || name === 'auth' || hasField(type, name)) throw hasOwnField(name, name);
  }
  return complete;
}

const isChannel = (name: string): name is Channel => Object.hasOwn(CHANNELS, name);

/**
 * Returns the object of a channel, undefined for one that isn't tried, with what is added to it.
 * @throws InvalidParameter for what the form has filled in, and for what the contract doesn't accept
 */
function stageWith(channel: Channel, stage: unknown, added: unknown): Record<string, unknown> {
  if (!isObject(added)) {
    const accepted = `a JSON object whose "${channel}" is an object`;
    const reason = `has no object in "${channel}"`;
    throw new InvalidParameter(quoted(ADDITIONAL_PROPERTIES_LABEL), accepted, added, reason);
  }
  // Objects of channels that aren't tried are as the gateway wants them: the contract requires them, and no more.
  if (!isObject(stage)) return added;
  // The form has no field for the type of a Viber stage, which is text there.
  const taken = Object.keys(added).find((name) => name in stage && !(channel === 'viber' && name === 'type'));
  if (taken !== undefined) throw hasOwnField(`${channel}.${taken}`, added);
  const complete = { ...stage, ...added };
  const issue = findIssue(stageSchemas[channel], complete);
  if (issue === undefined) return complete;
  const place = `"${[channel, ...issue.path].join('.')}" in ${quoted(ADDITIONAL_PROPERTIES_LABEL)}`;
  throw new InvalidParameter(place, issue.message, added, issue.reason);
}

const hasOwnField = (path: string, received: unknown): InvalidParameter =>
  new InvalidParameter(
    quoted(ADDITIONAL_PROPERTIES_LABEL),
    'a JSON object of properties for which this operation has no field',
    received,
    `contains "${path}", which has its own field or is set by this node`,
  );
