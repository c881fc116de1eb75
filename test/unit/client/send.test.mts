/** The rules of sending one by one: what is asked, sent again, given up, and in how many requests. */
import type { Doubt, SendEntry } from '../../../nodes/gateway/client/send.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  absent,
  answering,
  isQuestion,
  json,
  knowing,
  messages,
  remembering,
  send,
  sendEntries,
  states,
  taken,
  times,
  waits,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

const refusing = (error: string) => (data: WireOperation[]) =>
  json({ success: true, data: data.map(({ id }) => ({ success: false, error, data: { id } })) });
const fault = refusing('Database error');
const LOST = json({}, 502);

/** A gateway that answers questions and sends in turn, the last answer again and again; counts the questions. */
function gatewayOf(
  sends: Array<(data: WireOperation[]) => Answer | NoAnswer>,
  questions: (data: WireOperation[]) => Answer | NoAnswer = absent,
) {
  let asked = 0;
  const gateway = answering((data, request) => {
    if (!isQuestion(data)) return sends[Math.min(request, sends.length) - 1](data);
    asked += 1;
    return questions(data);
  });
  return { gateway, sizes: () => gateway.requests.map(({ length }) => length), asked: () => asked };
}

describe('a refusal of one operation by a result of its own', () => {
  const mixed = knowing([1]);

  it('is asked about once, 2 s later, many in a request, and what status knows is accepted with a mark', async () => {
    const { gateway, sizes, asked } = gatewayOf([mixed], taken);
    const results = await send(gateway, messages(6), { batchSize: 6 });
    expect(results.slice(1)).toMatchObject(times(5, { state: 'accepted', duplicate: true }));
    expect([sizes(), asked(), waits]).toEqual([[6], 2, [2000]]);
  });

  it('is believed where status is not asked', async () => {
    for (const recovery of ['none', 'repeat'] as const) {
      const { gateway, sizes, asked } = gatewayOf([fault]);
      expect(states(await send(gateway, messages(2), { recovery }))).toEqual(times(2, 'refused'));
      expect([sizes(), asked()]).toEqual([[2], 0]);
    }
  });
});

describe('a message that status knows afterwards', () => {
  const refusal = () => json({ success: false, error: 'Zorble' });
  const lost = () => LOST;
  it.each<[string, boolean, reply: (data: WireOperation[]) => Answer, Partial<SendEntry>]>([
    ['was refused, all alike', true, fault, {}],
    ['was refused with its request', false, refusal, {}],
    ['was in a broken exchange', false, lost, {}],
    ['was in a broken exchange, with an id of the user', true, lost, { hasOwnId: true }],
    // With a key, `status` was asked before: what is refused and known all the same was sent by another run meanwhile.
    ['was refused, all alike, with a key', true, fault, { asksFirst: true }],
    ['was refused with its request, with a key', true, refusal, { asksFirst: true }],
    ['was in a broken exchange, with a key', false, lost, { asksFirst: true }],
  ])('%s, and is marked if it may be older: %s', async (_, isDuplicate, reply, more) => {
    const entries = messages(2).map((operation): SendEntry => ({ operation, ...more }));
    const { transport } = answering((data, sends) =>
      isQuestion(data) ? (sends > 0 ? taken : absent)(data) : reply(data),
    );
    const results = await sendEntries(entries, transport);
    const report = (id: number) => ({ state: 'accepted', report: { id, msg_id: 7 } });
    expect(results.map((all) => all.at(-1))).toEqual(
      [1, 2].map((id) => ({ ...report(id), ...(isDuplicate && { duplicate: true }) })),
    );
  });
});

describe('a refusal as a duplicate of what this execution may have sent', () => {
  const duplicate = refusing('Duplicate id');
  const whole = () => json({ success: false, error: 'MySQL server has gone away' });
  const answer = { state: 'unknown', problem: { text: 'Duplicate id' } };

  it('is unknown where status does not know it, and is sent no further', async () => {
    for (const [count, sizes] of [
      [1, [1]],
      [10, [10]],
    ] as const) {
      const { gateway } = gatewayOf([duplicate]);
      expect(await send(gateway, messages(count))).toMatchObject(times(count, answer));
      expect(gateway.requests.map(({ length }) => length)).toEqual(sizes);
    }
  });

  it('is no refusal of a request that was taken before, by a gateway whose status never says so', async () => {
    const { gateway, sizes } = gatewayOf([whole, duplicate]);
    expect(await send(gateway, messages(10))).toMatchObject(times(10, answer));
    expect(sizes()).toEqual([10, ...times(10, 1)]);
  });

  it('is one of an id that the user chose: an older message may have it', async () => {
    const { gateway } = gatewayOf([duplicate]);
    const results = await sendEntries([{ operation: messages(1)[0], hasOwnId: true }], gateway.transport);
    expect(results[0].at(-1)).toMatchObject({ state: 'refused', problem: { text: 'Duplicate id' } });
  });
});

describe('results that refuse all operations with the same words', () => {
  it('count as a refusal of the request: asked about, and sent again in parts', async () => {
    // In halves, and one by one from eight on.
    for (const [count, parts] of [
      [8, times(8, 1)],
      [9, [5, 4]],
    ] as const) {
      const gateway = remembering((data, request, take) => (request === 1 ? fault(data) : take()));
      const results = await send(gateway, messages(2 * count), { batchSize: count });
      expect(states(results)).toEqual(times(2 * count, 'accepted'));
      // Behind the refused request, and two that were taken after it.
      expect(gateway.requests.slice(3).map(({ length }) => length)).toEqual(parts);
    }
    const known = gatewayOf([fault], taken);
    expect(states(await send(known.gateway, messages(2)))).toEqual(times(2, 'accepted'));
    expect(known.sizes()).toEqual([2]);
  });
});

describe('requests', () => {
  it('carry a batch of operations each, one request at a time', async () => {
    let underWay = 0;
    for (const [count, expected] of [
      [0, []],
      [10, [10]],
      [31, [10, 10, 10, 1]],
    ] as const) {
      const { gateway, sizes } = gatewayOf([taken]);
      const { transport } = gateway;
      gateway.transport = async (...request) => {
        expect(underWay++).toBe(0);
        await new Promise(setImmediate);
        underWay -= 1;
        return await transport(...request);
      };
      expect(states(await send(gateway, messages(count)))).toEqual(times(count, 'accepted'));
      expect(sizes()).toEqual(expected);
    }
  });

  it('of a queue that are lost are unknown, and the others are sent', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST, () => json({ success: true, request_id: 'r' })]);
    const results = await send(gateway, messages(20), { endpoint: 'async' });
    expect(states(results)).toEqual([...times(10, 'unknown'), ...times(10, 'accepted')]);
    expect(sizes()).toEqual([10, 10]);
  });

  it('end where the gateway stays unreachable, within 15 s', async () => {
    const problem = { kind: 'unreachable', code: 'ECONNREFUSED' } as const;
    const { gateway } = gatewayOf([() => ({ kind: 'failure', problem, mayHaveArrived: false })]);
    expect(await send(gateway, messages(30))).toEqual(times(30, { state: 'notSent', problem }));
    expect(waits).toEqual([500, 1000, 2000, 4000]);
  });

  it('are made again as late as the gateway asks', async () => {
    const limited = () => json('', 429, { retryAfter: 3 });
    const { gateway } = gatewayOf([limited, limited, taken]);
    expect(states(await send(gateway, messages(1)))).toEqual(['accepted']);
    expect(waits).toEqual([3000, 3000]);
  });

  it('that are too large with one operation refuse it', async () => {
    const { gateway, sizes } = gatewayOf([() => json({}, 413)]);
    const refused = { state: 'refused', problem: { kind: 'http', status: 413 } };
    expect(await send(gateway, messages(2))).toMatchObject([refused, refused]);
    expect(sizes()).toEqual([2, 1, 1]);
  });

  it('that are rejected end the run', async () => {
    const { gateway, sizes } = gatewayOf([() => json({}, 401)]);
    const unsent = { state: 'notSent', problem: { kind: 'http', status: 401 } };
    expect(await send(gateway, messages(30))).toMatchObject(times(30, unsent));
    expect(sizes()).toEqual([10]);
  });

  it('do not shrink because one was lost', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST, taken], taken);
    await send(gateway, messages(300), { batchSize: undefined });
    expect(sizes()).toEqual([100, 100, 100]);
  });

  it('follow each other without a pause, also those that are sent again, unless one is set', async () => {
    await send(gatewayOf([taken]).gateway, messages(30));
    expect(waits).toEqual([]);
    await send(gatewayOf([taken]).gateway, messages(30), { pause: 300 });
    expect(waits).toEqual([300, 300]);
    waits.splice(0);
    const again = gatewayOf([() => LOST, () => LOST, taken]);
    await send(again.gateway, messages(4), { batchSize: 2, pause: 300 });
    // Between the four, and before each of the questions.
    expect(waits.filter((wait) => wait === 300)).toHaveLength(3 + again.asked());
  });

  it('that only read are made four times, after longer and longer pauses', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST]);
    const [result] = await send(gateway, messages(1), { recovery: 'repeat' });
    expect(result).toMatchObject({ state: 'notSent', problem: { kind: 'http', status: 502 } });
    expect(sizes()).toEqual([1, 1, 1, 1]);
    expect(waits).toEqual([500, 1000, 1500]);
  });
});

describe('three unclear requests in a row', () => {
  it('are found out, and the others go on where the gateway had taken them, as often as that happens', async () => {
    const { gateway, asked } = gatewayOf([() => LOST], taken);
    expect(states(await send(gateway, messages(14), { batchSize: 2 }))).toEqual(times(14, 'accepted'));
    expect(asked()).toBeGreaterThanOrEqual(3);
  });

  it('end the run with the last cause where it had not', async () => {
    const causes = [500, 502, 503].map((status) => () => json({}, status));
    const { gateway } = gatewayOf(causes, absent);
    const results = await send(gateway, messages(8), { batchSize: 2 });
    expect(results[7]).toMatchObject({ state: 'notSent', problem: { kind: 'http', status: 503 } });
    // Three, and once more what they held.
    expect(gateway.requests).toHaveLength(6);
  });

  it('end it as well where nothing can be asked', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST]);
    const results = await send(gateway, messages(8), { batchSize: 2, recovery: 'none' });
    expect(results.slice(6)).toMatchObject(times(2, { state: 'notSent', problem: { status: 502 } }));
    expect(sizes()).toEqual([2, 2, 2]);
  });
});

describe('what an earlier try left', () => {
  const doubt: Doubt = { kind: 'lost', leftAt: 0 };
  it('is unknown first and asked about at the end, while the rest is sent', async () => {
    const requests: string[] = [];
    const entries = messages(3).map((operation): SendEntry => ({ operation }));
    entries[1].doubt = { ...doubt };
    const { transport } = answering((data) => {
      requests.push(data.map(({ type, id }) => `${type} ${String(id)}`).join());
      return taken(data);
    });
    const results = await sendEntries(entries, transport);
    // The control has an id that nobody sends; a message that was taken shows whether `status` can tell.
    expect(requests).toEqual(['sms 1,sms 3', expect.stringMatching(/^status 2,status \d{16},status 1$/)]);
    const accepted = (id: number) => ({ state: 'accepted', payload: { id, msg_id: 7 } });
    const report = { id: 2, msg_id: 7 };
    const unknown = {
      state: 'unknown',
      problem: { kind: 'unknownOutcome' },
      doubt: { ...doubt, waited: 500 },
    };
    expect(results).toEqual([[accepted(1)], [unknown, { state: 'accepted', report }], [accepted(3)]]);
  });
});

describe('a stop', () => {
  it('leaves open what waits for status, and refuses what only had to be recognised', async () => {
    const { gateway } = gatewayOf([refusing('Zorble'), () => LOST]);
    const stopped = () => gateway.requests.length >= 2;
    expect(await send(gateway, messages(2), { batchSize: 1 }, { stopped })).toMatchObject([
      { state: 'refused', problem: { text: 'Zorble' } },
      { state: 'unknown', problem: { kind: 'http', status: 502 } },
    ]);
    expect(gateway.requests).toHaveLength(2);
  });

  it('ends the tries of a request, and names itself as the reason', async () => {
    const { gateway } = gatewayOf([() => json({}, 429)]);
    const stopped = () => gateway.requests.length >= 2;
    expect(await send(gateway, messages(1), {}, { stopped })).toEqual([
      { state: 'notSent', problem: { kind: 'cancelled' } },
    ]);
    expect(gateway.requests).toHaveLength(2);
  });
});
