/**
 * What `status` proves, whatever words it has for a message that it doesn't know (gateway-api.md, "Asking for a status").
 */
import type { ItemVerdict } from '../../../nodes/gateway/client/response.ts';
import type { ControlsSeen } from '../../../nodes/gateway/client/status-proof.ts';
import { hasListedState, proofsOf, showsNothing } from '../../../nodes/gateway/client/status-proof.ts';

const said = (payload?: unknown): ItemVerdict => ({ state: 'accepted', payload });
const refused = (text: string, payload?: unknown): ItemVerdict => ({
  state: 'refused',
  problem: { kind: 'item', text, wireType: 'status' },
  payload,
});

const unseen = (): ControlsSeen => ({ noise: new Set(), states: new Set() });

/** What is said of one message, beside what is said of controls. */
const proof = (own: ItemVerdict, controls: ItemVerdict[], type: 'sms' | 'viber+sms' = 'sms') =>
  proofsOf(
    [{ id: 11, type }],
    [{ id: 11, item: own }],
    controls.map((item, i) => ({ id: 2 ** 52 + i, item })),
    unseen(),
  )[0];
const kindOf = (own: ItemVerdict, controls: ItemVerdict[]) => proof(own, controls).is;
const twice = (item: ItemVerdict) => [item, item];
const NONE = twice(refused('Zorble'));

it.each<[string, (id: number) => ItemVerdict]>([
  ['words that nobody knows', () => refused('Zorble')],
  ['words with the id', (id) => refused(`Es gibt keine ${id}`)],
  ['a success with a time', (id) => said({ id, status: null, updated: `2026-11-22 22:10:${id % 60}` })],
  ['a success and no payload', () => said()],
  ['a success and null', () => said(null)],
  ['a success with a state of several words', () => said({ status: 'Zorble frob' })],
  ['a state that is none', (id) => said({ id, status: 'UNKNOWN', msg_id: '0' })],
])('a message is absent that is answered like ids that nobody has sent, by %s', (_, answer) => {
  expect(kindOf(answer(11), [answer(2 ** 52), answer(2 ** 52 + 1)])).toBe('absent');
});

it.each<[string, string, object]>([
  ['accepted', 'a pending state', { status: 'ACCEPTED' }],
  ['accepted', 'an arrived state, written otherwise', { status: 'partially_delivered' }],
  ['accepted', 'replies beside a state that is none', { status: 'UNKNOWN', replies: [{ message: 'Yes' }] }],
  ['failed', 'a state of what was not delivered', { status: 'EXPIRED' }],
  ['rejected', 'REJECTED', { status: 'REJECTED' }],
  ['seen', 'a state that is not listed', { status: 'Доставлено' }],
  ['seen', "the gateway's number alone", { msg_id: 5 }],
  ['seen', 'the type of the message alone', { type: 'sms' }],
  ['seen', 'a reply that nobody can read', { status: 'UNKNOWN', replies: [null] }],
  ['unclear', 'a zero for a number', { msg_id: '0', status: 'UNKNOWN' }],
  ['unclear', 'null', { msg_id: null, status: null }],
  ['unclear', 'a list of no replies', { replies: [] }],
  ['unclear', 'words for none', { status: 'Not found' }],
  ['unclear', 'the type of the question', { type: 'status' }],
])('a message is %s by %s, where controls are refused', (is, _, payload) => {
  expect(kindOf(said({ id: 11, ...payload }), NONE)).toBe(is);
});

it('the words of an absence are kept for the next try, and are what decides in the answer to a control', () => {
  const words = (item: ItemVerdict) => {
    const found = proof(item, twice(item));
    return found.is === 'absent' && found.words;
  };
  expect(words(refused('Zorble 5', { status: 'NO', more: 1 }))).toBe(
    'success: refused\nerror: Zorble #\ndata.status: NO',
  );
  expect(words(refused('Zorble'))).toBe('success: refused\nerror: Zorble');
  expect(words(said({ status: 'NO' }))).toBe('success: accepted\ndata.status: NO');
});

it('a message that is refused in other words than controls are is neither there nor absent', () => {
  for (const payload of [{ status: 'DELIVERED' }, { msg_id: 5 }])
    expect(kindOf(refused('Frob', payload), NONE)).toBe('unclear');
});

it('a number or a type of a message shows it only where no control has one, whatever else differs', () => {
  const of = (more: object) => said({ status: 'ERROR', ...more });
  const [number, word] = [of({ msg_id: 5 }), of({ msg_id: '0' })];
  // What differs from control to control is noise, a number of the gateway is not.
  expect(kindOf(number, [word, of({ msg_id: null })])).toBe('seen');
  expect(kindOf(number, [of({ msg_id: 6 }), of({})])).toBe('absent');
  const sms = of({ type: 'sms' });
  expect([kindOf(sms, [sms, sms]), kindOf(sms, [sms, of({})])]).toEqual(['absent', 'absent']);
  const none = (messageId: unknown) => refused('Zorble', { msg_id: messageId });
  expect(kindOf(none(5), [none('0'), none(null)])).toBe('absent');
});

it('replies show a message only where no control has any', () => {
  const of = (more: object) => said({ status: 'UNKNOWN', ...more });
  const replied = of({ replies: [{ message: 'Yes' }] });
  expect(kindOf(replied, [replied, of({})])).toBe('unclear');
});

it('a listed state is one of an answer that was accepted', () => {
  const isListed = (item: ItemVerdict) => hasListedState({ id: 11, item });
  expect(isListed(said({ status: 'DELIVERED' }))).toBe(true);
  expect([said({ status: 'Zorble' }), refused('No', { status: 'DELIVERED' })].map(isListed)).toEqual([
    false,
    false,
  ]);
});

it('a failure of a first channel is followed by another, so that the message is accepted', () => {
  const report = { id: 11, type: 'viber', msg_id: 5, status: 'EXPIRED' };
  expect(proof(said(report), NONE, 'viber+sms').is).toBe('accepted');
});

it('a state that a control has too is no presence, whatever differs beside it', () => {
  const of = (more: object) => said({ status: 'ERROR', ...more });
  expect(kindOf(of({ index: 1 }), [of({ index: 0 }), of({ index: 0 })])).toBe('unclear');
  const listed = (more: object) => said({ status: 'ACCEPTED', msg_id: 42, ...more });
  expect(kindOf(listed({ index: 1 }), [listed({ index: 0 }), listed({ index: 2 })])).toBe('unclear');
});

it('a state that a control of an earlier request had is no presence either, whatever is said of the controls now', () => {
  const seen = unseen();
  const ask = (status: string, ...controls: ItemVerdict[]) =>
    proofsOf(
      [{ id: 11, type: 'sms' }],
      [{ id: 11, item: said({ status }) }],
      controls.map((item, i) => ({ id: 2 ** 52 + i, item })),
      seen,
    )[0].is;
  expect(ask('Нет', ...NONE)).toBe('seen');
  expect(ask('Нет', ...twice(said({ status: 'Нет' })))).toBe('absent');
  expect(ask('Нет', ...NONE)).toBe('unclear');
  expect(ask('Доставлено', ...NONE)).toBe('seen');
});

it('what controls have too takes back what was seen, unless more than that was seen', () => {
  expect(showsNothing({ id: 11, status: 'нет' }, { status: 'НЕТ' })).toBe(true);
  expect(showsNothing({ id: 11, status: 'нет', msg_id: '0' }, { status: 'НЕТ' })).toBe(true);
  expect(showsNothing({ id: 11, status: 'Да' }, { status: 'НЕТ' })).toBe(false);
  expect(showsNothing({ id: 11, status: 'нет', msg_id: 5 }, { status: 'НЕТ' })).toBe(false);
  expect(showsNothing({ id: 11, status: 'нет', type: 'sms' }, { status: 'НЕТ' })).toBe(false);
  expect(showsNothing({ id: 11, status: 'нет', replies: [{ message: 'Yes' }] }, { status: 'НЕТ' })).toBe(
    false,
  );
  // No state, as in a refusal, and a number where controls have one, too.
  expect(showsNothing({ id: 11, msg_id: 5 }, {})).toBe(false);
  expect(showsNothing({ id: 11, msg_id: 5 }, { msg_id: 6 })).toBe(true);
});

it.each<[string, (at: number) => object]>([
  ['place', (at) => ({ index: at })],
  ['trace', (at) => ({ trace: `x${'abc'[at]}` })],
  ['number', (at) => ({ msg_id: `${'abc'[at]}f-${at}` })],
  ['milliseconds', (at) => ({ ms: at * 7 })],
])('what differs from control to control counts for nothing: its %s', (_, noise) => {
  const of = (at: number, status = 'ERROR') => said({ status, ...noise(at) });
  expect(kindOf(of(1), [of(0), of(2)])).toBe('absent');
  expect(kindOf(of(1, 'SENT'), [of(0), of(2)])).toBe('accepted');
  expect(kindOf(of(1, 'IN WORK'), [of(0), of(2)])).toBe('seen');
});

it('noise that was found counts for nothing in later answers either', () => {
  const seen = unseen();
  const of = (id: number, at: number) => ({ id, item: said({ status: 'ERROR', index: at }) });
  const question = [{ id: 11, type: 'sms' }] as const;
  proofsOf(question, [of(11, 1)], [of(12, 0), of(13, 2)], seen);
  expect(proofsOf(question, [of(11, 1)], [of(12, 0), of(13, 0)], seen)).toMatchObject([{ is: 'absent' }]);
});

it('what decides is never noise, though controls of an earlier request differed in it', () => {
  const seen = unseen();
  const of = (id: number, status: string) => ({ id, item: said({ status }) });
  const ask = (own: string, ...controls: string[]) =>
    proofsOf(
      [{ id: 11, type: 'sms' }],
      [of(11, own)],
      controls.map((status, i) => of(12 + i, status)),
      seen,
    )[0].is;
  expect(ask('Zorble', 'Frob', 'Frab')).toBe('seen');
  expect(ask('Zorble', 'Frob', 'Frob')).toBe('seen');
  expect(ask('Zorble')).toBe('unclear');
});

it('what differs from one request to the next is noise, as long as the controls say the same', () => {
  const of = (id: number, server: string, status = 'ERROR') => ({ id, item: said({ status, server }) });
  const question = [{ id: 11, type: 'sms' }] as const;
  const ask = (seen: ControlsSeen, server: string, status?: string) =>
    proofsOf(question, [of(11, 'c')], [of(12, server, status), of(13, server, status)], seen)[0].is;
  const seen = unseen();
  expect(ask(seen, 'a')).toBe('unclear');
  expect(ask(seen, 'b')).toBe('absent');
  const other = unseen();
  expect(ask(other, 'a', 'DOWN')).toBe('seen');
  expect(ask(other, 'b')).toBe('unclear');
});

it.each<[string, ItemVerdict[]]>([
  ['controls disagree in words', [refused('Zorble'), refused('Zarble')]],
  ['controls disagree in a state', [said({ status: 'A' }), said({ status: 'B' })]],
  ['words mean a fault', twice(refused('Database error'))],
  ['words mean a fault in another language', twice(refused('Внутренняя ошибка'))],
  ['words ask for patience', twice(refused('Too many requests'))],
  ['words are about the account', twice(refused('Account is blocked'))],
  ['the contract has another meaning for the words', twice(refused('Invalid message type'))],
  ['words of a fault apart stand where a state belongs', twice(said({ status: 'Database - error' }))],
  [
    'words of a fault with a mark between them stand where a state belongs',
    twice(said({ status: 'Database: error' })),
  ],
  ['the words of a fault stand where a state belongs', twice(said({ status: 'Internal error' }))],
  ['the contract has them for another operation', twice(refused('Operator not supported'))],
  ['words refuse the operation', twice(refused('Unknown operation'))],
  ['words refuse it to the account', twice(refused('Method not available on your tariff'))],
  ['words refuse it in another language', twice(refused('Метод не поддерживается'))],
  ['there are no words', twice(refused(''))],
  ['they have a listed state', twice(said({ status: 'ACCEPTED' }))],
])('nothing is absent where %s', (_, controls) => {
  expect(kindOf(controls[0], controls)).toBe('unclear');
});

it('without controls nothing is absent, and only listed states show a message', () => {
  expect(kindOf(refused('Zorble'), [])).toBe('unclear');
  expect(kindOf(said({ status: 'ERROR', msg_id: 5 }), [])).toBe('unclear');
  expect(kindOf(said({ status: 'QUEUED' }), [])).toBe('accepted');
});

/** So many fields, the last of which has a value of its own. */
const fieldsTo = (count: number, last: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i === count - 1 ? last : 'a']));

it.each<[string, string, object, object]>([
  ['absent', 'a long number, which is a reference', { ref: 12345 }, { ref: 98765 }],
  ['unclear', 'a short number, which may be a state', { code: 1234 }, { code: 4321 }],
  ['absent', 'words with digits', { note: 'at 10:15 a1' }, { note: 'at 11:20 b2' }],
  ['absent', 'a number with a fraction, which measures', { took: 2 }, { took: 12.25 }],
  ['unclear', 'words with a fraction behind them', { note: 'sent' }, { note: 'lost 1.5' }],
  ['unclear', 'words with a fraction before them', { note: 'sent' }, { note: '1.5 lost' }],
  ['unclear', 'words behind a long number', { note: '12345 sent' }, { note: '12345 lost' }],
  ['absent', 'a digit beside words', { note: '5 sent' }, { note: '7 sent' }],
  ['unclear', 'an object without fields', { a: {} }, {}],
  ['unclear', 'an object without fields beside others', { a: {}, b: 1 }, { b: 1 }],
  ['unclear', 'words before a number', { note: 'sent 12' }, { note: 'lost 12' }],
  ['unclear', 'its 500th character', { note: `${'a'.repeat(499)}x` }, { note: `${'a'.repeat(499)}y` }],
  ['absent', 'its 501st character', { note: `${'a'.repeat(500)}x` }, { note: `${'a'.repeat(500)}y` }],
  ['unclear', 'its third level', { a: { b: 'x' } }, { a: { b: 'y' } }],
  ['absent', 'its fourth level', { a: { b: { c: { d: 'x' } } } }, { a: { b: { c: { d: 'y' } } } }],
  ['absent', 'a list in its fourth level', { a: { b: { c: ['x'] } } }, { a: { b: { c: ['y'] } } }],
  ['absent', 'null, which is written as a word', { a: null }, { a: 'null' }],
  ['unclear', 'its twentieth field', fieldsTo(20, 'x'), fieldsTo(20, 'y')],
  ['absent', 'its twenty-first field', fieldsTo(21, 'x'), fieldsTo(21, 'y')],
])('a message is %s whose answer differs from that of the controls in %s', (is, _, own, others) => {
  expect(kindOf(refused('Zorble', own), twice(refused('Zorble', others)))).toBe(is);
});
