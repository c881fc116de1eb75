/** What `status` is asked about in one request, how often, and after which pauses. */
import type { Row } from '../../../nodes/gateway/client/row.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import type { Reply } from '../../support/send-client.mts';
import {
  absent,
  answering,
  isControl,
  isQuestion,
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

describe('a question', () => {
  it('about what may have been taken holds 100 ids, unless the user wants more in a request', async () => {
    const largest = async (batchSize?: number) => {
      const ids: number[] = [];
      const gateway = answering((data) => {
        if (!isQuestion(data)) return json({}, 502);
        ids.push(data.length);
        return absent(data);
      });
      await send(gateway, messages(300), { batchSize });
      return Math.max(...ids);
    };
    expect(await largest()).toBe(100);
    expect(await largest(300)).toBe(300);
  });

  it('about a key beside what may have been taken holds no more', async () => {
    const [before] = await sendRows(
      [rowOf(messages(1)[0])],
      replaying([lost]).gateway.transport,
      {},
      () => waits.length > 0,
    );
    const rows: Row[] = messages(300).map((operation, i) =>
      i % 2 ? rowOf(operation, {}, before.at(-1)) : rowOf(operation, { sendOnce: true }),
    );
    const { gateway, asked } = replaying([taken], [knowing(upTo(300))]);
    await sendRows(rows, gateway.transport, { batchSize: undefined });
    expect(Math.max(...sizesOf(asked()))).toBe(98);
  });

  it('tells of pipelines only once the gateway has shown that it knows one', async () => {
    const pipelines = messages(2).map(({ id, phone }): WireOperation => ({ type: 'pipeline', id, phone }));
    const one = replaying([lost, taken], [knowing([1])]);
    expect(states(await send(one.gateway, pipelines))).toEqual(['accepted', 'accepted']);
    expect(one.sent().map(({ ids }) => ids)).toEqual([[1, 2], [2]]);
    const none = replaying([lost, taken]);
    expect(states(await send(none.gateway, pipelines))).toEqual(['unknown', 'unknown']);
    expect(none.sent()).toHaveLength(1);
    // A state that isn't listed shows that something is there, and not what.
    const unlisted: Reply = (data) =>
      json({
        success: true,
        data: data.map(({ id }) =>
          id === 1 ? { success: true, data: { id, status: 'Zorble' } } : { success: false, error: 'No' },
        ),
      });
    const other = replaying([lost, taken], [unlisted]);
    expect(states(await send(other.gateway, pipelines))).toEqual(['unknown', 'unknown']);
    expect(other.sent()).toHaveLength(1);
  });

  it.each([
    ['at once', 0],
    ['for the first time when another one would be absent', 30_000],
  ])('is about a pipeline that was taken before, too, where the gateway knows one %s', async (_, fromMs) => {
    const pipelines = messages(3).map(({ id, phone }): WireOperation => ({ type: 'pipeline', id, phone }));
    const waitedMs = () => waits.reduce((sum, ms) => sum + ms, 0);
    // It has forgotten the first, so that nobody knows of the second.
    const status: Reply = (data) => knowing(waitedMs() >= fromMs ? [3] : [])(data);
    const { gateway, sent } = replaying([taken, lost, lost], [status]);
    expect(states(await send(gateway, pipelines, { batchSize: 1 }))).toEqual([
      'accepted',
      'unknown',
      'accepted',
    ]);
    expect(sent().map(({ ids }) => ids)).toEqual([[1], [2], [3]]);
  });

  it('begins with what had no answer before', async () => {
    const told = new Set<unknown>();
    const { gateway, asked } = replaying(
      [lost],
      [
        (data, number) => {
          if (data.length > 22) return whole('Zorble')();
          if (number % 2 === 0) return json('', 429, { retryAfter: 20 });
          for (const { id } of data) told.add(id);
          return absent(data);
        },
      ],
    );
    const firsts: boolean[] = [];
    const { transport } = gateway;
    gateway.transport = async (endpoint, data) => {
      const [id] = data.map((one) => one.id).filter((one) => !isControl(one));
      if (isQuestion(data) && told.size < 60) firsts.push(told.has(id));
      return await transport(endpoint, data);
    };
    await send(gateway, messages(60), { batchSize: 60 });
    expect(asked().length).toBeGreaterThan(3);
    expect(firsts).not.toContain(true);
  });

  it('that tells something has the rest waited for anew, until all is told', async () => {
    const { gateway } = replaying(
      [lost],
      [
        (data, number) => {
          if (data.length > 22) return whole('Zorble')();
          return number % 2 === 0 ? json('', 429, { retryAfter: 70 }) : absent(data);
        },
      ],
    );
    expect(states(await send(gateway, messages(60), { batchSize: 60 }))).toEqual(times(60, 'notSent'));
  });

  it('that breaks tells nothing: a time that another one names is not waited for anew after it', async () => {
    const { gateway } = replaying(
      [lost],
      [(data, number) => (number % 2 === 0 ? limited(50) : lost)(data, number)],
    );
    expect(states(await send(gateway, messages(150), { batchSize: 150 }))).toEqual(times(150, 'unknown'));
    expect(waits).toEqual([500, 50_000, 50_000, 50_000]);
  });

  it('that breaks is asked again after the usual pauses and no others', async () => {
    const { gateway } = replaying([lost], [lost]);
    await send(gateway, messages(1));
    expect(waits.slice(0, 4)).toEqual([500, 2000, 4000, 8000]);
  });

  it.each([
    [50, [500, 50_000, 50_000, 50_000]],
    [130, [500, 120_000]],
  ])(
    'is given up after two minutes of patience, and the gateway is left alone for the %i s that it names',
    async (retryAfter, expected) => {
      const { gateway } = replaying([lost], [limited(retryAfter)]);
      expect(states(await send(gateway, messages(1)))).toEqual(['unknown']);
      expect(waits).toEqual(expected);
    },
  );

  it.each([
    [100, 20],
    [120, 16],
  ])(
    'is the last one where a run has left the gateway alone for half an hour, %i s each time, though it tells something in between',
    async (retryAfter, most) => {
      let left = 0;
      const { gateway } = replaying(
        [lost],
        [
          (data, number) => {
            if (data.length > 22) return whole('Zorble')();
            if (number % 2 === 1) return absent(data);
            left += 1;
            return limited(retryAfter)(data, number);
          },
        ],
      );
      const found = await send(gateway, messages(300), { batchSize: 300 });
      expect([left, states(found)]).toEqual([most, times(300, 'unknown')]);
    },
  );

  it('that is refused for the key ends the run at once', async () => {
    const { gateway, asked, sent } = replaying([taken], [whole('Access denied')]);
    const found = await send(gateway, messages(30), { batchSize: undefined }, { sendOnce: true });
    expect(states(found)).toEqual(times(30, 'notSent'));
    expect([asked().length, sent(), waits]).toEqual([1, [], []]);
  });
});
