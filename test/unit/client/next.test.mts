/** The rules by which it is decided what became of a row: each cause with each thing that `status` may say. */
import fc from '../../support/generated.mts';

import { begin } from '../../../nodes/gateway/client/begin.ts';
import type { RowEvent } from '../../../nodes/gateway/client/next.ts';
import { asking, next } from '../../../nodes/gateway/client/next.ts';
import { Queue } from '../../../nodes/gateway/client/queue.ts';
import type { Asking, Past, Row, RowState } from '../../../nodes/gateway/client/row.ts';
import { statusWordsOf } from '../../../nodes/gateway/client/row.ts';
import type { Cause } from '../../../nodes/gateway/client/rules.ts';
import { RULES } from '../../../nodes/gateway/client/rules.ts';
import type { StatusProof } from '../../../nodes/gateway/client/status-proof.ts';
import type { Report } from '../../../nodes/gateway/delivery/reports.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

const item = (text: string): Problem => ({ kind: 'item', text, wireType: 'sms' });
const envelope = (text: string): Problem => ({ kind: 'envelope', text });
const code = (status: number): Problem => ({ kind: 'http', status });
const rowIn = (state: RowState, more: Partial<Row> = {}): Row => ({
  operation: { type: 'sms', id: 1, phone: 380501234567 },
  endpoint: 'sync',
  ...more,
  state,
});
const READY: RowState = { is: 'ready', past: {} };
const WORDS = item('Number is barred');

/** The state of a row in question for a cause, as of `waitedMs`. */
const inQuestion = (cause: Cause, more: Partial<Asking> = {}): Asking => ({
  ...asking(cause, { problem: WORDS, past: { left: true }, leftAtMs: 0, size: 10 }),
  waitedMs: RULES[cause].settlesMs,
  ...more,
});

const report = (status: string) => ({ id: 1, status });
const TOLD = {
  accepted: { is: 'accepted', report: report('QUEUED') },
  failed: { is: 'failed', report: report('EXPIRED') },
  rejected: { is: 'rejected', report: report('REJECTED') },
  seen: { is: 'seen', report: report('CANCELLED') },
  absent: { is: 'absent', words: 'none', said: {} },
  unclear: { is: 'unclear' },
  unanswered: { is: 'unanswered' },
} as const satisfies Record<string, StatusProof>;
type Word = keyof typeof TOLD;

const tell = (row: Row, proof: StatusProof, isProvable = true): RowState =>
  next(row, { is: 'told', proof, isProvable });

/** What becomes of a row that is told the same again and again, two seconds apart. */
function inTheEnd(state: Asking, word: Word, more: Partial<Row> = {}, isProvable = true): RowState {
  let current: RowState = state;
  for (let looks = 0; looks < 10 && current.is === 'asking'; looks++) {
    current = tell(rowIn(current, more), TOLD[word], isProvable);
    if (current.is === 'asking') current = { ...current, waitedMs: current.waitedMs + 2000 };
  }
  return current;
}

type Ends = Record<Word, string>;
const REFUSED: Ends = {
  accepted: 'accepted',
  failed: 'refused',
  rejected: 'refused',
  seen: 'refused',
  absent: 'refused',
  unclear: 'refused',
  unanswered: 'refused',
};
const IN_DOUBT: Ends = {
  accepted: 'accepted',
  failed: 'accepted',
  rejected: 'refused',
  seen: 'unknown',
  absent: 'unknown',
  unclear: 'unknown',
  unanswered: 'unknown',
};

const TABLE: Record<Cause, Ends> = {
  key: { ...IN_DOUBT, rejected: 'ready', absent: 'ready', unclear: 'notSent', unanswered: 'notSent' },
  repeated: { ...IN_DOUBT, rejected: 'ready', absent: 'ready' },
  refusedBefore: { ...REFUSED, rejected: 'ready', absent: 'ready' },
  notSentBefore: {
    ...IN_DOUBT,
    rejected: 'ready',
    absent: 'ready',
    unclear: 'notSent',
    unanswered: 'notSent',
  },
  refused: REFUSED,
  fault: { ...IN_DOUBT, absent: 'refused' },
  duplicate: { ...IN_DOUBT, absent: 'refused' },
  refusedTogether: { ...REFUSED, rejected: 'ready', absent: 'ready' },
  faultTogether: { ...IN_DOUBT, rejected: 'ready', absent: 'ready' },
  turnedAway: { ...IN_DOUBT, rejected: 'ready', absent: 'ready' },
  lost: { ...IN_DOUBT, absent: 'ready' },
  late: IN_DOUBT,
  refusedByQueue: { ...IN_DOUBT, failed: 'refused' },
  queue: IN_DOUBT,
  turnedAwayByQueue: { ...IN_DOUBT, rejected: 'ready', absent: 'ready' },
};

const CELLS = Object.entries(TABLE).flatMap(([cause, ends]) =>
  Object.entries(ends).map(([word, end]) => [cause, word, end] as [Cause, Word, string]),
);

it.each(CELLS)('a row in question by "%s" of which status says "%s" ends as %s', (cause, word, end) => {
  const after = inTheEnd(inQuestion(cause), word);
  expect(after.is).toBe(end);
  // What the gateway said stays with it, and what `status` says beside it.
  if (after.is === 'refused' && word === 'seen')
    expect(after).toMatchObject({ problem: WORDS, report: report('CANCELLED') });
  if (after.is === 'unknown' && word === 'seen') expect(after.report).toEqual(report('CANCELLED'));
});

it.each<[string, number, Cause[]]>([
  [
    'at once, where the gateway is done with it, or an earlier run sent it',
    0,
    [
      ...(['key', 'repeated', 'refusedBefore', 'notSentBefore', 'fault', 'duplicate'] as const),
      ...(['refusedTogether', 'faultTogether', 'turnedAway'] as const),
    ],
  ],
  [
    'half a second after an exchange that broke, or with a queue',
    500,
    ['lost', 'late', 'refusedByQueue', 'queue', 'turnedAwayByQueue'],
  ],
  ['two seconds after a refusal of its own, the once that it is asked about', 2000, ['refused']],
])('a row in question is asked about first %s', (_, milliseconds, causes) => {
  for (const cause of causes) expect([cause, inQuestion(cause).nextAtMs]).toEqual([cause, milliseconds]);
});

it('what has no time to settle never leaves before it: an absence counts from then on', () => {
  const lost = inQuestion('lost', { waitedMs: 500 });
  const first = tell(rowIn(lost), TOLD.absent) as Asking;
  const second = tell(rowIn({ ...first, waitedMs: 29_999 }), TOLD.absent);
  expect([first.is, second.is]).toEqual(['asking', 'asking']);
  expect(tell(rowIn({ ...(second as Asking), waitedMs: 30_000 }), TOLD.absent).is).toBe('ready');
});

it('an absence is said twice in the same words, two seconds apart; what is unclear takes it back, silence does not', () => {
  const at = (state: RowState, waitedMs: number, proof: StatusProof) =>
    tell(rowIn({ ...(state as Asking), waitedMs }), proof);
  const once = at(inQuestion('fault'), 0, TOLD.absent);
  expect(at(once, 1999, TOLD.absent).is).toBe('asking');
  expect(at(once, 2000, { is: 'absent', words: 'others', said: {} }).is).toBe('asking');
  expect(at(at(once, 1000, TOLD.unclear), 2000, TOLD.absent).is).toBe('asking');
  expect(at(at(once, 1000, TOLD.unanswered), 2000, TOLD.absent).is).toBe('refused');
  expect(at(once, 2000, TOLD.absent).is).toBe('refused');
});

it('an absence proves nothing of a row that status would not know', () => {
  for (const [cause, end] of [
    ['fault', 'unknown'],
    ['faultTogether', 'unknown'],
    ['lost', 'unknown'],
    ['refusedBefore', 'refused'],
  ] as const)
    expect(inTheEnd(inQuestion(cause), 'absent', {}, false).is).toBe(end);
});

it('a row that was seen in a state that is not listed never leaves again, in a later try neither', () => {
  const unknown = inTheEnd(inQuestion('lost'), 'seen');
  const row = rowIn(READY);
  const again = begin(row, { state: unknown, mayBeSent: false, nowMs: 0 });
  expect(inTheEnd(again as Asking, 'absent')).toMatchObject({ is: 'unknown', report: report('CANCELLED') });
});

it('what was seen in a state that ids have which nobody sent is absent like any other', () => {
  const state = inQuestion('lost', { seen: report('CANCELLED'), absence: { sinceMs: 0, words: 'none' } });
  const tellAbsent = (said: Report, asked = state) =>
    tell(rowIn(asked), { is: 'absent', words: 'none', said });
  expect(tellAbsent({ status: 'GONE' })).toMatchObject({ is: 'unknown', report: report('CANCELLED') });
  const numbered = { ...state, seen: { status: '', msg_id: 7 } };
  expect(tellAbsent({ status: '' }, numbered)).toMatchObject({ is: 'unknown', report: { msg_id: 7 } });
  expect(tellAbsent({ status: '', msg_id: 8 }, numbered)).toMatchObject({ is: 'ready' });
  expect(tellAbsent({ status: 'CANCELLED' })).toMatchObject({ is: 'ready', past: { resent: ['lost'] } });
});

it('what has a key may be called REJECTED as another run sent it: that proves no more than an absence', () => {
  const keyed = { sendOnce: true };
  expect(tell(rowIn(inQuestion('queue', { waitedMs: 500 }), keyed), TOLD.rejected).is).toBe('asking');
  expect(inTheEnd(inQuestion('queue'), 'rejected', keyed).is).toBe('unknown');
  expect(inTheEnd(inQuestion('refusedByQueue'), 'rejected', keyed).is).toBe('unknown');
  expect(tell(rowIn(inQuestion('lost', { waitedMs: 500 }), keyed), TOLD.rejected).is).toBe('asking');
  expect(inTheEnd(inQuestion('lost'), 'rejected', keyed).is).toBe('refused');
});

it('what left twice may be called REJECTED for the first time: that proves no more than an absence', () => {
  const again: Past = { left: true, again: true };
  expect(tell(rowIn(inQuestion('lost', { past: again })), TOLD.rejected).is).toBe('asking');
  expect(inTheEnd(inQuestion('lost', { past: again }), 'rejected').is).toBe('refused');
  expect(inTheEnd(inQuestion('late', { past: again }), 'rejected').is).toBe('unknown');
  expect(tell(rowIn(inQuestion('lost')), TOLD.rejected)).toMatchObject({
    is: 'refused',
    problem: WORDS,
    report: report('REJECTED'),
  });
  const wordless = inQuestion('lost', { problem: code(502) });
  expect(tell(rowIn(wordless), TOLD.rejected)).toMatchObject({ problem: { kind: 'rejected' } });
});

it('a message of a key that was refused before leaves again; as a duplicate it wants a new key', () => {
  const ready = inTheEnd(asking('key', { problem: WORDS, past: {}, leftAtMs: 0, size: 1 }), 'rejected');
  expect(ready).toMatchObject({ is: 'ready', past: { rejected: true, before: 'refused' } });
  const row = rowIn(ready, { sendOnce: true });
  const doubled = next(row, { is: 'refused', problem: item('Duplicate id'), leftAtMs: 0 });
  expect(doubled).toMatchObject({ is: 'asking', cause: 'duplicate' });
  expect(inTheEnd(doubled as Asking, 'rejected', { sendOnce: true })).toMatchObject({
    is: 'refused',
    problem: { kind: 'refusedBefore', hasKey: true },
  });
});

it.each<[string, Cause, Partial<Row>, Past]>([
  ['an own id may be that of an older message', 'lost', { hasOwnId: true }, { left: true }],
  ['it was rejected before', 'lost', {}, { left: true, rejected: true }],
  ['an own id may be that of an older message, in a queue too', 'queue', { hasOwnId: true }, { left: true }],
])('what is called REJECTED is looked at again where %s', (_, cause, more, past) => {
  const early = inQuestion(cause, { past, waitedMs: 0 });
  expect(tell(rowIn(early, more), TOLD.rejected).is).toBe('asking');
});

it('what may be called REJECTED as it was before says nothing where status would not know it', () => {
  const own = { hasOwnId: true };
  expect(inTheEnd(inQuestion('faultTogether'), 'rejected', own, false).is).toBe('unknown');
  expect(inTheEnd(inQuestion('faultTogether'), 'rejected', own).is).toBe('ready');
  expect(inTheEnd(inQuestion('refusedTogether'), 'rejected', own, false).is).toBe('ready');
  expect(inTheEnd(inQuestion('key', { past: {} }), 'rejected', { sendOnce: true }, false).is).toBe('ready');
});

it('what a queue was given before never leaves because status lacks it: it may take it later', () => {
  const ends = (endpoint: Row['endpoint']) =>
    (['refusedBefore', 'notSentBefore'] as const).map(
      (cause) => inTheEnd(inQuestion(cause), 'absent', { endpoint }).is,
    );
  expect([ends('async'), ends('sync')]).toEqual([
    ['refused', 'notSent'],
    ['ready', 'ready'],
  ]);
});

it('REJECTED is told in the words of the gateway: those of its refusal, else of the report, else as a state', () => {
  const problemOf = (problem: Problem, more: object = {}, past: Past = { left: true }) => {
    const state = inQuestion(past.again ? 'duplicate' : 'lost', { problem, past });
    const proof = { is: 'rejected', report: { ...report('REJECTED'), ...more } } as const;
    const once = tell(rowIn(state), proof);
    const end = once.is === 'asking' ? tell(rowIn({ ...once, waitedMs: 90_000 }), proof) : once;
    return (end as Extract<RowState, { is: 'refused' }>).problem;
  };
  expect(problemOf(WORDS, { error: 'Blocked' })).toEqual(WORDS);
  expect(problemOf(code(502), { error: 'Blocked' })).toEqual({ kind: 'rejected', text: 'Blocked' });
  for (const error of [' ', 5, undefined])
    expect(problemOf(code(502), { error })).toEqual({ kind: 'rejected', text: undefined });
  const doubled = problemOf(item('Duplicate id'), {}, { left: true, again: true });
  expect(doubled).toEqual({ kind: 'refusedBefore', hasKey: false });
});

it('a duplicate that is REJECTED for the first time is told in its words, and so is what left twice', () => {
  const problem = item('Duplicate id');
  expect(inTheEnd(inQuestion('duplicate', { problem }), 'rejected')).toMatchObject({ problem });
  const again: Past = { left: true, again: true };
  expect(inTheEnd(inQuestion('lost', { past: again }), 'rejected')).toMatchObject({ problem: WORDS });
  const ready = inTheEnd(inQuestion('faultTogether'), 'rejected');
  expect(ready.is === 'ready' && ready.past).toEqual({ left: true, rejected: true });
});

it('a key is told at once by a message in whatever state, and leaves though status would not know its type', () => {
  expect(tell(rowIn(inQuestion('key')), TOLD.seen).is).toBe('unknown');
  expect(inTheEnd(inQuestion('key'), 'absent', { sendOnce: true }, false).is).toBe('ready');
});

it('what was seen stays with a row of which nothing more is said', () => {
  const seen = report('CANCELLED');
  expect(inTheEnd(inQuestion('fault', { seen }), 'unclear')).toMatchObject({ is: 'unknown', report: seen });
});

it('of a key that is not told, the reason is why status did not answer; of all else it is why it is in question', () => {
  const problem = code(503);
  const problemOf = (cause: Cause) => {
    let state: RowState = inQuestion(cause);
    while (state.is === 'asking') state = tell(rowIn(state), { is: 'unanswered', problem });
    return (state as Extract<RowState, { is: 'notSent' }>).problem;
  };
  expect([problemOf('key'), problemOf('lost'), problemOf('notSentBefore')]).toEqual([problem, WORDS, WORDS]);
});

it('the words of a state are those of the gateway, where it has any', () => {
  const words = [{ status: ' Доставлено ' }, { status: 5 }, { status: ' ' }, {}, undefined];
  expect(words.map(statusWordsOf)).toEqual(['Доставлено', undefined, undefined, undefined, undefined]);
});

describe('a row in question is asked about again', () => {
  /** When it is asked next after each answer, in time waited, until it isn't any more. */
  const looks = (cause: Cause, word: Word, more: Partial<Asking> = {}): number[] => {
    const times: number[] = [];
    let state: RowState = { ...inQuestion(cause, { waitedMs: 0, ...more }) };
    while (state.is === 'asking' && times.length < 20) {
      times.push(state.nextAtMs);
      state = tell(rowIn({ ...state, waitedMs: state.nextAtMs }), TOLD[word]);
    }
    return times;
  };

  it.each<[string, Cause, Word, number[]]>([
    ['four times while nothing is clear', 'fault', 'unclear', [0, 2000, 6000, 14_000]],
    ['three times in such a state, though its work is not over', 'lost', 'seen', [500, 2500, 4500]],
    [
      'as often from when its work is over',
      'lost',
      'unclear',
      [500, 2500, 6500, 14_500, 22_500, 30_000, 38_000, 46_000, 54_000],
    ],
    ['three times in a state that is not listed, two seconds apart', 'fault', 'seen', [0, 2000, 4000]],
    ['two seconds after it was absent first', 'fault', 'absent', [0, 2000]],
    [
      'until its work is over, where it is absent',
      'lost',
      'absent',
      [500, 2500, 6500, 14_500, 22_500, 30_000],
    ],
    ['not, after a refusal of its own', 'refused', 'unclear', [2000]],
    [
      'once more after a refusal of its own that status did not answer',
      'refused',
      'unanswered',
      [2000, 6000],
    ],
  ])('its cause and what status says decide how often, and when: %s', (_, cause, word, times) =>
    expect(looks(cause, word)).toEqual(times),
  );

  it('later, where the gateway wants to be left alone now', () => {
    const state = inQuestion('fault');
    expect(tell(rowIn(state), { is: 'notAsked' })).toEqual(state);
  });
});

describe('where status is not asked', () => {
  it.each<[string, Cause[]]>([
    ['unknown', ['lost', 'late', 'queue', 'refusedByQueue']],
    ['refused', ['refused', 'fault', 'duplicate']],
    ['ready', ['refusedTogether', 'faultTogether', 'turnedAway', 'turnedAwayByQueue']],
  ])('what is said of a row is believed, and what is lost stays unknown: it is %s', (is, causes) => {
    for (const cause of causes)
      expect([cause, next(rowIn(inQuestion(cause)), { is: 'believed' }).is]).toEqual([cause, is]);
  });

  const EVENTS: readonly RowEvent[] = [
    { is: 'told', proof: TOLD.absent, isProvable: true },
    { is: 'believed' },
    { is: 'waited' },
    { is: 'waitedEnough' },
    { is: 'shutOut', problem: code(404) },
  ];

  it('a row that is not in question learns nothing from status, from waiting, or from the end', () => {
    const past = { left: true } as const;
    const settled: readonly RowState[] = [
      { is: 'accepted', past },
      { is: 'refused', problem: WORDS, past },
      { is: 'notSent', problem: WORDS, past },
      { is: 'unknown', problem: WORDS, past, asking: inQuestion('lost') },
    ];
    for (const event of [...EVENTS, { is: 'givenUp', problem: code(404) } as const])
      for (const state of settled) expect([event, next(rowIn(state), event)]).toEqual([event, state]);
    for (const event of EVENTS) expect([event, next(rowIn(READY), event)]).toEqual([event, READY]);
    const refusal = { problem: WORDS, size: 4, then: 'waits' } as const;
    const waiting: RowState = { is: 'ready', past: {}, refusal };
    for (const event of EVENTS.filter(({ is }) => !is.startsWith('waited')))
      expect([event, next(rowIn(waiting), event)]).toEqual([event, waiting]);
    const lost = inQuestion('lost');
    for (const is of ['waited', 'waitedEnough'] as const) expect(next(rowIn(lost), { is })).toEqual(lost);
  });
});

describe('a message that status knows is marked', () => {
  const isMarked = (cause: Cause, more: Partial<Row>) =>
    'duplicate' in inTheEnd(inQuestion(cause), 'accepted', more);
  it.each<[Cause, boolean, boolean, boolean]>([
    ['key', true, true, false],
    ['fault', true, true, false],
    ['refusedTogether', true, true, false],
    ['refusedBefore', true, true, false],
    ['repeated', true, true, false],
    ['refused', true, true, false],
    ['faultTogether', true, true, false],
    ['turnedAway', true, true, false],
    ['notSentBefore', true, false, false],
    ['lost', true, false, false],
    ['late', true, false, false],
    ['queue', true, false, false],
    ['refusedByQueue', true, false, false],
    ['turnedAwayByQueue', true, false, false],
    ['duplicate', true, true, true],
  ])('by "%s": with an own id %s, with a key %s, with an id of the run %s', (cause, own, key, made) => {
    const found = [{ hasOwnId: true }, { sendOnce: true }, {}].map((more) => isMarked(cause, more));
    expect(found).toEqual([own, key, made]);
  });

  it('as sent before only where it was asked about before it left', () => {
    const before = (cause: Cause) =>
      (inTheEnd(inQuestion(cause), 'accepted', { sendOnce: true }) as any).past.before;
    expect([before('key'), before('refused'), before('lost')]).toEqual(['sent', undefined, undefined]);
  });
});

describe('what happens to a row that left', () => {
  const after = (event: Partial<RowEvent>, more: Partial<Row> = {}, past: Past = {}) =>
    next(rowIn({ is: 'ready', past }, more), { leftAtMs: 0, size: 10, ...event } as RowEvent);
  const async = { endpoint: 'async' } as const;

  it.each<[string, Cause | 'refused', Partial<RowEvent>, Partial<Row>?, Past?]>([
    ['a result in words', 'refused', { is: 'refused', problem: WORDS }],
    ['a result of a fault', 'fault', { is: 'refused', problem: item('MySQL server has gone away') }],
    ['a result of a fault, in other words', 'fault', { is: 'refused', problem: item('Помилка сервера') }],
    ['a result without words', 'fault', { is: 'refused', problem: item(' 0 ') }],
    ['a duplicate of its own', 'duplicate', { is: 'refused', problem: item('Duplicate id') }],
    [
      'a duplicate of another',
      'refused',
      { is: 'refused', problem: item('Duplicate id') },
      { hasOwnId: true },
    ],
    [
      'a duplicate of itself',
      'duplicate',
      { is: 'refused', problem: item('Duplicate id') },
      { hasOwnId: true },
      { left: true },
    ],
    ['a refusal of ten', 'refusedTogether', { is: 'refusedTogether', problem: envelope('Zorble') }],
    ['a refusal of ten by a fault', 'faultTogether', { is: 'refusedTogether', problem: envelope('Error') }],
    [
      'a refusal of ten as duplicates',
      'faultTogether',
      { is: 'refusedTogether', problem: envelope('Duplicate id') },
    ],
    ['a refusal of one', 'refused', { is: 'refusedTogether', problem: envelope('Zorble'), size: 1 }],
    [
      'a request to wait',
      'faultTogether',
      { is: 'refusedTogether', problem: envelope('Try again later'), size: 1 },
    ],
    ['a code without words', 'turnedAway', { is: 'turnedAway', problem: code(403) }],
    ['a broken exchange', 'lost', { is: 'lost', problem: code(502) }],
    ['no answer in time', 'late', { is: 'late', problem: { kind: 'timeout' } }],
    ['words of the queue', 'refusedByQueue', { is: 'refusedTogether', problem: envelope('Zorble') }, async],
    ['a fault of the queue', 'queue', { is: 'refusedTogether', problem: envelope('Queue is full') }, async],
    ['a code of the queue', 'turnedAwayByQueue', { is: 'turnedAway', problem: code(404) }, async],
    [
      'a request that the queue calls too large, also with that code',
      'refusedByQueue',
      { is: 'refusedTogether', problem: { kind: 'envelope', text: 'Payload Too Large', status: 413 } },
      async,
    ],
    [
      'a request that a queue only calls too large',
      'refusedByQueue',
      { is: 'refusedTogether', problem: envelope('Payload Too Large') },
      async,
    ],
    ['words in a broken exchange with it', 'queue', { is: 'lost', problem: envelope('Zorble') }, async],
    ['a broken exchange with the queue', 'queue', { is: 'lost', problem: code(502) }, async],
    ['a late queue', 'late', { is: 'late', problem: code(504) }, async],
  ])('%s puts it in question by "%s"', (_, cause, event, more = {}, past = {}) => {
    expect(after(event, more, past)).toMatchObject({ is: 'asking', cause, past: { left: true } });
  });

  it.each(['Error in Alpha-name', 'Operator not supported', 'Invalid message type'])(
    'a result that the contract lists is believed at once: %s',
    (text) => {
      expect(after({ is: 'refused', problem: item(text) }).is).toBe('refused');
      expect(after({ is: 'refusedTogether', problem: envelope(text), size: 1 }).is).toBe('asking');
    },
  );

  it('it is accepted by the gateway and no one else', () => {
    expect(after({ is: 'accepted', payload: { id: 1 } })).toEqual({
      is: 'accepted',
      payload: { id: 1 },
      past: { left: true },
    });
  });

  it('it is known that it left, and left again', () => {
    const accepted = { is: 'accepted' } as const;
    expect(after(accepted, {}, { left: true }).past).toEqual({ left: true, again: true });
    expect(after(accepted, {}, { resent: ['lost'] }).past).toEqual({ left: true, resent: ['lost'] });
  });

  it('alone, it is refused in its words where patience was in vain', () => {
    const refusal = { problem: envelope('Try again later'), size: 1, then: 'waits' } as const;
    expect(next(rowIn({ is: 'ready', past: {}, refusal }), { is: 'waitedEnough' })).toEqual({
      is: 'refused',
      problem: refusal.problem,
      past: {},
    });
  });

  const absentAfter = (event: Partial<RowEvent>, past: Past = {}) =>
    inTheEnd({ ...(after(event, {}, past) as Asking), waitedMs: 30_000 }, 'absent');

  it('in a request that was refused it leaves in a smaller part, or after a pause', () => {
    const refusal = { is: 'refusedTogether', problem: envelope('Zorble'), size: 40 } as const;
    expect(absentAfter(refusal)).toMatchObject({ is: 'ready', refusal: { size: 40, then: 'parts' } });
    const busy = absentAfter({ ...refusal, problem: envelope('Try again later') });
    expect(busy).toMatchObject({ is: 'ready', refusal: { then: 'waits' } });
    expect(next(rowIn(busy), { is: 'waited' })).toMatchObject({ refusal: { then: 'whole' } });
    expect(next(rowIn(busy), { is: 'waitedEnough' })).toMatchObject({ refusal: { then: 'parts' } });
  });

  it('alone, a code without words may be a chance once, and is about this row when it comes again', () => {
    const filtered = { is: 'turnedAway', problem: code(403), size: 1 } as const;
    const once = absentAfter(filtered);
    expect(once).toMatchObject({ is: 'ready', past: { resent: ['turnedAway'] } });
    expect(absentAfter(filtered, { left: true, resent: ['lost', 'turnedAway'] })).toMatchObject({
      is: 'refused',
      problem: { kind: 'filtered', status: 403 },
    });
    expect(absentAfter({ ...filtered, problem: code(413) })).toMatchObject({
      is: 'refused',
      problem: code(413),
    });
    // A 429 wants patience first, and is then about nothing in the row.
    const busy = absentAfter({ ...filtered, problem: code(429) }, { left: true, resent: ['turnedAway'] });
    expect(busy).toMatchObject({ is: 'ready', refusal: { then: 'waits' } });
    expect(next(rowIn(busy), { is: 'waitedEnough' })).toMatchObject({ is: 'refused', problem: code(429) });
  });

  it('what a broken exchange lost leaves once more, and then no more', () => {
    const lost = { is: 'lost', problem: code(502) } as const;
    expect(absentAfter(lost)).toMatchObject({ is: 'ready', past: { resent: ['lost'] } });
    expect(absentAfter(lost, { left: true, resent: ['turnedAway'] })).toMatchObject({ is: 'ready' });
    expect(absentAfter(lost, { left: true, resent: ['lost'] })).toMatchObject({
      is: 'notSent',
      problem: code(502),
    });
  });
});

it('what a long question says of a row is of the time when it was asked about', () => {
  const absence = { sinceMs: 1000, words: 'none' };
  const lost = rowIn(inQuestion('lost', { waitedMs: 45_000, absence }));
  const proof = { is: 'absent', words: 'none', said: {} } as const;
  const told = (askedAtMs?: number) => next(lost, { is: 'told', proof, isProvable: true, askedAtMs }).is;
  // A gateway has half a minute for what broke off.
  expect([told(26_000), told(30_000), told()]).toEqual(['asking', 'ready', 'ready']);
});

describe('in the next try', () => {
  const NOW = 20 * 3_600_000;
  const again = (state: RowState | undefined, more: Partial<Row> = {}, mayBeSent = false) =>
    begin(rowIn(READY, more), { state, mayBeSent, nowMs: NOW });
  const past = { left: true } as const;
  const unknown = (cause: Cause, leftAtMs = NOW): RowState => ({
    is: 'unknown',
    problem: WORDS,
    past,
    asking: inQuestion(cause, { leftAtMs, waitedMs: 7000, unclear: 4 }),
  });

  it.each<[string, RowState | undefined, object, Partial<Row>?]>([
    ['what never left leaves', undefined, { is: 'ready' }],
    ['what never left and was given up leaves', { is: 'notSent', problem: WORDS, past: {} }, { is: 'ready' }],
    ['a key is asked about', undefined, { is: 'asking', cause: 'key' }, { sendOnce: true }],
    ['what was refused is asked about', { is: 'refused', problem: WORDS, past }, { cause: 'refusedBefore' }],
    [
      'what was refused in words of the contract leaves',
      { is: 'refused', problem: item('Error in Alpha-name'), past },
      { is: 'ready' },
    ],
    [
      'with a key it is asked about all the same',
      { is: 'refused', problem: item('Error in Alpha-name'), past },
      { cause: 'refusedBefore' },
      { sendOnce: true },
    ],
    [
      'what left and was not sent is asked about',
      { is: 'notSent', problem: WORDS, past },
      { cause: 'notSentBefore' },
    ],
    [
      'what is unknown goes on',
      unknown('lost'),
      { cause: 'lost', waitedMs: 7000, nextAtMs: 7500, unclear: 0 },
    ],
    ['what may be forgotten never leaves', unknown('lost', NOW - 12 * 3_600_000 - 1), { cause: 'late' }],
    ['what is just not forgotten may leave', unknown('lost', NOW - 12 * 3_600_000), { cause: 'lost' }],
  ])('in the next try, %s', (_, state, expected, more = {}) =>
    expect(again(state, more)).toMatchObject(expected),
  );

  it('what was sent once more in the last one may be sent once more again', () => {
    const resent = { left: true, resent: ['lost', 'turnedAway'] } as const;
    for (const state of [
      { is: 'notSent', problem: WORDS, past: resent } as const,
      { ...(unknown('lost') as Extract<RowState, { is: 'unknown' }>), past: resent },
    ])
      expect(again(state).past).toEqual({ left: true });
  });

  it.each(['sync', 'async'] as const)(
    'what another Retry may have sent (%s) is not refused by what was written down before that',
    (endpoint) => {
      const state = again(unknown('queue'), { endpoint }, true);
      const rejected = { is: 'rejected', report: report('REJECTED') } as const;
      const asked = rowIn(state, { endpoint });
      expect(next(asked, { is: 'told', proof: rejected, isProvable: true }).is).toBe('asking');
      // A single Retry knows of no other one.
      const alone = rowIn(again(unknown('queue'), { endpoint }), { endpoint });
      expect(next(alone, { is: 'told', proof: rejected, isProvable: true }).is).toBe('refused');
    },
  );

  it('what was refused and is there all the same never leaves, unless it was rejected', () => {
    const refused = (status: string): RowState => ({
      is: 'refused',
      problem: WORDS,
      past,
      report: { status },
    });
    expect(again(refused('DELETED'))).toMatchObject({ cause: 'refusedBefore', seen: { status: 'DELETED' } });
    expect(again(refused('DELETED'), {}, true)).toMatchObject({ cause: 'repeated', seen: {} });
    expect(again(refused('REJECTED'))).not.toHaveProperty('seen');
  });

  it('of a saved execution everything may have been sent by another Retry, and a queued row never leaves', () => {
    expect(again(undefined, {}, true)).toMatchObject({ cause: 'repeated' });
    expect(again(undefined, { sendOnce: true }, true)).toMatchObject({ cause: 'repeated' });
    expect(again(undefined, { endpoint: 'async' }, true)).toMatchObject({ cause: 'late' });
    const listed: RowState = { is: 'refused', problem: item('Error in Alpha-name'), past };
    expect(again(listed, {}, true)).toMatchObject({ cause: 'repeated' });
  });

  it('of a saved execution, what an earlier try left accepted or in doubt goes on, and what it had refused is asked about anew', () => {
    const inDoubt = (cause: Cause) => again(unknown(cause), {}, true);
    expect(inDoubt('lost')).toMatchObject({ cause: 'lost', waitedMs: 7000 });
    expect(inDoubt('refusedTogether')).toMatchObject({ cause: 'repeated' });
    expect(again(unknown('refusedTogether'))).toMatchObject({ cause: 'refusedTogether' });
    expect(again(inQuestion('lost', { leftAtMs: NOW, waitedMs: 5 }))).toMatchObject({ waitedMs: 5 });
    const notSent: RowState = { is: 'notSent', problem: WORDS, past };
    expect(again(notSent, {}, true)).toMatchObject({ cause: 'repeated' });
  });

  it('of a key it is said that it is not told, as long as nothing is known', () =>
    expect(again(undefined, { sendOnce: true })).toMatchObject({ problem: { kind: 'notTold' } }));

  it('what has a key and never left is no more forgotten than any other, however a clock is set', () => {
    const before = { ...unknown('key', 0), past: {} };
    const later = again(before, { sendOnce: true });
    expect(later).toMatchObject({ is: 'asking', cause: 'key' });
    expect(tell(rowIn(later, { sendOnce: true }), TOLD.accepted)).toMatchObject({ duplicate: true });
    expect(again(unknown('lost', 0))).toMatchObject({ cause: 'late' });
  });

  it('a state survives a copy as JSON, as n8n saves it', () => {
    const state = unknown('faultTogether');
    expect(again(JSON.parse(JSON.stringify(state)) as RowState)).toEqual(again(state));
  });
});

describe('where no more is known', () => {
  it('a row in question stays what it is called, and one that is ready is not sent', () => {
    const given = (state: RowState) => next(rowIn(state), { is: 'givenUp', problem: { kind: 'cancelled' } });
    expect(given(READY)).toEqual({ is: 'notSent', problem: { kind: 'cancelled' }, past: {} });
    const refusal = { problem: WORDS, size: 4, then: 'parts' } as const;
    expect(given({ is: 'ready', past: {}, refusal })).toMatchObject({ is: 'notSent', problem: WORDS });
    for (const cause of Object.keys(RULES) as Cause[])
      expect(given(inQuestion(cause)).is).toBe(RULES[cause].otherwise);
    const past = { left: true } as const;
    expect(given(inQuestion('key'))).toEqual({ is: 'notSent', problem: WORDS, past });
    expect(given(inQuestion('refused'))).toEqual({ is: 'refused', problem: WORDS, past });
    const seen = report('CANCELLED');
    expect(given(inQuestion('refused', { seen }))).toMatchObject({ is: 'refused', report: seen });
  });

  it('nothing was sent where status is turned away like the send, and a lost row stays in question', () => {
    const problem = code(404);
    const out = (cause: Cause) => next(rowIn(inQuestion(cause, { problem })), { is: 'shutOut', problem }).is;
    expect([out('turnedAway'), out('key'), out('refusedBefore'), out('fault'), out('lost')]).toEqual([
      ...['notSent', 'notSent', 'refused', 'unknown', 'asking'],
    ]);
    // Of a key, it is said why status was not asked.
    expect(next(rowIn(inQuestion('key')), { is: 'shutOut', problem })).toMatchObject({ problem });
  });

  it('it may have been sent where status is turned away otherwise than the send, or not at the first look', () => {
    const out = (state: Partial<Asking>, problem = code(404)) =>
      next(rowIn(inQuestion('turnedAway', { problem: code(404), ...state })), { is: 'shutOut', problem }).is;
    expect([out({}), out({ unclear: 1 })]).toEqual(['notSent', 'notSent']);
    const absence = { sinceMs: 0, words: 'none' };
    expect([out({}, code(415)), out({ unclear: 2 }), out({ absence }), out({ seen: {} })]).toEqual(
      Array.from({ length: 4 }, () => 'unknown'),
    );
    // A later try knows nothing of the first look.
    const before = next(rowIn(inQuestion('turnedAway', { problem: code(404) })), {
      is: 'givenUp',
      problem: { kind: 'cancelled' },
    });
    const later = begin(
      { operation: { type: 'sms', id: 1 }, endpoint: 'sync' },
      { state: before, mayBeSent: false, nowMs: 0 },
    );
    expect(next(rowIn(later), { is: 'shutOut', problem: code(404) }).is).toBe('unknown');
  });
});

it('a row that is asked about once more is not due at once, as what is asked about early would be', () => {
  const causes = Object.keys(RULES) as Cause[];
  const due = fc.record({
    cause: fc.constantFrom(...causes),
    leftMs: fc.integer({ min: -1000, max: 3000 }),
    pauseMs: fc.constantFrom(0, 500, 2000, 4000, 8000),
    word: fc.constantFrom<Word>('absent', 'seen', 'unanswered', 'unclear'),
  });
  fc.assert(
    fc.property(due, ({ cause, word, leftMs, pauseMs }) => {
      const waitedMs = Math.max(0, RULES[cause].settlesMs - leftMs);
      const row = rowIn(inQuestion(cause, { waitedMs, pauseMs }));
      const state = tell(row, TOLD[word]);
      if (state.is !== 'asking') return;
      const queue = new Queue([{ ...row, state }]);
      expect(queue.takeDue(1)).toEqual([]);
    }),
  );
});

it('a row that was absent once is asked about again two seconds after that, whatever was not answered meanwhile', () => {
  const absent = tell(rowIn(inQuestion('lost')), TOLD.absent) as Asking;
  const waitedMs = absent.waitedMs + 700;
  const state = tell(rowIn({ ...absent, waitedMs }), TOLD.unanswered) as Asking;
  expect(state.nextAtMs - waitedMs).toBe(1300);
});
