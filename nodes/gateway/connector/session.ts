import type { RpcAnswer } from './json-rpc';
import { RPC_CODES } from './json-rpc';

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
