import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { withMedia } from '../../../nodes/MessagingGatewayTrigger/media.ts';

/** Only what stands between the download and the binary data of n8n; downloads are tested in the engine. */

const MEGABYTE = 2 ** 20;
const warnings: string[] = [];

const webhookContext = (prepareBinaryData: unknown, sizeOfFile = 3): IWebhookFunctions => {
  const helpers = {
    prepareBinaryData,
    getSecureEgressFilter: () => ({
      createSecureLookup: () => (_: string, __: unknown, done: (error: null, found: unknown) => void) =>
        done(null, [{ address: '8.8.8.8', family: 4 }]),
    }),
    httpRequest: async () => ({
      statusCode: 200,
      headers: { 'content-type': 'image/png' },
      body: {
        destroy: () => undefined,
        async *[Symbol.asyncIterator]() {
          yield Buffer.alloc(sizeOfFile);
        },
      },
    }),
  };
  const logger = { warn: (text: string) => warnings.push(text) };
  return { helpers, logger } as unknown as IWebhookFunctions;
};
const stored = async (content: Buffer, fileName: string, mimeType: string) => ({
  fileName,
  mimeType,
  bytes: content.length,
});

/** Items of one callback that carries files of these names. */
async function itemsFor(context: IWebhookFunctions, ...names: string[]) {
  const replies = names.map((filename) => ({
    message: 'x',
    media: { url: 'https://media.example.com/a.png?b', filename },
  }));
  const parsed = parseCallback({ success: true, id: 1, status: 'REPLIED', replies });
  if (!parsed.ok) throw new Error(parsed.reason);
  return await withMedia(context, parsed.events);
}
const mediaOf = (items: Awaited<ReturnType<typeof itemsFor>>) =>
  items.flatMap(({ json }) => (json.replies as Array<{ media: object }>).map(({ media }) => media));

it('puts each file where its media object says', async () => {
  const items = await itemsFor(webhookContext(stored), 'one.png', 'two.png');
  expect(items).toHaveLength(1);
  expect(items[0].binary).toEqual({
    media_0: { fileName: 'one.png', mimeType: 'image/png', bytes: 3 },
    media_1: { fileName: 'two.png', mimeType: 'image/png', bytes: 3 },
  });
  expect(mediaOf(items)).toMatchObject([{ binary_property: 'media_0' }, { binary_property: 'media_1' }]);
});

it('keeps the event when n8n can not store its file, since the gateway was told that it arrived', async () => {
  const store = jest.fn(stored).mockRejectedValueOnce(new Error('disk full'));
  const items = await itemsFor(webhookContext(store), 'one.png', 'two.png');
  expect(mediaOf(items)).toEqual([
    expect.objectContaining({ filename: 'one.png', download_error: 'n8n could not store the file' }),
    expect.objectContaining({ filename: 'two.png', binary_property: 'media_0' }),
  ]);
  expect(items[0].json).toMatchObject({ id: 1, outcome: 'replied' });
  expect(warnings).toEqual([expect.stringContaining('disk full')]);
});

it.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.png', 'a.png'],
  ['..', 'media'],
  ['a\u0000b\n.png', 'ab.png'],
  ['', 'a.png'],
  ['x'.repeat(500), 'x'.repeat(120)],
])('names a file that is called %j %j', async (given, name) => {
  const [{ binary }] = await itemsFor(webhookContext(stored), given);
  expect(binary?.media_0.fileName).toBe(name);
});

it('downloads ten files and 50 MB of one callback at most', async () => {
  const many = await itemsFor(webhookContext(stored), ...new Array<string>(12).fill('a'));
  expect(mediaOf(many).filter((media) => 'binary_property' in media)).toHaveLength(10);
  const large = await itemsFor(webhookContext(stored, 15 * MEGABYTE), ...new Array<string>(5).fill('a'));
  expect(mediaOf(large).filter((media) => 'binary_property' in media)).toHaveLength(3);
  expect(mediaOf(large).at(-1)).toHaveProperty('download_error');
});
