/** When nothing more is sent, and how it is found out whether single rows or the gateway are the cause. */
import { Breaker } from '../../../nodes/gateway/client/breaker.ts';
import type { Row, RowState } from '../../../nodes/gateway/client/row.ts';
import type { Problem } from '../../../nodes/gateway/errors/problem.ts';

const words = (text: string): Problem => ({ kind: 'item', text, wireType: 'sms' });
const DOWN: Problem = { kind: 'http', status: 503 };
const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, id) => ({
    operation: { type: 'sms', id },
    endpoint: 'sync',
    state: { is: 'ready', past: {} },
  }));
const idsOf = (list: readonly Row[]) => list.map(({ operation }) => operation.id);
const settle = (row: Row, state: RowState) => Object.assign(row, { state });
const refused = (text: string): RowState => ({ is: 'refused', problem: words(text), past: {} });

/** A breaker after so many failed requests, of which the first one was refused or was not. */
function after(failures: number, isRefused = false): Breaker {
  const breaker = new Breaker();
  for (let n = 0; n < failures; n += 1)
    breaker.failed(n === failures - 1 ? DOWN : words('No'), isRefused && n === 0);
  return breaker;
}

it('nothing new leaves after three requests in a row of which nothing was taken', () => {
  expect([0, 2, 3, 4].map((failures) => after(failures).isWaiting)).toEqual([false, false, true, true]);
  for (const end of ['accepted', 'answered'] as const) {
    const breaker = after(2);
    breaker[end]();
    breaker.failed(DOWN, false);
    expect([breaker.isWaiting, breaker.hasAccepted]).toEqual([false, end === 'accepted']);
  }
});

it('nothing new leaves before it is known what became of the last request, and one more may at a time', () => {
  const breaker = new Breaker();
  breaker.findOutFirst();
  expect(breaker.isWaiting).toBe(true);
  breaker.tryOnce();
  expect(breaker.isWaiting).toBe(false);
  breaker.failed(DOWN, false);
  expect(breaker.isWaiting).toBe(true);
});

it('the run ends for the last reason where nothing was refused, and no later reason takes its place', () => {
  const breaker = after(3);
  expect(breaker.findOut(rows(5))).toEqual([]);
  expect(breaker.problem).toEqual(DOWN);
  breaker.open(words('Later'));
  expect(breaker.problem).toEqual(DOWN);
  // What was refused before the gateway took something is no cause any more.
  const taken = after(1, true);
  taken.accepted();
  for (let n = 0; n < 3; n += 1) taken.failed(DOWN, false);
  expect(taken.findOut(rows(5))).toEqual([]);
});

describe('where all was refused', () => {
  it('sixteen rows from all over leave alone', () => {
    expect(idsOf(after(3, true).findOut(rows(5)))).toEqual([0, 1, 2, 3, 4]);
    const ids = idsOf(after(3, true).findOut(rows(160)));
    expect(ids).toEqual(Array.from({ length: 16 }, (_, i) => 10 * i));
  });

  it.each<[string, RowState[], Problem | undefined]>([
    ['ends where they are refused alike', [refused('Bad 1'), refused('Bad 2')], words('Bad 1')],
    ['goes on where they are refused otherwise', [refused('Bad'), refused('Worse')], undefined],
    [
      'ends where it stays unknown whether one of them was',
      [refused('Bad'), { is: 'unknown', problem: words('Bad'), past: {} } as RowState],
      words('Bad'),
    ],
    ['goes on where one of them has another end', [refused('Bad'), { is: 'ready', past: {} }], undefined],
    [
      'goes on where the first of them has another end',
      [{ is: 'ready', past: {} }, refused('Bad')],
      undefined,
    ],
  ])('the run %s', (_, states, problem) => {
    const breaker = after(3, true);
    const probes = breaker.findOut(rows(2));
    expect(breaker.isWaiting).toBe(true);
    // Results of their own rows decide nothing yet.
    breaker.answered();
    expect(breaker.isWaiting).toBe(true);
    states.forEach((state, i) => settle(probes[i], state));
    expect(breaker.findOut(rows(2))).toEqual([]);
    expect(breaker.problem).toEqual(problem);
    expect(breaker.isWaiting).toBe(problem !== undefined);
  });

  it('twice as much has to fail the next time, and it is looked into again', () => {
    const breaker = after(3, true);
    breaker.findOut(rows(2));
    breaker.accepted();
    for (let n = 0; n < 5; n += 1) breaker.failed(words('No'), true);
    expect(breaker.isWaiting).toBe(false);
    breaker.failed(words('No'), true);
    expect(breaker.isWaiting).toBe(true);
    expect(idsOf(breaker.findOut(rows(2)))).toEqual([0, 1]);
  });
});
