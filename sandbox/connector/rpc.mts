/** JSON-RPC methods of the assistant connector (gateway-api.md, "Assistant connector"). */
import { admit } from '../account.mts';
import { enqueue } from '../api.mts';
import { isObject } from '../checks.mts';
import { ERRORS } from '../error-texts.mts';
import type { Gateway } from '../gateway.mts';
import type { JsonObject } from '../types.mts';
import { argumentProblem, TOOLS } from './tools.mts';
import type { Tool } from './tools.mts';

export const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];

export const RPC_ERRORS = { invalidRequest: -32600, unknownMethod: -32601, invalidParams: -32602 } as const;

/** A JSON-RPC error on its way to the answer. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Who asks, and from where. */
interface Caller {
  key: string;
  ip: string;
}

/**
 * Carries out one JSON-RPC request.
 * @returns the `result` member
 * @throws RpcError for an unknown method, tool or argument
 */
export function callMethod(gateway: Gateway, method: string, params: JsonObject, caller: Caller): JsonObject {
  switch (method) {
    case 'initialize': {
      const wanted = params.protocolVersion;
      const known = typeof wanted === 'string' && PROTOCOL_VERSIONS.includes(wanted);
      return {
        protocolVersion: known ? wanted : PROTOCOL_VERSIONS[0],
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'messaging-gateway-sandbox', version: '1.0.0' },
      };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return listTools(gateway);
    case 'tools/call':
      return callTool(gateway, params, caller);
    default:
      throw new RpcError(RPC_ERRORS.unknownMethod, `Method not found: ${method}`);
  }
}

function listTools(gateway: Gateway): JsonObject {
  const offered = TOOLS.filter((tool) => gateway.config.connector.sendEnabled || !tool.sends);
  const tools = offered.map(({ name, title, description, inputSchema, sends }) => ({
    name,
    title,
    description,
    inputSchema,
    annotations: { readOnlyHint: !sends, destructiveHint: sends },
  }));
  return { tools };
}

function callTool(gateway: Gateway, params: JsonObject, caller: Caller): JsonObject {
  const { name } = params;
  if (typeof name !== 'string') throw new RpcError(RPC_ERRORS.invalidParams, 'name has to be a string');
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) throw new RpcError(RPC_ERRORS.invalidParams, `Unknown tool: ${name}`);
  const args = params.arguments ?? {};
  if (!isObject(args)) throw new RpcError(RPC_ERRORS.invalidParams, 'arguments has to be an object');
  if (tool.sends) {
    const refusal = locked(gateway, tool, args);
    if (refusal) return content(refusal);
  }
  const problem = argumentProblem(tool.inputSchema, args);
  if (problem) throw new RpcError(RPC_ERRORS.invalidParams, `Invalid arguments of ${tool.name}: ${problem}`);
  // The connector stores no keys: it is the API that says whether this one is good.
  const account = admit(gateway.accounts, caller.key, caller.ip);
  if (!account) return content({ success: false, error: ERRORS.accessDenied }, true);
  const id = typeof args.id === 'number' ? args.id : Date.now() * 1000 + (gateway.nextNumber() % 1000);
  const operation = tool.operation(args, id);
  if (tool.sends) {
    const answer = enqueue(gateway, account, [operation]);
    return content({ ...answer.body, id });
  }
  const result = gateway.execute(account, operation, {});
  return result.success ? content(result.data) : content({ success: false, error: result.error }, true);
}

/** The two locks on sending: the switch of the domain, and the confirmation of this very call. */
function locked(gateway: Gateway, tool: Tool, args: JsonObject): JsonObject | undefined {
  if (!gateway.config.connector.sendEnabled) {
    return {
      refused: true,
      reason: `Sending is switched off for ${gateway.config.connector.domain}`,
      how_to: 'Ask the administrator of the connector to switch sending on for this domain',
    };
  }
  if (args.confirm !== true) {
    return {
      refused: true,
      reason: `${tool.name} sends a message that costs money and was not confirmed`,
      how_to: 'Show the message to the user, and call the tool again with confirm: true once the user agrees',
    };
  }
  return undefined;
}

function content(value: unknown, isError = false): JsonObject {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], ...(isError ? { isError: true } : {}) };
}
