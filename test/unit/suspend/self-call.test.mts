import type { IHttpRequestOptions } from 'n8n-workflow';

import type { SelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';
import { callSelf, readSelfAnswer } from '../../../nodes/MessagingGateway/suspend/self-call.ts';

/** n8n's words don't matter. */
it.each<[SelfAnswer['is'], number, ...bodies: unknown[]]>([
  ['asleep', 200, { sleeping: true }],
  ['over', 200, { sleeping: false }],
  ['over', 410, { error: 'The execution does not wait for this' }],
  ['awake', 409, { code: 409, message: 'Die Ausführung wurde angehalten.' }],
  ['awake', 404, { code: 404, message: 'Keine Ahnung' }],
  ['locked', 401, { error: 'Invalid token' }],
  ['unreachable', 200, 'ok', null, { ok: true }],
  ['unreachable', 302, { sleeping: false }],
  ['unreachable', 401, '<html>'],
  ['unreachable', 404, '<html>Not Found</html>', { message: 'no Route matched with those values' }],
  ['unreachable', 409, '<html>Conflict</html>'],
  ['unreachable', 410, '<html>Gone</html>'],
  ['unreachable', 503, { code: 503, message: 'Database is not ready!' }],
])('takes as "%s" an answer with HTTP %i and %j', (is, status, ...bodies) => {
  for (const body of bodies) expect([body, readSelfAnswer(status, body).is]).toEqual([body, is]);
});

const PUBLIC = 'https://n8n.example/n8n';
const INSIDE = 'http://127.0.0.1:5678';
const TOKEN = '?signature=secret/n';
const reports = [{ id: 1, status: 'DELIVERED' }];

/** Calls the execution once; each address answers as it is told, and refuses otherwise. Returns what was asked of which. */
async function calling(answers: Record<string, object>, base = PUBLIC) {
  const asked: IHttpRequestOptions[] = [];
  const httpRequest = async (request: IHttpRequestOptions) => {
    asked.push(request);
    const answer = answers[request.url];
    if (answer === undefined) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    return await Promise.resolve(answer);
  };
  const way = { helpers: { httpRequest } } as never;
  const answer = await callSelf(way, { address: `${base}/webhook-waiting/7${TOKEN}`, key: 'key', reports });
  return { answer, asked: asked.map(({ url, body, proxy }) => ({ url, body, proxy })) };
}

const OVER = { statusCode: 200, body: { sleeping: false } };
const LOCKED = { statusCode: 401, body: { error: 'Invalid token' } };
const LOGIN = { statusCode: 401, body: '<html>' };
const inside = `${INSIDE}/webhook-waiting/7`;
const wake = { wake: 'key', reports };

it.each([
  ['http://n8n.example:8080', { host: 'n8n.example', port: 8080 }],
  ['http://n8n.example', { host: 'n8n.example', port: 80 }],
  [PUBLIC, undefined],
])('calls %s, past HTTP_PROXY where a proxy would see the token', async (base, proxy) => {
  const url = `${base}/webhook-waiting/7${TOKEN}`;
  const { answer, asked } = await calling({ [url]: OVER }, base);
  expect([answer, asked]).toEqual([{ is: 'over' }, [{ url, body: wake, proxy }]]);
});

it('calls its own machine without the public path where the public address leads nowhere, with the token once n8n has answered', async () => {
  const { answer, asked } = await calling({
    [`${PUBLIC}/webhook-waiting/7${TOKEN}`]: LOGIN,
    [inside]: LOCKED,
    [inside + TOKEN]: OVER,
  });
  expect(answer).toEqual({ is: 'over' });
  expect(asked.slice(1).map(({ url, body }) => [url, body])).toEqual([
    [inside, {}],
    [inside + TOKEN, wake],
  ]);
});

it.each([
  ['nothing', {}],
  ['another server', { [inside]: { statusCode: 200, body: 'Welcome' } }],
  ['an n8n that lacks the execution', { [inside]: { statusCode: 404, body: { code: 404 } } }],
])('gives no token to %s at its own machine', async (_, answers) => {
  const { answer, asked } = await calling(answers);
  expect(answer).toEqual({ is: 'unreachable', reason: 'ECONNREFUSED' });
  expect(asked.map(({ url }) => url)).toEqual([`${PUBLIC}/webhook-waiting/7${TOKEN}`, inside]);
});
