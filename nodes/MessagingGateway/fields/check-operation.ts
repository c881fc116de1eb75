import type { Issue, WireOperation } from '../../gateway/contract/operations';
import { findIssue } from '../../gateway/contract/operations';
import type { Field } from './field';
import { InvalidParameter, quoted } from './field';

/**
 * Checks an operation against the contract; `fields` are those of its form.
 * @throws InvalidParameter
 */
export function checkOperation(operation: WireOperation, fields: Field[]): void {
  const issue = findIssue(operation.type, operation);
  if (issue === undefined) return;
  const received = issue.path.reduce<unknown>(
    (value, key) => (value as Record<typeof key, unknown> | null | undefined)?.[key],
    operation,
  );
  const why = received === undefined ? 'is empty' : issue.reason;
  throw new InvalidParameter(placeOf(issue.path, fields, operation), issue.message, received, why);
}

/** Returns where the value at a path of an operation stands in the form, for error messages. */
export function placeOf(path: Issue['path'], fields: Field[], operation: WireOperation): string {
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
