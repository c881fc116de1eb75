import { z } from 'zod/v3';

import type { Answer, NoAnswer } from '../client/transport';
import { errorText, isNone } from '../contract/envelope';
import { mayHaveArrived } from '../errors/classify';
import type { Problem } from '../errors/problem';
import { MAX_ENTRIES } from '../text/gate';
import { fromForeignJson, isObject } from '../text/json';
import type { Tool, ToolOutcome } from './tools';
import { readToolResult, readTools } from './tools';

/** Codes of JSON-RPC itself that this client acts on. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;

/** An error of JSON-RPC; `code` is undefined where the connector names none. */
export interface RpcError {
  code?: number;
  message: string;
}

/** An HTTP answer; nothing in the answer is believed yet. */
export interface HttpReply extends Answer {
  /** The `Mcp-Session-Id` header. */
  sessionId?: string;
}

export interface ConnectorRequest {
  endpoint: 'connector' | 'health';
  method: 'GET' | 'POST';
  headers: Record<string, string>;

  /** A JSON-RPC message. */
  body?: Record<string, unknown>;
}

/**
 * Sends one request to the assistant connector. Doesn't throw: a network failure is a value, also in the middle of an answer.
 * The API key is added behind this function, and masked in the texts that come back.
 */
export type ConnectorTransport = (request: ConnectorRequest) => Promise<HttpReply | NoAnswer>;

/** Why a request to the assistant connector had no result, as plain data and without the request. */
export type ConnectorProblem =
  | Problem

  /** A JSON-RPC error, as the connector words it. */
  | { kind: 'rpc'; code?: number; message: string; status: number }

  /** The connector doesn't know its session any more, and did nothing. */
  | { kind: 'sessionLost' };

/** A call without a result. `mayHaveRun`: whether the connector may have carried it out all the same. */
export type CallFailure = { ok: false; problem: ConnectorProblem; mayHaveRun: boolean };

export type Result<T> = { ok: true; value: T } | CallFailure;

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const CLIENT_INFO = { name: 'n8n-nodes-messaging-gateway', version: '1' };

/** Version of the Model Context Protocol that is asked for; a server that speaks another one names it. */
const PROTOCOL_VERSION = '2025-06-18';
const SESSION_ID = 'Mcp-Session-Id';

/** Pages of the list of tools, far more than the eleven tools of the contract need. */
const MAX_PAGES = 20;

/** Headers of every request after the handshake; none for a connector that knows no handshake. */
type Session = Record<string, string>;

/**
 * A client of the assistant connector for one run of the node, which speaks JSON-RPC 2.0 over streamable HTTP (gateway-api.md,
 * "Assistant connector"). The contract shows only `tools/call`. The handshake of the Model Context Protocol is tried before the
 * first request; a connector that doesn't know the handshake is asked without it. No request is sent twice, and no function throws.
 */
export class ConnectorClient {
  private readonly transport: ConnectorTransport;
  private session: Session | undefined;
  private nextId = 1;
  private knownHealth: Promise<Result<Health>> | undefined;
  private knownTools: Promise<Result<Tool[]>> | undefined;

  constructor(transport: ConnectorTransport) {
    this.transport = transport;
  }

  /** Returns the connector's health, and whether the connector may send for its domain. Keeps an answer, and no failure. */
  async health(): Promise<Result<Health>> {
    const health = await (this.knownHealth ??= this.fetchHealth());
    if (!health.ok) this.knownHealth = undefined;
    return health;
  }

  /** Returns the tools that the connector offers, of all pages, in the connector's order. Keeps an answer, and no failure. */
  async tools(): Promise<Result<Tool[]>> {
    const tools = await (this.knownTools ??= this.fetchTools());
    if (!tools.ok) this.knownTools = undefined;
    return tools;
  }

  /** Calls a tool; returns its answer. */
  async callTool(name: string, args: Record<string, unknown>): Promise<Result<ToolOutcome>> {
    const answer = await this.call('tools/call', { name, arguments: args });
    if (!answer.ok) return answer;
    const outcome = readToolResult(answer.value);
    return outcome === undefined ? callFailure({ kind: 'notGateway' }, true) : { ok: true, value: outcome };
  }

  private async fetchTools(): Promise<Result<Tool[]>> {
    const tools: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await this.call('tools/list', cursor === undefined ? {} : { cursor });
      if (!answer.ok) return answer;
      const read = readTools(answer.value);
      if (read === undefined) return callFailure({ kind: 'notGateway' }, false);
      tools.push(...read.tools);
      if (read.next === undefined) return { ok: true, value: tools };
      cursor = read.next;
    }
    // No connector has a list without end, and the tools of its first pages would hide that others are missing.
    return callFailure({ kind: 'notGateway' }, false);
  }

  private async fetchHealth(): Promise<Result<Health>> {
    const headers = { Accept: 'application/json' };
    const reply = await this.transport({ endpoint: 'health', method: 'GET', headers });
    if (reply.kind === 'failure') return callFailure(reply.problem, false);
    const health = healthSchema.safeParse(fromForeignJson(reply.body));
    return health.success ? { ok: true, value: health.data } : callFailure(problemOf(reply), false);
  }

  /** Calls a method; returns the `result` of its answer. */
  private async call(method: string, params: Record<string, unknown>): Promise<Result<unknown>> {
    const opened = await this.open();
    if (!opened.ok) return opened;
    const answer = await this.post(method, params, opened.value);
    if (answer.ok || !isSessionLost(opened.value, answer.problem)) return answer;
    // The next call opens a new session.
    this.session = undefined;
    return callFailure({ kind: 'sessionLost' }, false);
  }

  /** Returns the session, which the first call opens by the handshake. */
  private async open(): Promise<Result<Session>> {
    if (this.session) return { ok: true, value: this.session };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    const answer = await this.post('initialize', params, {});
    if (!answer.ok) {
      if (!mayLackHandshake(statusOf(answer.problem))) return { ...answer, mayHaveRun: false };
      this.session = {};
      return { ok: true, value: this.session };
    }
    const { protocolVersion } = (answer.value ?? {}) as { protocolVersion?: unknown };
    const session = {
      ...(answer.sessionId !== undefined && { [SESSION_ID]: answer.sessionId }),
      'MCP-Protocol-Version': typeof protocolVersion === 'string' ? protocolVersion : PROTOCOL_VERSION,
    };
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const reply = await this.transport(requestIn(session, notification));
    if (reply.kind === 'failure') return callFailure(reply.problem, false);
    this.session = session;
    return { ok: true, value: session };
  }

  private async post(
    method: string,
    params: Record<string, unknown>,
    session: Session,
  ): Promise<Result<unknown> & { sessionId?: string }> {
    const id = this.nextId++;
    const reply = await this.transport(requestIn(session, { jsonrpc: '2.0', id, method, params }));
    if (reply.kind === 'failure') return callFailure(reply.problem, mayHaveArrived(reply.problem));
    const { status, sessionId, body } = reply;
    const found = findAnswer(body, id);
    if (found && 'result' in found) return { ok: true, value: found.result, sessionId };
    // A refusal by HTTP comes before the call runs. With a broken answer or an error of the server, the call may have run.
    const mayHaveRun = status < 300 || status === 408 || status >= 500;
    const error = found?.error;
    // Words without a code may be a proxy's: the code of HTTP explains more.
    if (!error || (error.code === undefined && status >= 300))
      return callFailure(problemOf(reply), mayHaveRun);
    return callFailure({ kind: 'rpc', ...error, status }, mayHaveRun && !NOT_RUN.includes(error.code ?? 0));
  }
}

/** Returns the request with a JSON-RPC message of a session. */
const requestIn = (session: Session, body: Record<string, unknown>) => ({
  endpoint: 'connector' as const,
  method: 'POST' as const,
  headers: { ...HEADERS, ...session },
  body,
});

/** Answer of `/health` (gateway-api.md, "Addresses"). Fields beyond the contract are kept. */
const healthSchema = z
  .object({ ok: z.boolean(), domain: z.string(), send_enabled: z.boolean() })
  .passthrough();

export type Health = z.infer<typeof healthSchema>;

const callFailure = (problem: ConnectorProblem, mayHaveRun: boolean): CallFailure => ({
  ok: false,
  problem,
  mayHaveRun,
});

/** Why a reply has no result: the code of an HTTP refusal explains it, whatever its page says. */
const problemOf = ({ status, contentType, retryAfter }: HttpReply): ConnectorProblem =>
  status < 300
    ? { kind: 'notGateway', contentType, status }
    : { kind: 'request', text: '', status, retryAfter };

/** The HTTP status with which a problem came; undefined where there was no answer. */
export const statusOf = (problem: ConnectorProblem): number | undefined =>
  'status' in problem ? problem.status : undefined;

/** JSON-RPC errors about the request itself, found before anything was carried out. */
const NOT_RUN: number[] = Object.values(RPC_CODES);

/**
 * Whether a connector without a handshake may have answered with this HTTP status: not with one that refuses the caller, asks for
 * patience, or tells of a fault.
 */
const mayLackHandshake = (status: number | undefined): boolean =>
  status !== undefined && status < 500 && ![401, 403, 429].includes(status);

/** JSON-RPC errors about the method and its arguments, in a session that the connector knows. */
const ABOUT_THE_CALL: number[] = [RPC_CODES.unknownMethod, RPC_CODES.invalidParams];

/** Whether the connector doesn't know the session, and did not look at the request: HTTP 404 by the protocol. */
const isSessionLost = (session: Session, problem: ConnectorProblem): boolean =>
  SESSION_ID in session &&
  statusOf(problem) === 404 &&
  !(problem.kind === 'rpc' && ABOUT_THE_CALL.includes(problem.code ?? 0));

type RpcAnswer = { result: unknown } | { error: RpcError };

/**
 * Finds the answer to request `id` in the text of an HTTP answer (gateway-api.md, "Assistant connector"): a message of
 * JSON-RPC, or a stream of server-sent events with them. An error may have any form. Returns undefined where there are only
 * notifications, requests of the server, answers to other requests, and anything that isn't JSON-RPC.
 */
export const findAnswer = (text: string, id: number): RpcAnswer | undefined =>
  messagesIn(text)
    .map((message) => answerIn(fromForeignJson(message), id))
    .find((found) => found !== undefined);

const DATA = 'data:';

/** Returns the data of each server-sent event; the whole text where there is no event: no line of JSON begins with "data:". */
function messagesIn(text: string): string[] {
  const events = text
    .replace(/\r\n?/g, '\n')
    .split('\n\n')
    // The last events are enough, since the answer comes behind all notifications.
    .slice(-MAX_ENTRIES)
    .map((event) => event.split('\n').filter((line) => line.startsWith(DATA)))
    .filter((lines) => lines.length > 0);
  const dataOf = (lines: string[]) => lines.map((line) => line.slice(DATA.length)).join('\n');
  return events.length > 0 ? events.map(dataOf) : [text];
}

function answerIn(message: unknown, id: number): RpcAnswer | undefined {
  if (!isObject(message)) return undefined;
  const { id: answered, result, error } = message;
  const isOurs = answered === id;
  // An error without an id answers a request that the connector could not read. With a method, the message is a request itself.
  if (!isNone(error) && !('method' in message))
    return isOurs || (answered ?? undefined) === undefined ? { error: readError(error) } : undefined;
  return isOurs && result !== undefined ? { result } : undefined;
}

function readError(error: unknown): RpcError {
  const { code, message } = isObject(error) ? error : { message: error };
  return { ...(typeof code === 'number' && { code }), message: errorText(message) };
}
