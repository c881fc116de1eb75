import type { ZodIssue } from 'zod';

import { hasField, isPlainlyValid, OPERATION_SCHEMAS } from '../../gateway/contract/operations';
import type { WireOperation } from '../../gateway/contract/operations';
import type { Field, Get } from '../fields/field';
import { InvalidParameter, quoted } from '../fields/field';
import { optionalFields } from '../fields/options';
import { asObject } from '../fields/values';
import type { WireOperationDefinition } from '../run/definition';

export const ADDITIONAL_PROPERTIES_LABEL = 'Additional Properties';

/** The optional fields that the contract gives to an operation and that the form offers under "Options". */
export const optionFieldsOf = ({ wireType, fields }: WireOperationDefinition): Field[] =>
  optionalFields.filter(
    ({ wire }) => hasField(wireType, wire) && !fields.some((field) => field.wire === wire),
  );

/**
 * Builds the operation object of one item from its parameters, checked against the contract
 * (gateway-api.md, "Operation objects by `type`"). Pure: nothing is sent, and `id` is asked of `makeId` only
 * where the user gave none.
 *
 * @throws InvalidParameter naming the parameter, what it accepts and what it got
 */
export function buildOperation(
  definition: WireOperationDefinition,
  get: Get,
  options: Record<string, unknown>,
  makeId: () => number,
): WireOperation {
  const { wireType, fields } = definition;
  const { takesMadeId } = traitsOf(definition);
  const operation: Record<string, unknown> = { type: wireType };
  for (const field of fields) Object.assign(operation, field.read(get, wireType));
  Object.assign(operation, readOptions(definition, options));
  definition.check?.(operation);
  if (takesMadeId && operation.id === undefined) operation.id = makeId();
  if (!isPlainlyValid(wireType, operation)) checkContract(operation, definition);
  const built = operation as WireOperation;
  const additional = additionalProperties(options, definition);
  return additional ? { ...additional, ...built } : built;
}

/** What follows from a definition alone, and is asked for with every item. */
interface Traits {
  optionFields: Field[];
  takesMadeId: boolean;
  /** The collection that was read last, which most items share, and what it says. */
  options?: Record<string, unknown>;
  optional?: Record<string, unknown>;
}

const traits = new WeakMap<WireOperationDefinition, Traits>();

function traitsOf(definition: WireOperationDefinition): Traits {
  let found = traits.get(definition);
  if (!found) {
    const has = (wanted: string) => definition.fields.some(({ wire }) => wire === wanted);
    found = { optionFields: optionFieldsOf(definition), takesMadeId: has('id') && has('phone') };
    traits.set(definition, found);
  }
  return found;
}

/** The wire fields in the collection "Options". A collection without expressions is the same object for all items. */
function readOptions(
  definition: WireOperationDefinition,
  options: Record<string, unknown>,
): Record<string, unknown> {
  const known = traitsOf(definition);
  if (known.optional && known.options === options) return known.optional;
  const optional: Record<string, unknown> = {};
  const get = (name: string) => options[name];
  for (const field of known.optionFields) Object.assign(optional, field.read(get, definition.wireType));
  known.options = options;
  known.optional = optional;
  return optional;
}

function checkContract(operation: Record<string, unknown>, definition: WireOperationDefinition): void {
  const result = OPERATION_SCHEMAS[definition.wireType].safeParse(operation);
  if (result.success) return;
  const fields = [...definition.fields, ...optionFieldsOf(definition)];
  const issue = result.error.issues[0];
  const got = valueAt(operation, issue.path);
  throw new InvalidParameter(
    placeOf(issue, fields),
    issue.message,
    got,
    got === undefined ? 'is empty' : undefined,
  );
}

function placeOf({ path }: ZodIssue, fields: Field[]): string {
  const [wire, ...rest] = path;
  const named = fields.find((field) => field.wire === wire);
  if (named) return (rest.length > 0 ? named.describe?.(rest) : undefined) ?? quoted(named.displayName);
  // The objects of pipeline channels stand beside `pipeline` on the wire, and belong to its field.
  const owner = fields.find((field) => field.wire === 'pipeline');
  return owner?.describe?.(path) ?? quoted(String(wire));
}

function valueAt(value: unknown, path: Array<string | number>): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

/** Properties beyond the contract's list, which the gateway accepts; what the form sets can't be overridden. */
function additionalProperties(
  options: Record<string, unknown>,
  { wireType }: WireOperationDefinition,
): Record<string, unknown> | undefined {
  const properties = asObject(options.additionalProperties, ADDITIONAL_PROPERTIES_LABEL);
  if (!properties) return undefined;
  for (const name of Object.keys(properties)) {
    const declared = name === 'type' || name === 'auth' || hasField(wireType, name as never);
    if (declared) {
      throw new InvalidParameter(
        quoted(ADDITIONAL_PROPERTIES_LABEL),
        'a JSON object of properties that this operation has no field for',
        name,
        `"${name}" has a field of its own, or is set by this node`,
      );
    }
  }
  return properties;
}
