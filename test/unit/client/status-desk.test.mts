/** How `status` is asked: with controls, in requests of a size that the gateway takes, and not for ever. */
import type { Answer } from '../../../nodes/gateway/client/transport.ts';
import { isControl, json, times } from '../../support/send-client.mts';
import type { Id, Reply } from '../../support/status-desk.mts';
import {
  ACCEPTED,
  ask,
  deskOf,
  each,
  knowing,
  limited,
  many,
  NOT_KNOWN,
  questionOf,
  WHOLE,
} from '../../support/status-desk.mts';

it('controls stand in different places of each request', async () => {
  const { kinds, requests } = await ask([11, 12, 13], knowing([11]));
  expect(kinds).toEqual(['accepted', 'absent', 'absent']);
  const places = requests[0].flatMap((id, i) => (isControl(id) ? [i] : []));
  expect([requests[0].length, places[0], places.length]).toEqual([6, 0, 3]);
  expect(requests[0].filter((id) => !isControl(id))).toEqual([11, 12, 13]);
});

it('tells nothing where the gateway keeps some digits of an id, which an id beside those of the run shows', async () => {
  const FIRST = 2_400_000_000_000_042;
  const ids = Array.from({ length: 20 }, (_, i) => FIRST + i);
  const digits = (id: Id): string => Number(id).toPrecision(14);
  const taken = new Set(ids.slice(0, 5).map(digits));
  const rounding = each((id) =>
    taken.has(digits(id))
      ? { success: true, data: { msg_id: 7, status: 'ACCEPTED' } }
      : { success: false, error: 'Zorble' },
  );
  const ask = async (answer: typeof rounding, unusedId?: () => number) => {
    const { desk } = deskOf(answer, undefined, unusedId);
    return new Set((await desk.ask(ids.map(questionOf))).map(({ is }) => is));
  };
  expect(await ask(rounding)).toContain('accepted');
  expect(await ask(rounding, () => FIRST - 1)).toEqual(new Set(['unclear']));
  expect(await ask(knowing(ids.slice(0, 5)), () => FIRST - 1)).toEqual(new Set(['accepted', 'absent']));
});

it('nothing is absent where a message that was certainly taken is answered like the controls', async () => {
  expect((await ask([11], knowing([]), { witnesses: [7] })).kinds).toEqual(['unclear']);
  expect((await ask([11], knowing([7]), { witnesses: [7] })).kinds).toEqual(['absent']);
  // One before the doubt shows a loss of memory, one after it that `status` is up to date.
  expect((await ask([11], knowing([7]), { witnesses: [7, 8] })).kinds).toEqual(['unclear']);
  const { kinds, requests } = await ask([7, 11], knowing([7]), { witnesses: [7] });
  expect([kinds, requests[0].length]).toEqual([['accepted', 'absent'], 5]);
});

it('a message that was taken, and is answered like the controls before the gateway asks for patience, is asked about again', async () => {
  const busy: Answer = { ...json('', 429), retryAfter: 20 };
  // Requests of ten ids have two controls, so that the first one asks about nothing else.
  const taken = Array.from({ length: 8 }, (_, i) => 50 + i);
  const { desk, requests } = deskOf(
    (ids, request) => (request === 2 ? busy : knowing(request === 1 ? [] : taken)(ids)),
    10,
  );
  const witnesses = taken.map(questionOf);
  const look = async () => new Set((await desk.ask([1, 2].map(questionOf), witnesses)).map(({ is }) => is));
  expect(await look()).toEqual(new Set(['notAsked']));
  expect(await look()).toEqual(new Set(['absent']));
  expect(requests[2]).toEqual(expect.arrayContaining(taken));
});

it.each([1, 2, 3, 5, 10, 20, 25, 40, 48, 50, 75, 90, 98, 99, 100])(
  'a `status` that takes %i ids is asked about so many, whatever its words, and tells of all',
  async (most) => {
    const { kinds, requests, desk } = await ask(many(98), limited(most, [5]), { left: 500 });
    expect(kinds).toEqual(many(98).map((id) => (id === 5 ? 'accepted' : 'absent')));
    const refused = requests.filter(({ length }) => length > most).length;
    expect(refused).toBeLessThanOrEqual(10);
    // The size is kept.
    const before = requests.length;
    await desk.ask(many(98).map(questionOf));
    expect(requests.slice(before).filter(({ length }) => length > most)).toEqual([]);
  },
);

it.each<[string, Reply]>([
  ['with HTTP 413', json('', 413)],
  ['with HTTP 400', json('', 400)],
  ['by answering some of them', json({ success: true, data: [NOT_KNOWN(1), NOT_KNOWN(2), NOT_KNOWN(3)] })],
])('a question that is too large %s is halved too', async (_, over) => {
  expect((await ask(many(20), limited(4, [], over))).kinds).toEqual(many(20).map(() => 'absent'));
});

it('one in which the gateway refuses some ids one by one is halved too', async () => {
  const answer = (ids: Id[]) =>
    json({
      success: true,
      data: ids.map((id, i) => (i < 4 ? NOT_KNOWN(id) : { success: false, error: 'Limit', data: { id } })),
    });
  const { desk } = await ask(many(20), answer);
  // A control in the middle does not always show it.
  const again = await desk.ask(many(20).map(questionOf));
  expect(again.map(({ is }) => is)).toEqual(many(20).map(() => 'absent'));
});

it('one in which it refuses those from the tenth on shows that at once, also after smaller ones', async () => {
  const few = (ids: Id[]): Answer =>
    json({
      success: true,
      data: ids.map((id, i) =>
        i >= 10
          ? { success: false, error: 'Zu viele', data: { id } }
          : isControl(id)
            ? NOT_KNOWN(id)
            : ACCEPTED(id),
      ),
    });
  for (const before of [0, 1, 2]) {
    const { desk } = deskOf(few);
    for (let i = 0; i < before; i++) await desk.ask([questionOf(99)]);
    const kinds = (await desk.ask(many(16).map(questionOf))).map(({ is }) => is);
    expect(kinds).toEqual(times(16, 'accepted'));
  }
});

it('a listed state in an answer about some of the ids is kept, and not asked for again', async () => {
  const over = (id: Id) => ({ success: false, error: 'At most 10', data: { id } });
  const answer = (ids: Id[], request: number): Answer => {
    if (request > 1) return json('', 502);
    return json({
      success: true,
      data: ids.map((id, i) => (i >= 10 ? over(id) : id === 5 ? ACCEPTED(id) : NOT_KNOWN(id))),
    });
  };
  const { kinds, requests } = await ask(many(20), answer);
  expect(kinds).toEqual(many(20).map((id) => (id === 5 ? 'accepted' : 'unanswered')));
  expect(requests.slice(1).flat()).not.toContain(5);
});

it('controls change their places from answer to answer, also where every second question comes too soon', async () => {
  const busy: Answer = { ...json('', 429), retryAfter: 1 };
  const { desk, requests } = deskOf((ids, request) => (request % 2 === 0 ? busy : knowing([])(ids)));
  for (let i = 0; i < 8; i++) await desk.ask(many(20).map(questionOf));
  const places = requests.filter((_, i) => i % 2 === 0).map((ids) => ids.findLastIndex(isControl));
  expect(places).toEqual([22, 21, 11, 21]);
});

it('where the smallest question is refused as well, the number is not the reason: what is there is searched without controls', async () => {
  const known = [11, 13];
  const { kinds, requests, desk } = await ask(
    [11, 12, 13, 14],
    (ids) => (ids.every((id) => known.includes(Number(id))) ? knowing(known)(ids) : WHOLE),
    { left: 200 },
  );
  expect(kinds).toEqual(['accepted', 'unanswered', 'accepted', 'unanswered']);
  expect(requests.length).toBeLessThan(25);
  expect(desk.failure).toMatchObject({ kind: 'refused', problem: { text: 'Zorble' } });
});

it('the words for an unknown id may ask for patience: what is there is searched without controls then too', async () => {
  const busy = json({ success: false, error: 'Too many requests' });
  let known: Id[] = [];
  const { desk, requests } = deskOf((ids) =>
    ids.every((id) => known.includes(id)) ? knowing(ids)(ids) : busy,
  );
  const look = async () => (await desk.ask([1, 2, 3].map(questionOf))).map(({ is }) => is);
  // By the first answer it comes too soon, and by those after it holds too many.
  for (let i = 0; i < 3; i++) expect(await look()).not.toContain('accepted');
  known = [1, 2, 3];
  const before = requests.length;
  expect(await look()).toEqual(['accepted', 'accepted', 'accepted']);
  expect(requests.length - before).toBe(2);
});

it('where words ask for patience whatever is asked, a time that they name in the end is waited for', async () => {
  const busy = json({ success: false, error: 'Too many requests' });
  let alone = busy;
  const { desk } = deskOf((ids) => (ids.some(isControl) ? busy : alone));
  for (let look = 0; look < 4; look++) {
    if (look === 3) alone = { ...busy, retryAfter: 60 };
    await desk.ask([1, 2, 3].map(questionOf));
    expect(desk.failure?.retryAfter).toBe(look === 3 ? 60 : 0);
  }
});

it('asks about some messages at once, however few of them the user wants in one request', async () => {
  expect((await ask(many(8), knowing([]), { batchSize: 1 })).requests).toHaveLength(1);
});

it('costs a bounded number of requests where all are refused', async () => {
  const { requests, kinds } = await ask(many(90), () => WHOLE);
  expect(requests.length).toBeLessThanOrEqual(50);
  expect(new Set(kinds)).toEqual(new Set(['unanswered']));
});

it('a receipt of a queue answers nothing, and is no reason to ask in smaller parts', async () => {
  const { kinds, requests, desk } = await ask([1, 2], () => json({ success: true, request_id: 'r' }));
  expect([kinds, requests.length]).toEqual([['unanswered', 'unanswered'], 1]);
  expect(desk.failure).toEqual({ kind: 'lost', problem: { kind: 'notTold' } });
});

it('an exchange that breaks is no reason to ask in smaller parts either', async () => {
  const { kinds, requests } = await ask([1, 2], () => json('', 502));
  expect([kinds, requests.length]).toEqual([['unanswered', 'unanswered'], 1]);
});

it('a 429 never means too many at once where as many have been answered', async () => {
  const busy = json('', 429);
  const { desk, requests } = deskOf((ids, request) =>
    [2, 3, 4].includes(request) ? busy : knowing([])(ids),
  );
  const kinds = [];
  for (let question = 1; question <= 5; question++)
    kinds.push((await desk.ask(many(8).map(questionOf)))[7].is);
  expect(kinds).toEqual(['absent', 'notAsked', 'notAsked', 'notAsked', 'absent']);
  expect(requests.map(({ length }) => length)).toEqual([11, 10, 10, 10, 10]);
});

it('what is answered in part is halved also where as many have been answered', async () => {
  const over = (id: Id) => ({ success: false, error: 'At most 4', data: { id } });
  const { desk, requests } = deskOf((ids, request) =>
    request === 1
      ? knowing([])(ids)
      : json({ success: true, data: ids.map((id, i) => (i < 4 ? NOT_KNOWN(id) : over(id))) }),
  );
  let kinds: string[] = [];
  // A control in the middle does not always show it.
  for (let question = 1; question <= 3; question++)
    kinds = (await desk.ask(many(8).map(questionOf))).map(({ is }) => is);
  expect(kinds).toEqual(times(8, 'absent'));
  expect(requests.at(-1)?.length).toBeLessThanOrEqual(4);
});

it('a 429 without words means too often at first, and too many at once when it comes again', async () => {
  const { desk, requests } = deskOf(limited(5, [], json('', 429)));
  const kinds = async () => (await desk.ask(many(20).map(questionOf))).map(({ is }) => is);
  expect([new Set(await kinds()), requests.length]).toEqual([new Set(['notAsked']), 1]);
  expect(await kinds()).toEqual(many(20).map(() => 'absent'));
  const before = requests.length;
  expect(await kinds()).toEqual(many(20).map(() => 'absent'));
  expect(Math.max(...requests.slice(before).map(({ length }) => length))).toBe(5);
});

it.each([1, 3])(
  'where %i ids are answered, and one request at a time, what is told of controls and witnesses holds until a message is told of',
  async (most) => {
    const busy: Answer = { ...json('', 429), retryAfter: 1 };
    let isBusy = false;
    const { desk, requests } = deskOf((ids) => {
      if (ids.length > most) return WHOLE;
      isBusy = !isBusy;
      return isBusy ? knowing([7, 8])(ids) : busy;
    });
    const witnesses = [7, 8].map(questionOf);
    const kinds: string[] = [];
    for (let question = 0; question < 10 && !kinds.includes('absent'); question++)
      kinds.push((await desk.ask([questionOf(11)], witnesses))[0].is);
    expect(kinds.at(-1)).toBe('absent');
    isBusy = false;
    const before = requests.length;
    await desk.ask([questionOf(11)], witnesses);
    // Its being absent once more has to be borne out anew.
    expect(requests[before]).not.toContain(11);
  },
);

it('leaves the gateway alone once it asks for that', async () => {
  const busy: Answer = { ...json('', 429), retryAfter: 60 };
  const { kinds, requests, desk } = await ask(many(20), () => busy, { batchSize: 10 });
  // Also what stood in the request: nobody looked at it.
  expect(kinds).toEqual(many(20).map(() => 'notAsked'));
  expect([requests.length, desk.failure?.retryAfter]).toEqual([1, 60]);
});

it('makes no more requests for nothing than it may, and as many as it likes that tell something', async () => {
  const refused = await ask(many(40), () => json('', 502), { batchSize: 10, left: 3 });
  expect(refused.requests).toHaveLength(3);
  expect(refused.kinds.slice(24)).toEqual(many(16).map(() => 'notAsked'));
  for (const known of [many(40), []]) {
    expect((await ask(many(40), knowing(known), { batchSize: 10, left: 1 })).requests).toHaveLength(5);
  }
});

it('where one id is answered at a time, a field of few values is found to say nothing by another control', async () => {
  let request = 0;
  const served = (ids: Id[]): Answer => {
    request += 1;
    const server = `node-${'abc'[request % 3]}`;
    return json({ success: true, data: ids.map((id) => ({ ...NOT_KNOWN(id), data: { id, server } })) });
  };
  const { desk } = deskOf((ids) => (ids.length > 1 ? WHOLE : served(ids)));
  const kinds = (await desk.ask(many(60).map(questionOf))).map(({ is }) => is);
  expect(kinds.filter((kind) => kind === 'absent').length).toBeGreaterThan(50);
});

it('a control alone is no request for nothing once it is answered', async () => {
  const { desk } = deskOf(limited(1, [5]));
  const questions = [5, 6].map(questionOf);
  await desk.ask(questions);
  const { left } = desk;
  for (let i = 0; i < 5; i++) await desk.ask(questions);
  expect(desk.left).toBe(left);
});

it('survives payloads of any shape', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const item = `{"success":true,"data":{"deep":${deep}}}`;
  const { kinds } = await ask([1, 2], () => json(`{"success":true,"data":[${Array(5).fill(item).join()}]}`));
  expect(kinds).toEqual(['unanswered', 'unanswered']);
});

it('tells nothing more in a run once it has said of a control that it has it: the order of its answers is unknown', async () => {
  const known = [1, 2, 3, 4, 5];
  const reversed = (ids: Id[]) =>
    json({
      success: true,
      data: ids
        .map((id) => ({
          success: known.includes(Number(id)),
          data: { status: known.includes(Number(id)) ? 'ACCEPTED' : '' },
        }))
        .reverse(),
    });
  const { kinds, desk } = await ask(many(10), reversed);
  expect(new Set(kinds)).toEqual(new Set(['unclear']));
  expect((await desk.ask([1, 7].map(questionOf))).map(({ is }) => is)).toEqual(['unclear', 'unclear']);
});
