import type { RpcAnswer } from './answer';
import { answerFinder, RPC_CODES } from './answer';
import type { CallFailure, ConnectorProblem, ConnectorTransport, Result } from './transport';

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const CLIENT_INFO = { name: 'n8n-nodes-messaging-gateway', version: '1' };
/** Version of the Model Context Protocol that is asked for; a server that speaks another one names it. */
const PROTOCOL_VERSION = '2025-06-18';
const SESSION_ID = 'Mcp-Session-Id';

/** Headers of every request after the handshake; none for a connector that knows no handshake. */
type Session = Record<string, string>;

interface Exchange {
  status: number;
  sessionId?: string;
  answer: RpcAnswer | NoResult;
}

type NoResult = Extract<RpcAnswer, { kind: 'error' }> | { kind: 'problem'; problem: ConnectorProblem };

/**
 * Speaks JSON-RPC 2.0 over streamable HTTP with the assistant connector (gateway-api.md, "Assistant connector").
 *
 * The contract shows only `tools/call`. The handshake of the Model Context Protocol is tried before the first
 * request; a connector that doesn't know it is asked without one. No request is sent twice, unless the connector
 * didn't know the session and so did not look at the request: then it is repeated once, in a new session.
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
    for (let renewed = false; ; renewed = true) {
      const opened = await this.open();
      if (!opened.ok) return opened;
      const exchange = await this.post(method, params, opened.value);
      if ('ok' in exchange) return exchange;
      const { status, answer } = exchange;
      if (answer.kind === 'result') return { ok: true, value: answer.result };
      if (!isSessionLost(opened.value, status, answer)) return failureOf(status, answer);
      this.session = undefined;
      if (renewed) return callFailure({ kind: 'sessionLost' }, false);
    }
  }

  /** Ends the session, if there is one. The answer doesn't matter any more. */
  async close(): Promise<void> {
    const session = this.session ?? {};
    this.session = undefined;
    if (!(SESSION_ID in session)) return;
    await this.transport.send(requestIn(session));
  }

  /** The session, which is opened once by the handshake. */
  private async open(): Promise<Result<Session>> {
    if (this.session) return { ok: true, value: this.session };
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    const exchange = await this.post('initialize', params, {});
    if ('ok' in exchange) return { ...exchange, mayHaveRun: false };
    const { status, answer, sessionId } = exchange;
    if (answer.kind !== 'result') {
      if (isRefusal(status)) return { ...failureOf(status, answer), mayHaveRun: false };
      // A connector without a handshake, however it says so: the contract shows no other method than `tools/call`.
      return { ok: true, value: (this.session = {}) };
    }
    const { protocolVersion } = (answer.result ?? {}) as { protocolVersion?: unknown };
    const session = {
      ...(sessionId !== undefined && { [SESSION_ID]: sessionId }),
      'MCP-Protocol-Version': typeof protocolVersion === 'string' ? protocolVersion : PROTOCOL_VERSION,
    };
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const reply = await this.transport.send(requestIn(session, notification));
    if (reply.kind === 'failure') return callFailure({ kind: 'transport', problem: reply.problem }, false);
    return { ok: true, value: (this.session = session) };
  }

  private async post(
    method: string,
    params: Record<string, unknown>,
    session: Session,
  ): Promise<Exchange | CallFailure> {
    const id = this.nextId++;
    const { redact } = this.transport;
    const reply = await this.transport.send({
      ...requestIn(session, { jsonrpc: '2.0', id, method, params }),
      finderFor: (head) => answerFinder(head, id, redact),
    });
    if (reply.kind === 'failure') {
      return callFailure({ kind: 'transport', problem: reply.problem }, reply.mayHaveArrived);
    }
    const { status, contentType, sessionId, retryAfter, found, problem } = reply;
    if (found) return { status, sessionId, answer: found };
    // The code of an HTTP refusal explains it, whatever its page says.
    const why: ConnectorProblem =
      status < 300
        ? (problem ?? { kind: 'notConnector', contentType, status })
        : {
            kind: 'transport',
            problem: { kind: 'http', status, ...(retryAfter !== undefined && { retryAfter }) },
          };
    return { status, answer: { kind: 'problem', problem: why } };
  }
}

/** A message of a session, or its end. */
const requestIn = (session: Session, body?: Record<string, unknown>) => ({
  endpoint: 'connector' as const,
  method: body ? ('POST' as const) : ('DELETE' as const),
  headers: { ...HEADERS, ...session },
  body,
});

export const callFailure = (problem: ConnectorProblem, mayHaveRun: boolean): CallFailure => ({
  ok: false,
  problem,
  mayHaveRun,
});

/** JSON-RPC errors about the request itself, found before anything was carried out. */
const NOT_RUN: number[] = Object.values(RPC_CODES);

/** The failure of an exchange without a result. */
function failureOf(status: number, answer: NoResult): CallFailure {
  // What HTTP refuses was not carried out, but a broken answer or a server error may hide that it was.
  const isUnclear = status < 300 || status === 408 || status >= 500;
  if (answer.kind === 'problem') return callFailure(answer.problem, isUnclear);
  return callFailure(
    { kind: 'rpc', error: answer.error, status },
    isUnclear && !NOT_RUN.includes(answer.error.code),
  );
}

/** Codes that refuse the caller or ask for patience, whatever JSON-RPC error comes with them. */
const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status >= 500;

const ABOUT_THE_CALL: number[] = [RPC_CODES.unknownMethod, RPC_CODES.invalidParams];

/**
 * Whether the connector doesn't know the session (any more), so that it did not look at the request: HTTP 404, by the
 * protocol. With any other status the request may have been carried out, whatever the answer says about sessions.
 */
const isSessionLost = (session: Session, status: number, answer: NoResult): boolean =>
  SESSION_ID in session &&
  status === 404 &&
  !(answer.kind === 'error' && ABOUT_THE_CALL.includes(answer.error.code));
