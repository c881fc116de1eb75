/** What questions cost where `status` refuses them: the search without controls, one id at a time, and what ends it. */
import type { Answer } from '../../../nodes/gateway/client/transport.ts';
import { isControl, json, times } from '../../support/send-client.mts';
import type { Id, Reply } from '../../support/status-desk.mts';
import {
  ACCEPTED,
  ask,
  deskOf,
  each,
  knowing,
  many,
  NOT_KNOWN,
  questionOf,
  WHOLE,
} from '../../support/status-desk.mts';

const BROKEN = json('', 502);
const BUSY = json('', 429);
const BUSY_WORDS = json({ success: false, error: 'Too many requests' });
const NO_KEY = json({ success: false, error: 'Access denied' });
const isSearch = (ids: readonly Id[]) => !ids.some(isControl);

/** Answers about the first ids, and of the others that they are too many. */
const partly = (most: number, answer: (id: Id) => object) => (ids: Id[]) =>
  json({
    success: true,
    data: ids.map((id, i) =>
      i < most ? answer(id) : { success: false, error: `At most ${most}`, data: { id } },
    ),
  });

/** A desk that has found out that no question is small enough; the requests after that. */
async function searching(answer: (ids: Id[]) => Reply) {
  let isFound = false;
  const { desk, requests } = deskOf((ids) => (isFound ? answer(ids) : WHOLE));
  await desk.ask([questionOf(99)]);
  isFound = true;
  requests.splice(0);
  const look = async (ids: Id[]) => (await desk.ask(ids.map(questionOf))).map(({ is }) => is);
  return { desk, requests, look };
}

/** Asks with one id in a request. */
async function oneByOne(ids: Id[], answer: (ids: Id[], request: number) => Reply, left = 100) {
  const { desk, requests } = deskOf(answer);
  desk.left = left;
  const kinds = (await desk.ask(ids.map(questionOf), [], 1)).map(({ is }) => is);
  return { kinds, requests, desk };
}

describe('the search without controls', () => {
  it('parts what is refused, and finds all that the gateway has', async () => {
    const { look } = await searching((ids) =>
      ids.some((id) => isControl(id) || id === 3) ? WHOLE : knowing(many(8))(ids),
    );
    expect(await look(many(8))).toEqual(many(8).map((id) => (id === 3 ? 'unanswered' : 'accepted')));
  });

  it('parts nothing of which the exchange broke', async () => {
    const { look, requests } = await searching((ids) => (isSearch(ids) ? BROKEN : WHOLE));
    expect(await look(many(8))).toEqual(times(8, 'unanswered'));
    expect(requests.map((ids) => ids.length)).toEqual([11, 8]);
  });

  it('proves presence alone', async () => {
    const { look } = await searching((ids) => (isSearch(ids) ? knowing([1])(ids) : WHOLE));
    expect(await look([1, 2])).toEqual(['accepted', 'unanswered']);
  });

  it('takes 32 requests for a question and no more', async () => {
    const { look, requests } = await searching(() => WHOLE);
    await look(many(90));
    expect(requests.filter(isSearch)).toHaveLength(32);
  });

  it('is for words that may be those for a control, and for no code that asks for patience', async () => {
    const words = await searching(() => BUSY_WORDS);
    await words.look([1]);
    expect(words.requests.map(isSearch)).toEqual([false, true]);
    const code = await searching(() => BUSY);
    await code.look([1]);
    expect(code.requests.map(isSearch)).toEqual([false]);
  });

  it('is for no words that ask for patience the first time, and for no refused key', async () => {
    for (const reply of [BUSY_WORDS, NO_KEY]) expect((await ask([1], () => reply)).requests).toHaveLength(1);
    const { look, requests } = await searching(() => NO_KEY);
    await look([1]);
    expect(requests).toHaveLength(1);
  });

  it('that finds something is no reason to leave the gateway alone', async () => {
    const answer = (known: Id[]) => (ids: Id[]) => (isSearch(ids) ? knowing(known)(ids) : BUSY_WORDS);
    for (const [known, retryAfter] of [
      [[1], undefined],
      [[], 0],
    ] as const) {
      const { look, desk } = await searching(answer([...known]));
      await look([1, 2]);
      expect([known, desk.failure?.retryAfter]).toEqual([known, retryAfter]);
    }
  });
});

describe('where one id is asked about at a time', () => {
  it('a control is asked about first, once as long as it tells something', async () => {
    const { kinds, requests } = await oneByOne([5, 6, 7], knowing([6]));
    expect(kinds).toEqual(['absent', 'accepted', 'absent']);
    expect(requests.map(([id]) => (isControl(id) ? 'control' : id))).toEqual(['control', 5, 6, 7]);
  });

  it('also two ids are room for one message only', async () => {
    const { desk, requests } = deskOf(knowing([]));
    await desk.ask([1, 2].map(questionOf), [], 2);
    expect(requests.map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it('nothing is asked twice where the control is refused', async () => {
    expect((await oneByOne([5], () => WHOLE)).requests.map(isSearch)).toEqual([false, true]);
    expect((await oneByOne([5], () => ({ ...BUSY, retryAfter: 60 }))).requests).toHaveLength(1);
  });

  it('presence is proven where the exchange about the control broke', async () => {
    const answer = (known: Id[]) => (ids: Id[]) => (isSearch(ids) ? knowing(known)(ids) : BROKEN);
    expect((await oneByOne([5], answer([5]))).kinds).toEqual(['accepted']);
    expect((await oneByOne([5], answer([]))).kinds).toEqual(['unanswered']);
  });

  it('one that is refused takes nothing from the next', async () => {
    const { kinds } = await oneByOne([5, 6], (ids) => (ids[0] === 5 ? WHOLE : knowing([])(ids)));
    expect(kinds).toEqual(['unanswered', 'absent']);
  });

  it('requests for nothing are counted, those about the control too', async () => {
    expect((await oneByOne(many(20), () => BROKEN, 10)).requests).toHaveLength(10);
  });

  it('a witness that was compared with a control of other words shows nothing, and is asked about again', async () => {
    const isBusy = (request: number) => request === 1;
    const { desk, requests } = deskOf((ids, request) =>
      each((id) => ({ ...NOT_KNOWN(id), ...(isBusy(request) && { error: 'Vroop' }) }))(ids),
    );
    const look = async () => (await desk.ask([questionOf(1)], [questionOf(9)], 1)).map(({ is }) => is);
    // The control is answered by a fault, so that the witness isn't alike; the next one is answered as the message is.
    expect(await look()).toEqual(['unanswered']);
    expect(requests.map(([id]) => (isControl(id) ? 'control' : id))).toEqual(['control', 9, 'control', 1]);
    expect(await look()).toEqual(['unclear']);
    expect(requests.slice(4).map(([id]) => (isControl(id) ? 'control' : id))).toEqual(['control', 9, 1]);
  });

  it('a witness that is refused in words of its own shows nothing: they may be those of a fault', async () => {
    const { desk, requests } = deskOf(
      each((id) => ({ ...NOT_KNOWN(id), ...(id === 9 && { error: 'Still on its way' }) })),
    );
    const look = async () => (await desk.ask([questionOf(1)], [questionOf(9)], 1)).map(({ is }) => is);
    expect(await look()).toEqual(['unanswered']);
    expect(requests.map(([id]) => (isControl(id) ? 'control' : id))).toEqual(['control', 9, 'control', 1]);
  });

  it.each([
    ['two controls were answered alike: it is known', 1, 'absent'],
    ['they were not: what the first one was told may have been a fault', 3, 'unanswered'],
  ])(
    'a witness in a state that is not listed shows that status is up to date where %s',
    async (_, from, is) => {
      const named = (id: Id) => ({ success: true, data: { id, status: 'Zorble' } });
      const { desk } = deskOf((ids, request) =>
        each((id) => {
          if (id === 9) return { success: true, data: { id, status: 'Waiting there' } };
          if (id === 1) return { ...NOT_KNOWN(id), error: 'Krk' };
          return request >= from ? named(id) : { ...NOT_KNOWN(id), error: 'Vroop' };
        })(ids),
      );
      const proofs = await desk.ask([1, 2].map(questionOf), [questionOf(9)], 1);
      expect(proofs.map((proof) => proof.is)).toEqual(['unclear', is]);
    },
  );

  it('a witness in a listed state shows that status is up to date, whatever a control was answered', async () => {
    const { desk } = deskOf((ids, request) =>
      each((id) =>
        id === 9 ? ACCEPTED(id) : { ...NOT_KNOWN(id), ...(request === 1 && { error: 'Vroop' }) },
      )(ids),
    );
    const proofs = await desk.ask([1, 2].map(questionOf), [questionOf(9)], 1);
    expect(proofs.map(({ is }) => is)).toEqual(['unclear', 'absent']);
  });

  it('nothing more is told once a control had a listed state', async () => {
    const { desk } = deskOf((ids, request) => (request === 1 ? each(ACCEPTED) : knowing([1]))(ids));
    const look = async (most?: number) =>
      (await desk.ask([1, 2].map(questionOf), [], most)).map(({ is }) => is);
    for (const most of [undefined, undefined, 1, 1]) expect(await look(most)).toEqual(['unclear', 'unclear']);
  });
});

describe('requests for nothing', () => {
  it('are those in which nothing is told of any message', async () => {
    const fault = (id: Id) => ({ success: false, error: 'Database error', data: { id } });
    const after = async (answer: (id: Id) => object) => (await ask([1, 2], each(answer))).desk.left;
    expect(await after(fault)).toBe(99);
    expect(await after((id) => (id === 1 ? ACCEPTED : fault)(id))).toBe(100);
  });

  it('are as many as the gateway was left alone for four seconds', () => {
    const { desk } = deskOf(() => WHOLE);
    const { left } = desk;
    for (const milliseconds of [3999, 4000, 100_000]) desk.leftAlone(milliseconds);
    expect(left - desk.left).toBe(26);
  });

  it('end the questions, with the reason of the last one, if there was any', async () => {
    const { kinds, desk } = await ask([1, 2], () => WHOLE, { left: 1 });
    expect([kinds, desk.failure?.kind]).toEqual([times(2, 'notAsked'), 'refused']);
    const none = await ask([1, 2], () => WHOLE, { left: 0 });
    expect([none.kinds, none.requests, none.desk.failure]).toEqual([times(2, 'notAsked'), [], undefined]);
  });
});

describe('an answer about some of the ids', () => {
  it('is halved though an earlier request of the question broke', async () => {
    const { kinds } = await ask(
      many(16),
      (ids, request) => (request === 1 ? BROKEN : partly(4, NOT_KNOWN)(ids)),
      {
        batchSize: 10,
      },
    );
    expect(kinds).toEqual([...times(8, 'unanswered'), ...times(8, 'absent')]);
  });

  it('is halved also where nothing was small enough before', async () => {
    const { look } = await searching(partly(4, NOT_KNOWN));
    // A control in the middle does not always show it.
    await look(many(8));
    await look(many(8));
    expect(await look(many(8))).toEqual(times(8, 'absent'));
  });

  it('keeps the state of a message that was not delivered', async () => {
    const expired = (id: Id) => ({ success: true, data: { id, type: 'sms', status: 'EXPIRED' } });
    const answer = (ids: Id[], request: number): Answer =>
      request > 1 ? BROKEN : partly(10, (id) => (id === 5 ? expired : NOT_KNOWN)(id))(ids);
    const { kinds } = await ask(many(20), answer);
    expect(kinds).toEqual(many(20).map((id) => (id === 5 ? 'failed' : 'unanswered')));
  });

  it('is searched no further where controls disagree in the smallest question too', async () => {
    const { requests } = await ask([1, 2], (ids) =>
      json({
        success: true,
        data: ids.map((id, i) => ({ success: false, error: 'abcdef'[i], data: { id } })),
      }),
    );
    expect(requests.filter(({ length }) => length > 1).filter(isSearch)).toEqual([]);
  });
});

it('what was told holds no longer once something is told of a message, though not of all', async () => {
  const { desk, requests } = deskOf((ids, request) => (request === 2 ? BROKEN : knowing([77])(ids)), 10);
  const [questions, witnesses] = [many(12).map(questionOf), [questionOf(77)]];
  await desk.ask(questions, witnesses);
  requests.splice(0);
  await desk.ask(questions, witnesses);
  expect(requests.flat().filter((id) => !isControl(id))).toEqual([77, ...many(12)]);
});

it('a witness that is gone takes back absences alone', async () => {
  const { kinds } = await ask([5, 11], knowing([5]), { witnesses: [7] });
  expect(kinds).toEqual(['accepted', 'unclear']);
});

it('a question that holds more ids than any before ends with a control, also by one more', async () => {
  const { desk, requests } = deskOf(knowing([]));
  for (const count of [20, 20, 22]) await desk.ask(many(count).map(questionOf));
  expect(requests.map((ids) => ids.findLastIndex(isControl))).toEqual([22, 21, 24]);
});

it('asks about the last message again where the gateway refuses whatever is beyond its limit, one by one', async () => {
  const TAKEN = [7, 11];
  const upTo = (most: number) => (ids: Id[]) =>
    json({
      success: true,
      data: ids.map((id, i) =>
        i >= most
          ? { success: false, error: 'Vroop', data: { id } }
          : (TAKEN.includes(Number(id)) ? ACCEPTED : NOT_KNOWN)(id),
      ),
    });
  for (let most = 1; most < 8; most++) {
    const { kinds } = await ask([7, 11], upTo(most));
    expect([most, kinds]).toEqual([most, ['accepted', 'accepted']]);
  }
});

it('takes the number for the reason again once a single message is told of, though it may not be known', async () => {
  let isDown = true;
  const { desk, requests } = deskOf((ids) => (isDown || ids.length > 1 ? WHOLE : each(NOT_KNOWN)(ids)));
  const look = async () => (await desk.ask(many(8).map(questionOf))).map(({ is }) => is);
  await look();
  isDown = false;
  // The search without controls finds out, and proves nothing.
  expect(await look()).toEqual(times(8, 'unanswered'));
  const before = requests.length;
  expect(await look()).toEqual(times(8, 'absent'));
  expect(requests.length - before).toBeLessThan(20);
});

it('does not take the number for the reason again where only messages that are known are told of', async () => {
  const taken = many(8);
  const { desk, requests } = deskOf((ids) =>
    ids.every((id) => taken.includes(Number(id))) ? each(ACCEPTED)(ids) : WHOLE,
  );
  const look = async () => (await desk.ask(taken.map(questionOf))).map(({ is }) => is);
  await look();
  const before = requests.length;
  expect(await look()).toEqual(times(8, 'accepted'));
  // With controls, and without.
  expect(requests.slice(before).map((ids) => ids.filter(isControl).length)).toEqual([3, 0]);
});

it('a witness that is on its way in words of its own shows that status is up to date, where a control is in the same answer', async () => {
  const { desk } = deskOf(
    each((id) => ({ ...NOT_KNOWN(id), ...(id === 9 && { error: 'Still on its way' }) })),
  );
  expect((await desk.ask([questionOf(1)], [questionOf(9)])).map(({ is }) => is)).toEqual(['absent']);
});
