/** The rules of sending one by one: what is asked, sent again, given up, and in how many requests. */
import type { Doubt, SendEntry, SendResult, SendSettings } from '../../../nodes/gateway/client/send.ts';
import { sendOperations } from '../../../nodes/gateway/client/send.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  absent,
  answering,
  isControl,
  isQuestion,
  json,
  knowing,
  messages,
  remembering,
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
const statuses = (data: WireOperation[], status: string) =>
  json({
    success: true,
    data: data.map(({ id }) =>
      isControl(id) ? { success: false, error: 'No', data: { id } } : { success: true, data: { id, status } },
    ),
  });

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
  const mixed = (data: WireOperation[]) =>
    json({
      success: true,
      data: data.map(({ id }, i) =>
        i === 0
          ? { success: true, data: { id, msg_id: 7 } }
          : { success: false, error: 'Zorble', data: { id } },
      ),
    });

  it('is asked about once, 2 s later, many in a request, and what status knows is accepted with a mark', async () => {
    const { gateway, sizes, asked } = gatewayOf([mixed], taken);
    const results = await send(gateway, messages(6), { batchSize: 6 });
    expect(results.slice(1)).toMatchObject(times(5, { state: 'accepted', duplicate: true }));
    expect([sizes(), asked(), waits]).toEqual([[6], 2, [2000]]);
  });

  it.each([
    ['does not have it', absent],
    ['can not be asked', () => LOST],
    ['says that it failed', (data: WireOperation[]) => statuses(data, 'REJECTED')],
  ])('holds where status %s, and is not sent again', async (_, questions) => {
    const { gateway, sizes } = gatewayOf([mixed], questions);
    const results = await send(gateway, messages(3));
    expect(results.slice(1)).toMatchObject(times(2, { state: 'refused', problem: { text: 'Zorble' } }));
    expect(sizes()).toEqual([3]);
  });

  it('is believed where status is not asked', async () => {
    for (const recovery of ['none', 'repeat'] as const) {
      const { gateway, asked } = gatewayOf([fault]);
      expect(states(await send(gateway, messages(2), { recovery }))).toEqual(times(2, 'refused'));
      expect(asked()).toBe(0);
    }
  });
});

describe('results that refuse all operations with the same words', () => {
  it('count as a refusal of the request: asked about, and sent again in parts', async () => {
    const { gateway, sizes } = gatewayOf([fault, taken]);
    expect(states(await send(gateway, messages(2)))).toEqual(times(2, 'accepted'));
    expect(sizes()).toEqual([2, 1, 1]);
    const known = gatewayOf([fault], taken);
    expect(states(await send(known.gateway, messages(2)))).toEqual(times(2, 'accepted'));
    expect(known.sizes()).toEqual([2]);
  });

  it('are none where one is accepted, or refused in other words', async () => {
    for (const second of [{ success: true }, { success: false, error: 'Zarble' }]) {
      const { gateway, sizes } = gatewayOf([
        (data) =>
          json({
            success: true,
            data: data.map((_, i) => (i ? second : { success: false, error: 'Zorble' })),
          }),
      ]);
      const [first] = await send(gateway, messages(2));
      expect(first).toMatchObject({ state: 'refused', problem: { text: 'Zorble' } });
      expect(sizes()).toEqual([2]);
    }
  });

  it('also where they name each its own row, and not where the contract lists the reason', async () => {
    const rows = (data: WireOperation[]) =>
      json({
        success: true,
        data: data.map(({ id }, i) => ({ success: false, error: `Row ${i} failed`, data: { id } })),
      });
    expect(states(await send(gatewayOf([rows, taken]).gateway, messages(2)))).toEqual(times(2, 'accepted'));
    const listed = gatewayOf([bad, taken]);
    expect(states(await send(listed.gateway, messages(2)))).toEqual(times(2, 'refused'));
    expect(listed.sizes()).toEqual([2]);
  });
});

describe('requests', () => {
  it('of a refused batch are one for the whole and one for each part', async () => {
    const { gateway, sizes } = gatewayOf([() => json({ success: false, error: 'Zorble' }), bad, taken]);
    expect(states(await send(gateway, messages(2)))).toEqual(['refused', 'accepted']);
    expect(sizes()).toEqual([2, 1, 1]);
  });

  it('end when 16 single rows from all over were refused alike, and go on where some were taken', async () => {
    const all = gatewayOf([() => json({ success: false, error: 'Zorble' })]);
    const results = await send(all.gateway, messages(300), { batchSize: 128 });
    expect(results).toEqual(times(300, { state: 'notSent', problem: { kind: 'envelope', text: 'Zorble' } }));
    // Three batches that become smaller, and the rows.
    expect(all.sizes()).toEqual([128, 64, 32, ...times(16, 1)]);
    const rows = all.gateway.requests.slice(3).map(([{ id }]) => Number(id));
    expect([Math.min(...rows), Math.max(...rows)]).toEqual([1, 282]);
    const isBad = (data: WireOperation[]) => data.some(({ id }) => Number(id) <= 64);
    const half = remembering((data, _, take) =>
      isBad(data) ? json({ success: false, error: 'Zorble' }) : take(),
    );
    expect(states(await send(half, messages(128), { batchSize: 128 }))).toEqual([
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
    expect(states(await send(again.gateway, messages(4), { batchSize: 2, pause: 300 }))).toEqual(
      times(4, 'accepted'),
    );
    // Between the four, and before each of the questions.
    expect(waits.filter((wait) => wait === 300)).toHaveLength(3 + again.asked());
    waits.splice(0);
    await send(gatewayOf([taken]).gateway, messages(30), { pause: 300 });
    expect(waits).toEqual([300, 300]);
  });

  it('are not paused for once nothing more is sent', async () => {
    const refuse = () => json({ success: false, error: 'Zorble' });
    const { gateway, sizes, asked } = gatewayOf(
      [refuse, taken, refuse, () => json({}, 404)],
      knowing([5, 6]),
    );
    const results = await send(gateway, messages(10), { batchSize: 4, pause: 300 });
    expect(states(results)).toEqual([
      ...times(4, 'notSent'),
      ...times(2, 'accepted'),
      ...times(4, 'notSent'),
    ]);
    // Between the requests, of which the last one ends the search among eight rows.
    expect(waits.filter((wait) => wait === 300)).toHaveLength(sizes().length + asked() - 1);
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
    const results = await send(gateway, messages(8), { batchSize: 2 });
    expect(results[7]).toMatchObject({ state: 'notSent', problem: { kind: 'http', status: 503 } });
  });

  it('end it as well where nothing can be asked', async () => {
    const { gateway, sizes } = gatewayOf([() => LOST]);
    const results = await send(gateway, messages(8), { batchSize: 2, recovery: 'none' });
    expect(results.slice(6)).toMatchObject(times(2, { state: 'notSent', problem: { status: 502 } }));
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
    // The control has an id that nobody sends; a message that was taken shows whether `status` can tell.
    expect(requests).toEqual(['sms 1,sms 3', expect.stringMatching(/^status 2,status \d{16},status 1$/)]);
    const accepted = (id: number) => ({ state: 'accepted', payload: { id, msg_id: 7 } });
    expect(results).toEqual([
      [accepted(1)],
      [
        { state: 'unknown', problem: { kind: 'unknownOutcome' }, doubt: { ...doubt, waited: 500 } },
        accepted(2),
      ],
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

  it('ends the tries of a request', async () => {
    let requests = 0;
    const [results] = await record(
      [{ operation: messages(1)[0] }],
      async () => {
        requests += 1;
        return await Promise.resolve(json({}, 429));
      },
      { stopped: () => requests >= 2 },
    );
    expect(results).toEqual([{ state: 'notSent', problem: { kind: 'cancelled' } }]);
    expect(requests).toBe(2);
  });
});
