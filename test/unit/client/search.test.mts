/** What was refused together: its words, its parts, and the search for the rows that are to blame. */
import {
  asksForPatience,
  commonRefusal,
  partsOf,
  sampleOf,
  wordsOf,
} from '../../../nodes/gateway/client/refusals.ts';
import { judge } from '../../../nodes/gateway/client/read-answer.ts';
import type { ItemVerdict } from '../../../nodes/gateway/client/read-answer.ts';
import type { Answer } from '../../../nodes/gateway/client/transport.ts';
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
    expect(commonRefusal([refused('Bad 1'), refused(' Bad 22')])).toMatchObject({ text: 'Bad 1' });
    for (const items of [
      [refused('Bad')],
      [refused('Bad'), accepted],
      [accepted, refused('Bad')],
      [refused('Bad'), refused('Worse')],
    ]) {
      expect(commonRefusal(items)).toBeUndefined();
    }
  });

  it.each(['Operator not supported', ' error in Alpha-name ', 'Invalid message type'])(
    'that the contract lists for one row (%j) tell nothing of the request',
    (text) => {
      expect(commonRefusal([refused(text), refused(text)])).toBeUndefined();
      for (const other of [`${text.trim()}!`, `No: ${text.trim()}`])
        expect(commonRefusal([refused(other), refused(other)])).toMatchObject({ text: other });
    },
  );

  it.each([
    ['Too many requests', true],
    ['Service temporarily unavailable', true],
    ['Insufficient funds', false],
    ['Zorble', false],
  ])('%j ask for patience: %p', (text, expected) =>
    expect(asksForPatience({ kind: 'envelope', text })).toBe(expected),
  );
});

it('The parts of a refused request are its halves, and single rows from eight on.', () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => i);
  expect(partsOf(list(8))).toEqual(list(8).map((value) => [value]));
  expect(partsOf(list(9))).toEqual([
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8],
  ]);
  expect(sampleOf(list(320))).toEqual(list(16).map((i) => 20 * i));
  expect(sampleOf(list(3))).toEqual([0, 1, 2]);
});

describe('three requests in a row that were refused as a whole', () => {
  /** Refuses requests that hold a bad row. */
  const strict = (isBad: (id: number) => boolean, error: (data: WireOperation[]) => string) =>
    remembering((data, _, take) => (data.some(({ id }) => isBad(Number(id))) ? whole(error(data)) : take()));
  const sizesOf = ({ requests }: { requests: WireOperation[][] }) => requests.map(({ length }) => length);

  it('end the run after 16 rows that were refused alike, also by results of their own', async () => {
    const gateway = answering((data) => {
      if (isQuestion(data)) return absent(data);
      const [{ id }] = data;
      return data.length > 1
        ? whole('Zorble')
        : json({ success: true, data: [{ success: false, error: 'Zorble', data: { id } }] });
    });
    const results = await send(gateway, messages(200));
    expect(sizesOf(gateway)).toEqual([10, 5, 3, ...times(16, 1)]);
    expect(states(results).filter((state) => state === 'notSent')).toHaveLength(184);
  });

  it('are followed by the others where one of these rows is taken, each row once', async () => {
    const isBad = (id: number) => id % 10 === 1;
    const gateway = strict(isBad, () => 'Zorble');
    const results = await send(gateway, messages(300));
    expect(states(results)).toEqual(
      messages(300).map(({ id }) => (isBad(Number(id)) ? 'refused' : 'accepted')),
    );
    expect([...gateway.accepted.values()]).toEqual(times(270, 1));
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

  it('are searched at the end where the gateway took others after it began to refuse so', async () => {
    const isBad = (id: number) => id < 10 || (id > 20 && id < 60);
    const gateway = strict(isBad, () => 'Zorble');
    const results = await send(gateway, messages(100), { batchSize: 10 });
    expect(states(results)).toEqual(
      messages(100).map(({ id }) => (isBad(Number(id)) ? 'refused' : 'accepted')),
    );
    // None of the good rows behind them was tried alone.
    const alone = gateway.requests.filter(({ length }) => length === 1).map(([{ id }]) => Number(id));
    expect(Math.max(...alone)).toBeLessThan(70);
  });
});

it('A read whose rows were all refused with the same words is not made again.', async () => {
  const gateway = answering((data) =>
    json({ success: true, data: data.map(({ id }) => ({ success: false, error: 'Zorble', data: { id } })) }),
  );
  const results = await send(gateway, messages(3), { recovery: 'none' });
  expect(results).toMatchObject(times(3, { state: 'refused', problem: { text: 'Zorble' } }));
  expect(gateway.requests).toHaveLength(1);
});

it('A read that is refused as a whole is not called unknown.', async () => {
  const gateway = answering(() => whole('Zorble'));
  expect(states(await send(gateway, messages(2), { recovery: 'none' }))).not.toContain('unknown');
});

describe('an answer', () => {
  const [one, two, three] = [5, 5, 6].map((id): WireOperation => ({ type: 'sms', id, phone: 380501234567 }));
  const result = (id: number) => ({ success: true, data: { id, msg_id: 7 } });

  it('of the synchronous endpoint with results counts by them, whatever request_id is beside them', () => {
    const both = json({ success: true, request_id: 'r1', data: [result(5)] });
    expect(judge('sync', both, [one])).toEqual({
      kind: 'results',
      items: [{ state: 'accepted', payload: { id: 5, msg_id: 7 } }],
    });
    expect(judge('async', both, [one])).toMatchObject({ kind: 'results', items: [{ requestId: 'r1' }] });
  });

  it('of the queue without request_id is lost, whatever results it has', () =>
    expect(judge('async', json({ success: true, data: [result(5)] }), [one]).kind).toBe('lost'));

  it('whose ids fit the operations in no way is lost, also where an id was sent twice', () => {
    const judged = (...ids: number[]) =>
      judge('sync', json({ success: true, data: ids.map(result) }), [one, two, three]).kind;
    expect([judged(5, 5, 6), judged(5, 6, 5), judged(6, 6, 5)]).toEqual(['results', 'lost', 'lost']);
  });
});

describe('questions about what a broken exchange may have lost', () => {
  const LOST = json({}, 502);
  /** A gateway that loses every request to send, and whose answers to questions are given; returns the ids asked. */
  async function questionsOf(count: number, reply: (data: WireOperation[], question: number) => Answer) {
    const questions: Array<Array<WireOperation['id']>> = [];
    const gateway = answering((data) => {
      if (!isQuestion(data)) return LOST;
      questions.push(data.map(({ id }) => id));
      return reply(data, questions.length);
    });
    await send(gateway, messages(count), { batchSize: 2 * count });
    return questions;
  }

  it('name a message that the gateway was found to have, so that its words for others can be told apart', async () => {
    const questions = await questionsOf(2, knowing([1]));
    // Two messages and a control; from then on the other message, its control, and the one that is known.
    expect(questions[0].slice(0, 2)).toEqual([1, 2]);
    for (const asked of questions.slice(1, 4)) expect([asked[0], asked.length, asked[2]]).toEqual([2, 3, 1]);
  });

  it('hold half as many ids after a refusal, and twice as many after an answer', async () => {
    const small = 20;
    const questions = await questionsOf(60, (data) => (data.length > small ? whole('Zorble') : absent(data)));
    const sizes = questions.map(({ length }) => length);
    expect(sizes[0]).toBe(61);
    // They come below the limit, and try a larger number again.
    const firstSmall = sizes.findIndex((size) => size <= small);
    expect(sizes.slice(firstSmall).some((size) => size > small)).toBe(true);
    expect(sizes.filter((size) => size <= small).length).toBeGreaterThan(5);
  });

  it('come as soon as the gateway may be asked again, and no later', async () => {
    await questionsOf(1, (data, question) =>
      question === 1 ? { ...json('', 429), retryAfter: 20 } : absent(data),
    );
    // The second question comes right after the gateway's own time; then the pauses are the usual ones.
    expect(waits.slice(0, 3)).toEqual([500, 20_000, 4000]);
  });
});
