/** What was refused together: its words, its parts, and the search for the rows that are to blame. */
import { asksForPatience, commonRefusal, wordsOf } from '../../../nodes/gateway/client/refusal.ts';
import type { ItemVerdict } from '../../../nodes/gateway/client/response.ts';
import type { Answer } from '../../../nodes/gateway/client/transport.ts';
import type { WireOperation } from '../../../nodes/gateway/contract/operations.ts';
import {
  absent,
  answering,
  isQuestion,
  json,
  messages,
  remembering,
  send,
  states,
  times,
  waits,
} from '../../support/send-client.mts';

beforeEach(() => waits.splice(0));

const refused = (text: string): ItemVerdict => ({
  state: 'refused',
  problem: { kind: 'item', text, wireType: 'sms' },
  payload: undefined,
});
const accepted: ItemVerdict = { state: 'accepted', payload: {} };
const whole = (error: string): Answer => json({ success: false, error });

describe('words of a refusal', () => {
  it('are alike whatever numbers are in them and spaces around them', () => {
    expect(wordsOf({ kind: 'item', text: ' Bad row 12 of 7 ', wireType: 'sms' })).toBe('Bad row # of #');
    expect(wordsOf({ kind: 'envelope', text: 'Bad row 3 of 120' })).toBe('Bad row # of #');
  });

  it('are common to all rows only where there are several, and all were refused with them', () => {
    const bad = refused('Bad');
    expect(commonRefusal([refused('Bad 1'), refused(' Bad 22')])).toMatchObject({ text: 'Bad 1' });
    for (const items of [[bad], [bad, accepted], [accepted, bad], [bad, refused('Worse')]])
      expect(commonRefusal(items)).toBeUndefined();
  });

  it.each(['Operator not supported', ' error in Alpha-name ', 'Invalid message type'])(
    'that the contract lists for one row (%j) tell nothing of the request',
    (text) => {
      expect(commonRefusal([refused(text), refused(text)])).toBeUndefined();
      for (const other of [`${text.trim()}!`, `No: ${text.trim()}`])
        expect(commonRefusal([refused(other), refused(other)])).toMatchObject({ text: other });
    },
  );

  it('ask for patience where they name a limit or a pause', () => {
    const asks = (text: string) => asksForPatience({ kind: 'envelope', text });
    expect(['Too many requests', 'Service temporarily unavailable'].map(asks)).toEqual([true, true]);
    expect(['Insufficient funds', 'Zorble'].map(asks)).toEqual([false, false]);
  });
});

describe('three requests in a row that were refused as a whole', () => {
  /** Refuses requests that hold a bad row. */
  const strict = (isBad: (id: number) => boolean, error: (data: WireOperation[]) => string) =>
    remembering((data, _, take) => (data.some(({ id }) => isBad(Number(id))) ? whole(error(data)) : take()));
  const sizesOf = ({ requests }: { requests: WireOperation[][] }) => requests.map(({ length }) => length);

  it('end the run after 16 rows that were refused alike, also by results of their own', async () => {
    const alone = { success: true, data: [{ success: false, error: 'Zorble' }] };
    const gateway = answering((data) => {
      if (isQuestion(data)) return absent(data);
      return data.length > 1 ? whole('Zorble') : json(alone);
    });
    const results = await send(gateway, messages(300), { batchSize: 128 });
    // Three batches that become smaller, and rows from all over.
    expect(sizesOf(gateway)).toEqual([128, 64, 32, ...times(16, 1)]);
    const rows = gateway.requests.slice(3).map(([{ id }]) => Number(id));
    expect([Math.min(...rows), Math.max(...rows)]).toEqual([1, 282]);
    expect(states(results).filter((state) => state === 'notSent')).toHaveLength(284);
  });

  it('say of the rows that they keep back that others were refused, and not they', async () => {
    const gateway = answering((data) => (isQuestion(data) ? absent(data) : json('Forbidden', 403)));
    const results = await send(gateway, messages(40));
    const problems = (kind: string) =>
      results.flatMap((row) => (row.is === kind && 'problem' in row ? [JSON.stringify(row.problem)] : []));
    expect(new Set(problems('refused'))).toEqual(new Set(['{"kind":"filtered","status":403}']));
    // Those that left with others have the code, which says nothing of any of them.
    const keptBack = ['{"kind":"http","status":403}', '{"kind":"filtered","status":403,"isOther":true}'];
    expect(new Set(problems('notSent'))).toEqual(new Set(keptBack));
  });

  it('are followed by the others where each row is refused in words of its own', async () => {
    const letters = (id: unknown) => String(id).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]);
    const gateway = strict(
      () => true,
      (data) => (data.length > 1 ? 'Zorble' : `No ${letters(data[0].id)}`),
    );
    expect(states(await send(gateway, messages(60)))).toEqual(times(60, 'refused'));
  });

  it('are waited for and sent again as they were where the words ask for it', async () => {
    let left = 3;
    const gateway = remembering((_, __, take) => (left-- > 0 ? whole('Please try again later') : take()));
    expect(states(await send(gateway, messages(60)))).toEqual(times(60, 'accepted'));
    expect(Math.min(...sizesOf(gateway))).toBeGreaterThan(1);
    expect(gateway.accepted.size).toBe(60);
  });

  it('leave no row without a result where those that leave once more come between those that leave alone', async () => {
    const limited = json('', 429);
    const closed = answering((data) => (isQuestion(data) ? absent(data) : limited));
    expect(new Set(states(await send(closed, messages(150))))).toEqual(new Set(['refused', 'notSent']));
    let left = 12;
    const opens = remembering((_, __, take) => (left-- > 0 ? limited : take()));
    expect(states(await send(opens, messages(150)))).not.toContain('ready');
    expect(opens.accepted.size).toBe(150);
  });

  describe('by a limiter that refuses every message', () => {
    const sent = async (retryAfter: (request: number) => Partial<Answer>) => {
      const gateway = answering((data, request) =>
        isQuestion(data) ? absent(data) : json('', 429, retryAfter(request)),
      );
      const results = await send(gateway, messages(1000));
      return { requests: gateway.requests.length, states: new Set(states(results)) };
    };

    it('end the run after two minutes, and 16 rows that were refused alone and once more', async () => {
      const { requests, states: found } = await sent(() => ({}));
      expect(requests).toBeLessThan(50);
      expect(found).toEqual(new Set(['refused', 'notSent']));
    });

    it('end it where status does not tell what became of these either', async () => {
      const gateway = answering((data) => (isQuestion(data) ? json('', 502) : json('', 429)));
      expect(new Set(states(await send(gateway, messages(1000))))).toEqual(new Set(['unknown', 'notSent']));
      expect(gateway.requests.length).toBeLessThan(50);
    });

    it.each([1, 20, 60, 119])(
      'end it after two minutes where it names a time, such as %d s',
      async (seconds) => {
        const { requests, states: found } = await sent(() => ({ retryAfter: seconds }));
        expect(requests).toBeLessThan(16);
        expect(found).toEqual(new Set(['notSent']));
      },
    );
  });

  it('are searched at the end where the gateway took others after it began to refuse so', async () => {
    const isBad = (id: number) => id < 10 || (id > 20 && id < 60);
    const gateway = strict(isBad, () => 'Zorble');
    const results = await send(gateway, messages(100), { batchSize: 10 });
    const expected = messages(100).map(({ id }) => (isBad(Number(id)) ? 'refused' : 'accepted'));
    expect(states(results)).toEqual(expected);
  });
});

it('A read that is refused as a whole is not called unknown.', async () => {
  const gateway = answering(() => whole('Zorble'));
  expect(states(await send(gateway, messages(2), { recovery: 'none' }))).not.toContain('unknown');
});

describe('questions about what a broken exchange may have lost', () => {
  /** A gateway that loses every request to send, and whose answers to questions are given; returns their sizes. */
  async function questionsOf(count: number, reply: (data: WireOperation[], question: number) => Answer) {
    const sizes: number[] = [];
    const gateway = answering((data) => {
      if (!isQuestion(data)) return json({}, 502);
      return reply(data, sizes.push(data.length));
    });
    await send(gateway, messages(count), { batchSize: 2 * count });
    return sizes;
  }

  it('hold half as many ids after a refusal, and no more after an answer', async () => {
    const sizes = await questionsOf(60, (data) => (data.length > 20 ? whole('Zorble') : absent(data)));
    expect(sizes[0]).toBe(63);
    // What is answered is kept.
    const firstSmall = sizes.findIndex((size) => size <= 20);
    expect(sizes.slice(firstSmall).every((size) => size <= 20)).toBe(true);
  });

  it('come as soon as the gateway may be asked again, and no later', async () => {
    const limited = json('', 429, { retryAfter: 20 });
    await questionsOf(1, (data, question) => (question === 1 ? limited : absent(data)));
    // The second question comes right after the gateway's own time, in place of the first; then the pauses are the usual ones.
    expect(waits.slice(0, 3)).toEqual([500, 20_000, 2000]);
  });

  it('go on as long as they tell something, whatever the gateway takes its time for in between', async () => {
    const limited = json('', 429, { retryAfter: 100 });
    const sizes = await questionsOf(60, (data, question) => {
      if (data.length > 20) return whole('Zorble');
      return question % 2 === 0 ? limited : absent(data);
    });
    // Each is asked about more than once.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2 * 60);
  });

  it('end after two minutes of waiting in which they told nothing', async () => {
    const sizes = await questionsOf(60, () => json('', 429, { retryAfter: 50 }));
    expect(sizes.length).toBe(3);
  });
});
