import { DateTime } from 'luxon';

import { isObject } from '../text/json';
import type { Problem } from './problem';

type Fields = Record<string, unknown>;

/** Matches a code that is all of one of these patterns. */
const anyCode = (codes: readonly string[]): RegExp => new RegExp(`^(?:${codes.join('|')})$`);

/** Codes of connections that were refused, of names that were not found, and of wrong requests: no connection was made. */
const NOT_CONNECTED = anyCode([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_\\w+',
  'ERR_INVALID_(?:URL|ARG_TYPE|ARG_VALUE|CHAR|PROTOCOL)',
  'ERR_UNESCAPED_CHARACTERS',
  'ERR_SOCKET_BAD_PORT',
  'ERR_BAD_OPTION',
  'ERR_BAD_OPTION_VALUE',
]);

/** Codes of the checks of a certificate, which Node makes before it writes a request. */
const CERTIFICATE = anyCode([
  'CERT_\\w*',
  'UNABLE_TO_\\w*',
  'DEPTH_ZERO_\\w*',
  'SELF_SIGNED_\\w*',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_\\w*',
]);

/** Errors of OpenSSL that end a handshake. All others may also occur in the middle of an answer. */
const HANDSHAKE_ERRORS = [
  'wrong version number',
  'handshake failure',
  'protocol version',
  'unsupported protocol',
  'unknown protocol',
  'unrecognized name',
  'no protocols',
  'http request',
  'unknown ca',
  'no shared cipher',
  'no ciphers',
];
const HANDSHAKE_CUT = /before secure TLS connection was established/;

/** Names of errors that n8n throws in place of making a request. */
const N8N_REFUSALS = new Set([
  'SsrfBlockedIpError',
  'SsrfBlockedHostnameError',
  'UnknownConnectionHostError',
  'UserError',
  'NodeOperationError',
  'CredentialNotFoundError',
]);

/**
 * Returns what became of a request that ended with an error: nothing left this machine (`blocked`, `unreachable`), something else
 * than HTTP answered (`notGateway`), or the gateway may have the request (`timeout`, `connectionLost`, and any error that is not
 * known). Never throws. The error carries the request, which holds the API key: only codes are copied from the error, and n8n's own
 * words where n8n refused to make the request.
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
  // A NodeApiError of n8n has words of its own as `message`, and in `messages` those of the error that it wraps.
  const message = [level.message, ...(Array.isArray(level.messages) ? level.messages : [])]
    .map(orEmpty)
    .join('\n');
  if (code === undefined) return undefined;
  if (NOT_CONNECTED.test(code) || HANDSHAKE_CUT.test(message)) return { kind: 'unreachable', code };
  if (CERTIFICATE.test(code)) return { kind: 'unreachable', code };
  if (/^(EPROTO$|ERR_SSL_)/.test(code)) {
    return isOfHandshake(`${code} ${message}`)
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
  // Of other codes, such as axios' ERR_NETWORK, the error's cause says more.
  return undefined;
}

/** Whether a text names an error of the handshake. OpenSSL writes blanks in its messages, and underscores in its codes. */
function isOfHandshake(text: string): boolean {
  const words = text.toLowerCase().replaceAll('_', ' ');
  return HANDSHAKE_ERRORS.some((error) => words.includes(error));
}

/**
 * Whether the error came while the connection was being opened, for which Node names the call. Where Node tried several IP addresses,
 * each attempt has an error of its own, and all of them have to say so.
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

/** Returns the error and its causes, the innermost first: n8n's own error says less than the error that it wraps. */
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
