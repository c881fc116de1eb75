import { z } from 'zod/v3';

import { readFlag } from '../contract/envelope';
import { fromForeignJson } from '../text/json';
import { findAnswer, RPC_CODES } from './answer';
import type { CallFailure, ConnectorProblem, ConnectorTransport, HttpReply, Result } from './transport';

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const CLIENT_INFO = { name: 'n8n-nodes-messaging-gateway', version: '1' };

/** Version of the Model Context Protocol that is asked for; a server that speaks another one names it. */
const PROTOCOL_VERSION = '2025-06-18';
const SESSION_ID = 'Mcp-Session-Id';

/** Headers of every request after the handshake; none for a connector that knows no handshake. */
type Session = Record<string, string>;

/**
 * Speaks JSON-RPC 2.0 over streamable HTTP with the assistant connector (gateway-api.md, "Assistant connector").
 * The contract shows only `tools/call`. The handshake of the Model Context Protocol is tried before the first
 * request; a connector that doesn't know it is asked without one. No request is sent twice.
 */
export class ConnectorClient {
  private session: Session | undefined;
  private nextId = 1;
  private readonly transport: ConnectorTransport;

  constructor(transport: ConnectorTransport) {
    this.transport = transport;
  }

  /** Calls a method; returns the `result` of its answer. Never throws. */
  async call(method: string, params: Record<string, unknown>): Promise<Result<unknown>> {
    const opened = await this.open();
    if (!opened.ok) return opened;
    const answer = await this.post(method, params, opened.value);
    if (answer.ok || !isSessionLost(opened.value, answer.problem)) return answer;
    // The next call opens a new session.
    this.session = undefined;
    return callFailure({ kind: 'sessionLost' }, false);
  }

  /** Ends the session, if there is one. The answer doesn't matter any more. */
  async close(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (session && SESSION_ID in session) await this.transport(requestIn(session));
  }

  /** The session, which is opened once by the handshake. */
  private async open(): Promise<Result<Session>> {
    if (this.session) return { ok: true, value: this.session };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    const answer = await this.post('initialize', params, {});
    if (!answer.ok) {
      if (!mayKnowNoHandshake(statusOf(answer.problem))) return { ...answer, mayHaveRun: false };
      return { ok: true, value: (this.session = {}) };
    }
    const { protocolVersion } = (answer.value ?? {}) as { protocolVersion?: unknown };
    const session = {
      ...(answer.sessionId !== undefined && { [SESSION_ID]: answer.sessionId }),
      'MCP-Protocol-Version': typeof protocolVersion === 'string' ? protocolVersion : PROTOCOL_VERSION,
    };
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const reply = await this.transport(requestIn(session, notification));
    if (reply.kind === 'failure') return callFailure(reply.problem, false);
    return { ok: true, value: (this.session = session) };
  }

  private async post(
    method: string,
    params: Record<string, unknown>,
    session: Session,
  ): Promise<Result<unknown> & { sessionId?: string }> {
    const id = this.nextId++;
    const reply = await this.transport(requestIn(session, { jsonrpc: '2.0', id, method, params }));
    if (reply.kind === 'failure') return callFailure(reply.problem, reply.mayHaveArrived);
    const { status, sessionId, body } = reply;
    const found = findAnswer(body, id);
    if (found && 'result' in found) return { ok: true, value: found.result, sessionId };
    // A call that HTTP refuses was not carried out; behind a broken answer or a server error, it may have been.
    const isUnclear = status < 300 || status === 408 || status >= 500;
    const error = found?.error;
    // Words without a code may be those of a proxy: the code of HTTP explains more.
    if (!error || (error.code === undefined && status >= 300))
      return callFailure(problemOf(reply), isUnclear);
    return callFailure({ kind: 'rpc', ...error, status }, isUnclear && !NOT_RUN.includes(error.code ?? 0));
  }
}

/** A message of a session, or its end. */
const requestIn = (session: Session, body?: Record<string, unknown>) => ({
  endpoint: 'connector' as const,
  method: body ? ('POST' as const) : ('DELETE' as const),
  headers: { ...HEADERS, ...session },
  body,
});

/** Answer of `/health` (gateway-api.md, "Addresses"). Fields beyond the contract are kept. */
const flag = z.preprocess((value) => readFlag(value) ?? value, z.boolean());
const healthSchema = z.object({ ok: flag, domain: z.string(), send_enabled: flag }).passthrough();

export type Health = z.infer<typeof healthSchema>;

/** Asks the connector for its health and whether it may send for its domain. Needs no key. Never throws. */
export async function askHealth(transport: ConnectorTransport): Promise<Result<Health>> {
  const reply = await transport({
    endpoint: 'health',
    method: 'GET',
    headers: { Accept: 'application/json' },
  });
  if (reply.kind === 'failure') return callFailure(reply.problem, false);
  const health = healthSchema.safeParse(fromForeignJson(reply.body));
  return health.success ? { ok: true, value: health.data } : callFailure(problemOf(reply), false);
}

export const callFailure = (problem: ConnectorProblem, mayHaveRun: boolean): CallFailure => ({
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

/** Whether an answer may come from a connector without a handshake: not one that refuses the caller or asks for patience. */
const mayKnowNoHandshake = (status: number | undefined): boolean =>
  status !== undefined && status < 500 && ![401, 403, 429].includes(status);

const ABOUT_THE_CALL: number[] = [RPC_CODES.unknownMethod, RPC_CODES.invalidParams];

/** Whether the connector doesn't know the session (any more), so that it did not look at the request: HTTP 404 by the protocol. */
const isSessionLost = (session: Session, problem: ConnectorProblem): boolean =>
  SESSION_ID in session &&
  statusOf(problem) === 404 &&
  !(problem.kind === 'rpc' && ABOUT_THE_CALL.includes(problem.code ?? 0));
