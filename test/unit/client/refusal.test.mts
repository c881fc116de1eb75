/** What a refusal says, and what it doesn't: words of a gateway that nobody has described. */
import {
  isDuplicateRefusal,
  isFault,
  isListedRefusal,
  partOf,
  wordsOf,
} from '../../../nodes/gateway/client/refusal.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

const item = (text: string): Problem => ({ kind: 'item', text, wireType: 'sms' });
const whole = (text: string): Problem => ({ kind: 'envelope', text });
const WORDLESS: readonly Problem[] = [
  { kind: 'timeout' },
  { kind: 'http', status: 409 },
  { kind: 'rejected', text: undefined },
];

it.each<[string, (problem: Problem) => boolean, yes: readonly Problem[], no: readonly Problem[]]>([
  [
    'says no more than that something went wrong',
    isFault,
    [
      ...WORDLESS,
      ...['', '500', 'Internal error', 'Too many requests'].flatMap((text) => [item(text), whole(text)]),
    ],
    ['Zorble', 'Не підтримується', 'Invalid message type'].flatMap((text) => [item(text), whole(text)]),
  ],
  [
    'refuses one operation in words of the contract',
    isListedRefusal,
    ['Operator not supported', ' error in alpha-name\n', 'INVALID MESSAGE TYPE'].map(item),
    [...WORDLESS, whole('Operator not supported'), item('Operator not supported here'), item('No')],
  ],
  [
    'says that the id was there before',
    isDuplicateRefusal,
    [item('Duplicate id'), whole('Duplicate id')],
    [...WORDLESS, { kind: 'blocked', text: 'Duplicate id' }, item('Zorble')],
  ],
])('a problem that %s is told from others', (_, holds, yes, no) => {
  for (const [problems, right] of [[yes, true] as const, [no, false] as const])
    for (const problem of problems) expect([problem, holds(problem)]).toEqual([problem, right]);
});

it('problems are alike whose words differ in their numbers alone, or that have none and are the same', () => {
  expect(wordsOf(item(' Bad phone 380501234567 '))).toBe(wordsOf(whole('Bad phone 44')));
  const all = [...WORDLESS, item('Bad phone 1'), item('Bad id 1')].map(wordsOf);
  expect(new Set(all).size).toBe(all.length);
});

it.each([
  [
    'halves, where it was only too large',
    413,
    [
      [1, 1],
      [2, 1],
      [9, 5],
      [1000, 500],
    ],
  ],
  [
    'four parts',
    400,
    [
      [1, 1],
      [4, 1],
      [5, 2],
      [9, 3],
      [1000, 250],
    ],
  ],
])('a refused request leaves again in %s (HTTP %d)', (_, status, sizes) => {
  const parts = sizes.map(([size]) => [size, partOf({ size, problem: { kind: 'http', status } })]);
  expect(parts).toEqual(sizes);
  // Words of a gateway say nothing of a size.
  expect(partOf({ size: 1000, problem: { kind: 'envelope', text: 'Zorble', status: 413 } })).toBe(250);
});
