import type { RpcAnswer } from './json-rpc';
import { RPC_CODES } from './json-rpc';

/** Version of the protocol that is asked for; a server that speaks another one says so. */
export const PROTOCOL_VERSION = '2025-06-18';

/** What the connector wants to hear with every request after the handshake. */
export interface Session {
  /** Given by connectors that keep sessions. */
  id?: string;
  /** Missing for a connector that knows no handshake. */
  protocolVersion?: string;
}

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

const SESSION = /\bsession\b|\bnot\s+initiali[sz]ed\b/i;
const OWN_ERRORS: number[] = [RPC_CODES.unknownMethod, RPC_CODES.invalidParams];

/**
 * Whether an answer means that the session is not known (any more), so that the request was not looked at: HTTP 404,
 * and what servers in the wild say instead, an HTTP 400 or a JSON-RPC error about the session.
 */
export function isSessionLost(session: Session, status: number, answer: RpcAnswer | undefined): boolean {
  if (session.id === undefined) return false;
  const error = answer?.kind === 'error' ? answer.error : undefined;
  if (error !== undefined && OWN_ERRORS.includes(error.code)) return false;
  if (status === 404) return true;
  return error !== undefined && status <= 400 && SESSION.test(error.message);
}
