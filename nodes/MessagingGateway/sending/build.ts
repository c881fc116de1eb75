import type { Issue, WireOperation, WireType } from '../../gateway/contract/operations';
import { findIssue, hasField } from '../../gateway/contract/operations';
import type { Field } from '../fields/field';
import { InvalidParameter, quoted, readFields } from '../fields/field';
import { optionalFields } from '../fields/options';
import { messageId } from '../fields/target';
import { asObject } from '../fields/values';
import type { Item } from '../run/item';

export const ADDITIONAL_PROPERTIES_LABEL = 'Additional Properties';

export interface BuildSpec {
  wireType: WireType;
  /** The fields of the form, in order. */
  fields: Field[];
  /** Checks across fields, after each field has been read. Throws InvalidParameter. */
  check?(operation: Record<string, unknown>): void;
}

/** The part of an item that is needed to build its operation. */
export type BuildItem = Pick<Item, 'read' | 'options' | 'id'>;

/** Returns the optional fields that the contract defines for an operation and the form offers under "Options". */
export const optionFieldsOf = ({ wireType, fields }: BuildSpec): Field[] =>
  optionalFields.filter(
    ({ wire }) => hasField(wireType, wire) && !fields.some((field) => field.wire === wire),
  );

/**
 * Compiles a specification, once for each run. Returns the function that builds the operation object of an item and
 * checks it against the contract (gateway-api.md, "Operation types"). That function throws InvalidParameter
 * with the parameter, the accepted values and the received value.
 */
export function compileBuilder(spec: BuildSpec): (item: BuildItem) => WireOperation {
  const { wireType } = spec;
  const takesId = spec.fields.includes(messageId);
  const optionFields = optionFieldsOf(spec);
  const allFields = [...spec.fields, ...optionFields];
  let lastOptions: Record<string, unknown> | undefined;
  let lastValues: Record<string, unknown> = {};

  /** A collection without expressions is the same object for all items, so it is read once. */
  const readOptions = (options: Record<string, unknown>): Record<string, unknown> => {
    if (options === lastOptions) return lastValues;
    lastValues = readFields(optionFields, (name) => options[name], wireType);
    lastOptions = options;
    return lastValues;
  };

  return (item) => {
    const { options } = item;
    const operation: WireOperation = { type: wireType };
    for (const field of spec.fields) Object.assign(operation, field.read(item.read, wireType, options));
    Object.assign(operation, readOptions(options));
    spec.check?.(operation);
    if (takesId) operation.id = item.id;
    checkOperation(operation, allFields);
    const additional = additionalProperties(options, wireType);
    return additional ? { ...additional, ...operation } : operation;
  };
}

/** Checks an operation against the contract; `fields` are those of its form. Throws InvalidParameter. */
export function checkOperation(operation: WireOperation, fields: Field[]): void {
  const issue = findIssue(operation.type, operation);
  if (issue === undefined) return;
  const received = issue.path.reduce<unknown>(
    (value, key) => (value as Record<typeof key, unknown> | null | undefined)?.[key],
    operation,
  );
  const why = received === undefined ? 'is empty' : issue.reason;
  throw new InvalidParameter(placeOf(issue, fields, operation), issue.message, received, why);
}

function placeOf({ path }: Issue, fields: Field[], operation: Record<string, unknown>): string {
  const [wire, ...rest] = path;
  const found = fields.find((field) => field.wire === wire);
  if (found) {
    const place = rest.length > 0 ? found.describe?.(rest, operation) : undefined;
    return place ?? quoted(found.displayName);
  }
  // The objects of pipeline channels are siblings of `pipeline` on the wire, and belong to its field.
  const owner = fields.find((field) => field.wire === 'pipeline');
  return owner?.describe?.(path, operation) ?? quoted(String(wire));
}

/** Returns properties beyond the contract's list, which the gateway accepts; they can't override the form's fields. */
function additionalProperties(
  options: Record<string, unknown>,
  wireType: WireType,
): Record<string, unknown> | undefined {
  const properties = asObject(options.additionalProperties, ADDITIONAL_PROPERTIES_LABEL);
  if (!properties) return undefined;
  for (const name of Object.keys(properties)) {
    const isDeclared = name === 'type' || name === 'auth' || hasField(wireType, name as never);
    if (isDeclared) {
      throw new InvalidParameter(
        quoted(ADDITIONAL_PROPERTIES_LABEL),
        'a JSON object of properties for which this operation has no field',
        name,
        `contains "${name}", which has its own field or is set by this node`,
      );
    }
  }
  return properties;
}
