import type { IBinaryKeyData, IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { Slots } from '../gateway/callback/slots';
import { egressFilterOf } from '../n8n/engine';
import type { FetchTools } from './media-fetch';
import { fetchMedia } from './media-fetch';

const MEGABYTE = 2 ** 20;
const FILES = 10;
const TOTAL_BYTES = 50 * MEGABYTE;
/** Callbacks whose files are downloaded at the same time in this process: each may hold 50 MB in memory. */
export const mediaSlots = new Slots({ running: 2, waiting: 20 });
const LIMITS = { bytes: 20 * MEGABYTE, redirects: 3 };
/** Milliseconds for all files of a callback, with the wait for their turn: the gateway waits for its answer. */
const LONGEST = 10_000;

export const hasMedia = (events: CallbackEvent[]): boolean =>
  events.some(({ replies }) => replies?.some(({ media }) => media?.url));

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
  const until = Date.now() + LONGEST;
  try {
    const downloaded = await mediaSlots.run(async () => await download(context, events, until));
    if (downloaded !== undefined) return downloaded.result;
    context.logger.warn('Files of replies were not downloaded: too many downloads are under way');
  } catch (thrown) {
    context.logger.warn(`Files of replies could not be downloaded: ${(thrown as Error).message}`);
  }
  return events.map((event) => ({ json: event as unknown as IDataObject }));
}

async function download(
  context: IWebhookFunctions,
  events: CallbackEvent[],
  until: number,
): Promise<INodeExecutionData[]> {
  const { helpers } = context;
  const tools: FetchTools = {
    httpRequest: async (options) => (await helpers.httpRequest(options)) as unknown,
    egressFilter: egressFilterOf(helpers),
  };
  const left = { files: FILES, bytes: TOTAL_BYTES };
  const items: INodeExecutionData[] = [];
  for (const event of events) {
    const binary: IBinaryKeyData = {};
    const replies = [];
    for (const reply of event.replies ?? []) {
      const { media } = reply;
      if (!media?.url) {
        replies.push(reply);
        continue;
      }
      const bytes = Math.min(LIMITS.bytes, left.bytes);
      const milliseconds = Math.max(0, until - Date.now());
      const fetched =
        left.files > 0 && bytes > 0
          ? await fetchMedia(media.url, tools, { ...LIMITS, bytes, milliseconds })
          : ({ ok: false, reason: 'the callback has too many files' } as const);
      left.files -= 1;
      if (!fetched.ok) {
        replies.push({ ...reply, media: { ...media, download_error: fetched.reason } });
        continue;
      }
      left.bytes -= fetched.content.length;
      const property = `media_${Object.keys(binary).length}`;
      const name = safeName(media.filename, media.url);
      try {
        binary[property] = await helpers.prepareBinaryData(fetched.content, name, fetched.mimeType);
        replies.push({ ...reply, media: { ...media, binary_property: property } });
      } catch (error) {
        // The event must not be lost with its file, nor refused for ever while the disk is full.
        context.logger.warn(`A file of a reply could not be stored: ${(error as Error).message}`);
        replies.push({ ...reply, media: { ...media, download_error: 'n8n could not store the file' } });
      }
    }
    const json = { ...event, ...(event.replies && { replies }) } as unknown as IDataObject;
    items.push({ json, ...(Object.keys(binary).length > 0 && { binary }) });
  }
  return items;
}

/** Returns a file name without folders and control characters, from the callback or else from the URL. */
function safeName(filename: string | null | undefined, url: string): string {
  const given = filename ? filename : url.split(/[?#]/, 1)[0];
  const last = given.split(/[\\/]/).at(-1) ?? '';
  const clean = Array.from(last)
    .filter((character) => character >= ' ' && !'<>:"|?*'.includes(character))
    .join('')
    .slice(-120)
    .replace(/^\.+/, '');
  return clean === '' ? 'media' : clean;
}
