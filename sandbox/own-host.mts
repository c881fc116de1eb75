import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from './loopback.mts';

/**
 * Keeps other web sites out. A page of theirs in a browser on this machine can reach this port, by a form or by a
 * name of its own that it lets point here, and could have callbacks sent to whatever else listens here. So a request
 * has to name a host that can only mean this machine and, where a browser says so, come from the sandbox's own page.
 * Other clients say nothing of an origin.
 * @param own the name under which this sandbox was started
 * @returns why the request is refused, or undefined
 */
export function hostProblem(request: IncomingMessage, own: string): string | undefined {
  const named = request.headers.host ?? '';
  const host = parsedHost(named);
  if (!host || !(isLoopbackHost(host.hostname) || parsedHost(own)?.hostname === host.hostname)) {
    return `The host "${named}" isn't known to mean this machine`;
  }
  const { origin } = request.headers;
  if (origin === undefined || originHost(origin) === host.host) return undefined;
  return `Pages of ${origin} may not use the sandbox`;
}

/** A host with or without a port, and nothing else that an address can have. */
function parsedHost(text: string): URL | undefined {
  const address = `http://${text}`;
  return /^[^\s/\\?#@]+$/.test(text) && URL.canParse(address) ? new URL(address) : undefined;
}

function originHost(origin: string): string | undefined {
  return /^https?:\/\//i.test(origin) && URL.canParse(origin) ? new URL(origin).host : undefined;
}
