/** Streamable HTTP of the assistant connector: `POST /mcp`, and `/health`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BYTES } from '../api.mts';
import type { ApiParts } from '../api.mts';
import { isObject } from '../checks.mts';
import type { ConnectorConfig } from '../config.mts';
import { answerWithFault } from '../faults.mts';
import { answerJson, bodyWithin, isJsonRequest, parseJson, pause, send, sendJson } from '../http.mts';
import type { JsonObject } from '../types.mts';
import { callMethod, PROTOCOL_VERSIONS, RPC_ERRORS, RpcError } from './rpc.mts';
import type { Sessions } from './sessions.mts';

interface RpcAnswer {
  status: number;
  /** Undefined: an answer without a body, as notifications get. */
  body?: JsonObject;
  headers?: Record<string, string>;
}

/** Answers `/health`: a JSON object with `ok`, `domain` and `send_enabled`, without any key. */
export async function handleHealth(
  parts: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const record = parts.requests.add(request, 'health', Buffer.alloc(0));
  request.resume();
  const { domain, sendEnabled } = parts.gateway.config.connector;
  const fault = parts.faults.choose({ endpoint: 'health', items: 0, body: undefined });
  const body = { ok: true, domain, send_enabled: sendEnabled };
  if (fault) {
    const { schedule } = parts.gateway;
    return await answerWithFault(fault, { response, record, take: () => ({ code: 200, body }), schedule });
  }
  answerJson(response, record, 200, body);
}

/** Answers one request to `/mcp`. */
export async function handleMcp(
  parts: ApiParts,
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { gateway, requests, faults } = parts;
  const raw = await bodyWithin(request, MAX_BYTES, () => {
    requests.add(request, 'mcp', Buffer.alloc(0)).answered(413, 'Request is too large');
    send(response, 413, 'text/plain', 'Request is too large', { connection: 'close' });
  });
  if (raw === undefined) return;
  const message = readMessage(raw);
  const auth = isObject(message) ? message.auth : undefined;
  const record = requests.add(request, 'mcp', raw, auth);
  const fault = faults.choose({ endpoint: 'mcp', items: 0, body: message });
  // Read now: the connection may be gone when the call is carried out.
  const ip = request.socket.remoteAddress ?? '';
  if (fault) {
    const take = () => {
      const { status, body } = answerTo(parts, sessions, request, message, ip);
      return { code: status, body: body ?? {} };
    };
    return await answerWithFault(fault, { response, record, take, schedule: gateway.schedule });
  }
  const answer = answerTo(parts, sessions, request, message, ip);
  await pause(gateway.config.latencyMs);
  record.answered(answer.status, answer.body ? JSON.stringify(answer.body) : '');
  write(response, answer, gateway.config.connector.answers);
}

function readMessage(raw: Buffer): unknown {
  try {
    return parseJson(raw);
  } catch {
    // Told apart from every JSON value by being undefined; the client gets a parse error.
    return undefined;
  }
}

function answerTo(
  { gateway }: ApiParts,
  sessions: Sessions,
  request: IncomingMessage,
  message: unknown,
  ip: string,
): RpcAnswer {
  const { connector } = gateway.config;
  const sessionId = headerOf(request, 'mcp-session-id');
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  // The key itself is judged when a tool calls the API.
  if (!bearer) {
    const headers = { 'www-authenticate': 'Bearer' };
    return { ...failure(401, -32001, 'Authorization is missing'), headers };
  }
  if (request.method === 'DELETE' && connector.sessions) {
    return sessions.end(sessionId ?? '') ? { status: 204 } : failure(404, -32001, 'Session not found');
  }
  if (request.method !== 'POST') {
    return { ...failure(405, -32000, 'Method not allowed'), headers: { allow: 'POST, DELETE' } };
  }
  const problem = transportProblem(request, message);
  if (problem) return problem;
  const call = message as JsonObject & { method: string };
  const opens = call.method === 'initialize';
  // gateway-api.md shows `tools/call` by itself, and no other method: a call that names no session needs none.
  const isPlain = call.method === 'tools/call' && sessionId === undefined;
  if (connector.sessions && !opens && !isPlain) {
    if (sessionId === undefined) return failure(400, -32000, 'Mcp-Session-Id is required', call.id);
    if (!sessions.use(sessionId, connector.dropSessionAfter)) {
      return failure(404, -32001, 'Session not found', call.id);
    }
  }
  if (call.id === undefined) return { status: 202 };
  const params = call.params ?? {};
  if (!isObject(params)) {
    return failure(200, RPC_ERRORS.invalidParams, 'params has to be an object', call.id);
  }
  try {
    const result = callMethod(gateway, call.method, params, { key: bearer[1], ip });
    const headers = opens && connector.sessions ? { 'mcp-session-id': sessions.open() } : undefined;
    return { status: 200, body: { jsonrpc: '2.0', id: call.id, result }, headers };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return failure(200, error.code, error.message, call.id);
  }
}

/** Demands of streamable HTTP and JSON-RPC on a POST. */
function transportProblem(request: IncomingMessage, message: unknown): RpcAnswer | undefined {
  if (!isJsonRequest(request)) return failure(415, -32000, 'Content-Type has to be application/json');
  const accept = headerOf(request, 'accept') ?? '';
  const anything = accept.includes('*/*');
  if (!anything && !(accept.includes('application/json') && accept.includes('text/event-stream'))) {
    return failure(406, -32000, 'Accept has to name application/json and text/event-stream');
  }
  const version = headerOf(request, 'mcp-protocol-version');
  if (version !== undefined && !PROTOCOL_VERSIONS.includes(version)) {
    return failure(400, -32000, `Unsupported MCP-Protocol-Version: ${version}`);
  }
  if (message === undefined) return failure(400, -32700, 'Parse error');
  const valid =
    isObject(message) &&
    message.jsonrpc === '2.0' &&
    typeof message.method === 'string' &&
    (message.id === undefined || typeof message.id === 'string' || typeof message.id === 'number');
  return valid ? undefined : failure(400, RPC_ERRORS.invalidRequest, 'Invalid Request');
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function failure(status: number, code: number, message: string, id: unknown = null): RpcAnswer {
  return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
}

function write(response: ServerResponse, answer: RpcAnswer, mode: ConnectorConfig['answers']): void {
  const { status, body, headers = {} } = answer;
  if (!body) {
    response.writeHead(status, headers);
    response.end();
  } else if (mode === 'json' || status !== 200) {
    sendJson(response, status, body, headers);
  } else {
    const events = `event: message\ndata: ${JSON.stringify(body)}\n\n`;
    send(response, 200, 'text/event-stream', events, { 'cache-control': 'no-cache', ...headers });
  }
}
