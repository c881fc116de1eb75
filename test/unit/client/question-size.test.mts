/** How many messages one question holds, and what it says that a question was not answered. */
import { QuestionSize, unansweredBy } from '../../../nodes/gateway/client/question-size.ts';
import type { FailedRequest } from '../../../nodes/gateway/client/response.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

const code = (status: number): Problem => ({ kind: 'http', status });
const words = (text: string): Problem => ({ kind: 'envelope', text });
const results = (received: number): Problem => ({ kind: 'lengthMismatch', sent: 3, received });

it.each<[string, Array<[FailedRequest['kind'], Problem]>]>([
  [
    'turnedAway',
    [
      ['turnedAway', code(429)],
      ['refused', words('Too many requests')],
      ['lost', words('Try again later')],
    ],
  ],
  [
    'refused',
    [
      ['refused', words('Zorble')],
      ['lost', words('Zorble')],
      ['lost', results(2)],
      ['lost', code(400)],
      ['turnedAway', code(413)],
    ],
  ],
  [
    'failed',
    [
      ['turnedAway', code(403)],
      ['lost', code(429)],
      ['late', code(503)],
      ['rejected', words('Access denied')],
      ['lost', results(3)],
      ['lost', results(4)],
      ['lost', { kind: 'idMismatch' }],
      ['lost', { kind: 'notGateway', status: 413 }],
    ],
  ],
])('a question is %s by its answer', (reason, answers) => {
  for (const [kind, problem] of answers)
    expect([problem, unansweredBy({ kind, problem, retryAfter: 7 })]).toEqual([
      problem,
      { reason, retryAfter: 7 },
    ]);
});

const refuses = (size: QuestionSize, count: number) => size.allowsFewer({ reason: 'refused' }, count);

it('what is refused is halved, and never below what was answered', () => {
  const size = new QuestionSize();
  expect([refuses(size, 500), size.current]).toEqual([true, 250]);
  size.answered(250);
  // As many were answered before: their number is not the reason.
  expect([refuses(size, 250), size.current]).toEqual([false, 250]);
  const unproven = new QuestionSize(250);
  unproven.answered(250, false);
  expect([refuses(unproven, 250), unproven.current]).toEqual([true, 125]);
});

it('where the smallest is refused as well, the number is not the reason, until an answer comes or a while has passed', () => {
  for (const renew of [
    (size: QuestionSize) => size.forgetFutility(),
    (size: QuestionSize) => size.answered(3),
  ]) {
    const size = new QuestionSize(10, 4);
    const tries = [10, 5, 4, 10].map((count) => [refuses(size, count), size.current]);
    expect(tries).toEqual([
      [true, 5],
      [true, 4],
      [false, 10],
      [false, 10],
    ]);
    renew(size);
    expect([refuses(size, 10), size.current]).toEqual([true, 5]);
  }
});

it('what asks for patience came too soon the first time, and may hold too many the second time', () => {
  const size = new QuestionSize(100);
  const asks = (count: number) => size.allowsFewer({ reason: 'turnedAway' }, count);
  expect([asks(100), asks(100), size.current]).toEqual([false, true, 50]);
  size.answered(50);
  // As many were answered; of more, the first time says nothing again.
  expect([asks(50), asks(50), asks(80), asks(80), size.current]).toEqual([false, false, false, true, 40]);
});

it('a limit that was found by a code holds where the smallest question is refused in words, and the other way round', () => {
  const size = new QuestionSize(12);
  const ask = (reason: 'refused' | 'turnedAway', count: number) => [
    size.allowsFewer({ reason }, count),
    size.current,
  ];
  expect([ask('turnedAway', 12), ask('turnedAway', 12), ask('turnedAway', 6)]).toEqual([
    [false, 12],
    [true, 6],
    [true, 3],
  ]);
  // The words are those for an id that the gateway doesn't know, however many there are.
  expect([ask('refused', 3), ask('refused', 1), ask('refused', 3)]).toEqual([
    [true, 1],
    [false, 3],
    [false, 3],
  ]);
  expect(size.isFutile).toBe(true);
  const other = new QuestionSize(4);
  const reasons = ['refused', 'refused', 'refused', 'turnedAway', 'turnedAway'] as const;
  const halved = reasons.map((reason, i) => other.allowsFewer({ reason }, [4, 2, 1, 4, 4][i]));
  expect([halved, other.current]).toEqual([[true, true, false, false, true], 2]);
});

it('what is answered in part is halved, whatever was found out before, and holds where the smallest question is refused', () => {
  const size = new QuestionSize(12, 1);
  for (const count of [12, 6, 3, 1]) refuses(size, count);
  expect([size.isFutile, size.current]).toEqual([true, 12]);
  expect([size.answeredInPart(12), size.isFutile, size.current]).toEqual([true, false, 6]);
  expect([refuses(size, 6), refuses(size, 3), refuses(size, 1), size.current]).toEqual([
    true,
    true,
    false,
    6,
  ]);
  size.answered(4);
  // As many were answered, and one can't be parted.
  expect([size.answeredInPart(4), size.answeredInPart(1), size.current]).toEqual([false, false, 6]);
});

it('where the number turns out not to be the reason, what was found out since that reason came first holds', () => {
  const search = (size: QuestionSize, counts: number[]) => counts.map((count) => refuses(size, count)).pop();
  const answered = new QuestionSize(16);
  search(answered, [16]);
  answered.answered(8, false);
  expect([search(answered, [8, 4, 2, 1]), answered.current]).toEqual([false, 8]);
  const inPart = new QuestionSize(12);
  search(inPart, [12]);
  inPart.answeredInPart(6);
  expect([search(inPart, [3, 1]), inPart.current]).toEqual([false, 3]);
  const later = new QuestionSize(10);
  search(later, [10, 5, 2, 1]);
  for (let i = 0; i < 2; i++) later.allowsFewer({ reason: 'turnedAway' }, 10);
  later.forgetFutility();
  expect([search(later, [5, 2, 1]), later.current]).toEqual([false, 5]);
});

it('where the gateway says for how long, or fails in another way, the number is not the reason', () => {
  const size = new QuestionSize(100);
  expect(size.allowsFewer({ reason: 'refused', retryAfter: 5 }, 100)).toBe(false);
  expect(size.allowsFewer({ reason: 'failed' }, 100)).toBe(false);
  expect(size.current).toBe(100);
});
