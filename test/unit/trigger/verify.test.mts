import type { IDataObject } from 'n8n-workflow';

import { parseCallback } from '../../../nodes/gateway/callback/parse.ts';
import { RefusedCall } from '../../../nodes/gateway/callback/refused-call.ts';
import { meaningOf } from '../../../nodes/gateway/delivery/reports.ts';
import { verifyEvents } from '../../../nodes/MessagingGatewayTrigger/verify.ts';
import { streamed } from '../../support/streamed.mts';
import { triggerContext } from '../../support/trigger-call.mts';

interface Gateway {
  /** Result of `status` by id, in place of "Message not found". */
  results?: Record<string, object>;
  /** The HTTP status of each request, in order; 200 where none is given. */
  responses?: number[];
  credential?: IDataObject | undefined;
}

const CREDENTIAL = { apiKey: 'k', baseUrl: 'http://gateway.example' };

/** Verifies callbacks with a gateway that answers like this. */
async function verify(bodies: object[], { results = {}, responses = [], ...rest }: Gateway) {
  const credential = 'credential' in rest ? rest.credential : CREDENTIAL;
  const requests: unknown[][] = [];
  const respond = ({ body }: { body: { data: Array<{ id: number | string }> } }) => {
    const statusCode = responses[requests.length] ?? 200;
    requests.push(body.data.map(({ id }) => id));
    const data = body.data.map(({ id }) => results[id] ?? { success: false, error: 'Message not found' });
    const text = statusCode === 200 ? JSON.stringify({ success: true, data }) : 'Bad Gateway';
    return streamed({ statusCode, headers: {}, body: text });
  };
  const httpRequestWithAuthentication = async (_: string, options: never) =>
    await Promise.resolve(respond(options));
  const { context, logged } = triggerContext({
    credential,
    more: { helpers: { httpRequestWithAuthentication } },
  });
  const events = parseCallback(bodies).callbacks.map((one) => ({ ...one, ...meaningOf(one) }));
  const verification = await verifyEvents(context, events).catch((thrown: Error) => {
    if (thrown instanceof RefusedCall) return thrown;
    throw thrown;
  });
  return { verification, requests, logged };
}

const callback = (id: number, status = 'DELIVERED') => ({ success: status === 'DELIVERED', id, status });
const said = (id: number, status: string) => ({ success: true, data: { id, status } });
const MISMATCH = { status: 409, message: expect.stringContaining('does not confirm') as unknown };
const NOT_ASKED = { status: 503, message: expect.stringContaining('could not be asked') as unknown };

/** The events that passed, by id, and whether they are marked. */
const passed = ({ verification }: Pick<Awaited<ReturnType<typeof verify>>, 'verification'>) =>
  !(verification instanceof RefusedCall) && verification.map(({ id, verified }) => [id, verified]);

const REFUSED = { success: false, id: 1, status: 'REJECTED', request_id: 'r' };
const UNCLEAR = { success: false, error: 'Internal error' };

it.each<[string, callbacks: object[], results: Record<string, object>, marks: Array<boolean | undefined>]>([
  ['the same status', [callback(1)], { 1: said(1, 'DELIVERED') }, [undefined]],
  [
    'no digit',
    [{ ...callback(1), reply: '5' }, callback(1)],
    { 1: said(1, 'DELIVERED') },
    [false, undefined],
  ],
  ['a refused send as well', [REFUSED], { 1: said(1, 'REJECTED') }, [undefined]],
  ['nothing clear of a refused send', [REFUSED], { 1: UNCLEAR }, [false]],
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
  ['nothing, without an id to ask about', { ...callback(1), id: undefined, msg_id: 5 }, {}],
])('answers 409 where the gateway says %s, unless other callbacks pass', async (_, bad, results) => {
  expect((await verify([bad], { results })).verification).toMatchObject(MISMATCH);
  const good = { 2: said(2, 'DELIVERED') };
  const both = await verify([bad, callback(2)], { results: { ...results, ...good } });
  expect(passed(both)).toEqual([[2, undefined]]);
  expect(both.logged).toEqual([
    '"Trigger": the gateway does not confirm 1 of 2 callbacks and replies of a call',
  ]);
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

it('answers 503 after the first request that fails, and asks no more', async () => {
  const many = Array.from({ length: 250 }, (_, i) => callback(i + 1));
  const results = Object.fromEntries(many.map(({ id }) => [id, said(id, 'DELIVERED')]));
  const all = await verify(many, { results });
  expect(passed(all)).toHaveLength(250);
  expect(all.requests.map(({ length }) => length)).toEqual([100, 100, 50]);
  const broken = await verify(many, { results, responses: [200, 502] });
  expect(broken.verification).toMatchObject(NOT_ASKED);
  expect(broken.requests).toHaveLength(2);
});

it.each<[string, IDataObject | undefined, RegExp]>([
  ['a credential', undefined, /Node does not have any credentials/],
  ['an API address', { ...CREDENTIAL, baseUrl: '' }, /'API Address'/],
])('fails without %s', async (_, credential, message) => {
  await expect(verify([callback(1)], { credential })).rejects.toThrow(message);
});

it('passes an event as it came where its outcome is true, with what was sealed', async () => {
  const body = { ...callback(1), type: 'sms', updated: '10:00', amount: 5 };
  const { verification } = await verify([body], { results: { 1: said(1, 'READ') } });
  expect(verification).toMatchObject([{ ...body, outcome: 'delivered' }]);
});

const reply = { ...callback(1), replies: [{ message: 'Yes' }] };
const withFile = (url: string) => ({ ...callback(1), replies: [{ media: { url } }] });
it.each<[what: string, callback: object, payload: object, outcome: boolean | undefined | 'contradicted']>([
  ['a later outcome', callback(1, 'ROUTING'), { status: 'DELIVERED' }, undefined],
  ['an earlier outcome', callback(1), { status: 'ROUTING' }, 'contradicted'],
  ['success after a failure', callback(1, 'EXPIRED'), { status: 'DELIVERED' }, 'contradicted'],
  ['pending of a success', { ...callback(1, 'QUEUED'), success: true }, { status: 'QUEUED' }, 'contradicted'],
  ['delivered of a failure', { ...callback(1), success: false }, { status: 'DELIVERED' }, 'contradicted'],
  ['a word that no list has, of a success', { ...callback(1), status: 'DONE' }, { status: 'done' }, false],
  ['a word that no list has, of a failure', callback(1, 'LOST'), { status: 'LOST' }, false],
  ['the reply', reply, { status: 'DELIVERED', replies: [{ message: 'Yes' }] }, undefined],
  [
    'the reply as a number',
    { ...callback(1), replies: [{ message: '1' }] },
    { status: 'READ', replies: [{ message: 1 }] },
    undefined,
  ],
  ['another reply', reply, { status: 'DELIVERED', replies: [{ message: 'No' }] }, false],
  [
    'a later reply as well',
    reply,
    { status: 'DELIVERED', replies: [{ message: 'Yes' }, { message: 'No' }] },
    undefined,
  ],
  ['the file', withFile('a'), { status: 'READ', replies: [{ message: '', media: { url: 'a' } }] }, undefined],
  [
    'the file, its link signed anew',
    withFile('a?s=1'),
    { status: 'READ', replies: [{ media: { url: 'a?s=2' } }] },
    undefined,
  ],
  ['another file', withFile('a'), { status: 'READ', replies: [{ media: { url: 'b' } }] }, false],
  ['no file', withFile('a'), { status: 'READ' }, false],
  ['no reply', reply, { status: 'DELIVERED' }, false],
  ['the digit', { ...callback(1), reply: '5' }, { status: 'DELIVERED', reply: 5 }, undefined],
  ['no digit at all', { ...callback(1), reply: 'undefined' }, { status: 'DELIVERED' }, false],
  ['no status', callback(1), {}, 'contradicted'],
])('where the gateway says %s', async (_, body, payload, outcome) => {
  const { verification } = await verify([body], {
    results: { 1: { success: true, data: { id: 1, ...payload } } },
  });
  if (outcome === 'contradicted') expect(verification).toMatchObject(MISMATCH);
  else expect(passed({ verification })).toEqual([[1, outcome]]);
});
