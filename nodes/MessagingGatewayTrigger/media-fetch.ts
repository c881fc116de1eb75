import type { IHttpRequestOptions, NodeEgressFilter } from 'n8n-workflow';

import { checkMediaAddress } from '../gateway/callback/media-address';
import { isPublicAddress } from '../gateway/network/public-address';
import { timedController, untilAborted } from '../n8n/request';

/** The helpers of n8n that fetching media needs. */
export interface FetchTools {
  httpRequest(options: IHttpRequestOptions): Promise<unknown>;
  /** n8n's filter for outgoing requests, enforced; absent in older versions of n8n. */
  egressFilter?: Pick<NodeEgressFilter, 'createSecureLookup'>;
  /** Whether connections to this address are allowed; by default, to public addresses only. */
  addressAllowed?(address: string): boolean;
}

export interface FetchLimits {
  bytes: number;
  milliseconds: number;
  redirects: number;
}

export type Fetched = { ok: true; content: Buffer; mimeType?: string } | { ok: false; reason: string };

interface MediaResponse {
  statusCode: number;
  headers: Record<string, unknown>;
  /** A stream. */
  body: AsyncIterable<Buffer> & { destroy(): unknown };
}

/**
 * Fetches a file from a public https address. Each address, redirects included, is checked by its text and by all
 * addresses that its host name resolves to. The connection goes to an address that was checked, so a name that resolves
 * differently later leads nowhere else. Doesn't throw; returns the content, or the reason for a failure.
 */
export async function fetchMedia(address: string, tools: FetchTools, limits: FetchLimits): Promise<Fetched> {
  const over = timedController(limits.milliseconds);
  try {
    return await untilAborted(over.signal, follow(address, tools, limits, over.signal));
  } catch {
    // Only the time limit: nothing else rejects.
    return { ok: false, reason: 'the download took too long' };
  } finally {
    // Destroying a stream of n8n's may keep its connection.
    over.abort();
  }
}

async function follow(
  address: string,
  tools: FetchTools,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Fetched> {
  let next = address;
  let base: URL | undefined;
  for (let hop = 0; hop <= limits.redirects; hop++) {
    const checked = checkMediaAddress(next, base);
    if (!checked.ok) return checked;
    const resolved = await resolve(checked.url.hostname, tools);
    if (!resolved.ok) return resolved;
    const response = await request(checked.url, resolved.address, tools, signal);
    if (!('statusCode' in response)) return response;
    const { location } = response.headers;
    const { statusCode } = response;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      response.body.destroy();
      next = location;
      base = checked.url;
      continue;
    }
    if (statusCode === 200) return await read(response, limits.bytes);
    response.body.destroy();
    return { ok: false, reason: `the server answered ${statusCode}` };
  }
  return { ok: false, reason: 'too many redirects' };
}

type Resolved = { ok: true; address: string } | { ok: false; reason: string };

/** Returns the address to connect to. A name with any address that isn't public is refused. */
async function resolve(hostname: string, tools: FetchTools): Promise<Resolved> {
  const { egressFilter, addressAllowed = isPublicAddress } = tools;
  if (egressFilter === undefined)
    return { ok: false, reason: 'this version of n8n cannot check what host names resolve to' };
  const lookup = egressFilter.createSecureLookup();
  return await new Promise<Resolved>((settle) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) return settle({ ok: false, reason: 'the host name does not resolve, or n8n forbids it' });
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (addresses.length === 0 || !addresses.every((address) => addressAllowed(address))) {
        return settle({ ok: false, reason: 'the host name resolves to an address that is not public' });
      }
      const ipv4 = addresses.find((address) => !address.includes(':'));
      settle({ ok: true, address: ipv4 ?? addresses[0] });
    });
  });
}

async function request(
  url: URL,
  address: string,
  { httpRequest }: FetchTools,
  signal: AbortSignal,
): Promise<MediaResponse | { ok: false; reason: string }> {
  const target = new URL(url);
  target.hostname = address.includes(':') ? `[${address}]` : address;
  // The certificate must match the name, although the connection goes to its address.
  const agentOptions: Record<string, unknown> = { servername: url.hostname };
  try {
    return (await httpRequest({
      method: 'GET',
      url: target.toString(),
      headers: { Host: url.host, Accept: '*/*' },
      encoding: 'stream',
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      agentOptions: agentOptions as IHttpRequestOptions['agentOptions'],
      abortSignal: signal,
    })) as MediaResponse;
  } catch {
    // The error may contain headers and network addresses, which must not reach the workflow.
    return { ok: false, reason: 'the server could not be reached' };
  }
}

async function read({ headers, body }: MediaResponse, limit: number): Promise<Fetched> {
  const tooLarge: Fetched = {
    ok: false,
    reason: `the file is larger than ${Math.floor(limit / 2 ** 20)} MB`,
  };
  if (Number(headers['content-length'] ?? 0) > limit) {
    body.destroy();
    return tooLarge;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      // Leaving the loop destroys the stream.
      if (size > limit) return tooLarge;
      chunks.push(chunk);
    }
  } catch {
    // Cut off by the other side, or by the time limit.
    return { ok: false, reason: 'the download broke off' };
  }
  const type = String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    .trim()
    .toLowerCase();
  const mimeType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : undefined;
  return { ok: true, content: Buffer.concat(chunks), ...(mimeType !== undefined && { mimeType }) };
}
