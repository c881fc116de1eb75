import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { verifyEvents } from '../../../nodes/MessagingGatewayTrigger/verify.ts';

interface Gateway {
  /** Result of `status` by id, in place of "Message not found". */
  results?: Record<string, object>;
  /** The HTTP status of each request, in order; 200 where none is given. */
  responses?: number[];
  /** Resolves when the gateway may answer. */
  until?: Promise<void>;
  credential?: object | undefined;
}

const CREDENTIAL = { apiKey: 'k', baseUrl: 'http://gateway.example' };

/** Verifies callbacks with a gateway that answers like this. */
async function verify(bodies: object[], { results = {}, responses = [], until, ...rest }: Gateway) {
  const credential = 'credential' in rest ? rest.credential : CREDENTIAL;
  const requests: unknown[][] = [];
  const warnings: string[] = [];
  const respond = ({ body }: { body: { data: Array<{ id: number | string }> } }) => {
    const statusCode = responses[requests.length] ?? 200;
    requests.push(body.data.map(({ id }) => id));
    const data = body.data.map(({ id }) => results[id] ?? { success: false, error: 'Message not found' });
    const text = statusCode === 200 ? JSON.stringify({ success: true, data }) : 'Bad Gateway';
    return { statusCode, headers: {}, body: text };
  };
  const context = {
    getNode: () => ({
      name: 'Trigger',
      credentials: credential && { messagingGatewayApi: { id: '1', name: 'c' } },
    }),
    getQueryData: () => ({}),
    getWorkflow: () => ({ id: 'w' }),
    getCredentials: async () => {
      if (credential === undefined) throw new Error('Node does not have any credentials set');
      return await Promise.resolve(credential);
    },
    logger: { warn: (text: string) => warnings.push(text) },
    helpers: {
      httpRequestWithAuthentication: async (_: string, options: never) => {
        const response = respond(options);
        await until;
        return response;
      },
    },
  } as unknown as IWebhookFunctions;
  const parsed = parseCallback(bodies);
  if (!parsed.ok) throw new Error(parsed.reason);
  const verification = await verifyEvents(context, parsed.events);
  return { verification, requests, warnings };
}

const callback = (id: number, status = 'DELIVERED') => ({ success: status === 'DELIVERED', id, status });
const said = (id: number, status: string) => ({ success: true, data: { id, status } });
const MISMATCH = { ok: false, status: 409, reason: expect.stringContaining('does not match') as unknown };
const NOT_ASKED = {
  ok: false,
  status: 503,
  reason: expect.stringContaining('could not be asked') as unknown,
};

/** The events that passed, by id, and whether they are marked. */
const passed = ({ verification }: Awaited<ReturnType<typeof verify>>) =>
  verification.ok && verification.events.map(({ id, verified }) => [id, verified]);

const REFUSED = { success: false, id: 1, status: 'REJECTED', request_id: 'r' };
const UNCLEAR = { success: false, error: 'Internal error' };

// What confirms which report is in unit/callback/verify-report.
it.each<[string, callbacks: object[], results: Record<string, object>, marks: Array<boolean | undefined>]>([
  ['the same status', [callback(1)], { 1: said(1, 'DELIVERED') }, [undefined]],
  [
    'no digit',
    [{ ...callback(1), reply: '5' }, callback(1)],
    { 1: said(1, 'DELIVERED') },
    [false, undefined],
  ],
  ['a refused send as well', [REFUSED], { 1: said(1, 'REJECTED') }, [undefined]],
  ['nothing of a refused send', [REFUSED, callback(2)], { 2: said(2, 'DELIVERED') }, [false, undefined]],
])(
  'passes what the gateway says %s of, marked where that proves nothing',
  async (...[, bodies, results, marks]) => {
    expect(passed(await verify(bodies, { results }))).toEqual(
      bodies.map((body, i) => [(body as { id: number }).id, marks[i]]),
    );
  },
);

it.each<[string, callback: object, results: Record<string, object>]>([
  ['another status', callback(1), { 1: said(1, 'EXPIRED') }],
  ['that it does not have the message', callback(1), {}],
  ['that it does not have the message, whose outcome is unknown', callback(1, 'UNKNOWN'), {}],
  ['that something is wrong with the question', callback(1), { 1: UNCLEAR }],
  ['that a refused send was delivered', REFUSED, { 1: said(1, 'DELIVERED') }],
  ['nothing clear of a refused send', REFUSED, { 1: UNCLEAR }],
])('answers 409 to all where the gateway says %s', async (_, bad, results) => {
  const good = { 2: said(2, 'DELIVERED') };
  const { verification } = await verify([callback(2), bad], { results: { ...results, ...good } });
  expect(verification).toEqual(MISMATCH);
});

it('asks about each message once, and not about a refused request that has no id', async () => {
  const verified = await verify([callback(1), callback(1), { ...REFUSED, id: undefined }], {
    results: { 1: said(1, 'DELIVERED') },
  });
  expect(passed(verified)).toEqual([
    [1, undefined],
    [1, undefined],
    [undefined, false],
  ]);
  expect(verified.requests).toEqual([[1]]);
});

it.each<object>([
  { ...callback(1), msg_id: 5 },
  { ...REFUSED, msg_id: 5 },
  { ...REFUSED, request_id: undefined, msg_id: 5 },
])('answers 409 without asking to what has no id: %j', async (body) => {
  const { verification, requests } = await verify([{ ...body, id: undefined }], {});
  expect(verification).toMatchObject({ status: 409, reason: expect.stringContaining('"id"') as unknown });
  expect(requests).toEqual([]);
});

it('answers 503 after the first request that fails, and asks no more', async () => {
  const many = Array.from({ length: 250 }, (_, i) => callback(i + 1));
  const results = Object.fromEntries(many.map(({ id }) => [id, said(id, 'DELIVERED')]));
  const all = await verify(many, { results });
  expect(passed(all)).toHaveLength(250);
  expect(all.requests.map(({ length }) => length)).toEqual([100, 100, 50]);
  const broken = await verify(many, { results, responses: [200, 502] });
  expect(broken.verification).toEqual(NOT_ASKED);
  expect(broken.requests).toHaveLength(2);
});

it.each<[string, object | undefined, RegExp]>([
  ['a credential', undefined, /credential of the trigger can't be used: Node does not have any/],
  ['a base URL', { ...CREDENTIAL, baseUrl: '' }, /'Base URL'/],
])('answers 503 without %s, and says so in the log', async (_, credential, warning) => {
  const { verification, requests, warnings } = await verify([callback(1)], { credential });
  expect(verification).toEqual(NOT_ASKED);
  expect(requests).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(warning)]);
});

it('asks about few ids of long lists at once, and about single messages meanwhile', async () => {
  let open = () => undefined as void;
  const until = new Promise<void>((resolve) => (open = resolve));
  const list = Array.from({ length: 100 }, (_, i) => callback(i + 1));
  const results = Object.fromEntries(list.map(({ id }) => [id, said(id, 'DELIVERED')]));
  const calls = Array.from({ length: 110 }, async () => await verify(list, { results, until }));
  expect(passed(await verify([callback(1)], { results }))).toEqual([[1, undefined]]);
  open();
  const all = await Promise.all(calls);
  // Two at once, ten that wait.
  expect(all.filter(({ verification }) => verification.ok)).toHaveLength(12);
  expect(all.flatMap(({ requests }) => requests)).toHaveLength(12);
  const reasons = all.flatMap(({ verification }) => (verification.ok ? [] : [verification.status]));
  expect(new Set(reasons)).toEqual(new Set([503]));
});

it('passes only what the answer has too, and what is marked', async () => {
  const forged = {
    phone: 1,
    amount: 5,
    duration: 9,
    request_id: 'x',
    error: 'evil',
    updated: 'never',
    msg_id: 7,
  };
  const body = { ...callback(1), type: 'sms', ...forged };
  const plain = {
    success: true,
    id: 1,
    status: 'DELIVERED',
    outcome: 'delivered',
    final: true,
    arrived: true,
  };
  const eventsFor = async (payload: object, more: object = {}) => {
    const results = { 1: { success: true, data: { id: 1, status: 'DELIVERED', ...payload } } };
    const { verification } = await verify([{ ...body, ...more }], { results });
    return verification.ok && verification.events;
  };
  expect(await eventsFor({})).toEqual([plain]);
  const known = { type: 'sms', msg_id: 7, updated: '10:00', request_id: 'x' };
  expect(await eventsFor(known)).toEqual([{ ...plain, ...known }]);
  const replies = [{ message: 'Yes', amount: 5 }];
  expect(await eventsFor({}, { replies })).toEqual([
    { ...plain, outcome: 'replied', replies: [{ message: 'Yes' }], verified: false },
  ]);
  expect(await eventsFor({ type: 'viber' })).toBe(false);
  expect(await eventsFor({ request_id: 'y' })).toBe(false);
});

it('passes what the contract has of a refusal that the gateway knows nothing of, marked', async () => {
  const { verification } = await verify([{ ...REFUSED, error: 'Access denied', amount: 5 }], {});
  const meaning = { outcome: 'failed', final: true, arrived: false };
  expect(verification.ok && verification.events).toEqual([
    { ...REFUSED, error: 'Access denied', ...meaning, verified: false },
  ]);
});

it('asks about single messages together, so that thousands of strangers cost few questions, and says 503 to the rest', async () => {
  let open = () => undefined as void;
  const until = new Promise<void>((resolve) => (open = resolve));
  const results = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [i, said(i, 'DELIVERED')]));
  let requests = 0;
  const calls = Array.from({ length: 2000 }, async (_, i) => {
    const verified = await verify([callback(i)], { results, until });
    requests += verified.requests.length;
    return verified.verification;
  });
  const refused = (await Promise.race([Promise.all(calls.slice(-1000)), until])) ?? [];
  expect(refused).toHaveLength(1000);
  expect(new Set(refused.map((one) => (one.ok ? 200 : one.status)))).toEqual(new Set([503]));
  open();
  const all = await Promise.all(calls);
  // Eight alone, as they came, and 800 in eight requests.
  expect(all.filter(({ ok }) => ok)).toHaveLength(808);
  expect(requests).toBe(16);
});

it.each([['x1'], ['12345678901234567890'], [-5]])(
  'asks nothing about an id that no message has: %j',
  async (id) => {
    const { verification, requests } = await verify([{ success: true, id, status: 'DELIVERED' }], {});
    expect([verification, requests]).toEqual([MISMATCH, []]);
    const marked = await verify([{ ...REFUSED, id }], {});
    expect([passed(marked), marked.requests]).toEqual([[[id, false]], []]);
  },
);
