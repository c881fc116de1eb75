import type { Problem } from '../errors/problem';
import type { RpcError } from './json-rpc';

/** Why a request to the assistant connector brought no result, as plain data and without the request. */
export type ConnectorProblem =
  /** The network, n8n itself, or an HTTP refusal. */
  | { kind: 'transport'; problem: Problem }
  /** An answer that is no JSON-RPC answer to the request. */
  | { kind: 'notConnector'; contentType: string; status: number }
  /** An answer beyond the limit, in characters. */
  | { kind: 'tooLarge'; limit: number }
  /** A JSON-RPC error. */
  | { kind: 'rpc'; error: RpcError; status: number }
  /** The connector dropped the session, and the new one as well. */
  | { kind: 'sessionLost' }
  /** `/health` answered something else than the contract says. */
  | { kind: 'notHealth'; contentType: string; status: number };

/** `mayHaveRun`: whether the connector may have carried out what it was asked for. */
export type CallFailure = { ok: false; problem: ConnectorProblem; mayHaveRun: boolean };

export type Result<T> = { ok: true; value: T } | CallFailure;
