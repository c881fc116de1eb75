import { DateTime } from 'luxon';

import { isObject } from '../text/json';
import type { Problem } from './problem';

type Fields = Record<string, unknown>;

/** Refusals, name look-ups, and errors in the request itself: no connection was made, whatever else the error says. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ERR_INVALID_(URL|ARG_TYPE|ARG_VALUE|CHAR|PROTOCOL)|ERR_UNESCAPED_CHARACTERS|ERR_SOCKET_BAD_PORT|ERR_BAD_OPTION(_VALUE)?)$/;

/** Certificate checks, which are all made before a request is written. */
const CERTIFICATE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_)/;

/** OpenSSL errors that only a handshake can end with. Others may occur in the middle of an answer. */
const HANDSHAKE =
  /(wrong.version.number|handshake.failure|protocol.version|unsupported.protocol|unknown.protocol|unrecognized.name|no.protocols|http.request|unknown.ca|no.shared.cipher|no.ciphers)/i;
const HANDSHAKE_CUT = /before secure TLS connection was established/;

/** Errors that n8n throws instead of making a request. */
const N8N_REFUSALS = new Set([
  'SsrfBlockedIpError',
  'SsrfBlockedHostnameError',
  'UnknownConnectionHostError',
  'UserError',
  'NodeOperationError',
  'CredentialNotFoundError',
]);

/**
 * Returns what became of a request that ended with an error: nothing left this machine (`blocked`,
 * `unreachable`), something else than HTTP answered (`notGateway`), or it may have been received (`timeout`, `connectionLost`).
 * An unknown error counts as possibly received. Never throws. Such an error carries the request, which holds the API
 * key: nothing of it is copied but codes, and n8n's own words where n8n refused to make the request.
 * @param error anything that can be thrown: axios and Node errors, n8n's NodeApiError around them, or a plain value
 */
export function classifyTransportError(error: unknown): Problem {
  const chain = chainOf(error);
  const problem = chain.map(problemIn).find((found) => found !== undefined);
  return problem ?? { kind: 'connectionLost', code: chain.map(codeOf).find(Boolean) };
}

const NEVER_LEFT = new Set<Problem['kind']>(['blocked', 'unreachable', 'cancelled']);

/** Whether a request that ended with this problem can have reached the gateway. */
export const mayHaveArrived = ({ kind }: Problem): boolean => !NEVER_LEFT.has(kind);

function problemIn(level: Fields): Problem | undefined {
  const refusal = n8nRefusal(level);
  if (refusal !== undefined) return { kind: 'blocked', text: refusal };
  const code = codeOf(level);
  // NodeApiError has words of its own as its message and keeps those of the error below it.
  const message = [level.message, ...(Array.isArray(level.messages) ? level.messages : [])]
    .map(orEmpty)
    .join('\n');
  if (code === undefined) return undefined;
  if (NOT_CONNECTED.test(code) || HANDSHAKE_CUT.test(message)) return { kind: 'unreachable', code };
  if (CERTIFICATE.test(code)) return { kind: 'unreachable', code };
  if (/^(EPROTO$|ERR_SSL_)/.test(code)) {
    return HANDSHAKE.test(`${code} ${message}`)
      ? { kind: 'unreachable', code }
      : { kind: 'connectionLost', code };
  }
  if (isConnecting(level)) return { kind: 'unreachable', code };
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') return { kind: 'timeout' };
  if (code === 'ECONNABORTED') {
    return /\btime-?out\b/i.test(message) ? { kind: 'timeout' } : { kind: 'connectionLost', code };
  }
  // The answer isn't HTTP.
  if (code.startsWith('HPE_')) return { kind: 'notGateway' };
  // Other codes, such as axios' ERR_NETWORK, leave it to the error's cause.
  return undefined;
}

/**
 * Whether the error came while the connection was being opened: Node then names the call. Where several addresses
 * were tried, each attempt has an error of its own, and all of them have to say so.
 */
const isConnecting = ({ syscall, errors }: Fields): boolean =>
  syscall === 'connect' ||
  (Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every((attempt) => isObject(attempt) && attempt.syscall === 'connect'));

function n8nRefusal(level: Fields): string | undefined {
  const { name } = (level.constructor ?? {}) as { name?: unknown };
  return [level.name, name].some((errorName) => N8N_REFUSALS.has(orEmpty(errorName)))
    ? orEmpty(level.message)
    : undefined;
}

function codeOf(level: Fields): string | undefined {
  return [level.code, level.httpCode].map(orEmpty).find((text) => /^[A-Z][A-Z0-9_]{2,63}$/.test(text));
}

/** The error and its causes, innermost first: n8n's own error says less than the one that it wraps. */
function chainOf(error: unknown): Fields[] {
  const chain: Fields[] = [];
  let level = error;
  while (isObject(level) && !chain.includes(level) && chain.length < 10) {
    chain.unshift(level);
    level = level.cause;
  }
  return chain;
}

const orEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

const SECONDS = /^\d{1,9}(\.\d{1,9})?$/;

/**
 * Reads a `Retry-After` header, which holds a number of seconds or a date of HTTP.
 * @param nowMs the current time in milliseconds since 1970
 * @returns the seconds to wait, 0 or more, fractions of dates rounded up; undefined where the header says nothing usable
 */
export function retryAfterSeconds(header: unknown, nowMs: number): number | undefined {
  const text = typeof header === 'number' ? String(header) : header;
  if (typeof text !== 'string' || text.length > 64) return undefined;
  const value = text.trim();
  if (SECONDS.test(value)) return Number(value);
  const date = DateTime.fromHTTP(value);
  return date.isValid ? Math.max(0, Math.ceil((date.toMillis() - nowMs) / 1000)) : undefined;
}
