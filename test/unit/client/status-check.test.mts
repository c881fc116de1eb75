import { askStatusBatch, askStatuses } from '../../../nodes/gateway/client/status-check.ts';
import type { NoAnswer, Transport } from '../../../nodes/gateway/client/transport.ts';
import { json } from '../../support/send-client.mts';

const answering =
  (item: unknown): Transport =>
  async (_, data) =>
    await Promise.resolve(json({ success: true, data: data.map(() => item) }));

const ask = async (item: unknown) => (await askStatuses(answering(item), [5], 1))[0];
const refusal = (error: string) => ({ success: false, error });

const ABSENT = [
  ...['Message not found', 'Not found', 'NOT_FOUND', 'No such message', 'Message does not exist'],
  ...['Unknown id', 'Wrong id', 'Invalid message id', 'Unknown message', 'Message has not been found'],
  ...['Nothing found', 'Message with id 5 not found', 'id is unknown'],
];

it.each(ABSENT)('"%s" means that the gateway does not have the message', async (text) => {
  expect(await ask(refusal(text))).toEqual({ kind: 'absent' });
  expect(await ask({ success: true, data: { id: 5, status: text } })).toEqual({ kind: 'absent' });
});

// All others are in unit/errors/gateway-texts.
it.each(['Access denied', '', 'Status not found', 'Message has not been sent yet'])(
  '"%s" leaves the question open',
  async (text) => expect(await ask(refusal(text))).toEqual({ kind: 'unclear' }),
);

const states = (...list: string[]) => list.map((status) => ({ id: 5, status }));

it.each([...states('ACCEPTED', 'REJECTED', 'NO ROUTE', 'NOTIFIED', 'in_progress'), { id: 5, msg_id: 7 }])(
  'the payload %j means that the gateway has the message',
  async (payload) => {
    expect(await ask({ success: true, data: payload })).toEqual({ kind: 'known', payload });
  },
);

it.each([
  ...states('UNKNOWN', ' unknown ', '', 'NO STATUS', 'no_data', 'Not yet', 'NONE'),
  ...[{ id: 5 }, null, 'DELIVERED', 7],
])('the payload %j leaves the question open and is passed on', async (payload) => {
  expect(await ask({ success: true, data: payload })).toEqual({ kind: 'unclear', payload });
});

const FAILURE: NoAnswer = { kind: 'failure', problem: { kind: 'timeout' }, mayHaveArrived: true };

it.each<[string, Awaited<ReturnType<Transport>>]>([
  ['a request that failed', FAILURE],
  ['a web page', json('<html></html>', 200, { contentType: 'text/html' })],
  ['a refused request', json({ success: false, error: 'Access denied' })],
])('nothing is known of a message after %s', async (_, answer) => {
  const answers = await askStatuses(async () => await Promise.resolve(answer), [5], 1);
  expect(answers).toEqual([{ kind: 'unanswered' }]);
});

/** A gateway that knows even ids, and fails to answer requests that hold one of `broken`; what came of asking it. */
async function askInTwos(ids: number[], broken: number[] = []) {
  const requests: unknown[][] = [];
  let underWay = 0;
  const transport: Transport = async (endpoint, data) => {
    underWay += 1;
    expect([endpoint, underWay]).toEqual(['sync', 1]);
    requests.push(data.map(({ id }) => id));
    await Promise.resolve();
    underWay -= 1;
    if (data.some(({ id }) => broken.includes(Number(id)))) return FAILURE;
    const results = data.map(({ id }) =>
      Number(id) % 2 === 0 ? { success: true, data: { id, status: 'READ' } } : refusal('Message not found'),
    );
    return json({ success: true, data: results });
  };
  const answers = await askStatuses(transport, ids, 2);
  return { kinds: answers.map(({ kind }) => kind), requests };
}

it('asks in batches, one after the other, and answers in order', async () => {
  const { kinds, requests } = await askInTwos([4, 1, 2, 8, 3]);
  expect(requests).toEqual([[4, 1], [2, 8], [3]]);
  expect(kinds).toEqual(['known', 'absent', 'known', 'known', 'absent']);
});

it('stops after a request that failed', async () => {
  const { kinds, requests } = await askInTwos([4, 1, 2, 3, 6], [2]);
  expect(kinds).toEqual(['known', 'absent', 'unanswered', 'unanswered', 'unanswered']);
  expect(requests).toHaveLength(2);
});

it('asks in smaller parts where a request is refused, whatever the words, and keeps to them', async () => {
  const sizes: number[] = [];
  const transport: Transport = async (_, data) => {
    sizes.push(data.length);
    if (data.length > 10) return await Promise.resolve(json({ success: false, error: 'Zorble' }));
    return json({
      success: true,
      data: data.map(({ id }) => ({ success: true, data: { id, status: 'READ' } })),
    });
  };
  const answers = await askStatuses(
    transport,
    Array.from({ length: 30 }, (_, i) => i + 1),
    500,
  );
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['known']));
  expect(sizes).toEqual([30, 15, 7, 7, 7, 7, 2]);
});

it.each<[string, Awaited<ReturnType<Transport>>, reason: string, retryAfter: number | undefined]>([
  ['a request that is too large', json('', 413), 'refused', undefined],
  ['a request that is refused', json({ success: false, error: 'Zorble' }), 'refused', undefined],
  ['a part of an answer', json({ success: true, data: [] }), 'refused', undefined],
  ['a limit with a time', json('', 429, { retryAfter: 7 }), 'turnedAway', 7],
  ['a limit without one', json('', 429), 'turnedAway', undefined],
  ['a request that failed', FAILURE, 'failed', undefined],
])('says of %s why it was not answered, and how long to wait', async (_, answer, reason, wait) => {
  const batch = await askStatusBatch(async () => await Promise.resolve(answer), [5]);
  expect(batch).toEqual({ ok: false, reason, retryAfter: wait });
});
