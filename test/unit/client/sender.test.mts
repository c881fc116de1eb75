/** The rules of sending one by one: what is asked, sent again, given up, and in how many requests. */
import type { Doubt, SendResult } from '../../../nodes/gateway/client/send-result.ts';
import type { SendEntry, SendSettings } from '../../../nodes/gateway/client/send.ts';
import { sendOperations } from '../../../nodes/gateway/client/send.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  absent,
  answering,
  isQuestion,
  json,
  messages,
  send,
  SETTINGS,
  states,
  taken,
  times,
  waits,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

const refusing = (error: string) => (data: WireOperation[]) =>
  json({ success: true, data: data.map(({ id }) => ({ success: false, error, data: { id } })) });
const fault = refusing('Database error');
const bad = refusing('Error in Alpha-name');
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

describe('a fault of the gateway of one operation', () => {
  it('is asked about, and the message is sent again once where the gateway does not have it', async () => {
    const { gateway, sizes } = gatewayOf([fault, taken]);
    expect(states(await send(gateway, messages(2)))).toEqual(times(2, 'accepted'));
    expect(sizes()).toEqual([2, 2]);
    const knowing = gatewayOf([fault], taken);
    expect(states(await send(knowing.gateway, messages(2)))).toEqual(times(2, 'accepted'));
    expect(knowing.sizes()).toEqual([2]);
  });

  it('leaves it unknown where status can not be asked, and refuses what only reads', async () => {
    const none = gatewayOf([fault]);
    expect(await send(none.gateway, messages(1), { recovery: 'none' })).toMatchObject([
      { state: 'unknown', problem: { kind: 'item', text: 'Database error' }, doubt: { kind: 'lost' } },
    ]);
    const reads = gatewayOf([fault]);
    expect(states(await send(reads.gateway, messages(1), { recovery: 'repeat' }))).toEqual(['refused']);
    expect([none.asked(), reads.asked()]).toEqual([0, 0]);
  });

  it('counts as a lost request where it met all of them', async () => {
    const { gateway, sizes } = gatewayOf([fault, fault, fault, fault], absent);
    // Three requests, one more with all that they held, and then nothing else.
    expect(states(await send(gateway, messages(10), { batchSize: 2 }))).toEqual([
      ...times(6, 'unknown'),
      ...times(4, 'notSent'),
    ]);
    expect(sizes()).toEqual([2, 2, 2, 2, 2, 2]);
    const mixed = (data: WireOperation[]) =>
      json({
        success: true,
        data: data.map(({ id }, i) =>
          i === 0
            ? { success: true, data: { id } }
            : { success: false, error: 'Database error', data: { id } },
        ),
      });
    const others = gatewayOf([mixed], taken);
    expect(states(await send(others.gateway, messages(10), { batchSize: 2 }))).toEqual(times(10, 'accepted'));
    // Asked once about each, at the end, two at a time.
    expect(others.asked()).toBe(3);
  });
});

describe('a refusal after a lost request', () => {
  it('of one operation counts only where status does not have it', async () => {
    const refused = gatewayOf([() => LOST, bad]);
    expect(await send(refused.gateway, messages(1))).toMatchObject([
      { state: 'refused', problem: { text: 'Error in Alpha-name' } },
    ]);
    const late = gatewayOf([() => LOST, bad], (data) =>
      late.sizes().length < 2 ? absent(data) : taken(data),
    );
    expect(states(await send(late.gateway, messages(1)))).toEqual(['accepted']);
    const first = gatewayOf([bad], taken);
    expect(states(await send(first.gateway, messages(1)))).toEqual(['refused']);
    expect(first.asked()).toBe(0);
  });

  it('of a request that held it alone as well', async () => {
    const zorble = () => json({ success: false, error: 'Zorble' });
    const { gateway, asked } = gatewayOf([() => LOST, zorble]);
    expect(await send(gateway, messages(1), { settling: 0 })).toMatchObject([
      { state: 'refused', problem: { kind: 'envelope', text: 'Zorble' } },
    ]);
    expect(asked()).toBe(2);
    const none = gatewayOf([zorble]);
    expect(states(await send(none.gateway, messages(1)))).toEqual(['refused']);
    expect(none.asked()).toBe(0);
  });

  it('as a duplicate is asked about only where status can be, and the user chose the id', async () => {
    const duplicate = refusing('Duplicate id');
    for (const settings of [{ recovery: 'none' }, {}] as const) {
      const { gateway, asked } = gatewayOf([duplicate], taken);
      const own = settings.recovery === 'none';
      expect(states(await send(gateway, messages(1), settings, { hasOwnId: own }))).toEqual(['refused']);
      expect(asked()).toBe(0);
    }
  });
});

describe('requests', () => {
  it('of a refused batch are one for the whole and one for each part', async () => {
    const { gateway, sizes } = gatewayOf([() => json({ success: false, error: 'Zorble' }), bad, taken]);
    expect(states(await send(gateway, messages(2)))).toEqual(['refused', 'accepted']);
    expect(sizes()).toEqual([2, 1, 1]);
  });

  it('end after 32 refusals of everything, and go on where some were taken', async () => {
    const all = gatewayOf([() => json({ success: false, error: 'Zorble' })]);
    expect(await send(all.gateway, messages(300), { batchSize: 128 })).toEqual([
      ...times(300, { state: 'notSent', problem: { kind: 'envelope', text: 'Zorble' } }),
    ]);
    expect(all.sizes()).toHaveLength(32);
    const isBad = (data: WireOperation[]) => data.some(({ id }) => Number(id) <= 64);
    const half = gatewayOf([
      (data) => (isBad(data) ? json({ success: false, error: 'Zorble' }) : taken(data)),
    ]);
    expect(states(await send(half.gateway, messages(128), { batchSize: 128 }))).toEqual([
      ...times(64, 'refused'),
      ...times(64, 'accepted'),
    ]);
  });

  it('that are too large with one operation refuse it', async () => {
    const { gateway, sizes } = gatewayOf([() => json({}, 413)]);
    expect(await send(gateway, messages(2))).toMatchObject(
      times(2, { state: 'refused', problem: { kind: 'http', status: 413 } }),
    );
    expect(sizes()).toEqual([2, 1, 1]);
  });

  it('that are rejected end the run', async () => {
    const { gateway, sizes } = gatewayOf([() => json({}, 401)]);
    expect(await send(gateway, messages(30))).toMatchObject(
      times(30, { state: 'notSent', problem: { kind: 'http', status: 401 } }),
    );
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
    const again = gatewayOf([() => LOST, () => LOST, taken]);
    expect(
      states(await send(again.gateway, messages(4), { batchSize: 2, pause: 300, settling: 100 })),
    ).toEqual(times(4, 'accepted'));
    // Between the first two, until both have settled, and between those that are sent again.
    expect(waits.filter((wait) => wait === 300)).toHaveLength(2);
    waits.splice(0);
    const quick = gatewayOf([() => LOST, () => LOST, taken]);
    await send(quick.gateway, messages(4), { batchSize: 2, settling: 500 });
    expect(waits).not.toContain(0);
  });

  it('that only read are made four times, after longer and longer pauses', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST]);
    expect(await send(gateway, messages(1), { recovery: 'repeat' })).toMatchObject([
      { state: 'notSent', problem: { kind: 'http', status: 502 } },
    ]);
    expect(sizes()).toEqual([1, 1, 1, 1]);
    expect(waits).toEqual([500, 1000, 1500]);
  });

  it('of the queue pass its request_id on', async () => {
    const queue = answering(() => json({ success: true, request_id: 'r1' }));
    expect(await send(queue, messages(1), { endpoint: 'async' })).toEqual([
      { state: 'accepted', payload: undefined, requestId: 'r1' },
    ]);
    const plain = await send(gatewayOf([taken]).gateway, messages(1));
    expect(plain[0]).not.toHaveProperty('requestId');
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
    const results = await send(gateway, messages(8), { batchSize: 2, settling: 0 });
    expect(results[7]).toMatchObject({ state: 'notSent', problem: { kind: 'http', status: 503 } });
  });

  it('end it as well where nothing can be asked', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST]);
    const results = await send(gateway, messages(8), { batchSize: 2, recovery: 'none' });
    expect(results.slice(6)).toEqual(times(2, { state: 'notSent', problem: { kind: 'unknownOutcome' } }));
    expect(sizes()).toEqual([2, 2, 2]);
  });
});

/** Sends entries as they are, and returns all results of each in order. */
async function record(
  entries: SendEntry[],
  transport: (data: WireOperation[]) => Promise<Answer | NoAnswer>,
  {
    settings = {},
    stopped = () => false,
  }: { settings?: Partial<SendSettings>; stopped?: () => boolean } = {},
) {
  const results = new Map<SendEntry, SendResult[]>();
  let time = 1_000_000;
  await sendOperations(
    [...entries],
    { ...SETTINGS, ...settings },
    {
      transport: async (_, data) => await transport(data),
      now: () => time,
      sleep: async (milliseconds) => {
        time += milliseconds;
        await Promise.resolve();
      },
      stopped,
      record: (entry, result) => results.set(entry, [...(results.get(entry) ?? []), result]),
    },
  );
  return entries.map((entry) => results.get(entry));
}

describe('what an earlier try left', () => {
  const doubt: Doubt = { kind: 'lost', leftAt: 0 };
  const entries = (): SendEntry[] => {
    const [first, second, third] = messages(3).map((operation) => ({ operation }));
    return [first, { ...second, doubt: { ...doubt } }, third];
  };

  it('is unknown first and asked about at the end, while the rest is sent', async () => {
    const requests: string[] = [];
    const results = await record(entries(), async (data) => {
      requests.push(data.map(({ type, id }) => `${type} ${String(id)}`).join());
      return await Promise.resolve(taken(data));
    });
    expect(requests).toEqual(['sms 1,sms 3', 'status 2']);
    const accepted = (id: number) => ({ state: 'accepted', payload: { id, msg_id: 7 } });
    expect(results).toEqual([
      [accepted(1)],
      [{ state: 'unknown', problem: { kind: 'unknownOutcome' }, doubt }, accepted(2)],
      [accepted(3)],
    ]);
  });
});

describe('a stop', () => {
  it('names itself as the reason', async () => {
    const [results] = await record([{ operation: messages(1)[0] }], () => Promise.reject(new Error('none')), {
      stopped: () => true,
    });
    expect(results).toEqual([{ state: 'notSent', problem: { kind: 'cancelled' } }]);
  });

  it('leaves open what waits for status, and refuses what only had to be recognised', async () => {
    let requests = 0;
    const stopped = () => requests >= 2;
    const [first, second] = messages(2);
    const results = await record(
      [{ operation: first, hasOwnId: true }, { operation: second }],
      async (data) => {
        requests += 1;
        return await Promise.resolve(data[0].id === 1 ? refusing('Duplicate id')(data) : LOST);
      },
      { settings: { batchSize: 1 }, stopped },
    );
    expect(results.map((all) => all?.at(-1))).toMatchObject([
      { state: 'refused', problem: { text: 'Duplicate id' } },
      { state: 'unknown', problem: { kind: 'http', status: 502 } },
    ]);
    expect(requests).toBe(2);
  });

  it('or the end of the run in another lane ends the tries of this one', async () => {
    const requests: number[] = [];
    const run = async (other: () => Answer, stopped: () => boolean) =>
      await record(
        messages(2).map((operation) => ({ operation })),
        async (data) => {
          requests.push(Number(data[0].id));
          await Promise.resolve();
          return data[0].id === 1 ? json({}, 429) : other();
        },
        { settings: { batchSize: 1, parallel: 2 }, stopped },
      );
    const rejected = { state: 'notSent', problem: { kind: 'http', status: 401 } };
    expect(
      await run(
        () => json({}, 401),
        () => false,
      ),
    ).toMatchObject([[rejected], [rejected]]);
    expect(requests).toEqual([1, 2]);
    requests.splice(0);
    const [first] = await run(
      () => taken(messages(1, 2)),
      () => requests.length >= 2,
    );
    expect(first).toEqual([{ state: 'notSent', problem: { kind: 'cancelled' } }]);
    expect(requests).toEqual([1, 2]);
  });
});
