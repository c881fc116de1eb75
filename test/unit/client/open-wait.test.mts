import fc from '../../support/generated.mts';
import type { IDataObject } from 'n8n-workflow';

import type { Transport } from '../../../nodes/gateway/client/transport.ts';
import { OpenWait } from '../../../nodes/gateway/client/open-wait.ts';

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

const answerOf = (body: object) => ({
  kind: 'answer' as const,
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
});
const answerWith = (data: object[]) => answerOf({ success: true, data });

/** The ids of the messages that are open, in the order in which they are asked about. */
async function openIn(wait: OpenWait): Promise<unknown[]> {
  let open: unknown[] = [];
  await wait.ask(async (_, operations) => {
    open = operations.map(({ id }) => id);
    return await Promise.resolve(answerWith(operations.map(() => ({ success: false, error: 'Not found' }))));
  }, Infinity);
  return open;
}

/** Has `status` say the same of each open message. */
async function tell(wait: OpenWait, payload: IDataObject): Promise<void> {
  const transport: Transport = async (_, operations) =>
    await Promise.resolve(
      answerWith(operations.map(({ id }) => ({ success: true, data: { id, ...payload } }))),
    );
  await wait.ask(transport, Infinity);
}

describe('what one process knows of a wait', () => {
  it('is the final outcome of each message that it was told of, in whatever order and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }), (order) => {
        const wait = new OpenWait(sent(5));
        const told = new Set<unknown>();
        for (const id of order) {
          expect(wait.takeAll([callback(id)])).toBe(true);
          expect(wait.openCount).toBe(5 - told.add(id).size);
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
    expect(wait.openCount).toBe(1);
    wait.takeAll([callback(1)]);
    expect(wait.openCount).toBe(0);
  });

  it.each<[string, object, number[]]>([
    ['id as number', { id: 2 }, [1]],
    ['id as text', { id: '2' }, [1]],
    ['msg_id alone', { msg_id: '1001' }, [1]],
    ['another id', { id: 99 }, [1, 2]],
    ['another id, although the msg_id fits', { id: 99, msg_id: 1000 }, [1, 2]],
    ['a prototype key', { id: '__proto__' }, [1, 2]],
    ['no name at all', {}, [1, 2]],
  ])('takes a callback with %s or not', async (_, names, open) => {
    const wait = new OpenWait(sent(2));
    expect(wait.takeAll([{ ...names, status: 'DELIVERED', success: true }])).toBe(open.length === 1);
    expect(await openIn(wait)).toEqual(open);
  });

  it('finds a message by its request only where the request held no other', () => {
    const event = { request_id: 'r', status: 'REJECTED', success: false };
    const [alone, batch] = [1, 2].map((count) => new OpenWait(sent(count, { request_id: 'r' })));
    expect([alone.takeAll([event]), alone.openCount]).toEqual([true, 0]);
    expect([batch.takeAll([event]), batch.openCount]).toEqual([false, 2]);
  });

  it('is not completed by interim statuses, and keeps the best outcome', () => {
    const wait = new OpenWait(sent(1));
    wait.takeAll([callback(1, 'SENT')]);
    expect(wait.openCount).toBe(1);
    wait.takeAll([callback(1, 'READ')]);
    wait.takeAll([callback(1, 'DELIVERED')]);
    wait.takeAll([callback(1, 'SENT')]);
    wait.takeAll([callback(1, 'EXPIRED')]);
    expect(wait.openCount).toBe(0);
    expect(wait.withReports([{ json: sent(1)[0] }])).toMatchObject([{ json: { status: 'READ' } }]);
  });

  it('is complete with the failure of a first channel only where nothing was sent', () => {
    const refused = { id: 1, request_id: 'r', type: 'viber', status: 'REJECTED', success: false };
    const queued = new OpenWait(sent(1, { type: 'viber+sms', msg_id: undefined, request_id: 'r' }));
    queued.takeAll([refused]);
    expect(queued.openCount).toBe(0);
    const accepted = new OpenWait(sent(1, { type: 'viber+sms' }));
    accepted.takeAll([refused]);
    expect(accepted.openCount).toBe(1);
  });

  it('takes no `success` in an answer of status for that of the message', async () => {
    const wait = new OpenWait(sent(1));
    await tell(wait, { id: 1, success: true, status: 'SENT' });
    expect(wait.openCount).toBe(1);
  });
});

describe('rows that are one message', () => {
  const rows = (): IDataObject[] => [0, 1, 2].flatMap(() => sent(2));

  it('are asked about once, and a callback that names it gives all of them the outcome', async () => {
    const wait = new OpenWait(rows());
    expect(await openIn(wait)).toEqual([1, 2]);
    expect(wait.takeAll([callback(2)])).toBe(true);
    const items = wait.withReports(rows().map((json) => ({ json })));
    expect(items.map(({ json }) => json.outcome)).toEqual(Array(3).fill(['unknown', 'delivered']).flat());
    expect(wait.openCount).toBe(1);
  });
});

describe('a fallback whose first channel failed', () => {
  const outcomeAfter = async (payloads: IDataObject[], more: IDataObject = {}) => {
    const items = sent(1, { type: 'viber+sms', ...more });
    const wait = new OpenWait(items);
    for (const payload of payloads) await tell(wait, payload);
    const { outcome, final } = wait.withReports(items.map((json) => ({ json })))[0].json;
    return [outcome, final];
  };

  it.each([
    ['names it', { status: 'EXPIRED', type: 'viber' }],
    ['names no channel', { status: 'UNDELIVERABLE' }],
    ['names the type of the send', { status: 'UNDELIVERABLE', type: 'viber+sms' }],
    ['says REJECTED of it', { status: 'REJECTED', type: 'viber', msg_id: 7 }],
  ])('is waited for where status %s, since the next channel may deliver', async (_, payload) => {
    expect(await outcomeAfter([payload, payload])).toEqual(['pending', false]);
    expect(await outcomeAfter([payload, { status: 'DELIVERED', type: 'sms' }])).toEqual(['delivered', true]);
  });

  it('has failed at once where the last channel did, or nothing was sent', async () => {
    expect(await outcomeAfter([{ status: 'EXPIRED', type: 'sms' }])).toEqual(['failed', true]);
    const refused = [{ status: 'REJECTED', request_id: 'r' }];
    expect(await outcomeAfter(refused, { msg_id: undefined })).toEqual(['failed', true]);
  });
});

it('puts out nothing as pending that n8n passes on by itself, and says why; a wake takes that back', async () => {
  const items = sent(3, { outcome: 'pending', status: 'ACCEPTED' }).map((json) => ({ json }));
  const wait = new OpenWait(items.map(({ json }) => json));
  wait.takeAll([callback(1)]);
  const left = wait.asLeft(wait.withReports(items), 'Because');
  expect(left.map(({ json: { outcome, reason } }) => [outcome, reason])).toEqual([
    ['delivered', undefined],
    ['unknown', 'Because'],
    ['unknown', 'Because'],
  ]);
  await tell(wait, { status: 'READ' });
  for (const { json } of wait.withReports(left).slice(1)) {
    expect(json).toMatchObject({ outcome: 'read', status: 'READ' });
    expect(json).not.toHaveProperty('reason');
  }
});
