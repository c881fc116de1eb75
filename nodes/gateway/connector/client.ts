import { mayHaveArrived } from '../errors/classify';
import type { RpcAnswer } from './answer';
import { readReply, RPC_CODES } from './answer';
import type {
  CallFailure,
  ConnectorProblem,
  ConnectorTransport,
  HttpReply,
  NoReply,
  Result,
} from './transport';

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const CLIENT_INFO = { name: 'n8n-nodes-messaging-gateway', version: '1' };

interface Exchange {
  status: number;
  sessionId?: string;
  /** Undefined where the body isn't a JSON-RPC answer. */
  answer?: RpcAnswer;
  problem?: ConnectorProblem;
}

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
      const session = await this.open();
      if ('problem' in session) return session;
      const exchange = await this.post(method, params, session);
      if ('mayHaveRun' in exchange) return exchange;
      const { status, answer, problem } = exchange;
      if (isSessionLost(session, status, answer)) {
        this.session = undefined;
        if (renewed) return callFailure({ kind: 'sessionLost' }, false);
        continue;
      }
      if (answer?.kind === 'result') return { ok: true, value: answer.result };
      const mayHaveRun = isUnclear(status);
      if (answer?.kind === 'error') {
        const { error } = answer;
        return callFailure({ kind: 'rpc', error, status }, mayHaveRun && !NOT_RUN.includes(error.code));
      }
      return callFailure(problem ?? httpProblem(exchange), mayHaveRun);
    }
  }

  /** Ends the session, if there is one. The answer doesn't matter any more. */
  async close(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (session?.id === undefined) return;
    const headers = { ...HEADERS, ...sessionHeaders(session) };
    const reply = await this.transport.send({ endpoint: 'connector', method: 'DELETE', headers });
    if (reply.kind === 'reply') reply.close();
  }

  /** The session, which is opened once by the handshake. */
  private async open(): Promise<Session | CallFailure> {
    if (this.session) return this.session;
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    const exchange = await this.post('initialize', params, {});
    if ('mayHaveRun' in exchange) return { ...exchange, mayHaveRun: false };
    const { status, answer, problem, sessionId } = exchange;
    if (answer?.kind === 'error' && isRefusal(status)) {
      return callFailure({ kind: 'rpc', error: answer.error, status }, false);
    }
    if (answer === undefined && (isRefusal(status) || problem?.kind === 'tooLarge')) {
      return callFailure(problem ?? httpProblem(exchange), false);
    }
    // A connector without a handshake, however it says so: the contract shows no other method than `tools/call`.
    if (answer?.kind !== 'result') return (this.session = {});
    const session = openedSession(answer.result, sessionId);
    const reply = await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    if (reply.kind === 'failure') return notSent(reply);
    reply.close();
    return (this.session = session);
  }

  private async post(
    method: string,
    params: Record<string, unknown>,
    session: Session,
  ): Promise<Exchange | CallFailure> {
    const id = this.nextId++;
    const reply = await this.send({ jsonrpc: '2.0', id, method, params }, session);
    if (reply.kind === 'failure') return { ...notSent(reply), mayHaveRun: reply.mayHaveArrived };
    const { status, sessionId } = reply;
    const reading = await readReply(reply, id, (text) => this.transport.redact(text));
    const named = { status, ...(sessionId !== undefined && { sessionId }) };
    if (reading.kind === 'found') return { ...named, answer: reading.found };
    const { problem } = reading;
    if (problem.kind === 'transport') return callFailure(problem, mayHaveArrived(problem.problem));
    // The code of an HTTP refusal explains it, whatever its page says.
    return { ...named, problem: status < 300 ? problem : httpProblem(reply) };
  }

  private async send(body: Record<string, unknown>, session: Session): Promise<HttpReply | NoReply> {
    const headers = { ...HEADERS, ...sessionHeaders(session) };
    return await this.transport.send({ endpoint: 'connector', method: 'POST', headers, body });
  }
}

/** JSON-RPC errors about the request itself, found before anything was carried out. */
const NOT_RUN: number[] = Object.values(RPC_CODES);

const callFailure = (problem: ConnectorProblem, mayHaveRun: boolean): CallFailure => ({
  ok: false,
  problem,
  mayHaveRun,
});

const notSent = ({ problem }: NoReply): CallFailure => callFailure({ kind: 'transport', problem }, false);

/**
 * Whether a request with this status may have been carried out: what HTTP refuses was not, but a broken answer or a
 * server error may hide that it was.
 */
const isUnclear = (status: number): boolean => status < 300 || status === 408 || status >= 500;

/** Codes that refuse the caller or ask for patience, whatever JSON-RPC error comes with them. */
const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status >= 500;

const httpProblem = ({ status, retryAfter }: { status: number; retryAfter?: number }): ConnectorProblem => ({
  kind: 'transport',
  problem: { kind: 'http', status, ...(retryAfter !== undefined && { retryAfter }) },
});

/** Version of the Model Context Protocol that is asked for; a server that speaks another one names it. */
export const PROTOCOL_VERSION = '2025-06-18';

/** What every request after the handshake carries in its headers. */
export interface Session {
  /** From connectors that keep sessions. */
  id?: string;
  /** Missing for a connector without a handshake. */
  protocolVersion?: string;
}

/** The headers of a request in this session. */
export function sessionHeaders({ id, protocolVersion }: Session): Record<string, string> {
  return {
    ...(id !== undefined && { 'Mcp-Session-Id': id }),
    ...(protocolVersion !== undefined && { 'MCP-Protocol-Version': protocolVersion }),
  };
}

/** The session that an answer to `initialize` opens. */
export function openedSession(result: unknown, sessionId: string | undefined): Session {
  const { protocolVersion } = (typeof result === 'object' && result !== null ? result : {}) as {
    protocolVersion?: unknown;
  };
  return {
    ...(sessionId !== undefined && { id: sessionId }),
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : PROTOCOL_VERSION,
  };
}

/** Wordings about the session of the request itself; servers also speak of sessions of their own. */
const ABOUT_THE_SESSION =
  /\bsession[ -]?id\b|\bsession (is |was |has )?(not found|expired|unknown|invalid|terminated|closed)\b|\b(invalid|unknown|expired|no|missing) (valid |active )?session\b|\bnot initiali[sz]ed\b/i;
/** Characters of an error that are looked at. */
const LOOKED_AT = 1000;
const ABOUT_THE_CALL: number[] = [RPC_CODES.unknownMethod, RPC_CODES.invalidParams];

/**
 * Whether an answer proves that the connector doesn't know the session (any more), so that it did not look at the
 * request: HTTP 404, as the protocol has it, or HTTP 400 about the session id, as some servers have it. With any
 * other status the request may have been carried out, whatever the answer says about sessions.
 */
export function isSessionLost(session: Session, status: number, answer: RpcAnswer | undefined): boolean {
  if (session.id === undefined) return false;
  const error = answer?.kind === 'error' ? answer.error : undefined;
  if (error !== undefined && ABOUT_THE_CALL.includes(error.code)) return false;
  if (status === 404) return true;
  return status === 400 && error !== undefined && ABOUT_THE_SESSION.test(error.message.slice(0, LOOKED_AT));
}
