import { CONFIRM } from '../../gateway/connector/tools';
import { InvalidParameter, quoted } from '../fields/field';
import { asLocated, asObject } from '../fields/values';
import type { Run } from '../run/run';
import { LABELS } from './properties';

/**
 * Returns the name of the tool of an item.
 * @throws InvalidParameter where no tool is chosen
 */
export function readTool(run: Run, itemIndex: number): string {
  const tool = asLocated(run.read('tool', itemIndex, ''), LABELS.tool);
  if (tool !== undefined) return tool;
  throw new InvalidParameter(quoted(LABELS.tool), 'the name of a tool, from the list or by name', '');
}

/**
 * Returns the arguments of an item, from the JSON object or from the fields.
 * @throws InvalidParameter for anything but an object, and for an object that contains the confirmation;
 *   ExpressionError of n8n for a field whose type differs from the tool's
 */
export function readArguments(run: Run, itemIndex: number): Record<string, unknown> {
  const byFields = run.read('specifyArguments', itemIndex, 'json') === 'fields';
  const args = byFields ? readFields(run, itemIndex) : readJson(run, itemIndex);
  if (CONFIRM in args) {
    // A confirmation in the data or from a model doesn't count: only the author may set the switch.
    throw new InvalidParameter(
      quoted(LABELS.arguments),
      `a JSON object without "${CONFIRM}"`,
      args,
      `contains "${CONFIRM}"; use the switch ${quoted(LABELS.confirm)} instead`,
    );
  }
  return args;
}

const readJson = (run: Run, itemIndex: number): Record<string, unknown> => ({
  ...asObject(run.read('arguments', itemIndex, {}), LABELS.arguments),
});

/** Omits empty fields, so that the tool uses its defaults. */
function readFields({ context }: Run, itemIndex: number): Record<string, unknown> {
  // Read through n8n, which converts each field to the type of the tool's argument.
  const value = context.getNodeParameter('argumentFields.value', itemIndex, {}) as Record<
    string,
    unknown
  > | null;
  const filled = Object.entries(value ?? {}).filter(
    ([, field]) => field !== undefined && field !== null && field !== '',
  );
  return Object.fromEntries(filled.map(([name, field]) => [name, plain(field)]));
}

/** Converts n8n's date objects to ISO strings; returns other values unchanged. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toISO' in value)) return value;
  return typeof value.toISO === 'function' ? (value as { toISO(): unknown }).toISO() : value;
}
