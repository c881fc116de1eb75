import fc from '../../support/generated.mts';
import type { IDataObject } from 'n8n-workflow';

import { OpenWait } from '../../../nodes/MessagingGateway/delivery-wait/open-wait.ts';

const sent = (count: number, extra: IDataObject = {}): IDataObject[] =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    msg_id: 1000 + i,
    type: 'sms',
    outcome: 'unknown',
    final: false,
    ...extra,
  }));

const callback = (id: number | string, status = 'DELIVERED'): IDataObject => ({
  id,
  status,
  type: 'sms',
  success: ['DELIVERED', 'READ'].includes(status),
});

describe('what one process knows of a wait', () => {
  it('is the final outcome of each message that it was told of, in whatever order and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), (order) => {
        const wait = new OpenWait(sent(5));
        const told = new Set<unknown>();
        for (const id of order) {
          expect(wait.takeAll([callback(id)])).toBe(true);
          expect(wait.open).toBe(5 - told.add(id).size);
        }
        for (const { json } of wait.withReports(sent(5).map((json) => ({ json }))))
          expect(json.outcome).toBe(told.has(json.id) ? 'delivered' : 'unknown');
      }),
    );
  });

  it('leaves out items that carry an error, were only checked, or are final already', () => {
    const [open] = sent(1);
    const wait = new OpenWait([
      { error: 'x', message: 'y', details: {} },
      open,
      { id: 7, checked: true },
      { id: 8, type: 'sms', outcome: 'delivered', final: true },
    ]);
    expect(wait.nextInQuestion(9).map(({ position }) => position)).toEqual([1]);
    wait.takeAll([callback(1)]);
    expect(wait.open).toBe(0);
  });

  it.each<[string, object, number[]]>([
    ['id as number', { id: 2 }, [1]],
    ['id as text', { id: '2' }, [1]],
    ['msg_id alone', { msg_id: '1001' }, [1]],
    ['another id', { id: 99 }, [1, 2]],
    ['another id, although the msg_id fits', { id: 99, msg_id: 1000 }, [1, 2]],
    ['a prototype key', { id: '__proto__' }, [1, 2]],
    ['no name at all', {}, [1, 2]],
  ])('takes a callback with %s or not', (_, names, open) => {
    const wait = new OpenWait(sent(2));
    expect(wait.takeAll([{ ...names, status: 'DELIVERED', success: true }])).toBe(open.length === 1);
    expect(wait.nextInQuestion(9).map(({ id }) => id)).toEqual(open);
  });

  it('finds a message by its request only where the request held no other', () => {
    const event = { request_id: 'r', status: 'REJECTED', success: false };
    const [alone, batch] = [1, 2].map((count) => new OpenWait(sent(count, { request_id: 'r' })));
    expect([alone.takeAll([event]), alone.open]).toEqual([true, 0]);
    expect([batch.takeAll([event]), batch.nextInQuestion(9).length]).toEqual([false, 2]);
  });

  it('is not completed by interim statuses, and keeps the best outcome', () => {
    const wait = new OpenWait(sent(1));
    wait.takeAll([callback(1, 'SENT')]);
    expect(wait.open).toBe(1);
    wait.takeAll([callback(1, 'READ')]);
    wait.takeAll([callback(1, 'DELIVERED')]);
    wait.takeAll([callback(1, 'SENT')]);
    wait.takeAll([callback(1, 'EXPIRED')]);
    expect(wait.open).toBe(0);
    expect(wait.withReports([{ json: sent(1)[0] }])).toMatchObject([{ json: { status: 'READ' } }]);
  });

  it('is complete with the failure of a first channel only where nothing was sent', () => {
    const refused = { id: 1, request_id: 'r', type: 'viber', status: 'REJECTED', success: false };
    const queued = new OpenWait(sent(1, { type: 'viber+sms', msg_id: undefined, request_id: 'r' }));
    queued.takeAll([refused]);
    expect(queued.open).toBe(0);
    const accepted = new OpenWait(sent(1, { type: 'viber+sms' }));
    accepted.takeAll([{ ...refused, request_id: undefined }]);
    expect(accepted.open).toBe(1);
    // What names the request is about the request, and nothing of it was sent.
    accepted.takeAll([{ ...refused, msg_id: 1 }]);
    expect(accepted.open).toBe(0);
  });

  it('takes no `success` in an answer of status for that of the message', () => {
    const wait = new OpenWait(sent(1));
    const payload = { id: 1, success: true, status: 'SENT' };
    wait.learnAnswers(wait.nextInQuestion(9), [{ kind: 'known', payload }]);
    expect(wait.open).toBe(1);
  });

  it('has the open messages in question in turns, those that waited longest first', () => {
    const wait = new OpenWait(sent(5));
    const next = (count: number) => wait.nextInQuestion(count).map(({ id }) => id);
    expect(next(2)).toEqual([1, 2]);
    wait.takeAll([callback(3)]);
    expect(next(2)).toEqual([4, 5]);
    expect(next(3)).toEqual([1, 2, 4]);
    expect(next(100)).toEqual([5, 1, 2, 4]);
    for (const id of [1, 2, 4, 5]) wait.takeAll([callback(id)]);
    expect(next(100)).toEqual([]);
  });
});

describe('rows that are one message', () => {
  const rows = (): IDataObject[] => [0, 1, 2].flatMap(() => sent(2));

  it('are asked about once, and a callback that names it gives all of them the outcome', () => {
    const wait = new OpenWait(rows());
    expect(wait.open).toBe(2);
    expect(wait.nextInQuestion(9).map(({ id }) => id)).toEqual([1, 2]);
    expect(wait.takeAll([callback(2)])).toBe(true);
    const items = wait.withReports(rows().map((json) => ({ json })));
    expect(items.map(({ json }) => json.outcome)).toEqual(Array(3).fill(['unknown', 'delivered']).flat());
    expect(wait.open).toBe(1);
  });
});

describe('a fallback whose first channel failed', () => {
  beforeEach(() => jest.useFakeTimers({ now: 0 }));
  afterEach(() => jest.useRealTimers());

  const fallback = () => new OpenWait(sent(1, { type: 'viber+sms' }));
  const tell = (wait: OpenWait, payload: IDataObject): void => {
    wait.learnAnswers(wait.nextInQuestion(1), [{ kind: 'known', payload }]);
  };
  const outcome = (wait: OpenWait): IDataObject => {
    const items = sent(1, { type: 'viber+sms' }).map((json) => ({ json }));
    const { outcome: name, final, success } = wait.withReports(items)[0].json;
    return { outcome: name, final, success };
  };
  const FAILED = { outcome: 'failed', final: true, success: false };

  it.each([
    ['names it', { status: 'EXPIRED', type: 'viber' }],
    ['names no channel', { status: 'UNDELIVERABLE' }],
    ['names the type of the send', { status: 'UNDELIVERABLE', type: 'viber+sms' }],
    ['says REJECTED of it', { status: 'REJECTED', type: 'viber', msg_id: 7 }],
  ])('has failed if status, which %s, says nothing else for five minutes', (_, payload) => {
    const wait = fallback();
    tell(wait, payload);
    jest.setSystemTime(299_000);
    tell(wait, payload);
    expect([wait.open, outcome(wait)]).toEqual([1, { outcome: 'pending', final: false, success: false }]);
    jest.setSystemTime(300_000);
    tell(wait, payload);
    expect([wait.open, outcome(wait)]).toEqual([0, FAILED]);
  });

  it.each(['SENT', 'ZORBLE'])('has not failed where status says %s in between', (status) => {
    const wait = fallback();
    tell(wait, { status: 'EXPIRED', type: 'viber' });
    jest.setSystemTime(200_000);
    tell(wait, { status, type: 'sms' });
    jest.setSystemTime(600_000);
    tell(wait, { status: 'EXPIRED', type: 'viber' });
    expect(wait.open).toBe(1);
    tell(wait, { status: 'DELIVERED', type: 'sms' });
    expect(outcome(wait)).toMatchObject({ outcome: 'delivered', final: true });
  });

  it('has failed at once where the last channel did, or nothing was sent', () => {
    for (const payload of [
      { status: 'EXPIRED', type: 'sms' },
      { status: 'REJECTED', request_id: 'r' },
    ]) {
      const wait = fallback();
      tell(wait, payload);
      expect([wait.open, outcome(wait)]).toEqual([0, FAILED]);
    }
  });

  it('is not decided by callbacks alone, however late: status has the last word', () => {
    const wait = fallback();
    const callbackOf = { id: 1, type: 'viber', status: 'EXPIRED', success: false };
    wait.takeAll([callbackOf]);
    jest.setSystemTime(600_000);
    wait.takeAll([callbackOf]);
    expect(wait.open).toBe(1);
    tell(wait, { status: 'EXPIRED', type: 'viber' });
    expect([wait.open, outcome(wait)]).toEqual([0, FAILED]);
  });

  it('that a callback called the end of it has failed for another process too, which lacks the callback', () => {
    jest.setSystemTime(600_000);
    const [first, second] = [fallback(), fallback()];
    first.takeAll([{ id: 1, type: 'sms', status: 'UNDELIVERABLE', success: false }]);
    expect([first.open, outcome(first)]).toEqual([0, FAILED]);
    second.learnFailing(first.failing());
    tell(second, { status: 'UNDELIVERABLE' });
    expect(outcome(second)).toEqual(FAILED);
  });

  it('has failed for another process too, if status says it there once more', () => {
    const [first, second, third] = [fallback(), fallback(), fallback()];
    tell(first, { status: 'EXPIRED', type: 'viber' });
    jest.setSystemTime(300_000);
    for (const other of [second, third]) other.learnFailing(first.failing());
    tell(second, { status: 'EXPIRED', type: 'viber' });
    tell(third, { status: 'DELIVERED', type: 'sms' });
    expect(outcome(second)).toEqual(FAILED);
    expect(outcome(third)).toMatchObject({ outcome: 'delivered' });
  });
});

it('asks next about what an answer told nothing of, behind messages of which it did', () => {
  const wait = new OpenWait(sent(5));
  const asked = wait.nextInQuestion(4);
  const known = { kind: 'known', payload: { status: 'SENT' } } as const;
  const told = wait.learnAnswers(asked, [known, known, { kind: 'unclear' }, { kind: 'unclear' }]);
  wait.askNext(asked.length - told);
  expect([told, wait.nextInQuestion(3).map(({ id }) => id)]).toEqual([2, [3, 4, 5]]);
});
