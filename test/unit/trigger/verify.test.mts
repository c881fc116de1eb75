import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { findUnverified } from '../../../nodes/MessagingGatewayTrigger/verify.ts';

interface Gateway {
  /** Result of `status` by id, in place of "Message not found". */
  results?: Record<string, object>;
  /** The HTTP status of each request, in order; 200 where none is given. */
  responses?: number[];
  credential?: object | undefined;
}

const CREDENTIAL = { apiKey: 'k', baseUrl: 'http://gateway.example' };

/** Verifies callbacks with a gateway that answers like this. */
async function verify(bodies: object[], { results = {}, responses = [], ...rest }: Gateway) {
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
    getCredentials: async () => await Promise.resolve(credential),
    logger: { warn: (text: string) => warnings.push(text) },
    helpers: {
      httpRequestWithAuthentication: async (_: string, options: never) =>
        await Promise.resolve(respond(options)),
    },
  } as unknown as IWebhookFunctions;
  const parsed = parseCallback(bodies);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { unverified: await findUnverified(context, parsed.events), requests, warnings };
}

const callback = (id: number, status = 'DELIVERED') => ({ success: status === 'DELIVERED', id, status });
const said = (id: number, status: string) => ({ success: true, data: { id, status } });
const MISMATCH = { status: 409, reason: expect.stringContaining('does not match') as unknown };
const NOT_ASKED = { status: 503, reason: expect.stringContaining('could not be asked') as unknown };

it('verifies callbacks whose status the gateway reports, or a later one', async () => {
  const results = { 1: said(1, 'DELIVERED'), 2: said(2, 'READ') };
  const { unverified, requests } = await verify([callback(1), callback(2), callback(1)], { results });
  expect(unverified).toBeUndefined();
  expect(requests).toEqual([[1, 2]]);
});

it.each<[string, Record<string, object>]>([
  ['another status', { 1: said(1, 'EXPIRED') }],
  ['an earlier status', { 1: said(1, 'QUEUED') }],
  ['the status UNKNOWN', { 1: said(1, 'UNKNOWN') }],
  ['a payload without a status', { 1: { success: true, data: { id: 1, msg_id: 7 } } }],
  ['that it does not have the message', {}],
  ['that something is wrong with the question', { 1: { success: false, error: 'Internal error' } }],
])('answers 409 where the gateway says %s', async (_, results) => {
  const good = { 2: said(2, 'DELIVERED') };
  expect((await verify([callback(2), callback(1)], { results: { ...results, ...good } })).unverified).toEqual(
    MISMATCH,
  );
});

it('takes the status UNKNOWN for an event with an unknown outcome', async () => {
  const results = { 1: said(1, 'UNKNOWN') };
  expect((await verify([callback(1, 'UNKNOWN')], { results })).unverified).toBeUndefined();
});

it('does not take the word of a gateway that does not have the message, even then', async () => {
  expect((await verify([callback(1, 'UNKNOWN')], {})).unverified).toEqual(MISMATCH);
});

it('answers 409 without asking where an event has no id', async () => {
  const { unverified, requests } = await verify([{ success: true, msg_id: 5, status: 'DELIVERED' }], {});
  expect(unverified).toEqual({ status: 409, reason: expect.stringContaining('"id"') });
  expect(requests).toEqual([]);
});

it('answers 503 after the first request that fails, and asks no more', async () => {
  const many = Array.from({ length: 250 }, (_, i) => callback(i + 1));
  const results = Object.fromEntries(many.map(({ id }) => [id, said(id, 'DELIVERED')]));
  const all = await verify(many, { results });
  expect(all.unverified).toBeUndefined();
  expect(all.requests.map(({ length }) => length)).toEqual([100, 100, 50]);
  const broken = await verify(many, { results, responses: [200, 502] });
  expect(broken.unverified).toEqual(NOT_ASKED);
  expect(broken.requests).toHaveLength(2);
});

it.each<[string, object | undefined, RegExp]>([
  ['a credential', undefined, /needs a credential/],
  ['a base URL', { ...CREDENTIAL, baseUrl: '' }, /'Base URL'/],
])('answers 503 without %s, and says so in the log', async (_, credential, warning) => {
  const { unverified, requests, warnings } = await verify([callback(1)], { credential });
  expect(unverified).toEqual(NOT_ASKED);
  expect(requests).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(warning)]);
});
