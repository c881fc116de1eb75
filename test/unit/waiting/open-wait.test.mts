import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { WaitMemory } from '../../../nodes/MessagingGateway/waiting/memory.ts';
import { OpenWait } from '../../../nodes/MessagingGateway/waiting/open-wait.ts';

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
  success: status === 'DELIVERED',
});

describe('what one process knows of a wait', () => {
  it('is complete when each message has its final outcome, in whatever order and however often it is told', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }).chain((count) =>
          fc.tuple(
            fc.constant(count),
            fc.shuffledSubarray(
              Array.from({ length: 3 * count }, (_, i) => i % count),
              { minLength: 3 * count },
            ),
          ),
        ),
        ([count, order]) => {
          const wait = new OpenWait(sent(count));
          const told = new Set<number>();
          for (const i of order) {
            expect(wait.complete).toBe(told.size === count);
            expect(wait.take(callback(i + 1))).toBe(true);
            told.add(i);
          }
          expect(wait.complete).toBe(true);
          expect([...wait.reports().keys()].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
        },
      ),
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
    expect(wait.missing().map(({ position }) => position)).toEqual([1]);
    wait.take(callback(1));
    expect(wait.complete).toBe(true);
  });

  it.each([
    ['id as number', { id: 2 }],
    ['id as text', { id: '2' }],
    ['msg_id alone', { msg_id: '1001' }],
  ])('finds a message by %s', (_, names) => {
    const wait = new OpenWait(sent(2));
    expect(wait.take({ ...names, status: 'DELIVERED', success: true })).toBe(true);
    expect(wait.missing().map(({ id }) => id)).toEqual([1]);
  });

  it('finds a message by its request only where the request held no other', () => {
    const event = { request_id: 'r', status: 'REJECTED', success: false };
    const alone = new OpenWait(sent(1, { request_id: 'r' }));
    expect(alone.take(event)).toBe(true);
    expect(alone.complete).toBe(true);
    const batch = new OpenWait(sent(2, { request_id: 'r' }));
    expect(batch.take(event)).toBe(false);
    expect(batch.missing()).toHaveLength(2);
  });

  it.each([
    ['another id', { id: 99 }],
    ['another id, although the msg_id fits', { id: 99, msg_id: 1000 }],
    ['a prototype key', { id: '__proto__' }],
    ['no name at all', {}],
  ])('takes no callback with %s', (_, names) => {
    const wait = new OpenWait(sent(2));
    expect(wait.take({ ...names, status: 'DELIVERED', success: true })).toBe(false);
    expect(wait.missing()).toHaveLength(2);
  });

  it('is not completed by interim statuses, and keeps the best outcome', () => {
    const wait = new OpenWait(sent(1));
    wait.take(callback(1, 'SENT'));
    expect(wait.complete).toBe(false);
    wait.take(callback(1, 'READ'));
    wait.take(callback(1, 'DELIVERED'));
    wait.take(callback(1, 'SENT'));
    wait.take(callback(1, 'EXPIRED'));
    expect(wait.complete).toBe(true);
    expect(wait.reports().get(0)).toMatchObject({ status: 'READ' });
  });

  it('waits for the last channel of a fallback send', () => {
    const wait = new OpenWait(sent(1, { type: 'rcs+viber+sms' }));
    for (const type of ['rcs', 'viber']) wait.take({ id: 1, type, status: 'EXPIRED', success: false });
    expect(wait.complete).toBe(false);
    wait.take({ id: 1, type: 'sms', status: 'EXPIRED', success: false });
    expect(wait.complete).toBe(true);
  });
});

describe('when the gateway is asked', () => {
  const asked = (wait: OpenWait, events: number, know: number): number => {
    let questions = 0;
    for (let i = 0; i < events; i++) {
      wait.take(callback(i + 1));
      if (wait.complete || !wait.shouldAsk()) continue;
      wait.questionStarts();
      questions += wait.missing().length;
      // The answers tell of as many others as callbacks came: half of the messages had theirs elsewhere.
      for (const message of wait.missing().slice(-know)) wait.learn(message, callback(Number(message.id)));
    }
    return questions;
  };

  it('is asked at the first callback in a process that did not send', () => {
    const wait = new OpenWait(sent(100));
    wait.take(callback(1));
    expect(wait.shouldAsk()).toBe(true);
    wait.questionStarts();
    wait.take(callback(2));
    expect(wait.shouldAsk()).toBe(false);
  });

  it('is asked for a few times the number of messages at most, not for its square', () => {
    const wait = new OpenWait(sent(5000));
    wait.asked = true;
    expect(asked(wait, 4999, 0)).toBeLessThan(5000 * 5);
  });

  it('is asked at every callback when one message is missing', () => {
    const wait = new OpenWait(sent(3));
    wait.asked = true;
    wait.take(callback(1));
    wait.take(callback(2));
    expect(wait.shouldAsk()).toBe(true);
  });

  it('is not asked for interim or repeated callbacks, nor while a question is under way', () => {
    const wait = new OpenWait(sent(2));
    wait.asked = true;
    wait.take(callback(1, 'SENT'));
    expect(wait.shouldAsk()).toBe(false);
    wait.take(callback(1));
    wait.asking = Promise.resolve();
    expect(wait.shouldAsk()).toBe(false);
    wait.asking = undefined;
    wait.questionStarts();
    wait.take(callback(1));
    expect(wait.shouldAsk()).toBe(false);
  });
});

it('lets one of several simultaneous callbacks resume, and another one later if n8n did not', () => {
  const wait = new OpenWait(sent(1));
  expect([wait.claimResumption(1000), wait.claimResumption(1001), wait.claimResumption(60_000)]).toEqual([
    true,
    false,
    true,
  ]);
});

it('remembers a bounded number of messages, the newest', () => {
  const memory = new WaitMemory(10);
  for (const key of ['a', 'b', 'c']) memory.set(key, new OpenWait(sent(4)));
  expect(['a', 'b', 'c'].map((key) => memory.get(key) !== undefined)).toEqual([false, true, true]);
  memory.set('huge', new OpenWait(sent(50)));
  expect(['b', 'c', 'huge'].map((key) => memory.get(key) !== undefined)).toEqual([false, false, true]);
  memory.forget('huge');
  for (const key of ['d', 'e']) memory.set(key, new OpenWait(sent(4)));
  expect(['d', 'e'].map((key) => memory.get(key) !== undefined)).toEqual([true, true]);
});
