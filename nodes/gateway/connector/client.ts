import { mayHaveArrived } from '../errors/classify';
import type { RpcAnswer } from './json-rpc';
import { RPC_CODES, rpcNotification, rpcRequest } from './json-rpc';
import type { ConnectorProblem, CallFailure, Result } from './problem';
import { readReply } from './read-reply';
import type { Session } from './session';
import { isSessionLost, openedSession, PROTOCOL_VERSION, sessionHeaders } from './session';
import type { ConnectorTransport, NoReply, HttpReply } from './transport';

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
    const reply = await this.send(rpcNotification('notifications/initialized'), session);
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
    const reply = await this.send(rpcRequest(id, method, params), session);
    if (reply.kind === 'failure') return { ...notSent(reply), mayHaveRun: reply.mayHaveArrived };
    const { status, sessionId } = reply;
    const reading = await readReply(reply, id, (text) => this.transport.redact(text));
    const named = { status, ...(sessionId !== undefined && { sessionId }) };
    if (reading.kind === 'answer') return { ...named, answer: reading.answer };
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
const isUnclear = (status: number): boolean =>
  status < 300 || status === 408 || status >= 500;

/** Codes that refuse the caller or ask for patience, whatever JSON-RPC error comes with them. */
const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status >= 500;

const httpProblem = ({ status, retryAfter }: { status: number; retryAfter?: number }): ConnectorProblem => ({
  kind: 'transport',
  problem: { kind: 'http', status, ...(retryAfter !== undefined && { retryAfter }) },
});
