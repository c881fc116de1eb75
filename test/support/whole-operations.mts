/** The node's rules for single fields, put together for whole operation objects: its forms read each field by itself. */
import { isViberContent, viberContentOf } from '../../nodes/gateway/contract/channels.ts';
import type { ViberType } from '../../nodes/gateway/contract/channels.ts';
import { rulesOf } from '../../nodes/gateway/contract/operations.ts';
import type { WireType } from '../../nodes/gateway/contract/operations.ts';
import { findIssue } from '../../nodes/gateway/contract/wire-fields.ts';
import type { Issue, WireField } from '../../nodes/gateway/contract/wire-fields.ts';

/** Returns the first failed check of an operation object, with the path to it; undefined where all pass. */
export function findIssueIn(type: WireType, operation: Record<string, unknown>): Issue | undefined {
  for (const [field, { schema, isRequired }] of Object.entries(rulesOf(type))) {
    const value = operation[field];
    if (value === undefined && (isViberContent(field) || !isRequired)) continue;
    const issue = findIssue(schema, value);
    if (issue !== undefined) return { ...issue, path: [field, ...issue.path] };
  }
  const implied =
    type === 'pipeline'
      ? (operation.pipeline as WireField[])
      : 'viber_type' in rulesOf(type)
        ? viberContentOf(operation.viber_type as ViberType)
        : [];
  const missing = implied.find((field) => operation[field] === undefined);
  return missing && { path: [missing], message: 'filled in' };
}
