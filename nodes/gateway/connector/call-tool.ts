import type { ConnectorClient } from './client';
import type { Result } from './problem';

/**
 * The answer of a tool.
 *
 * - `value`: its result; the JSON of its text item, or of its text items as a list.
 * - `refused`: nothing was done, because the call was not confirmed or sending is switched off.
 * - `failed`: the tool reports that it failed, with its text, which may be empty; `nothingDone` where it passes on
 *   that the gateway refused.
 */
export type ToolOutcome =
  | { kind: 'value'; value: unknown }
  | { kind: 'refused'; reason: string; howTo: string }
  | { kind: 'failed'; text: string; nothingDone: boolean };

/** Calls a tool of the connector (gateway-api.md, "Assistant connector"); returns its answer. Never throws. */
export async function callTool(
  client: ConnectorClient,
  name: string,
  args: Record<string, unknown>,
): Promise<Result<ToolOutcome>> {
  const answer = await client.call('tools/call', { name, arguments: args });
  return answer.ok ? { ok: true, value: readToolResult(answer.value) } : answer;
}

/** Reads the `result` of `tools/call`. Never throws, whatever it holds. */
export function readToolResult(result: unknown): ToolOutcome {
  const { content, structuredContent, isError } = asRecord(result);
  const items: unknown[] = Array.isArray(content) ? content : [];
  const values = items.map(readContent);
  // Newer servers send the result itself beside the text that holds it.
  const value = isObject(structuredContent) ? structuredContent : values.length === 1 ? values[0] : values;
  const refusal = [value, ...values].map(readRefusal).find((found) => found !== undefined);
  if (refusal) return refusal;
  const { success } = asRecord(value);
  if (isError === true || success === false) {
    return { kind: 'failed', text: errorText(value), nothingDone: success === false };
  }
  return { kind: 'value', value };
}

function readContent(item: unknown): unknown {
  const { type, text } = asRecord(item);
  if (type !== 'text' || typeof text !== 'string') return item;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the text itself is the result.
    return text;
  }
}

function readRefusal(value: unknown): ToolOutcome | undefined {
  const { refused, reason, how_to: howTo } = asRecord(value);
  if (refused !== true) return undefined;
  return { kind: 'refused', reason: textOf(reason), howTo: textOf(howTo) };
}

function errorText(value: unknown): string {
  const { error, message } = asRecord(value);
  const inner = asRecord(error).message;
  const found = [error, message, inner, value].find(
    (candidate) => typeof candidate === 'string' && candidate.trim() !== '',
  );
  return typeof found === 'string' ? found : asJson(value);
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than can be written out: nothing that a person could read.
    return '';
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asRecord = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
