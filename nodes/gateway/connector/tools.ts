import { z } from 'zod/v3';

import { isFault } from '../client/words';
import { errorText, isNone, readFlag } from '../contract/envelope';
import { MAX_ENTRIES } from '../text/gate';
import { fromForeignJson, isObject } from '../text/json';

/** A tool as `tools/list` returns it; the contract names only `balance`, so nothing but a name is relied on. */
const toolSchema = z.object({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.unknown()).optional().catch(undefined),
  annotations: z.record(z.unknown()).optional().catch(undefined),
});

export type Tool = z.infer<typeof toolSchema>;

/** A page of `tools/list`; `next` names the page behind it, where there is one. */
export interface ToolPage {
  tools: Tool[];
  next?: string;
}

/**
 * Reads the `result` of `tools/list`, without the entries that have no name; undefined where there are no tools, or more than
 * 1,000. PHP writes a list with gaps as an object keyed by index; a key that is no index is the name of its tool. Never throws.
 */
export function readTools(result: unknown): ToolPage | undefined {
  const { tools, nextCursor } = asRecord(result);
  const entries = Array.isArray(tools)
    ? (tools as unknown[])
    : isObject(tools)
      ? entriesByKey(tools)
      : undefined;
  if (entries === undefined || entries.length > MAX_ENTRIES) return undefined;
  const read = entries.flatMap((entry) => toolSchema.safeParse(entry).data ?? []);
  return { tools: read, ...(typeof nextCursor === 'string' && !isNone(nextCursor) && { next: nextCursor }) };
}

const INDEX = /^\d+$/;

const entriesByKey = (tools: Record<string, unknown>): unknown[] =>
  Object.entries(tools).map(([key, tool]) =>
    INDEX.test(key) || !isObject(tool) ? tool : { name: key, ...tool },
  );

type Schema = Record<string, unknown>;

/** References that are followed in turn, and schemas of one `allOf` that are joined: schemas that name each other have no end. */
const MAX_STEPS = 10;

/** Returns the schema that a reference within its tool stands for, such as `#/$defs/Channel`, with what stands beside the reference. */
function followed(schema: Schema, root: Schema): Schema {
  let found = schema;
  for (let step = 0; step < MAX_STEPS && typeof found.$ref === 'string'; step++) {
    const { $ref: reference, ...beside } = found;
    const path = String(reference).split('/').slice(1, MAX_STEPS);
    const target = path.reduce<unknown>((at, name) => asRecord(at)[name], root);
    found = { ...asRecord(target), ...beside };
  }
  return found;
}

/** The schemas of which a value has to fit one. */
export const alternativesOf = ({ anyOf, oneOf }: Schema): unknown[] =>
  [anyOf, oneOf].find((one): one is unknown[] => Array.isArray(one)) ?? [];

/**
 * Returns a schema with its references followed and the parts of its `allOf` joined in. A choice between one schema and `null`, as
 * many servers write an optional argument, is that one schema.
 */
function plainSchema(schema: Schema, root: Schema): Schema {
  const found = followed(schema, root);
  const all: unknown[] = Array.isArray(found.allOf) ? found.allOf : [];
  const choices = alternativesOf(found)
    .slice(0, MAX_STEPS)
    .filter((one) => asRecord(one).type !== 'null');
  const parts = [...all.slice(0, MAX_STEPS), ...(choices.length === 1 ? choices : [])];
  return Object.assign({}, found, ...parts.map((part) => followed(asRecord(part), root))) as Schema;
}

/** The schema of a tool's arguments as a whole; empty where the tool has none. */
export const inputSchemaOf = ({ inputSchema = {} }: Tool): Schema => plainSchema(inputSchema, inputSchema);

/** The schemas of a tool's arguments by name; a tool without a usable schema has none. */
export function argumentSchemas(tool: Tool): Record<string, Schema> {
  const { inputSchema: root = {} } = tool;
  const properties = Object.entries(asRecord(inputSchemaOf(tool).properties));
  return Object.fromEntries(properties.map(([name, schema]) => [name, plainSchema(asRecord(schema), root)]));
}

/** Whether a tool may take arguments that its schema doesn't name. */
export const hasOtherArguments = (tool: Tool): boolean =>
  ['$ref', 'allOf', 'anyOf', 'oneOf'].some((name) => name in inputSchemaOf(tool));

/** The argument by which a send is confirmed (gateway-api.md, "Confirmed sends"). */
export const CONFIRM = 'confirm';

/** The one tool that the contract names: it reads, and takes no arguments. */
const BALANCE = 'balance';

/**
 * Whether a call that the author confirms passes `confirm` to this tool, without which no tool sends. Not to a tool that declares that it
 * only reads, not to one whose schema has no place for `confirm`, and to `balance` only if its schema names `confirm`.
 */
export const takesConfirmation = (tool: Tool): boolean =>
  tool.annotations?.readOnlyHint !== true &&
  (CONFIRM in argumentSchemas(tool) ||
    (tool.name !== BALANCE && inputSchemaOf(tool).additionalProperties !== false));

/**
 * The answer of a tool.
 * - `value`: its result; the JSON of its text item, or of its text items as a list.
 * - `refused`: nothing was done, because the call was not confirmed or sending is switched off.
 * - `failed`: the tool reports that it failed, with its text, which may be empty; `isRefusal` where the tool passes on that the gateway
 *   refused, in words that don't tell of a fault.
 */
export type ToolOutcome =
  | { kind: 'value'; value: unknown }
  | { kind: 'refused'; reason: string; howTo: string }
  | { kind: 'failed'; text: string; isRefusal: boolean };

/**
 * Reads the `result` of `tools/call` (gateway-api.md, "Assistant connector"); undefined where its `content` isn't a list, or is empty
 * and no error. A failure in one of several items is the answer for all. Takes any value, and never throws.
 */
export function readToolResult(result: unknown): ToolOutcome | undefined {
  const { content, isError } = asRecord(result);
  if (!Array.isArray(content)) return undefined;
  const values = content.map(readContent);
  const refusal = values.map(readRefusal).find((found) => found !== undefined);
  if (refusal) return refusal;
  const value = values.length === 1 ? values[0] : values;
  const failure = values.find((one) => readFlag(asRecord(one).success) === false);
  if (failure !== undefined || readFlag(isError) === true) {
    const text = errorText(asRecord(failure ?? value).error ?? value);
    const isRefusal = failure !== undefined && values.length === 1 && !isFault({ kind: 'request', text });
    return { kind: 'failed', text, isRefusal };
  }
  return values.length === 0 ? undefined : { kind: 'value', value };
}

/** Returns the JSON of a text item, or its text where that is no JSON; any other item as it is. */
function readContent(item: unknown): unknown {
  const { type, text } = asRecord(item);
  return type === 'text' && typeof text === 'string' ? (fromForeignJson(text) ?? text) : item;
}

function readRefusal(value: unknown): ToolOutcome | undefined {
  const { refused, reason, how_to: howTo } = asRecord(value);
  if (readFlag(refused) !== true) return undefined;
  return { kind: 'refused', reason: textOf(reason), howTo: textOf(howTo) };
}

const asRecord = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
