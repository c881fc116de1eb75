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
const REFUSED = refusing(() => 'Zorble');
const WHOLE = json({ success: false, error: 'Zorble' });

it.each<[string, (id: Id) => object]>([
  ['words that nobody knows', REFUSED],
  ['words with the id', refusing((id) => `Es gibt keine ${String(id)}`)],
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
  const { kinds, requests } = await ask([11], each(REFUSED), { witness: 7 });
  expect(kinds).toEqual(['unclear']);
  expect(requests[0]).toEqual([11, expect.any(Number), 7]);
  expect((await ask([11], either([7], ACCEPTED, REFUSED), { witness: 7 })).kinds).toEqual(['absent']);
});

it('a message that was certainly taken is asked about once, also where it is in doubt itself', async () => {
  const { kinds, requests } = await ask([7, 11], either([7], ACCEPTED, REFUSED), { witness: 7 });
  expect([kinds, requests]).toEqual([['known', 'absent'], [[7, 11, expect.any(Number)]]]);
  expect((await ask([7, 11], each(REFUSED), { witness: 7 })).kinds).toEqual(['unclear', 'unclear']);
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
  const answer = (id: Id) => ({ ...REFUSED(id), data: { id, ...(id === 11 ? own : others) } });
  expect((await ask([11], each(answer))).kinds).toEqual([kind]);
});

it('a receipt of a queue answers nothing, and is no reason to ask in smaller parts', async () => {
  const { kinds, requests, questions } = await ask([1, 2], () => json({ success: true, request_id: 'r' }));
  expect([kinds, requests.length]).toEqual([['unanswered', 'unanswered'], 1]);
  expect(questions.failure).toEqual({ kind: 'lost', problem: { kind: 'notTold' } });
});

const refusedAsRead = (id: Id) => ({ ...REFUSED(id), data: { id, status: 'READ' } });
const SUCCESS = answering(() => ({ status: 'yok' }));
it.each<[kind: string, own: string, (id: Id) => object, other: string, (id: Id) => object]>([
  ['known', 'with a number of the gateway', answering(() => ({ msg_id: 5 })), 'refused', REFUSED],
  ['known', 'with a type that sends', answering(() => ({ type: 'sms', status: '?' })), 'refused', REFUSED],
  ['unclear', 'with the type of the question', answering(() => ({ type: 'status' })), 'refused', REFUSED],
  ['unclear', 'with a type that is none', answering(() => ({ type: 'pigeon' })), 'refused', REFUSED],
  ['unclear', 'with a word that is not listed', SUCCESS, 'refused', REFUSED],
  ['known', 'with another word', answering(() => ({ status: 'Доставлено' })), 'answered so too', SUCCESS],
  ['unclear', 'with no state', answering(() => ({ status: 'UNKNOWN' })), 'answered so too', SUCCESS],
  ['unclear', 'in words for none', answering(() => ({ status: 'Not found' })), 'answered so too', SUCCESS],
  ['unclear', 'as refused with a state', refusedAsRead, 'answered as a success', SUCCESS],
])('an id is %s that is answered %s, where the control is %s', async (...[kind, , own, , control]) => {
  expect((await ask([11], either([11], own, control))).kinds).toEqual([kind]);
});

it('a request that is refused is asked again without the control, in smaller parts, which proves presence alone', async () => {
  const known = [11, 13];
  const { kinds, requests, questions } = await ask([11, 12, 13, 14], (ids) =>
    ids.every((id) => known.includes(Number(id))) ? each(ACCEPTED)(ids) : WHOLE,
  );
  expect(kinds).toEqual(['known', 'unanswered', 'known', 'unanswered']);
  expect(requests.slice(1)).toEqual([[11, 12, 13, 14], [11, 12], [11], [12], [13, 14], [13], [14]]);
  expect(questions.failure).toMatchObject({ kind: 'refused', problem: { text: 'Zorble' } });
  const absent = await ask([11], (ids, request) => (request === 1 ? WHOLE : each(REFUSED)(ids)));
  expect(absent.kinds).toEqual(['unclear']);
});

it('costs a bounded number of requests where all are refused', async () => {
  const ids = Array.from({ length: 90 }, (_, i) => i + 1);
  const { requests, kinds } = await ask(ids, () => WHOLE);
  expect(requests.length).toBeLessThanOrEqual(33);
  expect(kinds).toHaveLength(90);
});

it('leaves room for the control and a witness, and pauses before each request', async () => {
  const settings = { batchSize: 4, witness: 7, pause: 250 };
  const { requests, pauses } = await ask([1, 2, 3, 4], each(ACCEPTED), settings);
  expect(requests.map(({ length }) => length)).toEqual([4, 4]);
  expect(pauses).toEqual([250, 250]);
});

it('makes no more requests for nothing than it may, and as many as it likes that tell something', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => i + 1);
  const refused = await ask(ids, () => WHOLE, { batchSize: 3, left: 5 });
  expect(refused.requests).toHaveLength(5);
  expect(refused.kinds.slice(3)).toEqual(Array.from({ length: 17 }, () => 'notAsked'));
  for (const [kind, taken] of Object.entries({ known: ids, absent: [] })) {
    const more = await ask(ids, either(taken, ACCEPTED, REFUSED), { batchSize: 3, left: 1 });
    expect([more.requests.length, new Set(more.kinds)]).toEqual([20, new Set([kind])]);
  }
});

it.each([
  ['is too large', 413, 4],
  ['broke', 502, 1],
])('a request that %s (HTTP %i) costs %i requests in all', async (_, status, count) => {
  const { kinds, requests } = await ask([1, 2], () => json('', status));
  expect([kinds, requests.length]).toEqual([['unanswered', 'unanswered'], count]);
});

it('leaves the gateway alone once it asks for that', async () => {
  const limited: Answer = { ...json('', 429), retryAfter: 60 };
  const { kinds, requests, questions } = await ask([1, 2], () => limited, { batchSize: 3 });
  expect(kinds).toEqual(['unanswered', 'notAsked']);
  expect([requests.length, questions.failure?.retryAfter]).toEqual([1, 60]);
  const inSearch = await ask([1, 2, 3, 4], (_, request) => (request === 1 ? WHOLE : limited), {
    batchSize: 4,
  });
  expect([inSearch.requests.length, inSearch.questions.failure?.retryAfter]).toEqual([2, 60]);
  expect(inSearch.kinds).toEqual(['unanswered', 'unanswered', 'notAsked', 'notAsked']);
});

it('survives payloads of any shape', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const item = `{"success":true,"data":{"deep":${deep}}}`;
  const { kinds } = await ask([1, 2], () => json(`{"success":true,"data":[${item},${item},${item}]}`));
  expect(kinds).toEqual(['absent', 'absent']);
});
