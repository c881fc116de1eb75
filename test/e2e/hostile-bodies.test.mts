/** Bodies of 1 MB, and in the long form of 1 KB to 16 MB, made to keep patterns and readers busy, at every address that n8n opens for this package: n8n answers others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { approvalForm, BOTH_BUTTONS, DEPUTY, linkIn, MANAGER, open } from '../support/approval.mts';
import { chainOf } from '../../tools/n8n-host/workflow.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { shortOrLong } from '../support/long-form.mts';
import { action, listener, rows, START, workflow } from '../support/real-n8n.mts';
import { sentTo, smsForm } from '../support/sends.mts';
import { postJson } from '../support/web-server.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

/** Sizes of the bodies: n8n takes none above 16 MB. */
const SIZES = shortOrLong([995_000], [1000, 100_000, 995_000, 4_000_000, 15_900_000]);

/** The unit as often as it fits in so many bytes, in texts of so many characters. */
function textsOf(unit: string, length: number, bytes: number): string[] {
  const most = Math.min(length, bytes / Buffer.byteLength(unit));
  const text = `a${unit.repeat(Math.max(1, Math.floor((most - 2) / unit.length)))}a`;
  return Array<string>(Math.max(1, Math.floor(bytes / (Buffer.byteLength(text) + 20)))).fill(text);
}
const callback = (more: object) => ({ success: true, status: 'REPLIED', type: 'viber', ...more });
const withReplies = (texts: string[]) => callback({ replies: texts.map((message) => ({ message })) });
const times = <T,>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Bodies of about so many bytes. */
const bodiesOf = (bytes: number): Record<string, object> => ({
  words: callback({ note: 'word '.repeat(bytes / 5) }),
  'replies that NFKC makes four times as long': withReplies(textsOf('\u2057', 192, bytes)),
  'replies that NFKC makes 18 times as long': withReplies(textsOf('\ufdfa', 7000, bytes)),
  'long replies of dots': withReplies(textsOf('.', 6990, bytes)),
  'one reply of dots': withReplies(textsOf('.', 0.9 * bytes, bytes).slice(0, 1)),
  'one reply of marks': withReplies(textsOf('\u0301\u0323', 0.9 * bytes, bytes).slice(0, 1)),
  'a hundred replies of dots': withReplies(textsOf('.', bytes / 110, bytes).slice(0, 100)),
  'one reply of braces': withReplies(textsOf('{', 0.9 * bytes, bytes).slice(0, 1)),
  'one reply of links': withReplies(textsOf('http://a.', 0.9 * bytes, bytes).slice(0, 1)),
  'a long status with many replies': callback({
    status: 'a_'.repeat(0.48 * bytes),
    replies: times(Math.min(999, bytes / 20), () => ({})),
  }),
  'a long digit with many replies': callback({
    reply: 'a_'.repeat(0.48 * bytes),
    replies: times(Math.min(999, bytes / 20), () => ({})),
  }),
  callbacks: times(1000, (i) => callback({ id: i, status: 'DELIVERED', error: '.'.repeat(bytes / 1250) })),
  'short replies': withReplies(times(1000, (i) => `${i}${'.'.repeat(bytes / 1250)}`)),
  fields: callback(Object.fromEntries(times(bytes / 40, (i) => [`field${i}`, '.'.repeat(20)]))),
  'lists in each other': callback({
    replies: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`),
    error: '['.repeat(0.9 * bytes),
  }),
});

/** Answers of a form with twenty fields for an address of e-mail, of as many characters as one takes at most. */
const answersOf = (unit: string) =>
  Object.fromEntries(times(20, (i) => [`f${i}`, `a@a.${unit.repeat(9990 / unit.length)}`]));

/** Milliseconds for which n8n kept people waiting while a body was posted: the caller, and somebody else at the longest; and its answer. */
async function longestDuring(post: () => Promise<Response>) {
  let isOver = false;
  let longest = 0;
  let answeredMs = 0;
  const begun = performance.now();
  const posting = post().finally(() => {
    answeredMs = performance.now() - begun;
    isOver = true;
  });
  do {
    const start = performance.now();
    await fetch(`${host.url}/healthz`);
    longest = Math.max(longest, performance.now() - start);
    await sleep(10);
  } while (!isOver);
  const response = await posting;
  await response.arrayBuffer();
  return { waitedMs: Math.max(longest, answeredMs), status: response.status };
}

/** Milliseconds for which this package may keep the caller, or somebody else, waiting for longer than n8n's own Webhook node does with the same body. */
const MAX_MORE_MS = 200;

/** Publishes n8n's own Webhook node, and returns its address. */
async function plainWebhook(): Promise<string> {
  const path = randomUUID();
  const webhook = {
    name: 'Webhook',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    webhookId: path,
    parameters: { httpMethod: 'POST', path },
  };
  // n8n would write megabytes for each call that it takes.
  const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'none' };
  await host.publish({ ...chainOf('Plain', [webhook]), settings } as never);
  return `${host.url}/webhook/${path}`;
}

/** Posts each body to an address and to n8n's own Webhook node. Returns those that kept somebody waiting for too long, each time of five. */
async function postAll(address: string, bodies: Record<string, (to: string) => Promise<Response>>) {
  const plain = await plainWebhook();
  const figures: Array<[what: string, longestMs: number, usualMs: number, status: number]> = [];
  for (const [what, post] of Object.entries(bodies)) {
    for (let tries = 1; tries <= 5; tries++) {
      const usual = await longestDuring(async () => await post(plain));
      const { waitedMs, status } = await longestDuring(async () => await post(address));
      if (waitedMs < usual.waitedMs + MAX_MORE_MS) break;
      if (tries === 5) figures.push([what, Math.round(waitedMs), Math.round(usual.waitedMs), status]);
    }
  }
  return figures;
}

/** Posts each body as a callback of a message with this id. */
const postCallbacks = async (address: string, id: unknown) => {
  const posts = SIZES.flatMap((bytes) =>
    Object.entries(bodiesOf(bytes)).map(([what, body]) => [
      `${bytes} bytes, ${what}`,
      async (to: string) => await postJson(to, Array.isArray(body) ? body : { ...body, id }),
    ]),
  );
  return await postAll(address, Object.fromEntries(posts) as never);
};

/** Runs a node until it waits for answers or outcomes of two rows; returns the first message that it sent. */
async function waiting(parameters: object) {
  host.sandbox.reset();
  const node = action('Ask', host.credential, { ...parameters });
  const { status } = await host.client.runToEnd(
    workflow([rows('Rows', [{ phone: MANAGER }, { phone: DEPUTY }]), node]),
    START,
  );
  expect(status).toBe('waiting');
  const [operation] = sentTo(host.sandbox);
  return { operation, hook: String(operation.hook), id: operation.id };
}

it('the trigger, without a secret and with stop words', async () => {
  const webhookId = randomUUID();
  const options = { stopWords: 'stop, стоп' };
  await host.publish(listener(webhookId, { outcomes: ['delivered', 'failed', 'replied'], options }));
  expect(await postCallbacks(`${host.url}/webhook/${webhookId}/callback`, 1)).toEqual([]);
});

it("a question's page and its callback address", async () => {
  const question = approvalForm({
    ...BOTH_BUTTONS,
    channels: ['viber'],
    options: { replyWords: { values: { approveWords: 'yes', declineWords: 'no' } } },
  });
  const { operation, hook, id } = await waiting(question);
  expect(await postCallbacks(linkIn(operation), id)).toEqual([]);
  expect(await postCallbacks(hook, id)).toEqual([]);
});

it('the answer to a form', async () => {
  const values = times(20, (i) => ({ fieldType: 'email', fieldLabel: `Address ${i}` }));
  const { operation } = await waiting(approvalForm({ responseType: 'customForm', formFields: { values } }));
  const link = linkIn(operation);
  const { token = '' } = await open(link);
  const units = ['b', '.', 'a.', 'a', '@', ' ', '%', '<', '\u0301', '\u2057', '\ufdfa'];
  const bodies = units.map((unit) => [
    `fields of ${JSON.stringify(unit)}`,
    async (to: string) => {
      const form = new FormData();
      const fields = { token, choice: 'submit', ...answersOf(unit) };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return await fetch(to, { method: 'POST', body: form });
    },
  ]);
  expect(await postAll(link, Object.fromEntries(bodies) as never)).toEqual([]);
});

it("a wait's callback address", async () => {
  const { hook, id } = await waiting(
    smsForm({ phone: '={{ $json.phone }}', waitForDelivery: true, waitAmount: 5 }),
  );
  expect(await postCallbacks(hook, id)).toEqual([]);
});
