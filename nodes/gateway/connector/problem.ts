import type { Problem } from '../errors/problem';
import type { RpcError } from './json-rpc';

/** Why a request to the assistant connector had no result, as plain data and without the request. */
export type ConnectorProblem =
  /** The network, n8n itself, or an HTTP refusal. */
  | { kind: 'transport'; problem: Problem }
  /** Something other than a JSON-RPC answer to the request. */
  | { kind: 'notConnector'; contentType: string; status: number }
  /** An answer beyond the limit, in characters. */
  | { kind: 'tooLarge'; limit: number }
  /** A JSON-RPC error. */
  | { kind: 'rpc'; error: RpcError; status: number }
  /** The connector dropped the session, and the new one as well. */
  | { kind: 'sessionLost' }
  /** `/health` answered something other than the contract says. */
  | { kind: 'notHealth'; contentType: string; status: number };

/** A call without a result. `mayHaveRun`: whether the connector may have carried it out all the same. */
export type CallFailure = { ok: false; problem: ConnectorProblem; mayHaveRun: boolean };

export type Result<T> = { ok: true; value: T } | CallFailure;
