/** What an answer means, case by case (gateway-api.md, "Synchronous answers", "Asynchronous answers", "Refusals"). */
import { judge } from '../../../nodes/gateway/client/response.ts';
import { askOne } from '../../../nodes/gateway/client/ask.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import { LIMIT, LENGTH } from '../../support/hostile-texts.mts';
import { processorTime } from '../../support/processor-time.mts';
import { json as answer } from '../../support/send-client.mts';

const sms = (id: number): WireOperation => ({ type: 'sms', id, phone: 380501234567 });
const TWO = [sms(1), sms(2)];
const sync = (body: unknown, operations = TWO) => judge('sync', answer(body), operations);
const queued = (body: unknown, operations = TWO) => judge('async', answer(body), operations);
const byStatus = (status: number, body: unknown = '', more: Partial<Answer> = {}) =>
  judge('sync', answer(body, status, more), TWO);
const accepted = (...payloads: unknown[]) => ({
  kind: 'results',
  items: payloads.map((payload) => ({ state: 'accepted', payload })),
});
const ok = (data?: unknown) => ({ success: true, ...(data !== undefined && { data }) });
const NOT_GATEWAY = {
  kind: 'lost',
  problem: { kind: 'notGateway', contentType: 'application/json', status: 200 },
};

/** A refusal of the whole request. */
const whole = (error?: string) => ({ success: false, error });

it('a failure is lost where the request may have arrived, and late after a time limit', () => {
  const failure = (problem: NoAnswer['problem'], mayHaveArrived: boolean) =>
    judge('sync', { kind: 'failure', problem, mayHaveArrived }, TWO);
  const [lost, late] = [{ kind: 'connectionLost', code: 'ECONNRESET' }, { kind: 'timeout' }] as const;
  expect(failure(lost, true)).toEqual({ kind: 'lost', problem: lost });
  expect(failure(late, true)).toEqual({ kind: 'late', problem: late });
  const refused = { kind: 'unreachable', code: 'ECONNREFUSED' } as const;
  expect(failure(refused, false)).toEqual({ kind: 'notReached', problem: refused });
});

describe('an HTTP code', () => {
  it('of 299 is no more than the body', () => {
    expect(byStatus(299, ok([ok({ id: 1 }), ok({ id: 2 })]))).toEqual(accepted({ id: 1 }, { id: 2 }));
  });

  it.each([
    // By their meaning they come before any work, and somebody on the way may say so after it.
    ['turnedAway', [301, 307, 308, 401, 403, 404, 405, 407, 413, 415, 429]],
    // Somebody may have worked on it before.
    ['lost', [199, 300, 302, 303, 400, 402, 409, 422, 499, 500, 502, 599]],
    ['late', [408, 504, 524]],
  ])('without words of the gateway is %s where it is one of %j', (kind, statuses) => {
    for (const status of statuses)
      expect(byStatus(status)).toMatchObject({ kind, problem: { kind: 'http', status } });
  });

  it.each([199, 302, 400, 401, 403, 404, 405, 408, 413, 415, 429, 500, 503, 504])(
    'of %i means nothing beside results that fit',
    (status) => {
      expect(byStatus(status, ok([ok({ id: 1 }), ok({ id: 2 })]))).toEqual(accepted({ id: 1 }, { id: 2 }));
      const none = { kind: 'lost', problem: { kind: 'lengthMismatch' } };
      if (status < 408 || status === 500) expect(byStatus(status, ok([ok()]))).toMatchObject(none);
      const receipt = judge('async', answer({ success: true }, status), TWO);
      expect(receipt).toMatchObject({ kind: 'results', items: [{ state: 'accepted' }, {}] });
    },
  );

  it.each([
    ['lost', [500, 502, 599]],
    ['late', [408, 504, 524]],
  ])('leaves a request %s, whatever words come with %j', (kind, statuses) => {
    for (const status of statuses) {
      const problem = { kind: 'envelope', text: 'Access denied', status };
      expect(byStatus(status, whole('Access denied'))).toEqual({ kind, problem });
    }
  });

  it.each([400, 401, 413, 429])(
    'of %i with words of the gateway proves nothing, unless the contract lists them',
    (status) => {
      const problem = { kind: 'envelope', text: 'Zorble', status };
      const refused = { kind: 'refused', problem: { ...problem, retryAfter: 7 }, retryAfter: 7 };
      expect(byStatus(status, whole('Zorble'), { retryAfter: 7 })).toEqual(refused);
      expect(byStatus(status, whole())).toMatchObject({ kind: 'refused', problem: { text: '' } });
      expect(byStatus(status, whole('Access denied'))).toMatchObject({ kind: 'rejected' });
    },
  );

  it.each(['{"success":true,"data":[{"success":tr', '{"success":true,"data":17}'])(
    'of 405 comes from nobody on the way where the body looks like an answer of the gateway: %s',
    (body) => {
      expect(byStatus(405, body)).toMatchObject({ kind: 'lost', problem: { kind: 'http', status: 405 } });
    },
  );

  it('of 429 keeps how long to wait', () => {
    const problem = { kind: 'http', status: 429, retryAfter: 7 };
    expect(byStatus(429, '', { retryAfter: 7 })).toEqual({ kind: 'turnedAway', problem, retryAfter: 7 });
  });
});

describe('a synchronous answer', () => {
  it.each<[string, unknown]>([
    ['text', 'Hello'],
    ['no data', ok()],
    ['data that are an object', ok({ id: 1 })],
    ['a result without success', ok([{ data: { id: 1 } }, ok()])],
  ])('of %s is not the gateway', (_, body) => expect(sync(body)).toEqual(NOT_GATEWAY));

  it('says by its own success whether the request was refused, whatever comes with it', () => {
    const more = { data: [ok({ id: 1 }), ok({ id: 2 })], request_id: 'r' };
    for (const body of [whole('Zorble'), { ...whole('Zorble'), ...more }])
      expect(sync(body)).toEqual({ kind: 'refused', problem: { kind: 'envelope', text: 'Zorble' } });
    expect(sync(whole())).toMatchObject({ problem: { text: '' } });
  });

  it.each([undefined, null, [], {}])(
    'that has a request_id and no results (%j) is an acknowledgement',
    (data) => {
      const item = { state: 'accepted', payload: undefined, requestId: 'q1' };
      const results = { kind: 'results', items: [item, item] };
      expect(sync({ success: true, request_id: 'q1', data })).toEqual(results);
    },
  );

  it('with results counts by them, whatever request_id is beside them', () => {
    const body = { ...ok([ok({ id: 1 }), ok()]), request_id: 'r' };
    expect(sync(body)).toEqual(accepted({ id: 1 }, undefined));
  });

  it.each([[[]], [[ok()]], [[ok(), ok(), ok()]]])('of another number of results is lost: %j', (data) => {
    const problem = { kind: 'lengthMismatch', sent: 2, received: data.length };
    expect(sync(ok(data))).toEqual({ kind: 'lost', problem });
  });

  it('passes refusals on with their words, type and payload', () => {
    const refusal = (text: string, payload?: object) => ({
      ...{ state: 'refused', problem: { kind: 'item', text, wireType: 'sms' }, payload },
    });
    const items = [refusal('No', { id: 1 }), refusal('')];
    expect(sync(ok([{ ...whole('No'), data: { id: 1 } }, whole()]))).toEqual({ kind: 'results', items });
  });

  it('keeps long numbers as text', () => {
    const item = '{"success":true,"data":{"msg_id":12345678901234567890}}';
    expect(sync(`{"success":true,"data":[${item},{"success":true}]}`)).toEqual(
      accepted({ msg_id: '12345678901234567890' }, undefined),
    );
  });
});

describe('the order of results', () => {
  const data = (...ids: unknown[]) => ok(ids.map((id) => ok({ id })));
  const MISMATCH = { kind: 'lost', problem: { kind: 'idMismatch' } };

  it('is that of the request where nothing speaks against it', () => {
    expect(sync(data('1', 2))).toEqual(accepted({ id: '1' }, { id: 2 }));
    expect(sync(ok([ok(), ok(5)]))).toEqual(accepted(undefined, 5));
    expect(sync(ok([ok({ id: 1 }), ok({})]))).toEqual(accepted({ id: 1 }, {}));
  });

  it('is that of the ids where all of them are there', () => {
    expect(sync(data(2, '1'))).toEqual(accepted({ id: '1' }, { id: 2 }));
  });

  it.each([[[2, 3]], [[2, 2]], [[3, 1]], [[3, 4]]])('can not be known where the ids are %j', (ids) =>
    expect(sync(data(...ids))).toEqual(MISMATCH),
  );

  it('can not be known where an id was sent twice and came back once', () => {
    const three = [sms(5), sms(5), sms(6)];
    expect(sync(data(5, 5, 6), three)).toMatchObject({ kind: 'results' });
    expect(sync(data(5, 6, 5), three)).toEqual(MISMATCH);
    expect(sync(data(6, 6, 5), three)).toEqual(MISMATCH);
  });

  it('can not be known where one id is missing', () => {
    expect(sync(ok([ok({ id: 2 }), ok({})]))).toEqual(MISMATCH);
    expect(sync(ok([ok({ id: 2 }), ok(null)]))).toEqual(MISMATCH);
  });

  it('of other operations does not depend on ids, which are their own', () => {
    const lists: WireOperation[] = [{ type: 'template/delete', id: '5' }, { type: 'balance' }];
    expect(sync(data(77, 78), lists)).toEqual(accepted({ id: 77 }, { id: 78 }));
    expect(sync(data(77, 2), [{ type: 'status', id: 1 }, sms(2)])).toEqual(MISMATCH);
  });
});

describe('an asynchronous answer', () => {
  it('accepts all operations under one request_id, or refuses the request', () => {
    const item = { state: 'accepted', payload: undefined, requestId: 'r' };
    expect(queued({ success: true, request_id: 'r' })).toEqual({ kind: 'results', items: [item, item] });
    expect(queued(whole('Zorble'))).toMatchObject({ kind: 'refused', problem: { text: 'Zorble' } });
  });

  it('accepts all operations without a request_id too', () => {
    const item = { state: 'accepted', payload: undefined, requestId: undefined };
    for (const data of [undefined, null, [], {}])
      expect(queued({ success: true, data })).toEqual({ kind: 'results', items: [item, item] });
  });

  it('is read where it refuses operations beside a request_id, in a list of all or of these', () => {
    const no = { success: false, error: 'No', data: { id: 2 } };
    const items = [
      { state: 'accepted', requestId: 'r' },
      { state: 'refused', problem: { kind: 'item', text: 'No', wireType: 'sms' } },
    ];
    for (const data of [[ok({ id: 1 }), no], [no]])
      expect(queued({ success: true, request_id: 'r', data })).toMatchObject({ kind: 'results', items });
    const foreign = { success: false, error: 'No', data: { id: 9 } };
    expect(queued({ success: true, request_id: 'r', data: [foreign] })).toMatchObject({
      kind: 'lost',
      problem: { kind: 'lengthMismatch', sent: 2, received: 1 },
    });
    // One twice, or one that nobody sent: nobody knows what of the others.
    for (const data of [
      [no, no],
      [no, foreign],
    ])
      expect(queued({ success: true, data }, [...TWO, sms(3)])).toMatchObject({
        kind: 'lost',
        problem: { kind: 'lengthMismatch', sent: 3, received: 2 },
      });
  });

  it('has its results in the order of the request where these name no message', () => {
    const body = { success: true, request_id: 'r', data: [ok(), whole('No')] };
    expect(queued(body)).toEqual({
      kind: 'results',
      items: [
        { state: 'accepted', requestId: 'r' },
        { state: 'refused', problem: { kind: 'item', text: 'No', wireType: 'sms' } },
      ],
    });
  });

  it.each([[{ request_id: 'r' }], ['x'], [{ success: true, data: 'x' }]])(
    'of %j is not the gateway',
    (body) => expect(queued(body)).toEqual(NOT_GATEWAY),
  );
});

it.each([
  ['rejected', ['Access denied', 'access denied.', ' ACCESS DENIED']],
  ['refused', ['Access denied for user root@localhost', 'Database: access denied', 'Too many operations']],
])('a request is %s by the words %j', (kind, texts) => {
  for (const text of texts) expect(sync(whole(text))).toEqual({ kind, problem: { kind: 'envelope', text } });
});

describe('a body of any size', () => {
  const bodies: Array<[string, string]> = [
    ['empty entries', `{"success":true,"data":[${'{},'.repeat(LENGTH)}{}]}`],
    ['many fields', `{"success":true,${Array.from({ length: LENGTH / 10 }, (_, i) => `"f${i}":1`).join()}}`],
    ['deep nesting', `{"success":true,"data":${'['.repeat(LENGTH)}${']'.repeat(LENGTH)}}`],
    ['long numbers', `{"success":true,"data":[${'12345678901234567890,'.repeat(LENGTH / 5)}1]}`],
  ];

  it.each(bodies)('is judged in time that grows with its length: %s', (_, body) => {
    const given = answer(body);
    expect(['lost', 'results']).toContain(judge('sync', given, TWO).kind);
    const limit = LIMIT * Math.max(1, body.length / LENGTH);
    expect(processorTime(() => judge('sync', given, TWO), limit)).toBeLessThan(limit);
  });
});

it('a question of one operation has the payload, or the problem', async () => {
  const ask = async (given: Answer | NoAnswer) =>
    await askOne(async () => await Promise.resolve(given), { type: 'balance' });
  expect(await ask(answer(ok([ok({ amount: 5 })])))).toEqual({ ok: true, payload: { amount: 5 } });
  const refused = { kind: 'item', text: 'No', wireType: 'balance' };
  expect(await ask(answer(ok([{ success: false, error: 'No' }])))).toEqual({ ok: false, problem: refused });
  const problem = { kind: 'timeout' } as const;
  expect(await ask({ kind: 'failure', problem, mayHaveArrived: true })).toEqual({ ok: false, problem });
});
