/** What an answer means (gateway-api.md, "Synchronous answers", "Asynchronous answers", "Refusals"). */
import { askOne } from '../../../nodes/gateway/client/ask.ts';
import { judge } from '../../../nodes/gateway/client/response.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { json, reset, sms, timeout, unreachable, whole } from '../../support/send-client.mts';

const TWO = sms(2);
const ok = (data?: unknown) => ({ success: true, ...(data !== undefined && { data }) });
const sync = (body: unknown, status = 200) => judge('sync', json(body, status), TWO);
const queue = (body: unknown) => judge('async', json(body), TWO);

/** What becomes of the messages of a request, as a user meets it. */
const FATES = {
  closed: 'ends the run: this gateway would take no message',
  refused: 'refuses the request, which is split until the bad message is found',
  broken: 'may have taken the messages: status is asked before any leaves again',
  timedOut: 'may take the messages later: none ever leaves again',
  notReached: 'has taken no message: all leave again',
};
type Fate = keyof typeof FATES;
/** A test for each case, with what it ends in as the last word of the case in its title. */
const fated = <T extends unknown[]>(cases: Array<[...T, Fate]>) =>
  cases.map((one) => [FATES[one.at(-1) as Fate], ...one] as [string, ...T, Fate]);

it.each(
  fated([
    [reset, 'broken'],
    [timeout, 'timedOut'],
    [unreachable, 'notReached'],
  ]),
)('a gateway that does not answer %s', (_, failure, kind) => {
  expect(judge('sync', failure, TWO).kind).toBe(kind);
});

it.each(
  fated([
    [[301, 302, 307, 308, 401, 404, 405, 407, 410, 415], 'closed'],
    [[400, 402, 403, 413, 429], 'refused'],
    [[408, 504, 524], 'timedOut'],
    [[199, 200, 204, 409, 422, 500, 502, 503, 599], 'broken'],
  ]),
)('an answer without words %s, by its code %j', (_, codes, kind) => {
  for (const code of codes) expect(sync('', code).kind).toBe(kind);
});

it.each([200, 302, 400, 401, 404, 429, 500, 504])(
  'messages whose results fit are accepted, also under the code %i',
  (code) => {
    expect(sync(ok([ok({ id: 1 }), ok({ id: 2 })]), code)).toMatchObject({
      items: [{ is: 'accepted' }, { is: 'accepted' }],
    });
  },
);

it.each(
  fated<[string, number]>([
    ['Access denied', 200, 'closed'],
    [' access denied. ', 200, 'closed'],
    ['Invalid API key', 200, 'closed'],
    ['Access denied for user root', 200, 'refused'],
    ['Not enough money', 200, 'refused'],
    ['Not enough money', 400, 'refused'],
    ['Internal server error', 200, 'broken'],
    ['Database error 1205', 200, 'broken'],
    ['Внутренняя ошибка', 200, 'broken'],
    ['Помилка сервера', 200, 'broken'],
    ['Error', 200, 'broken'],
    ['Error', 400, 'refused'],
    ['', 200, 'broken'],
    ['17', 200, 'broken'],
    ['Not enough money', 502, 'broken'],
    ['Not enough money', 504, 'timedOut'],
  ]),
)('an answer %s: with "%s" under the code %i', (_, words, code, kind) => {
  expect(judge('sync', whole(words, code), TWO).kind).toBe(kind);
});

describe('an answer is not believed, and status asked', () => {
  it.each([
    ['too few', ok([ok({ id: 1 })])],
    ['too many', ok([ok(), ok(), ok()])],
    ['in another order', ok([ok({ id: 2 }), ok({ id: 1 })])],
    ['with a foreign id', ok([ok({ id: 1 }), ok({ id: 3 })])],
    ['none', ok()],
    ['texts', ok(['yes', 'yes'])],
    ['without success', ok([{ data: { id: 1 } }, {}])],
  ])('whose results are %s', (_, body) => {
    expect(sync(body).kind).toBe('broken');
  });
});

it('reads results in the forms of gateways: without ids, ids as text, keyed by index, success as a number', () => {
  const two = { items: [{ is: 'accepted' }, { is: 'refused', problem: { text: 'No' } }] };
  const no = { success: false, error: 'No' };
  expect(sync(ok([ok(), no]))).toMatchObject(two);
  expect(sync(ok([ok({ id: '1' }), { ...no, data: { id: '2' } }]))).toMatchObject(two);
  expect(sync(ok({ 0: ok(), 1: no }))).toMatchObject(two);
  expect(sync({ success: 1, data: [{ success: 1 }, { ...no, success: 0 }] })).toMatchObject(two);
});

it('accepts all messages with the receipt of a queue, also where Send Now gets one', () => {
  const receipt = { is: 'accepted', requestId: 'r-1' };
  expect(queue({ success: true, request_id: 'r-1' })).toEqual({ kind: 'results', items: [receipt, receipt] });
  expect(sync({ success: true, request_id: 'r-1' })).toEqual({ kind: 'results', items: [receipt, receipt] });
});

it('shows the balance that the gateway answers, or its words of refusal', async () => {
  const balance: WireOperation = { type: 'balance' };
  const answer = ok([ok({ amount: 3 })]);
  await expect(askOne(async () => Promise.resolve(json(answer)), balance)).resolves.toEqual({
    ok: true,
    payload: { amount: 3 },
  });
  await expect(askOne(async () => Promise.resolve(whole('Access denied')), balance)).resolves.toMatchObject({
    ok: false,
    problem: { text: 'Access denied' },
  });
});
