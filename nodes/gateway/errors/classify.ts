// First version so that the package builds; the full classification replaces this file.
import type { Problem } from './problem';

const NOTHING_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function codeOf(error: unknown): string {
  for (let current = error, depth = 0; current && depth < 5; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string') return code;
    current = cause;
  }
  return 'UNKNOWN';
}

export function classifyTransportError(error: unknown): Problem {
  const code = codeOf(error);
  if (NOTHING_LEFT.has(code)) return { kind: 'unreachable', code };
  if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return { kind: 'timeout' };
  return { kind: 'connectionLost', code };
}

export function mayHaveArrived({ kind }: Problem): boolean {
  return kind !== 'unreachable' && kind !== 'tls';
}
