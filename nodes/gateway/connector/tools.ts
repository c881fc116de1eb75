import { z } from 'zod/v3';

import type { ConnectorClient } from './client';
import type { Result } from './problem';

/** A tool as `tools/list` returns it; the contract names only `balance`, so nothing but a name is relied on. */
const toolSchema = z
  .object({
    name: z.string().min(1),
    title: z.string().optional().catch(undefined),
    description: z.string().optional().catch(undefined),
    inputSchema: z.record(z.unknown()).optional().catch(undefined),
    annotations: z.record(z.unknown()).optional().catch(undefined),
  })
  .passthrough();

export type Tool = z.infer<typeof toolSchema>;

const pageSchema = z
  .object({ tools: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) })
  .passthrough();

/** Pages of `tools/list` that are read, so that a list without an end has one. */
const MAX_PAGES = 50;

/** All tools that the connector offers, in its order. Never throws. */
export async function listTools(client: ConnectorClient): Promise<Result<Tool[]>> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.call('tools/list', cursor === undefined ? {} : { cursor });
    if (!answer.ok) return answer;
    const parsed = pageSchema.safeParse(answer.value);
    if (!parsed.success) {
      const problem = { kind: 'notConnector', contentType: 'application/json', status: 200 } as const;
      return { ok: false, problem, mayHaveRun: false };
    }
    for (const entry of parsed.data.tools) {
      const tool = toolSchema.safeParse(entry);
      if (tool.success) tools.push(tool.data);
    }
    cursor = parsed.data.nextCursor;
    if (cursor === undefined || cursor === '') break;
  }
  return { ok: true, value: tools };
}

/** The schemas of a tool's arguments by name; a tool without a usable schema has none. */
export function argumentSchemas({ inputSchema }: Tool): Record<string, Record<string, unknown>> {
  const properties = inputSchema?.properties;
  if (typeof properties !== 'object' || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]: [string, unknown]) => [
      name,
      typeof schema === 'object' && schema !== null ? (schema as Record<string, unknown>) : {},
    ]),
  );
}

/** The names of the arguments that a tool requires. */
export const requiredArguments = ({ inputSchema }: Tool): string[] => {
  const required = inputSchema?.required;
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
};

/** The argument by which a send is confirmed (gateway-api.md, "Authentication", 7). */
export const CONFIRM = 'confirm';

/** Whether a tool sends something that costs money: it takes `confirm`, or declares that it doesn't only read. */
export function isSending(tool: Tool): boolean {
  if (CONFIRM in argumentSchemas(tool)) return true;
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  return readOnlyHint === false || destructiveHint === true;
}

/** Whether a confirmed call of a tool carries the confirmation; that of an unknown tool does. */
export function takesConfirmation(tool: Tool | undefined): boolean {
  if (tool === undefined || CONFIRM in argumentSchemas(tool)) return true;
  return isSending(tool) && tool.inputSchema?.additionalProperties !== false;
}
