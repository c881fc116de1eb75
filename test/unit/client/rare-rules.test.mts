/**
 * Rows of the client's table that a simulation meets too seldom to notice a change of them: what a user would see of each,
 * through the loop, against a gateway whose requests and takes are counted.
 */
import type { RowState } from '../../../nodes/gateway/client/row.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  absent,
  answering,
  isQuestion,
  json,
  knowing,
  messages,
  refusing,
  send,
  states,
  taken,
  times,
  waits,
  whole,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

type Reply = (data: WireOperation[]) => Answer | NoAnswer;

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
const down: Reply = () => json('', 503);
/** What `status` says of messages that it has in some state; controls aren't there. */
const inState = (status: string) => (data: WireOperation[]) =>
  json({
    success: true,
    data: data.map(({ id }) =>
      Number(id) > 1000
        ? { success: false, error: 'none', data: { id } }
        : { success: true, data: { id, type: 'sms', status } },
    ),
  });

/** A gateway that answers sends in turn, the last answer again and again, and questions alike. */
const gatewayOf = (sends: Reply[], status: Reply) =>
  answering((data, request) =>
    isQuestion(data) ? status(data) : sends[Math.min(request, sends.length) - 1](data),
  );

describe('what an earlier try sent, and left as not sent', () => {
  const before: RowState = {
    is: 'notSent',
    problem: { kind: 'http', status: 403 },
    past: { left: true },
  };

  it('leaves once the gateway has said twice that it does not have it, two seconds apart', async () => {
    const gateway = gatewayOf([taken], absent);
    expect(states(await send(gateway, messages(3), {}, { before }))).toEqual(times(3, 'accepted'));
    expect([gateway.requests.length, sum(waits)]).toEqual([1, 2000]);
  });

  it('never leaves where the gateway has it, or does not tell', async () => {
    const there = gatewayOf([taken], knowing([1, 2, 3]));
    expect(states(await send(there, messages(3), {}, { before }))).toEqual(times(3, 'accepted'));
    const silent = gatewayOf([taken], down);
    expect(states(await send(silent, messages(3), {}, { before }))).toEqual(times(3, 'notSent'));
    expect([there.requests, silent.requests]).toEqual([[], []]);
  });
});

describe('what an earlier try left refused', () => {
  const before: RowState = {
    is: 'refused',
    problem: { kind: 'item', text: 'Zorble', wireType: 'sms' },
    past: { left: true },
  };

  it('stays refused, in its words, where the gateway has it in a state of its own, or does not tell', async () => {
    for (const status of [inState('STOPLIST'), inState('EXPIRED'), down]) {
      const gateway = gatewayOf([taken], status);
      const found = await send(gateway, messages(2), {}, { before });
      expect(found).toMatchObject(times(2, { is: 'refused', problem: { text: 'Zorble' } }));
      expect(gateway.requests).toEqual([]);
    }
  });

  it('leaves where the gateway does not have it, or calls it REJECTED', async () => {
    for (const status of [absent, inState('REJECTED')]) {
      const gateway = gatewayOf([taken], status);
      expect(states(await send(gateway, messages(2), {}, { before }))).toEqual(times(2, 'accepted'));
      expect(gateway.requests).toHaveLength(1);
    }
  });
});

it('what is refused as a duplicate of itself is only called refused where the gateway lacks it, and never leaves again', async () => {
  for (const [status, state] of [
    [absent, 'refused'],
    [down, 'unknown'],
  ] as const) {
    const gateway = gatewayOf([refusing('Duplicate id')], status);
    expect(states(await send(gateway, messages(1)))).toEqual([state]);
    expect(gateway.requests).toHaveLength(1);
  }
  const gateway = gatewayOf([refusing('Duplicate id')], inState('DELIVERED'));
  expect(await send(gateway, messages(1))).toMatchObject([{ is: 'accepted', duplicate: true }]);
});

describe('a request that is refused in words', () => {
  it('leaves in parts where the gateway has nothing of it, and each row has the words in the end', async () => {
    const gateway = gatewayOf([whole('Zorble')], absent);
    const found = await send(gateway, messages(4), { batchSize: 4 });
    expect(found).toMatchObject(times(4, { is: 'refused', problem: { text: 'Zorble' } }));
    expect(gateway.requests.map(({ length }) => length)).toEqual([4, 1, 1, 1, 1]);
  });

  it('is not overruled by a state that says no more than that the gateway has it', async () => {
    for (const status of ['STOPLIST', 'EXPIRED']) {
      const gateway = gatewayOf([whole('Zorble')], inState(status));
      const found = await send(gateway, messages(4), { batchSize: 4 });
      expect(found).toMatchObject(times(4, { is: 'refused', report: { status } }));
      expect(gateway.requests).toHaveLength(1);
    }
  });
});

describe('a queue', () => {
  const settings = { endpoint: 'async', batchSize: 2 } as const;
  const receipt: Reply = () => json({ success: true, request_id: 'r' });

  it('that refuses in words may have begun: nothing is called refused or sent again for what it does not have yet', async () => {
    for (const status of [absent, down]) {
      const gateway = gatewayOf([whole('Queue is full')], status);
      expect(states(await send(gateway, messages(2), settings))).toEqual(times(2, 'unknown'));
      expect(gateway.requests).toHaveLength(1);
    }
  });

  it('that refuses in words may have what status has in a state of its own, whatever that means', async () => {
    const gateway = gatewayOf([whole('Zorble')], inState('STOPLIST'));
    expect(states(await send(gateway, messages(2), settings))).toEqual(times(2, 'unknown'));
  });

  it('with a code without words in front gets it in parts, after half a minute', async () => {
    const gateway = gatewayOf([() => json('', 413), receipt], absent);
    expect(states(await send(gateway, messages(2), settings))).toEqual(times(2, 'accepted'));
    expect(gateway.requests.map(({ length }) => length)).toEqual([2, 1, 1]);
    expect(sum(waits)).toBeGreaterThanOrEqual(30_000);
  });

  it('with such a code is not called "not sent" as long as nothing is known', async () => {
    const gateway = gatewayOf([() => json('', 413)], down);
    expect(states(await send(gateway, messages(2), settings))).toEqual(times(2, 'unknown'));
    expect(gateway.requests).toHaveLength(1);
  });
});
