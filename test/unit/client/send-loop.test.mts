/** The loop that sends, asks and waits, in steps: what leaves when, beside what else, and what ends it. */
import type { Reply } from '../../support/send-client.mts';
import {
  absent,
  json,
  knowing,
  limited,
  lost,
  messages,
  replaying,
  rowOf,
  send,
  sendRows,
  sizesOf,
  states,
  taken,
  times,
  upTo,
  waits,
  whole,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

const late: Reply = () => ({ kind: 'failure', problem: { kind: 'timeout' }, mayHaveArrived: true });

describe('a gateway that names a time', () => {
  it('gets nothing before that, counted from its answer, and then what is left', async () => {
    const { gateway, sent } = replaying([limited(20), taken], [lost, knowing(upTo(4))]);
    const found = await send(gateway, messages(8), { batchSize: 4 });
    expect(states(found)).toEqual(times(8, 'accepted'));
    expect(sent()).toMatchObject([
      { atMs: 0, ids: [1, 2, 3, 4] },
      { atMs: 20_000, ids: [5, 6, 7, 8] },
    ]);
  });

  it('gets nothing that a broken exchange lost before that either', async () => {
    const { gateway, sent } = replaying([lost, limited(100), taken]);
    const found = await send(gateway, messages(4), { batchSize: 2 });
    expect(states(found)).toEqual(times(4, 'accepted'));
    expect(
      sent()
        .slice(2)
        .every(({ atMs }) => atMs >= 100_000),
    ).toBe(true);
  });

  it('gets nothing more where it is longer than anybody waits, though it is shorter once its status was asked', async () => {
    const { gateway, sent } = replaying([limited(121), taken], [lost, knowing(upTo(4))]);
    const found = await send(gateway, messages(6), { batchSize: 4 });
    expect(states(found)).toEqual([...times(4, 'accepted'), ...times(2, 'notSent')]);
    expect(sent()).toHaveLength(1);
  });

  it('is waited for anew once it took one message of a request, and not for one of which it took none', async () => {
    const listed = ['Operator not supported', 'Error in Alpha-name'];
    const run = async (isTaken: (i: number) => boolean) => {
      const known: unknown[] = [];
      const own: Reply = (data) => {
        known.push(...data.filter((_, i) => isTaken(i)).map(({ id }) => id));
        const refusal = (id: unknown, i: number) => ({ success: false, error: listed[i % 2], data: { id } });
        return json({
          success: true,
          data: data.map(({ id }, i) => (isTaken(i) ? { success: true } : refusal(id, i))),
        });
      };
      const { gateway } = replaying(
        [(data, number) => (number % 2 === 1 ? limited(50) : own)(data, number)],
        [knowing(known)],
      );
      return new Set(states(await send(gateway, messages(60), { batchSize: 10 })));
    };
    expect(await run((i) => i === 0)).toEqual(new Set(['accepted', 'refused']));
    expect(await run(() => false)).toEqual(new Set(['refused', 'notSent']));
  });
});

describe('what was refused', () => {
  it('with words that ask for patience leaves again after a pause', async () => {
    const { gateway, sent, asked } = replaying([whole('Please try again later'), taken]);
    expect(states(await send(gateway, messages(10)))).toEqual(times(10, 'accepted'));
    expect(sizesOf(sent())).toEqual([10, 5, 5]);
    expect(sent()[1].atMs - (asked().at(-1)?.atMs ?? 0)).toBe(500);
  });

  it('for another reason does not wait with it', async () => {
    const { gateway, sent, asked } = replaying(
      [whole('Zorble'), whole('Please try again later'), taken],
      [knowing([7, 8])],
    );
    expect(states(await send(gateway, messages(8), { batchSize: 4 }))).toEqual(times(8, 'accepted'));
    const lastQuestionMs = asked().at(-1)?.atMs ?? 0;
    const leftAgain = sent().slice(4);
    expect(leftAgain.slice(0, 4)).toMatchObject(upTo(4).map((id) => ({ atMs: lastQuestionMs, ids: [id] })));
    expect(leftAgain.slice(4).every(({ atMs }) => atMs === lastQuestionMs + 500)).toBe(true);
  });

  it('one by one in a request shows that the gateway works, so that the next ones leave at once', async () => {
    const own: Reply = (data) =>
      json({
        success: true,
        data: data.map(({ id }, i) => ({
          success: false,
          error: ['Operator not supported', 'Error in Alpha-name'][i % 2],
          data: { id },
        })),
      });
    const { gateway, seen } = replaying([lost, own, lost, own, lost, own, taken], [knowing(upTo(14))]);
    await send(gateway, messages(14), { batchSize: 2 });
    expect(seen.slice(0, 7).map(({ is }) => is)).toEqual(times(7, 'send'));
  });

  it('by a queue has the payload of its result, all alike or not', async () => {
    const reply: Reply = (data) =>
      json({
        success: true,
        request_id: 'r',
        data: data.map(({ id }) => ({ success: false, error: 'Invalid phone', data: { id, more: 1 } })),
      });
    const found = await send(replaying([reply]).gateway, messages(2), { endpoint: 'async' });
    expect(found).toMatchObject([1, 2].map((id) => ({ is: 'refused', payload: { id, more: 1 } })));
  });
});

describe('the size of the next request', () => {
  const sizes = async (...sends: Reply[]) => {
    const { gateway, sent, seen } = replaying(sends, [absent]);
    await send(gateway, messages(400), { batchSize: undefined });
    return { sizes: sizesOf(sent()), first: seen.slice(0, 2).map(({ is }) => is) };
  };

  it('is half after one that ran into a time limit', async () => {
    expect((await sizes(late, taken)).sizes.slice(0, 2)).toEqual([100, 50]);
    expect((await sizes(lost, taken)).sizes.slice(0, 2)).toEqual([100, 100]);
    // Not where the user has set it.
    const { gateway, sent } = replaying([late, taken]);
    await send(gateway, messages(40), { batchSize: 20 });
    expect(sizesOf(sent().slice(0, 2))).toEqual([20, 20]);
  });

  it('never comes back to what was too large, and the next one leaves at once', async () => {
    const { sizes: found, first } = await sizes((data) => (data.length > 60 ? json('', 413) : taken(data)));
    expect([found[0], Math.max(...found.slice(1)), first]).toEqual([100, 50, ['send', 'send']]);
  });

  it('comes back after a refusal in words, also in such as ask for patience', async () => {
    for (const words of ['Zorble', 'Too many requests'])
      expect((await sizes(whole(words), taken)).sizes.slice(0, 4)).toEqual([100, 50, 100, 150]);
    // A code that asks for patience is about no size.
    expect((await sizes(limited(), taken)).sizes.slice(0, 2)).toEqual([100, 100]);
  });
});

describe('requests that only read', () => {
  it('are made four times where they run into a time limit, and the next ones all the same', async () => {
    const { gateway, sent, asked } = replaying([late]);
    const found = await send(gateway, messages(4), { recovery: 'repeat', batchSize: 2 });
    expect(found).toEqual(
      times(4, { is: 'notSent', problem: { kind: 'timeout' }, past: expect.anything() as object }),
    );
    expect([sizesOf(sent()), asked(), waits]).toEqual([times(8, 2), [], [500, 1000, 1500, 500, 1000, 1500]]);
  });
});

describe('a stop', () => {
  const stopped = () => waits.length > 0;

  it('between two tries of a request that did not arrive leaves its rows as not sent', async () => {
    const problem = { kind: 'unreachable', code: 'ECONNREFUSED' } as const;
    const { gateway, sent } = replaying([() => ({ kind: 'failure', problem, mayHaveArrived: false }), taken]);
    const found = await send(gateway, messages(4), { batchSize: 2 }, { stopped });
    expect(found).toMatchObject(times(4, { is: 'notSent', problem: { kind: 'cancelled' } }));
    expect(sent()).toHaveLength(1);
  });

  it('during the wait before a question has nothing asked', async () => {
    const { gateway, asked } = replaying([lost], [taken]);
    expect(states(await send(gateway, messages(2), {}, { stopped }))).toEqual(times(2, 'unknown'));
    expect(asked()).toEqual([]);
  });
});

it('records each state that a later try has to know, once', async () => {
  const { gateway, asked } = replaying([lost, taken]);
  const rows = messages(1).map((operation) => rowOf(operation));
  const [recorded] = await sendRows(rows, gateway.transport);
  expect(asked().length).toBeGreaterThan(2);
  expect(states(recorded)).toEqual(['asking', 'accepted']);
});
