import { CONFIRM } from '../../gateway/connector/tools';
import { InvalidParameter, quoted } from '../fields/field';
import { asLocated, asObject } from '../fields/values';
import type { Run } from '../run/run';
import { LABELS } from './properties';

/**
 * Reads the tool of an item.
 * @throws InvalidParameter where none is chosen
 */
export function readTool(run: Run, itemIndex: number): string {
  const tool = asLocated(run.read('tool', itemIndex, ''), LABELS.tool);
  if (tool !== undefined) return tool;
  throw new InvalidParameter(quoted(LABELS.tool), 'the name of a tool, from the list or by name', '');
}

/**
 * Reads the arguments of an item, from the JSON object or from the fields.
 * @throws InvalidParameter for anything but an object, and for one that confirms itself; ExpressionError of n8n for
 *   a field of another type than the tool's
 */
export function readArguments(run: Run, itemIndex: number): Record<string, unknown> {
  const byFields = run.read('specifyArguments', itemIndex, 'json') === 'fields';
  const args = byFields ? readFields(run, itemIndex) : readJson(run, itemIndex);
  if (CONFIRM in args) {
    // A confirmation in the data, or from a model, doesn't count: the switch is the author's.
    throw new InvalidParameter(
      quoted(LABELS.arguments),
      `a JSON object without "${CONFIRM}"`,
      args,
      `confirms itself, which is what the switch ${quoted(LABELS.confirm)} is for`,
    );
  }
  return args;
}

const readJson = (run: Run, itemIndex: number): Record<string, unknown> => ({
  ...asObject(run.read('arguments', itemIndex, {}), LABELS.arguments),
});

/** Fields that are not filled in are left out, so that the tool takes its own defaults. */
function readFields({ context }: Run, itemIndex: number): Record<string, unknown> {
  // Asked of n8n, which brings each field into the type of the tool's argument.
  const value = context.getNodeParameter('argumentFields.value', itemIndex, {}) as Record<
    string,
    unknown
  > | null;
  const filled = Object.entries(value ?? {}).filter(
    ([, one]) => one !== undefined && one !== null && one !== '',
  );
  return Object.fromEntries(filled.map(([name, one]) => [name, plain(one)]));
}

/** n8n returns a date as an object of its own. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toISO' in value)) return value;
  return typeof value.toISO === 'function' ? (value as { toISO(): unknown }).toISO() : value;
}
