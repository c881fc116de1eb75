/** The loop that sends, asks and waits: what leaves, how often, in how many requests, and after how long. */
import type { Row } from '../../../nodes/gateway/client/row.ts';
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
  remembering,
  rowOf,
  send,
  sendRows,
  states,
  taken,
  times,
  waits,
  whole,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

const LOST = json({}, 502);
const lost = () => LOST;

/** A gateway that answers questions and sends in turn, the last answer again and again; counts the questions. */
function gatewayOf(
  sends: Array<(data: WireOperation[]) => Answer | NoAnswer>,
  questions: (data: WireOperation[], question: number) => Answer | NoAnswer = absent,
) {
  let asked = 0;
  const gateway = answering((data, request) => {
    if (!isQuestion(data)) return sends[Math.min(request, sends.length) - 1](data);
    asked += 1;
    return questions(data, asked);
  });
  return { gateway, sizes: () => gateway.requests.map(({ length }) => length), asked: () => asked };
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

describe('the ordinary price', () => {
  const price = async (rows: number, ...gateway: Parameters<typeof gatewayOf>) => {
    waits.splice(0);
    const { gateway: made, sizes, asked } = gatewayOf(...gateway);
    const found = await send(made, messages(rows), { batchSize: undefined });
    return { kinds: new Set(states(found)), requests: sizes().length + asked(), waitedMs: sum(waits) };
  };

  it('of a row that is fine is one request', async () => {
    expect(await price(1, [taken])).toEqual({ kinds: new Set(['accepted']), requests: 1, waitedMs: 0 });
  });

  it('of a row that is refused in words of the contract is one request and no wait', async () => {
    const refused = { kinds: new Set(['refused']), requests: 1, waitedMs: 0 };
    expect(await price(1, [refusing('Error in Alpha-name')])).toEqual(refused);
    expect(await price(50, [refusing('Error in Alpha-name')])).toEqual(refused);
  });

  it('of a row that is refused in other words is two requests and two seconds', async () => {
    const refused = { kinds: new Set(['refused']), requests: 2, waitedMs: 2000 };
    expect(await price(1, [refusing('Number is barred')])).toEqual(refused);
    expect(await price(1, [whole('Number is barred')])).toEqual(refused);
  });

  it('of a row in doubt that was taken is a question half a second later', async () => {
    expect(await price(1, [lost], taken)).toEqual({
      kinds: new Set(['accepted']),
      requests: 2,
      waitedMs: 500,
    });
  });

  it('of a row in doubt that was not taken is half a minute', async () => {
    expect(await price(1, [lost, taken])).toMatchObject({ kinds: new Set(['accepted']), waitedMs: 30_000 });
  });

  it('of 1,000 rows with 30 refused is one question', async () => {
    const bad = (id: unknown) => Number(id) % 33 === 0;
    const { gateway, sizes, asked } = gatewayOf([
      (data) =>
        json({
          success: true,
          data: data.map(({ id }) =>
            bad(id) ? { success: false, error: 'No', data: { id } } : { success: true },
          ),
        }),
    ]);
    await send(gateway, messages(1000), { batchSize: undefined });
    expect([sizes().length, asked(), sum(waits)]).toEqual([3, 1, 2000]);
  });

  it('of 1,000 rows whose requests are refused for 30 bad ones is 15 seconds at most', async () => {
    const gateway = remembering((data, _, take) =>
      data.some(({ id }) => Number(id) % 33 === 0) ? whole('Invalid phone')() : take(),
    );
    const found = await send(gateway, messages(1000), { batchSize: undefined });
    expect(states(found).filter((is) => is === 'refused')).toHaveLength(30);
    expect(states(found).filter((is) => is === 'accepted')).toHaveLength(970);
    expect(sum(waits)).toBeLessThanOrEqual(15_000);
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

  it('follow each other without a pause, unless one is set: then also questions', async () => {
    await send(gatewayOf([taken]).gateway, messages(30));
    expect(waits).toEqual([]);
    const { gateway, asked } = gatewayOf([lost, lost, taken], absent);
    await send(gateway, messages(4), { batchSize: 2, pauseMs: 300 });
    expect(waits.filter((wait) => wait === 300)).toHaveLength(gateway.requests.length - 1 + asked());
  });

  it('end where the gateway stays unreachable, within 15 s, and nothing is in question', async () => {
    const problem = { kind: 'unreachable', code: 'ECONNREFUSED' } as const;
    const { gateway, asked } = gatewayOf([() => ({ kind: 'failure', problem, mayHaveArrived: false })]);
    const found = await send(gateway, messages(30));
    expect(found).toEqual(times(30, { is: 'notSent', problem, past: {} }));
    expect([waits, asked()]).toEqual([[500, 1000, 2000, 4000], 0]);
  });

  it('end with a refused key', async () => {
    const { gateway, sizes } = gatewayOf([whole('Access denied')]);
    expect(states(await send(gateway, messages(30)))).toEqual(times(30, 'notSent'));
    expect(sizes()).toEqual([10]);
  });

  it('that only read are made four times, after longer and longer pauses', async () => {
    const { gateway, sizes } = gatewayOf([lost]);
    const [result] = await send(gateway, messages(1), { recovery: 'repeat' });
    expect(result).toMatchObject({ is: 'notSent', problem: { kind: 'http', status: 502 } });
    expect([sizes(), waits]).toEqual([
      [1, 1, 1, 1],
      [500, 1000, 1500],
    ]);
  });

  it('are believed where status is not asked', async () => {
    for (const recovery of ['none', 'repeat'] as const) {
      const { gateway, asked, sizes } = gatewayOf([refusing('Database error')]);
      expect(states(await send(gateway, messages(2), { recovery }))).toEqual(times(2, 'refused'));
      expect(sizes()).toEqual([2]);
      const search = remembering((data, _, take) =>
        data.some(({ id }) => id === 3) ? whole('Zorble')() : take(),
      );
      const found = states(await send(search, messages(10), { recovery }));
      expect(found).toEqual(messages(10).map(({ id }) => (id === 3 ? 'refused' : 'accepted')));
      const closed = gatewayOf([() => json('', 404)]);
      expect(states(await send(closed.gateway, messages(20), { recovery }))).toEqual(times(20, 'notSent'));
      expect([asked(), closed.sizes()]).toEqual([0, [10]]);
    }
    expect(states(await send(gatewayOf([lost]).gateway, messages(2), { recovery: 'none' }))).toEqual(
      times(2, 'unknown'),
    );
  });
});

describe('a code without words', () => {
  it('is asked about before anything leaves again, and what was taken is not sent twice', async () => {
    const gateway = remembering((_, request, take) => {
      const answer = take();
      return request === 1 ? json('', 403) : answer;
    });
    expect(states(await send(gateway, messages(10)))).toEqual(times(10, 'accepted'));
    expect(gateway.requests).toHaveLength(1);
  });

  it.each([404, 301, 307, 308])(
    'ends the run at once where status is turned away as well, and nothing was taken: %i',
    async (status) => {
      const { gateway, sizes, asked } = gatewayOf([() => json('', status)], () => json('', status));
      const found = await send(gateway, messages(30));
      expect(found).toMatchObject(times(30, { is: 'notSent', problem: { kind: 'http', status } }));
      expect([sizes(), asked(), waits]).toEqual([[10], 2, []]);
    },
  );

  it('of a filter that dislikes one row leaves all others', async () => {
    const gateway = remembering((data, _, take) =>
      data.some(({ id }) => id === 15) ? json('', 403) : take(),
    );
    const found = await send(gateway, messages(30));
    expect(found[14]).toMatchObject({ is: 'refused', problem: { kind: 'filtered', status: 403 } });
    expect(states(found).filter((is) => is === 'accepted')).toHaveLength(29);
  });

  it('that asks for patience is waited for anew once it has taken something', async () => {
    const known: unknown[] = [];
    const gateway = answering((data, request) => {
      if (isQuestion(data)) return knowing(known)(data);
      if (request % 2 === 1) return json('', 429, { retryAfter: 60 });
      known.push(...data.map(({ id }) => id));
      return taken(data);
    });
    expect(states(await send(gateway, messages(60), { batchSize: 10 }))).toEqual(times(60, 'accepted'));
  });

  it('whose status asks for patience is waited for anew for what has come into doubt since', async () => {
    const busy = json('', 429, { retryAfter: 100 });
    const { gateway } = gatewayOf([whole('Internal server error')], (data, question) => {
      if (question === 1 || question === 6) return busy;
      return question < 6 ? LOST : taken(data);
    });
    const found = await send(gateway, messages(4), { batchSize: 1 });
    expect(states(found)).toEqual([...times(3, 'unknown'), 'accepted']);
  });

  it('of a status that asks for patience whenever it lacks a message keeps back no answer about others', async () => {
    const { gateway } = gatewayOf([whole('Internal server error')], (data) =>
      data.length > 1 || data[0].id === 1 || Number(data[0].id) > 1000
        ? whole('Service temporarily unavailable')()
        : taken(data),
    );
    const found = await send(gateway, messages(4), { batchSize: 4 });
    expect(states(found)).toEqual(['unknown', ...times(3, 'accepted')]);
  });

  it('that asks for patience is waited for as long as it says, and then everything leaves together', async () => {
    const { gateway, sizes } = gatewayOf([() => json('', 429, { retryAfter: 3 }), taken]);
    expect(states(await send(gateway, messages(10)))).toEqual(times(10, 'accepted'));
    expect([sizes(), waits]).toEqual([
      [10, 10],
      [2000, 1000],
    ]);
  });

  it.each([
    ['429', json('', 429, { retryAfter: 3600 })],
    ['503', json('', 503, { retryAfter: 3600 })],
    ['429 with words', json({ success: false, error: 'Too many requests' }, 429, { retryAfter: 3600 })],
  ])('that asks by %s for more patience than a run has gets nothing more', async (by, closed) => {
    const { gateway, sizes, asked } = gatewayOf(
      [taken, () => closed],
      knowing(messages(50).map(({ id }) => id)),
    );
    const found = await send(gateway, messages(150), { batchSize: 50 });
    expect(states(found)).toEqual([...times(50, 'accepted'), ...times(100, 'notSent')]);
    const problem: unknown = expect.objectContaining({ status: Number(by.slice(0, 3)), retryAfter: 3600 });
    expect(found[149]).toEqual({ is: 'notSent', problem, past: {} });
    // What left is looked for all the same.
    expect(sizes()).toEqual([50, 50]);
    expect(asked()).toBeGreaterThan(1);
  });

  it('that asks for more patience than a run has leaves accepted what its status shows', async () => {
    const limited = json('', 429, { retryAfter: 121 });
    const { gateway, sizes } = gatewayOf([() => limited], knowing([1, 2]));
    const found = await send(gateway, messages(6), { batchSize: 4 });
    expect(states(found)).toEqual([...times(2, 'accepted'), ...times(4, 'notSent')]);
    expect(sizes()).toEqual([4]);
  });

  it('for too many is sent in smaller parts from then on', async () => {
    const gateway = remembering((data, _, take) => (data.length > 4 ? json('', 413) : take()));
    expect(states(await send(gateway, messages(20)))).toEqual(times(20, 'accepted'));
    const sizes = gateway.requests.map(({ length }) => length);
    expect(sizes.slice(sizes.findIndex((size) => size <= 4)).every((size) => size <= 5)).toBe(true);
  });
});

describe('where all is refused alike', () => {
  it('sixteen single rows from all over are tried, and the rest is not sent', async () => {
    const { gateway, sizes } = gatewayOf([refusing('Insufficient funds')]);
    const found = await send(gateway, messages(300), { batchSize: undefined });
    expect(new Set(states(found))).toEqual(new Set(['refused', 'notSent']));
    expect(sizes().filter((size) => size === 1)).toHaveLength(16);
    expect(found[299]).toMatchObject({ problem: { text: 'Insufficient funds' } });
  });

  it('with a state of its own for each, nothing comes out as sent', async () => {
    for (const status of ['REJECTED', 'CANCELLED', 'EXPIRED', 'STOPLIST']) {
      const logged = (data: WireOperation[]) =>
        json({
          success: true,
          data: data.map(({ id }) =>
            Number(id) > 2 ** 52
              ? { success: false, error: 'none', data: { id } }
              : { success: true, data: { id, status } },
          ),
        });
      for (const reply of [refusing('Number is barred'), whole('Insufficient funds')]) {
        const { gateway } = gatewayOf([reply], logged);
        const found = await send(gateway, messages(20), { batchSize: 20 });
        expect(new Set(states(found))).not.toContain('accepted');
      }
    }
  });

  it('a row that was refused with others says why its last request was not taken', async () => {
    const { gateway } = gatewayOf([whole('Zorble'), whole('Access denied')]);
    const found = await send(gateway, messages(2), { batchSize: 2 });
    expect(found[0]).toMatchObject({ is: 'notSent', problem: { text: 'Access denied' } });
    expect(found[1]).toMatchObject({ is: 'notSent', problem: { text: 'Zorble' } });
  });

  it('while one row may be the reason, the good ones are sent', async () => {
    const gateway = remembering((data, _, take) => (data.length > 1 ? refusing('Zorble')(data) : take()));
    expect(states(await send(gateway, messages(20)))).toEqual(times(20, 'accepted'));
  });
});

describe('three requests in a row of which nothing was taken', () => {
  it('are found out, and the others go on where they were taken after all', async () => {
    const { gateway } = gatewayOf([lost], taken);
    expect(states(await send(gateway, messages(14), { batchSize: 2 }))).toEqual(times(14, 'accepted'));
  });

  it('end the run with the last cause where they were not', async () => {
    const causes = [500, 502, 503].map((status) => () => json({}, status));
    const { gateway } = gatewayOf(causes, absent);
    const found = await send(gateway, messages(8), { batchSize: 2 });
    expect(found[7]).toMatchObject({ is: 'notSent', problem: { kind: 'http', status: 503 } });
    // Three, and once more what they held.
    expect(gateway.requests).toHaveLength(6);
  });
});

describe('what has a key', () => {
  const keyed = async (gateway: ReturnType<typeof gatewayOf>['gateway'], count: number) =>
    await send(gateway, messages(count), { batchSize: undefined }, { sendOnce: true });

  it('leaves when status has said twice, two seconds apart, that it does not have it', async () => {
    const { gateway, asked } = gatewayOf([taken], knowing([2, 15]));
    const found = await keyed(gateway, 20);
    expect(states(found)).toEqual(times(20, 'accepted'));
    expect(found[1]).toMatchObject({ duplicate: true, past: { before: 'sent' } });
    expect(gateway.requests.flat().map(({ id }) => id)).not.toContain(2);
    expect([asked(), waits]).toEqual([2, [2000]]);
  });

  it('is asked about once more right before its batch leaves', async () => {
    const order: string[] = [];
    const gateway = answering((data) => {
      order.push(`${data[0].type} of ${data.filter(({ id }) => Number(id) < 1000).length}`);
      return isQuestion(data) ? absent(data) : taken(data);
    });
    await keyed(gateway, 300);
    expect(order.slice(0, 3)).toEqual(['status of 300', 'status of 100', 'sms of 100']);
    expect(order.at(-1)).toMatch(/^sms of/);
  });

  it.each<[string, string, Answer | NoAnswer]>([
    ['a fault', 'http', json('', 500)],
    ['a break', 'timeout', { kind: 'failure', problem: { kind: 'timeout' }, mayHaveArrived: true }],
    ['a refused key', 'envelope', json({ success: false, error: 'Access denied' })],
    ['a limit of two minutes and more', 'http', json('', 429, { retryAfter: 121 })],
    ['a receipt of the queue', 'notTold', json({ success: true, request_id: 'r' })],
  ])('does not leave where %s is all that status answers', async (_, kind, reply) => {
    const { gateway } = gatewayOf([taken], () => reply);
    const found = await keyed(gateway, 30);
    expect(states(found)).toEqual(times(30, 'notSent'));
    expect(found[0]).toMatchObject({ problem: { kind } });
    expect(gateway.requests).toEqual([]);
  });
});

it('a doubt of another try is asked about while the rest leaves', async () => {
  const before = rowOf(messages(1)[0]);
  const lostBefore = (await sendRows([before], answering(lost).transport, {}, () => waits.length > 0))[0].at(
    -1,
  );
  const rows: Row[] = messages(3).map((operation, i) =>
    rowOf(operation, {}, i === 1 ? lostBefore : undefined),
  );
  const { transport, requests } = answering((data) => taken(data));
  const found = await sendRows(rows, transport);
  expect(requests.map((data) => data.map(({ id }) => id))).toEqual([[1, 3]]);
  expect(found.map((all) => all.at(-1)?.is)).toEqual(times(3, 'accepted'));
});

it('a stop leaves open what waits for status, and refuses what only had to be recognised', async () => {
  const { gateway } = gatewayOf([refusing('Zorble'), lost]);
  const stopped = () => gateway.requests.length >= 2;
  expect(await send(gateway, messages(3), { batchSize: 1 }, { stopped })).toMatchObject([
    { is: 'refused', problem: { text: 'Zorble' } },
    { is: 'unknown', problem: { kind: 'http', status: 502 } },
    { is: 'notSent', problem: { kind: 'cancelled' }, past: {} },
  ]);
});

it('a restart that lost the log is noticed by a message that was accepted before', async () => {
  const { gateway } = gatewayOf([taken, lost], absent);
  const found = states(await send(gateway, messages(20)));
  expect(found).toEqual([...times(10, 'accepted'), ...times(10, 'unknown')]);
});

it('what a queue refuses beside its receipt is refused, all alike or not', async () => {
  const { gateway } = gatewayOf([
    (data) =>
      json({
        success: true,
        request_id: 'r',
        data: data.map(({ id }) => ({ success: false, error: 'Invalid phone', data: { id } })),
      }),
  ]);
  const found = await send(gateway, messages(5), { endpoint: 'async' });
  expect(found).toMatchObject(times(5, { is: 'refused', problem: { text: 'Invalid phone' } }));
});
