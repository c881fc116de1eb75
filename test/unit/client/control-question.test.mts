/**
 * What `status` proves, whatever words it has for a message that it doesn't know (gateway-api.md, "Asking for a status").
 */
import { ControlQuestions } from '../../../nodes/gateway/client/control-question.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { isControl, json } from '../../support/send-client.mts';

type Id = WireOperation['id'];

interface Circumstances {
  witness?: Id;
  batchSize?: number;
  pause?: number;
  /** Requests that may be made for nothing. */
  left?: number;
}

/** Asks about ids; returns the kinds of the standings, the ids of each request, its pauses, and who asked. */
async function ask(
  ids: Id[],
  answer: (ids: Id[], request: number) => Answer | NoAnswer,
  { witness, batchSize = 100, pause = 0, left = 100 }: Circumstances = {},
) {
  const requests: Id[][] = [];
  const pauses: number[] = [];
  const questions = new ControlQuestions(
    { endpoint: 'sync', recovery: 'status', batchSize, pause },
    {
      transport: async (_, data) => {
        requests.push(data.map(({ id }) => id));
        return await Promise.resolve(answer(requests[requests.length - 1], requests.length));
      },
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        await Promise.resolve();
      },
    },
  );
  questions.left = left;
  const standings = await questions.ask(ids, witness);
  return { kinds: standings.map(({ kind }) => kind), requests, pauses, questions };
}

/** Answers each id by a function. */
const each =
  (answer: (id: Id) => object) =>
  (ids: Id[]): Answer =>
    json({ success: true, data: ids.map(answer) });
const refusing = (error: (id: Id) => string) => (id: Id) => ({
  success: false,
  error: error(id),
  data: { id },
});
const answering = (fields: (id: Id) => object) => (id: Id) => ({
  success: true,
  data: { id, ...fields(id) },
});
const either = (ids: Id[], known: (id: Id) => object, others: (id: Id) => object) =>
  each((id) => (ids.includes(id) ? known(id) : others(id)));
/** So many fields, the last of which has a value of its own. */
const fieldsTo = (count: number, last: string): object =>
  // The `id` is the first one.
  Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`f${i}`, i === count - 2 ? last : 'a']));
const unlikeControl = (id: Id): string => (isControl(id) ? 'Zorble' : 'Zarble');
const ACCEPTED = answering(() => ({ type: 'sms', status: 'ACCEPTED' }));

it.each<[string, (id: Id) => object]>([
  ['words that nobody knows', refusing(() => 'Zorble')],
  ['no words', refusing(() => '')],
  ['words with the id', refusing((id) => `Es gibt keine ${String(id)}`)],
  ['a success', answering(() => ({ status: 'Sistem hatasi' }))],
  [
    'a success with a time',
    answering((id) => ({ status: null, updated: `2026-11-22 22:10:${String(id).slice(-2)}` })),
  ],
  ['a success and no payload', () => ({ success: true })],
])('an id is absent that is answered like one that was never sent, by %s', async (_, others) => {
  const { kinds, requests } = await ask([11, 12], either([11], ACCEPTED, others));
  expect(kinds).toEqual(['known', 'absent']);
  expect(requests).toEqual([[11, 12, expect.any(Number)]]);
  expect(isControl(requests[0][2])).toBe(true);
});

it.each<[string, (id: Id) => object]>([
  ['other words than the control', refusing(unlikeControl)],
  ['another code of a state', answering((id) => ({ status: isControl(id) ? '0' : '1' }))],
  ['words that mean a fault', refusing(() => 'Database error')],
  ['words that ask for patience', refusing(() => 'Too many requests')],
  ['words about the account', refusing(() => 'Account is blocked')],
  ['a listed state', answering(() => ({ status: 'ACCEPTED' }))],
])('nothing is proven by %s', async (_, answer) => {
  const { kinds } = await ask([11, 12], each(answer));
  expect(kinds).not.toContain('absent');
});

it('status can not tell where it answers a message that was certainly taken like the control', async () => {
  const nothing = each(refusing(() => 'Zorble'));
  expect((await ask([11], nothing)).kinds).toEqual(['absent']);
  const { kinds, requests } = await ask([11], nothing, { witness: 7 });
  expect(kinds).toEqual(['unclear']);
  expect(requests[0]).toEqual([11, expect.any(Number), 7]);
  expect(
    (
      await ask(
        [11],
        either(
          [7],
          ACCEPTED,
          refusing(() => 'No'),
        ),
        { witness: 7 },
      )
    ).kinds,
  ).toEqual(['absent']);
});

it('a message that was certainly taken is asked about once, also where it is in doubt itself', async () => {
  const words = refusing(() => 'Zorble');
  const { kinds, requests } = await ask([7, 11], either([7], ACCEPTED, words), { witness: 7 });
  expect([kinds, requests]).toEqual([['known', 'absent'], [[7, 11, expect.any(Number)]]]);
  expect((await ask([7, 11], each(words), { witness: 7 })).kinds).toEqual(['unclear', 'unclear']);
});

it.each<[string, string, object, object]>([
  ['absent', 'a long number, which is a reference', { ref: 12345 }, { ref: 98765 }],
  ['unclear', 'a short number, which may be a state', { code: 1234 }, { code: 4321 }],
  ['absent', 'digits in words', { note: 'at 10:15' }, { note: 'at 11:20' }],
  ['unclear', 'words before a number', { note: 'sent 12' }, { note: 'lost 12' }],
  ['unclear', 'words after a number', { note: '12 sent' }, { note: '12 lost' }],
  ['unclear', 'its 500th character', { note: `${'a'.repeat(499)}x` }, { note: `${'a'.repeat(499)}y` }],
  ['absent', 'its 501st character', { note: `${'a'.repeat(500)}x` }, { note: `${'a'.repeat(500)}y` }],
  ['unclear', 'its third level', { a: { b: { c: 'x' } } }, { a: { b: { c: 'y' } } }],
  ['absent', 'its fourth level', { a: { b: { c: { d: 'x' } } } }, { a: { b: { c: { d: 'y' } } } }],
  ['unclear', 'its twentieth field', fieldsTo(20, 'x'), fieldsTo(20, 'y')],
  ['absent', 'its twenty-first field', fieldsTo(21, 'x'), fieldsTo(21, 'y')],
])('an id is %s whose answer differs from that of the control in %s', async (kind, _, own, others) => {
  const answer = (id: Id) => ({
    success: false,
    error: 'Zorble',
    data: { id, ...(id === 11 ? own : others) },
  });
  expect((await ask([11], each(answer))).kinds).toEqual([kind]);
});

it('a receipt of a queue answers nothing, and is no reason to ask in smaller parts', async () => {
  const { kinds, requests, questions } = await ask([1, 2], () => json({ success: true, request_id: 'r' }));
  expect([kinds, requests.length]).toEqual([['unanswered', 'unanswered'], 1]);
  expect(questions.failure).toEqual({ kind: 'lost', problem: { kind: 'notTold' } });
});

it.each([
  [{ msg_id: 5 }, 'known'],
  [{ type: 'sms', status: 'zorble' }, 'known'],
  [{ type: 'status', status: 'zorble' }, 'unclear'],
  [{ type: 'pigeon', status: 'zorble' }, 'unclear'],
])('a success with %j beside a control that is refused is %s', async (fields, kind) => {
  const answer = either(
    [11],
    answering(() => fields),
    refusing(() => 'Zarble'),
  );
  expect((await ask([11], answer)).kinds).toEqual([kind]);
});

it.each([
  [{ status: 'Доставлено' }, 'known'],
  [{ msg_id: 5 }, 'known'],
  [{ type: 'viber+sms', status: 'zugestellt' }, 'known'],
  [{ status: 'UNKNOWN' }, 'unclear'],
])(
  'a success with %j beside a control that is answered as a success otherwise is %s',
  async (fields, kind) => {
    const answer = either(
      [11],
      answering(() => fields),
      answering(() => ({ status: 'yok' })),
    );
    expect((await ask([11], answer)).kinds).toEqual([kind]);
  },
);

it('a word that is not listed proves nothing where the control is refused, which a fault may do', async () => {
  const answer = either(
    [11],
    answering(() => ({ status: 'yok' })),
    refusing(() => 'Zorble'),
  );
  expect((await ask([11], answer)).kinds).toEqual(['unclear']);
});

it('a request that is refused is asked again without the control, in smaller parts, which proves presence alone', async () => {
  const known = [11, 13];
  const { kinds, requests, questions } = await ask([11, 12, 13, 14], (ids) =>
    ids.every((id) => known.includes(Number(id)))
      ? each(ACCEPTED)(ids)
      : json({ success: false, error: 'Zorble' }),
  );
  expect(kinds).toEqual(['known', 'unanswered', 'known', 'unanswered']);
  expect(requests.slice(1)).toEqual([[11, 12, 13, 14], [11, 12], [11], [12], [13, 14], [13], [14]]);
  expect(questions.failure).toMatchObject({ kind: 'refused', problem: { text: 'Zorble' } });
  const absent = await ask([11], (ids, request) =>
    request === 1 ? json({ success: false, error: 'Zorble' }) : each(refusing(() => 'No'))(ids),
  );
  expect(absent.kinds).toEqual(['unclear']);
});

it('costs a bounded number of requests where all are refused', async () => {
  const ids = Array.from({ length: 90 }, (_, i) => i + 1);
  const { requests, kinds } = await ask(ids, () => json({ success: false, error: 'Zorble' }));
  expect(requests.length).toBeLessThanOrEqual(33);
  expect(kinds).toHaveLength(90);
});

it('leaves room for the control and a witness, and pauses before each request', async () => {
  const { requests, pauses } = await ask([1, 2, 3, 4], each(ACCEPTED), {
    batchSize: 4,
    witness: 7,
    pause: 250,
  });
  expect(requests.map(({ length }) => length)).toEqual([4, 4]);
  expect(pauses).toEqual([250, 250]);
});

it('makes no more requests for nothing than it may, and as many as it likes that tell something', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => i + 1);
  const refused = await ask(ids, () => json({ success: false, error: 'Zorble' }), { batchSize: 3, left: 5 });
  expect(refused.requests).toHaveLength(5);
  expect(refused.kinds.slice(3)).toEqual(Array.from({ length: 17 }, () => 'notAsked'));
  const known = either(
    ids,
    ACCEPTED,
    refusing(() => 'Zorble'),
  );
  const more = await ask(ids, known, { batchSize: 3, left: 1 });
  expect([more.requests.length, new Set(more.kinds)]).toEqual([20, new Set(['known'])]);
});

it.each<[string, number, (id: Id) => object]>([
  ['absent', 10, refusing(() => 'Zorble')],
  ['unclear', 3, refusing(unlikeControl)],
  [
    'known or unclear by turns',
    10,
    (id) => (!isControl(id) && Number(id) % 2 ? ACCEPTED : refusing(unlikeControl))(id),
  ],
])(
  'asks about twenty ids that are %s %i times, where it may ask three times for nothing',
  async (_, count, answer) => {
    const ids = Array.from({ length: 20 }, (_value, i) => i + 1);
    const { requests, kinds } = await ask(ids, each(answer), { batchSize: 4, left: 3 });
    expect(requests).toHaveLength(count);
    expect(kinds.filter((kind) => kind === 'notAsked')).toHaveLength(20 - 2 * count);
  },
);

it('counts a search that finds one of several as no request for nothing', async () => {
  const found = each((id) => (id === 11 ? ACCEPTED(id) : refusing(() => 'No')(id)));
  const { kinds, questions } = await ask(
    [11, 12],
    (ids, request) => (request === 1 ? json({ success: false, error: 'Zorble' }) : found(ids)),
    { left: 5 },
  );
  expect([kinds, questions.left]).toEqual([['known', 'unclear'], 4]);
});

it.each([
  ['is too large', 413, 4],
  ['broke', 502, 1],
])('a request that %s (HTTP %i) costs %i requests in all', async (_, status, count) => {
  const { kinds, requests } = await ask([1, 2], () => json('', status));
  expect([kinds, requests.length]).toEqual([['unanswered', 'unanswered'], count]);
});

it.each<[string, (id: Id) => object]>([
  [
    'a refusal with the state of a message',
    (id) => ({ ...refusing(() => 'No')(id), data: { id, status: 'READ' } }),
  ],
  ['words that seem to say that there is none', answering(() => ({ status: 'Message not found' }))],
])('%s proves nothing where an id that was never sent is answered as a success', async (_, own) => {
  const answer = either(
    [11],
    own,
    answering(() => ({ status: 'yok' })),
  );
  expect((await ask([11], answer)).kinds).toEqual(['unclear']);
});

it('leaves the gateway alone once it asks for that', async () => {
  const limited: Answer = { ...json('', 429), retryAfter: 60 };
  const { kinds, requests, questions } = await ask([1, 2], () => limited, { batchSize: 3 });
  expect(kinds).toEqual(['unanswered', 'notAsked']);
  expect([requests.length, questions.failure?.retryAfter]).toEqual([1, 60]);
  const inWords = await ask([1, 2], () => ({
    ...json({ success: false, error: 'Zorble' }, 429),
    retryAfter: 9,
  }));
  expect([inWords.requests.length, inWords.questions.failure?.retryAfter]).toEqual([1, 9]);
  const inSearch = await ask(
    [1, 2, 3, 4],
    (_, request) => (request === 1 ? json({ success: false, error: 'Zorble' }) : limited),
    { batchSize: 4 },
  );
  expect([inSearch.requests.length, inSearch.questions.failure?.retryAfter]).toEqual([2, 60]);
  expect(inSearch.kinds).toEqual(['unanswered', 'unanswered', 'notAsked', 'notAsked']);
});

it('survives payloads of any shape', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const item = `{"success":true,"data":{"deep":${deep}}}`;
  const { kinds } = await ask([1, 2], () => ({
    ...json(''),
    body: `{"success":true,"data":[${item},${item},${item}]}`,
  }));
  expect(kinds).toEqual(['absent', 'absent']);
});
