/** What the client does where it is not certain what became of a request, and with refusals that hide it. */
import type { Doubt, SendSettings } from '../../../nodes/gateway/client/send.ts';
import type { NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import type { ScriptedGateway } from '../../support/send-client.mts';
import {
  absent,
  answering,
  clock,
  isQuestion,
  json,
  knowing,
  messages,
  remembering,
  send,
  states,
  taken,
  times,
  waits,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

describe('what may have been taken', () => {
  it('is sent again once, when the gateway does not have it 30 seconds later', async () => {
    const gateway = answering((data) => (isQuestion(data) ? absent(data) : json({}, 502)));
    const results = await send(gateway, messages(2));
    // Twice lost, and certainly not taken.
    expect(states(results)).toEqual(times(2, 'notSent'));
    expect(gateway.requests).toHaveLength(2);
    // Asked for 30 seconds after each of the two, less and less often.
    expect(waits).toEqual([500, 2000, 4000, 8000, 8000, 7500, 8000, 8000, 8000, 6000]);
  });

  it('is never sent again once a request ran into a time limit, in a later try neither', async () => {
    const gateway = answering((data) => (isQuestion(data) ? absent(data) : json({}, 504)));
    expect(await send(gateway, messages(1))).toMatchObject([{ state: 'unknown', doubt: { kind: 'late' } }]);
    expect(gateway.requests).toHaveLength(1);
    const doubt: Doubt = { kind: 'late', leftAt: 0 };
    expect(await send(gateway, messages(1), {}, { doubt })).toMatchObject([{ state: 'unknown', doubt }]);
    expect(gateway.requests).toHaveLength(1);
  });

  it.each([
    ['is sent again twelve hours after it was lost', 0, 'accepted', 1],
    ['stays unknown after that, since the gateway may have forgotten it', 1, 'unknown', 0],
  ])('%s', async (_, later, state, requests) => {
    const gateway = answering((data) => (isQuestion(data) ? absent(data) : taken(data)));
    // The clock begins at 1,000,000 ms.
    const doubt: Doubt = { kind: 'lost', leftAt: 1_000_000 - 12 * 3_600_000 - later };
    expect(states(await send(gateway, messages(1), {}, { doubt }))).toEqual([state]);
    expect(gateway.requests).toHaveLength(requests);
  });

  it('is not sent again as one of the types of which status may know nothing', async () => {
    for (const type of ['call/otp', 'pipeline'] as const) {
      const gateway = answering((data) => (isQuestion(data) ? absent(data) : json({}, 502)));
      expect(states(await send(gateway, [{ ...messages(1)[0], type }]))).toEqual(['unknown']);
      expect(gateway.requests).toHaveLength(1);
    }
  });

  it('is sent again as a pipeline where status knew another one of this run', async () => {
    const gateway = answering((data, request) => {
      if (!isQuestion(data)) return request < 3 ? json({}, 502) : taken(data);
      return request === 2 ? knowing([1])(data) : absent(data);
    });
    const operations = messages(2).map((operation) => ({ ...operation, type: 'pipeline' as const }));
    const results = await send(gateway, operations, { batchSize: 1 });
    expect(states(results)).toEqual(times(2, 'accepted'));
    expect(gateway.requests.map(([{ id }]) => id)).toEqual([1, 2, 2]);
  });

  it.each([
    [120, 'waited for', true],
    [121, 'left alone', false],
  ])('stays unknown where the gateway asks for patience: for %i s it is %s', async (seconds, _, isAsked) => {
    const limited = json('', 429, { retryAfter: seconds });
    const gateway = answering((data) => (isQuestion(data) ? limited : json({}, 502)));
    const transport = jest.spyOn(gateway, 'transport');
    expect(states(await send(gateway, messages(1)))).toEqual(['unknown']);
    expect(transport.mock.calls.length > 2).toBe(isAsked);
    expect(waits.includes(1000 * seconds)).toBe(isAsked);
  });

  it('stays unknown when the run is halted or stopped', async () => {
    const expected = [...times(2, 'unknown'), ...times(2, 'notSent')];
    const denied = json({ success: false, error: 'Access denied' });
    const halted = answering((data, request) => (isQuestion(data) || request > 1 ? denied : json({}, 502)));
    expect(states(await send(halted, messages(4), { batchSize: 2 }))).toEqual(expected);
    const lost = answering(() => json({}, 502));
    const stopped = () => lost.requests.length > 0;
    expect(states(await send(lost, messages(4), { batchSize: 2 }, { stopped }))).toEqual(expected);
  });

  it('costs no waiting to the other batches', async () => {
    const order: string[] = [];
    const gateway = answering((data, request) => {
      order.push(isQuestion(data) ? 'question' : `batch ${request}`);
      return request === 1 && !isQuestion(data) ? json({}, 502) : taken(data);
    });
    await send(gateway, messages(12), { batchSize: 4 });
    expect(order).toEqual(['batch 1', 'batch 2', 'batch 3', 'question', 'question']);
  });
});

it('a refusal as a duplicate counts as accepted for an id that this execution sent and status knows, without a mark', async () => {
  const gateway = answering((data, request) => {
    if (isQuestion(data)) return request === 1 ? absent(data) : taken(data);
    if (request === 1) return json({}, 502);
    return json({ success: true, data: [{ success: false, error: 'Duplicate id', data: { id: 1 } }] });
  });
  expect(await send(gateway, messages(1))).toEqual([{ state: 'accepted', report: { id: 1, msg_id: 7 } }]);
});

describe('a request that is refused as a whole', () => {
  it('costs a few more requests for one bad operation, and does not shrink the batches', async () => {
    const gateway = remembering((data, _, take) =>
      data.some(({ id }) => id === 5050) ? json({ success: false, error: 'Zorble' }) : take(),
    );
    const results = await send(gateway, messages(10_000), { batchSize: 100 });
    expect(states(results).filter((state) => state !== 'accepted')).toEqual(['refused']);
    expect(gateway.requests.length).toBeLessThan(120);
  });

  it.each([
    ['at once by the gateway', 'sync', 2500],
    ['after 30 seconds by a queue, which works on after its answer', 'async', 30_000],
  ] as const)('is certain %s', async (_, endpoint, time) => {
    const gateway = answering((data) =>
      isQuestion(data) ? absent(data) : json({ success: false, error: 'Zorble' }),
    );
    expect(states(await send(gateway, messages(1), { endpoint }))).toEqual(['refused']);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(time);
  });
});

describe('automatic batches', () => {
  const sizes = (gateway: ScriptedGateway) => gateway.requests.map(({ length }) => length);
  const automatic: Partial<SendSettings> = { batchSize: undefined };

  it('halve when the gateway is slow, or ran into the time limit, and do not grow when it is neither', async () => {
    const pace = [100, 5000, 2000, 100];
    const slow = answering((data) => {
      clock.now += pace.shift() ?? 100;
      return taken(data);
    });
    await send(slow, messages(1000), automatic);
    expect(sizes(slow).slice(0, 4)).toEqual([100, 400, 200, 200]);
    const late: NoAnswer = { kind: 'failure', problem: { kind: 'timeout' }, mayHaveArrived: true };
    const limited = answering((data) => (isQuestion(data) || data.length <= 200 ? taken(data) : late));
    await send(limited, messages(1100), automatic);
    expect(sizes(limited).slice(0, 4)).toEqual([100, 400, 200, 400]);
  });

  it('keep below what the gateway finds too large', async () => {
    const gateway = answering((data) => (data.length > 250 ? json({}, 413) : taken(data)));
    expect(states(await send(gateway, messages(3000), automatic))).toEqual(times(3000, 'accepted'));
    expect(sizes(gateway).filter((size) => size > 250).length).toBeLessThanOrEqual(2);
  });
});

it('a run asks for nothing 500 times at most, however much is in doubt', async () => {
  const gateway = answering((data) =>
    isQuestion(data) ? json({ success: false, error: 'Zorble' }) : json({}, 502),
  );
  const transport = jest.spyOn(gateway, 'transport');
  const results = await send(gateway, messages(2000), { batchSize: 1000 });
  expect(new Set(states(results))).toEqual(new Set(['unknown']));
  const asked = transport.mock.calls.length - gateway.requests.length;
  expect(asked).toBeGreaterThan(400);
  expect(asked).toBeLessThanOrEqual(533);
});

it('every good one of 10,000 rows is sent within ten minutes where 1 in 20 has its whole request refused', async () => {
  const isBad = ({ id }: WireOperation) => Number(id) % 20 === 7;
  const gateway = remembering((data, _, take) =>
    data.some(isBad) ? json({ success: false, error: 'Zorble' }) : take(),
  );
  const transport = jest.spyOn(gateway, 'transport');
  const results = await send(gateway, messages(10_000), { batchSize: 1000 });
  const expected = messages(10_000).map((operation) => (isBad(operation) ? 'refused' : 'accepted'));
  expect(states(results)).toEqual(expected);
  expect([...gateway.accepted.values()].every((count) => count === 1)).toBe(true);
  const milliseconds = waits.reduce((sum, wait) => sum + wait, 0) + 50 * transport.mock.calls.length;
  expect(milliseconds).toBeLessThan(600_000);
});
