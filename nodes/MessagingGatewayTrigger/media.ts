import type {
  IBinaryKeyData,
  IDataObject,
  IHttpRequestOptions,
  INodeExecutionData,
  IWebhookFunctions,
  NodeEgressFilter,
} from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import type { ReplyMedia } from '../gateway/contract/callback';
import { readReply, replyEntries } from '../gateway/contract/callback';
import { isPublicAddress } from '../gateway/net/hosts';
import { mediaUrl } from '../gateway/net/media-url';
import { Semaphore } from '../gateway/net/semaphore';
import { isObject } from '../gateway/text/json';
import { egressFilterOf } from '../n8n/engine';
import { timedController, untilAborted } from '../n8n/request';

const MEGABYTE_BYTES = 2 ** 20;
const MOST_FILES = 10;
const FILE_BYTES = 20 * MEGABYTE_BYTES;
const TOTAL_BYTES = 50 * MEGABYTE_BYTES;
const MOST_REDIRECTS = 3;

/** Milliseconds for all files of a callback, with the wait for their turn: the gateway waits for its answer. */
const LONGEST_MS = 10_000;

/** Callbacks whose files are downloaded at the same time in this process: each may hold 50 MB in memory. */
export const mediaSemaphore = new Semaphore({ running: 2, waiting: 20 });

export interface FetchTools {
  httpRequest(options: IHttpRequestOptions): Promise<unknown>;

  /** n8n's filter for outgoing requests, enforced; absent in older versions of n8n. */
  egressFilter?: Pick<NodeEgressFilter, 'createSecureLookup'>;

  /** Whether connections to this address are allowed; by default, to public addresses only. */
  addressAllowed?(address: string): boolean;
}

export interface FetchLimits {
  bytes: number;
  timeMs: number;
}

export const hasMedia = (events: CallbackEvent[]): boolean =>
  events.some(({ replies }) => replyEntries(replies).some((reply) => readReply(reply)?.media?.url));

/**
 * Returns items for the events, with the media of their replies as binary data `media_0`, `media_1` and so on. Each
 * media object has the property of its file in `binary_property`, or the reason why there is none in `download_error`.
 * Media without a URL are unchanged. At most 10 files, 50 MB and 10 s for one callback. Returns the events without
 * files where something unexpected fails.
 */
export async function withMedia(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<INodeExecutionData[]> {
  const until = Date.now() + LONGEST_MS;
  try {
    const downloaded = await mediaSemaphore.run(async () => await download(context, events, until));
    if (downloaded !== undefined) return downloaded.result;
    context.logger.warn('Files of replies were not downloaded: too many downloads are under way');
  } catch (thrown) {
    context.logger.warn(`Files of replies could not be downloaded: ${(thrown as Error).message}`);
  }
  return events.map((event) => ({ json: event as unknown as IDataObject }));
}

async function download(
  { helpers, logger }: IWebhookFunctions,
  events: CallbackEvent[],
  until: number,
): Promise<INodeExecutionData[]> {
  const tools: FetchTools = {
    httpRequest: async (options) => (await helpers.httpRequest(options)) as unknown,
    egressFilter: egressFilterOf(helpers),
  };
  const left = { files: MOST_FILES, bytes: TOTAL_BYTES };

  /** Puts a file into the binary data of an item. Returns the field that says where it is, or why there is none. */
  const store = async ({ url = '', filename }: ReplyMedia, binary: IBinaryKeyData) => {
    const limits = { bytes: Math.min(FILE_BYTES, left.bytes), timeMs: Math.max(0, until - Date.now()) };
    if (left.files-- <= 0 || limits.bytes <= 0) return { download_error: 'the callback has too many files' };
    const fetched = await fetchMedia(url, tools, limits);
    if (!fetched.ok) return { download_error: fetched.reason };
    left.bytes -= fetched.content.length;
    const property = `media_${Object.keys(binary).length}`;
    try {
      const name = safeName(filename || url.split(/[?#]/, 1)[0]);
      binary[property] = await helpers.prepareBinaryData(fetched.content, name, fetched.mimeType);
      return { binary_property: property };
    } catch (error) {
      // The event must not be lost with its file, nor refused for ever while the disk is full.
      logger.warn(`A file of a reply could not be stored: ${(error as Error).message}`);
      return { download_error: 'n8n could not store the file' };
    }
  };
  const items: INodeExecutionData[] = [];
  for (const event of events) {
    const binary: IBinaryKeyData = {};
    const replies = [];
    for (const reply of replyEntries(event.replies)) {
      const media = readReply(reply)?.media;
      if (!media?.url) replies.push(reply);
      else {
        const { media: given } = reply as Record<string, unknown>;
        const came = isObject(given) ? given : { url: given };
        replies.push({ ...(reply as object), media: { ...came, ...(await store(media, binary)) } });
      }
    }
    const json = { ...event, ...(replies.length > 0 && { replies }) } as unknown as IDataObject;
    items.push({ json, ...(Object.keys(binary).length > 0 && { binary }) });
  }
  return items;
}

/** Returns a file name without folders and control characters. */
function safeName(given: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? '';
  const clean = Array.from(last)
    .filter((character) => character >= ' ' && !'<>:"|?*'.includes(character))
    .join('')
    .slice(-120)
    .replace(/^\.+/, '');
  return clean === '' ? 'media' : clean;
}

export type Fetched = { ok: true; content: Buffer; mimeType?: string } | { ok: false; reason: string };

/** Why a file is not fetched, in the words of `download_error`. */
class NotFetched extends Error {}

/** Other errors may contain headers and network addresses, which must not reach the workflow. */
const inWords = async <T>(work: Promise<T>, reason: string): Promise<T> =>
  await work.catch(() => {
    throw new NotFetched(reason);
  });

/**
 * Fetches a file from a public https address. Each address, redirects included, is checked by its text and by all
 * addresses that its host name resolves to. The connection goes to an address that was checked, so a name that resolves
 * differently later leads nowhere else. Doesn't throw; returns the content, or the reason for a failure.
 */
export async function fetchMedia(address: string, tools: FetchTools, limits: FetchLimits): Promise<Fetched> {
  const over = timedController(limits.timeMs);
  try {
    const fetched = follow(address, tools, over.signal).then(async (file) => await read(file, limits.bytes));
    return { ok: true, ...(await untilAborted(over.signal, fetched)) };
  } catch (error) {
    // Nothing else is thrown but at the time limit.
    return { ok: false, reason: error instanceof NotFetched ? error.message : 'the download took too long' };
  } finally {
    // Destroying a stream of n8n's may keep its connection.
    over.abort();
  }
}

interface MediaResponse {
  statusCode: number;
  headers: Record<string, unknown>;

  /** A stream. */
  body: AsyncIterable<Buffer> & { destroy(): unknown };
}

async function follow(address: string, tools: FetchTools, signal: AbortSignal): Promise<MediaResponse> {
  let url = mediaUrl(address);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    if (typeof url === 'string') throw new NotFetched(url);
    const response = await request(url, await resolve(url.hostname, tools), tools, signal);
    const { statusCode, headers, body } = response;
    if (statusCode === 200) return response;
    body.destroy();
    if (statusCode < 300 || statusCode >= 400 || typeof headers.location !== 'string') {
      throw new NotFetched(`the server answered ${statusCode}`);
    }
    url = mediaUrl(headers.location, url);
  }
  throw new NotFetched('too many redirects');
}

/** Returns the address to connect to. A name with any address that isn't public is refused. */
async function resolve(
  hostname: string,
  { egressFilter, addressAllowed = isPublicAddress }: FetchTools,
): Promise<string> {
  if (egressFilter === undefined) {
    throw new NotFetched('this version of n8n cannot check what host names resolve to');
  }
  const lookup = egressFilter.createSecureLookup();
  const addresses = await new Promise<string[]>((settle, fail) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) fail(new NotFetched('the host name does not resolve, or n8n forbids it'));
      else settle(Array.isArray(found) ? found.map(({ address }) => address) : [found]);
    });
  });
  if (addresses.length === 0 || !addresses.every((address) => addressAllowed(address))) {
    throw new NotFetched('the host name resolves to an address that is not public');
  }
  return addresses.find((address) => !address.includes(':')) ?? addresses[0];
}

async function request(
  url: URL,
  address: string,
  { httpRequest }: FetchTools,
  signal: AbortSignal,
): Promise<MediaResponse> {
  const target = new URL(url);
  target.hostname = address.includes(':') ? `[${address}]` : address;
  // The certificate must match the name, although the connection goes to its address.
  const agentOptions: Record<string, unknown> = { servername: url.hostname };
  const answer = httpRequest({
    method: 'GET',
    url: target.toString(),
    headers: { Host: url.host, Accept: '*/*' },
    encoding: 'stream',
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
    agentOptions: agentOptions as IHttpRequestOptions['agentOptions'],
    abortSignal: signal,
  }) as Promise<MediaResponse>;
  return await inWords(answer, 'the server could not be reached');
}

async function read(
  { headers, body }: MediaResponse,
  limit: number,
): Promise<{ content: Buffer; mimeType?: string }> {
  const isTooLarge = Number(headers['content-length'] ?? 0) > limit;
  if (isTooLarge) body.destroy();
  // Cut off by the other side, or by the time limit.
  const content = isTooLarge ? undefined : await inWords(gather(body, limit), 'the download broke off');
  if (content === undefined) {
    throw new NotFetched(`the file is larger than ${Math.floor(limit / MEGABYTE_BYTES)} MB`);
  }
  const [type] = String(headers['content-type'] ?? '').split(';', 1);
  const mimeType = type.trim().toLowerCase();
  const isType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mimeType);
  return { content, ...(isType && { mimeType }) };
}

/** Returns what is in a stream; undefined beyond the limit. */
async function gather(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop destroys the stream.
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
