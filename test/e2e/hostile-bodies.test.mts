/** Bodies of 1 MB, made to keep patterns and readers busy, at every address that n8n opens for this package: n8n answers others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { approvalForm, BOTH_BUTTONS, DEPUTY, linkIn, MANAGER, open } from '../support/approval.mts';
import { e2eHost } from '../support/e2e-host.mts';
import { action, listener, rows, START, workflow } from '../support/real-n8n.mts';
import { sentTo, smsForm } from '../support/sends.mts';
import { postJson } from '../support/web-server.mts';

const host = e2eHost({ config: { outcomes: { fallback: { steps: [] } } } });

const BYTES = 995_000;

/** The unit as often as it fits in so many bytes, in texts of so many characters. */
function textsOf(unit: string, length: number, bytes = BYTES): string[] {
  const text = `a${unit.repeat(Math.floor((length - 2) / unit.length))}a`;
  return Array<string>(Math.max(1, Math.floor(bytes / (Buffer.byteLength(text) + 20)))).fill(text);
}
const callback = (more: object) => ({ success: true, status: 'REPLIED', type: 'viber', ...more });
const withReplies = (texts: string[]) => callback({ replies: texts.map((message) => ({ message })) });
const times = <T,>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const BODIES: Record<string, unknown> = {
  ordinary: callback({ note: 'word '.repeat(BYTES / 5) }),
  'replies that NFKC makes four times as long': withReplies(textsOf('\u2057', 192)),
  'replies that NFKC makes 18 times as long': withReplies(textsOf('\ufdfa', 7000)),
  'long replies of dots': withReplies(textsOf('.', 6990)),
  'one reply of dots': withReplies(textsOf('.', 900_000)),
  'one reply of marks': withReplies(textsOf('\u0301\u0323', 400_000)),
  'a hundred replies of dots': withReplies(textsOf('.', 9000).slice(0, 100)),
  'a long status with many replies': callback({
    status: 'a_'.repeat(480_000),
    replies: times(999, () => ({})),
  }),
  'a long digit with many replies': callback({
    reply: 'a_'.repeat(480_000),
    replies: times(999, () => ({})),
  }),
  callbacks: times(1000, (i) => callback({ id: i, status: 'DELIVERED', error: '.'.repeat(800) })),
  'short replies': withReplies(times(1000, (i) => `${i}${'.'.repeat(800)}`)),
  fields: callback(Object.fromEntries(times(25_000, (i) => [`field${i}`, '.'.repeat(20)]))),
  'lists in each other': callback({
    replies: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`),
    error: '['.repeat(900_000),
  }),
};

/** Answers of a form with twenty fields for an address of e-mail, of as many characters as one takes at most. */
const answersOf = (unit: string) =>
  Object.fromEntries(times(20, (i) => [`f${i}`, `a@a.${unit.repeat(9990 / unit.length)}`]));

/** The longest that n8n kept somebody waiting while a body was posted, in milliseconds; and its answer to the body. */
async function longestDuring(post: () => Promise<Response>): Promise<{ longest: number; status: number }> {
  let isOver = false;
  const posting = post().finally(() => (isOver = true));
  let longest = 0;
  do {
    const start = performance.now();
    await fetch(`${host.url}/healthz`);
    longest = Math.max(longest, performance.now() - start);
    await sleep(10);
  } while (!isOver);
  const response = await posting;
  await response.arrayBuffer();
  return { longest, status: response.status };
}

const MOST_MS = 200;

/**
 * Posts each body, and one of the same length that nothing is wrong with, which shows how busy the machine is. Returns those
 * that kept somebody waiting for longer than 200 ms and than three times the ordinary one, each time of five.
 */
async function postAll({ ordinary, ...bodies }: Record<string, () => Promise<Response>>) {
  const figures: Array<[what: string, longestMs: number, limitMs: number, status: number]> = [];
  for (const [what, post] of Object.entries(bodies)) {
    for (let tries = 1; tries <= 5; tries++) {
      const usual = await longestDuring(ordinary);
      const limit = Math.max(MOST_MS, 3 * usual.longest);
      const { longest, status } = await longestDuring(post);
      if (longest < limit) break;
      if (tries === 5) figures.push([what, Math.round(longest), Math.round(limit), status]);
    }
  }
  return figures;
}

/** Posts each body as a callback of a message with this id. */
const jsonTo = (url: string, id: unknown) =>
  Object.fromEntries(
    Object.entries(BODIES).map(([what, body]) => [
      what,
      async () => await postJson(url, Array.isArray(body) ? (body as object) : { ...(body as object), id }),
    ]),
  );

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
  expect(await postAll(jsonTo(`${host.url}/webhook/${webhookId}/callback`, 1))).toEqual([]);
});

it("a question's page and its callback address", async () => {
  const question = approvalForm({
    ...BOTH_BUTTONS,
    channels: ['viber'],
    options: { replyWords: { values: { approveWords: 'yes', declineWords: 'no' } } },
  });
  const { operation, hook, id } = await waiting(question);
  expect(await postAll(jsonTo(linkIn(operation), id))).toEqual([]);
  expect(await postAll(jsonTo(hook, id))).toEqual([]);
});

it('the answer to a form', async () => {
  const values = times(20, (i) => ({ fieldType: 'email', fieldLabel: `Address ${i}` }));
  const { operation } = await waiting(approvalForm({ responseType: 'customForm', formFields: { values } }));
  const link = linkIn(operation);
  const { token = '' } = await open(link);
  const units = ['b', '.', 'a.', 'a', '@', ' ', '%', '<', '\u0301', '\u2057', '\ufdfa'];
  const bodies = units.map((unit, i) => [
    i === 0 ? 'ordinary' : `fields of ${JSON.stringify(unit)}`,
    async () => {
      const form = new FormData();
      const fields = { token, choice: 'submit', ...answersOf(unit) };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return await fetch(link, { method: 'POST', body: form });
    },
  ]);
  expect(await postAll(Object.fromEntries(bodies) as never)).toEqual([]);
});

it("a wait's callback address", async () => {
  const { hook, id } = await waiting(
    smsForm({ phone: '={{ $json.phone }}', waitForDelivery: true, waitAmount: 5 }),
  );
  expect(await postAll(jsonTo(hook, id))).toEqual([]);
});
