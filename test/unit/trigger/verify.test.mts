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

it('verifies callbacks whose status the gateway reports, or a later one', async () => {
  const results = { 1: said(1, 'DELIVERED'), 2: said(2, 'READ') };
  const verified = await verify([callback(1), callback(2), callback(1)], { results });
  expect(passed(verified)).toEqual([
    [1, undefined],
    [2, undefined],
    [1, undefined],
  ]);
  expect(verified.requests).toEqual([[1, 2]]);
});

it.each<[string, Record<string, object>]>([
  ['another status', { 1: said(1, 'EXPIRED') }],
  ['that it does not have the message', {}],
  ['that something is wrong with the question', { 1: { success: false, error: 'Internal error' } }],
])('answers 409 where the gateway says %s', async (_, results) => {
  const good = { 2: said(2, 'DELIVERED') };
  const { verification } = await verify([callback(2), callback(1)], { results: { ...results, ...good } });
  expect(verification).toEqual(MISMATCH);
});

it('marks what the gateway reports with the same status, which only `success` gives its meaning', async () => {
  const results = { 1: said(1, 'UNKNOWN') };
  expect(passed(await verify([callback(1, 'UNKNOWN')], { results }))).toEqual([[1, false]]);
});

it('does not take the word of a gateway that does not have the message, even then', async () => {
  expect((await verify([callback(1, 'UNKNOWN')], {})).verification).toEqual(MISMATCH);
});

describe('a refused send', () => {
  const refused = { success: false, status: 'REJECTED', request_id: 'r' };

  it('that the gateway does not know passes, marked', async () => {
    const results = { 2: said(2, 'DELIVERED') };
    expect(passed(await verify([{ ...refused, id: 1 }, callback(2)], { results }))).toEqual([
      [1, false],
      [2, undefined],
    ]);
  });

  it('that names its request only passes, marked, and nobody is asked', async () => {
    const verified = await verify([refused], {});
    expect(passed(verified)).toEqual([[undefined, false]]);
    expect(verified.requests).toEqual([]);
  });

  it('that the gateway reports as well passes without a mark', async () => {
    const results = { 1: said(1, 'REJECTED') };
    expect(passed(await verify([{ ...refused, id: 1 }], { results }))).toEqual([[1, undefined]]);
  });

  it.each<[string, object, Record<string, object>]>([
    ['that the gateway has delivered', { id: 1 }, { 1: said(1, 'DELIVERED') }],
    ['whose answer is unclear', { id: 1 }, { 1: { success: false, error: 'Internal error' } }],
    ['that names a message of the gateway', { msg_id: 5 }, {}],
    ['that names no request', { request_id: undefined, msg_id: 5 }, {}],
  ])('%s does not pass', async (_, fields, results) => {
    expect((await verify([{ ...refused, ...fields }], { results })).verification).toMatchObject({
      status: 409,
    });
  });
});

it('marks a digit and replies that the gateway does not report', async () => {
  const results = { 1: said(1, 'DELIVERED'), 2: said(2, 'DELIVERED'), 3: said(3, 'DELIVERED') };
  const bodies = [
    { ...callback(1), reply: '5' },
    { ...callback(2), replies: [{ message: 'x' }] },
    callback(3),
  ];
  expect(passed(await verify(bodies, { results }))).toEqual([
    [1, false],
    [2, false],
    [3, undefined],
  ]);
});

it('answers 409 without asking where an event has no id', async () => {
  const { verification, requests } = await verify([{ success: true, msg_id: 5, status: 'DELIVERED' }], {});
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

it('asks a few times at once, and answers 503 to what would wait too long', async () => {
  let open = () => undefined as void;
  const until = new Promise<void>((resolve) => (open = resolve));
  const results = { 1: said(1, 'DELIVERED') };
  let asking = 0;
  const calls = Array.from({ length: 1000 }, async () => {
    const verified = await verify([callback(1)], { results, until });
    asking += verified.requests.length;
    return verified.verification;
  });
  const refused = (await Promise.race([Promise.all(calls.slice(-800)), until])) ?? [];
  expect(refused).toHaveLength(800);
  expect(new Set(refused.map((one) => (one.ok ? 200 : one.status)))).toEqual(new Set([503]));
  expect(asking).toBe(0);
  open();
  const all = await Promise.all(calls);
  const verified = all.filter(({ ok }) => ok).length;
  expect(verified).toBeGreaterThan(100);
  expect(verified).toBeLessThan(150);
  expect(asking).toBe(verified);
});
