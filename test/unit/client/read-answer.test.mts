/** What an answer means, case by case (gateway-api.md, "Synchronous answers", "Asynchronous answers", "Refusals"). */
import { askOne, judge } from '../../../nodes/gateway/client/read-answer.ts';
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

describe('no whole answer', () => {
  const failure = (problem: NoAnswer['problem'], mayHaveArrived: boolean) =>
    judge('sync', { kind: 'failure', problem, mayHaveArrived }, TWO);

  it('is lost where the request may have arrived, and late after a time limit', () => {
    const lost = { kind: 'connectionLost', code: 'ECONNRESET' } as const;
    expect(failure(lost, true)).toEqual({ kind: 'lost', problem: lost });
    expect(failure({ kind: 'timeout' }, true)).toEqual({
      kind: 'late',
      problem: { kind: 'timeout' },
    });
    const refused = { kind: 'unreachable', code: 'ECONNREFUSED' } as const;
    expect(failure(refused, false)).toEqual({ kind: 'notReached', problem: refused });
  });
});

describe('an HTTP code', () => {
  it('of 299 is no more than the body', () => {
    expect(byStatus(299, ok([ok({ id: 1 }), ok({ id: 2 })]))).toEqual(accepted({ id: 1 }, { id: 2 }));
  });

  it.each<[number, string]>([
    ...[401, 403, 404, 405, 407, 415].map((status) => [status, 'rejected'] as [number, string]),
    [413, 'tooLarge'],
    [429, 'tryLater'],
    // Somebody may have worked on it before.
    ...[199, 300, 302, 400, 402, 409, 422, 499].map((status) => [status, 'lost'] as [number, string]),
  ])('of %i without words of the gateway is %s', (status, kind) => {
    expect(byStatus(status)).toMatchObject({ kind, problem: { kind: 'http', status } });
  });

  it.each([
    [408, 'late'],
    [500, 'lost'],
    [502, 'lost'],
    [504, 'late'],
    [524, 'late'],
    [599, 'lost'],
  ])('of %i leaves open what became of the request: %s', (status, kind) => {
    expect(byStatus(status)).toEqual({ kind, problem: { kind: 'http', status } });
    const refusal = { success: false, error: 'Access denied' };
    expect(byStatus(status, refusal)).toEqual({
      kind,
      problem: { kind: 'envelope', text: 'Access denied', status },
    });
  });

  it('of 429 keeps how long to wait', () => {
    expect(byStatus(429, '', { retryAfter: 7 })).toEqual({
      kind: 'tryLater',
      problem: { kind: 'http', status: 429, retryAfter: 7 },
      retryAfter: 7,
    });
  });

  it.each([400, 401, 413, 429])(
    'of %i with words of the gateway proves nothing, unless the contract lists them',
    (status) => {
      expect(byStatus(status, { success: false, error: 'Zorble' }, { retryAfter: 7 })).toEqual({
        kind: 'refused',
        problem: { kind: 'envelope', text: 'Zorble', status },
        retryAfter: 7,
      });
      expect(byStatus(status, { success: false })).toMatchObject({ kind: 'refused', problem: { text: '' } });
      expect(byStatus(status, { success: false, error: 'Access denied' })).toMatchObject({
        kind: 'rejected',
      });
    },
  );
});

describe('a synchronous answer', () => {
  it.each<[string, unknown]>([
    ['text', 'Hello'],
    ['no data', ok()],
    ['data that are an object', ok({ id: 1 })],
    ['a result without success', ok([{ data: { id: 1 } }, ok()])],
  ])('of %s is not the gateway', (_, body) => expect(sync(body)).toEqual(NOT_GATEWAY));

  it('refuses the request where it has no data', () => {
    expect(sync({ success: false, error: 'Zorble' })).toEqual({
      kind: 'refused',
      problem: { kind: 'envelope', text: 'Zorble' },
    });
    expect(sync({ success: false })).toMatchObject({ problem: { text: '' } });
    // Some tables call `success` an integer.
    expect(sync({ success: 0, error: 'Zorble', data: null })).toMatchObject({ kind: 'refused' });
    expect(sync({ success: 1, data: [{ success: 1 }, { success: 1 }] })).toEqual(
      accepted(undefined, undefined),
    );
  });

  it('says by its own success whether it was refused, whatever comes with it', () => {
    expect(
      sync({ success: false, error: 'Some failed', data: [ok({ id: 1 }), ok({ id: 2 })], request_id: 'r' }),
    ).toEqual({ kind: 'refused', problem: { kind: 'envelope', text: 'Some failed' } });
  });

  it.each([undefined, null, [], {}])(
    'that has a request_id and no results (%j) is an acknowledgement',
    (data) => {
      const item = { state: 'accepted', payload: undefined, requestId: 'q1' };
      expect(sync({ success: true, request_id: 'q1', data })).toEqual({
        kind: 'results',
        items: [item, item],
      });
    },
  );

  it('with results counts by them, whatever request_id is beside them', () => {
    expect(sync({ success: true, request_id: 'r', data: [ok({ id: 1 }), ok()] })).toEqual(
      accepted({ id: 1 }, undefined),
    );
  });

  it.each([[[]], [[ok()]], [[ok(), ok(), ok()]]])('of another number of results is lost: %j', (data) => {
    expect(sync(ok(data))).toEqual({
      kind: 'lost',
      problem: { kind: 'lengthMismatch', sent: 2, received: data.length },
    });
  });

  it('passes refusals on with their words, type and payload', () => {
    const { items } = sync(
      ok([{ success: false, error: 'No', data: { id: 1 } }, { success: false }]),
    ) as never;
    expect(items).toEqual([
      { state: 'refused', problem: { kind: 'item', text: 'No', wireType: 'sms' }, payload: { id: 1 } },
      { state: 'refused', problem: { kind: 'item', text: '', wireType: 'sms' }, payload: undefined },
    ]);
  });

  it('keeps long numbers as text', () => {
    const body =
      '{"success":true,"data":[{"success":true,"data":{"msg_id":12345678901234567890}},{"success":true}]}';
    expect(sync(body)).toEqual(accepted({ msg_id: '12345678901234567890' }, undefined));
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
    for (const ids of [
      [5, 6, 5],
      [6, 6, 5],
    ])
      expect(sync(data(...ids), three)).toEqual(MISMATCH);
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
  it('accepts all operations under one request_id', () => {
    const item = { state: 'accepted', payload: undefined, requestId: 'r' };
    expect(queued({ success: true, request_id: 'r' })).toEqual({ kind: 'results', items: [item, item] });
    expect(queued({ success: 1, request_id: 7 })).toMatchObject({
      items: [{ requestId: '7' }, { requestId: '7' }],
    });
  });

  it('refuses the request', () => {
    expect(queued({ success: false, error: 'Zorble' })).toMatchObject({
      kind: 'refused',
      problem: { text: 'Zorble' },
    });
  });

  it.each([[{ success: true }], [{ success: true, data: [ok(), ok()] }], [{ request_id: 'r' }], ['x']])(
    'of %j is not the gateway',
    (body) => expect(queued(body)).toEqual(NOT_GATEWAY),
  );
});

describe('the words of a refused request', () => {
  const words = (error: string, more: Partial<Answer> = {}) =>
    judge('sync', answer({ success: false, error }, 200, more), TWO);

  it.each(['Too many operations', 'Database error'])('"%s" prove nothing', (error) => {
    expect(words(error)).toEqual({ kind: 'refused', problem: { kind: 'envelope', text: error } });
  });

  it.each(['Access denied', 'access denied.', ' ACCESS DENIED'])(
    '"%s" are those of the contract',
    (error) => {
      expect(words(error)).toMatchObject({ kind: 'rejected', problem: { kind: 'envelope', text: error } });
    },
  );

  it.each(['Access denied for user root@localhost', 'Database: access denied'])(
    '"%s" are not those of the contract',
    (error) => expect(words(error)).toMatchObject({ kind: 'refused' }),
  );

  it('keep how long to wait', () => {
    expect(words('Too many requests', { retryAfter: 3 })).toMatchObject({ kind: 'refused', retryAfter: 3 });
  });
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
