import { StatusQueue } from '../../../nodes/gateway/client/status-queue.ts';
import type { Answer, NoAnswer } from '../../../nodes/gateway/client/transport.ts';

/** A gateway whose answers the test gives, one round after the other. */
class Gateway {
  readonly requests: Array<Array<number | string>> = [];
  private open: Array<() => void> = [];
  private readonly answer: (ids: Array<number | string>) => Answer | NoAnswer;

  constructor(answer: Gateway['answer']) {
    this.answer = answer;
  }

  readonly transport = async (
    _: unknown,
    data: Array<{ id?: number | string }>,
  ): Promise<Answer | NoAnswer> => {
    const ids = data.map(({ id = '' }) => id);
    this.requests.push(ids);
    await new Promise<void>((resolve) => this.open.push(resolve));
    return this.answer(ids);
  };

  /** Answers what has been asked by now. */
  async round(): Promise<void> {
    const open = this.open.splice(0);
    for (const resolve of open) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const json = (body: object): Answer => ({
  kind: 'answer',
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
});
const known = (ids: Array<number | string>): Answer =>
  json({ success: true, data: ids.map((id) => ({ success: true, data: { id, status: 'DELIVERED' } })) });

/** Asks about each id; what has been answered, by index. */
function askAll(queue: StatusQueue, { transport }: Gateway, ids: number[]): string[] {
  const kinds: string[] = [];
  for (const [i, id] of ids.entries()) {
    void queue.ask(id, transport).then((answer) => (kinds[i] = answer?.kind ?? 'full'));
  }
  return kinds;
}
const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i);

it('answers the last of 800 that ask at the same moment after two answers of the gateway', async () => {
  const queue = new StatusQueue();
  const gateway = new Gateway(known);
  const kinds = askAll(queue, gateway, upTo(808));
  const late = askAll(queue, gateway, [5000]);
  await gateway.round();
  expect([kinds.filter(Boolean).length, late]).toEqual([8, ['full']]);
  await gateway.round();
  expect(kinds.filter((kind) => kind === 'known')).toHaveLength(808);
  expect(gateway.requests.map(({ length }) => length)).toEqual([
    ...Array<number>(8).fill(1),
    ...Array<number>(8).fill(100),
  ]);
  expect(queue.isIdle).toBe(true);
});

it('asks once about a message that several want to know of', async () => {
  const queue = new StatusQueue();
  const gateway = new Gateway(known);
  const kinds = askAll(queue, gateway, [...upTo(8), 9, 9, 10, 9]);
  await gateway.round();
  await gateway.round();
  expect(gateway.requests.at(-1)).toEqual([9, 10]);
  expect(new Set(kinds)).toEqual(new Set(['known']));
  expect(kinds).toHaveLength(12);
});

it('asks about each for itself where the gateway refuses a whole request for one id', async () => {
  const queue = new StatusQueue();
  const gateway = new Gateway((ids) =>
    ids.includes(13) ? json({ success: false, error: 'Message not found' }) : known(ids),
  );
  const kinds = askAll(queue, gateway, upTo(18));
  for (let i = 0; i < 4; i++) await gateway.round();
  expect(kinds).toEqual(upTo(18).map((id) => (id === 13 ? 'unanswered' : 'known')));
  expect(gateway.requests).toHaveLength(8 + 1 + 10);
});

it('asks about nobody else beside an id that is asked about for itself', async () => {
  const queue = new StatusQueue();
  const gateway = new Gateway((ids) =>
    ids.length > 1 ? json({ success: false, error: 'Message not found' }) : known(ids),
  );
  const kinds = askAll(queue, gateway, upTo(11));
  await gateway.round();
  // While the request of three is under way, seven leave, and one waits for its turn.
  const later = askAll(queue, gateway, upTo(8, 21));
  for (let i = 0; i < 2; i++) await gateway.round();
  expect(gateway.requests.filter(({ length }) => length > 1)).toEqual([[9, 10, 11]]);
  await gateway.round();
  expect([...kinds, ...later]).toEqual(Array(19).fill('known'));
});

it('is idle once nothing is under way, and not before', async () => {
  const queue = new StatusQueue();
  const gateway = new Gateway(known);
  expect(queue.isIdle).toBe(true);
  askAll(queue, gateway, [1]);
  expect(queue.isIdle).toBe(false);
  await gateway.round();
  expect(queue.isIdle).toBe(true);
});

it.each<[string, Answer | NoAnswer]>([
  ['refuses the key', json({ success: false, error: 'Access denied' })],
  ['is broken', { ...known([]), status: 502, body: 'Bad Gateway' }],
  ['is busy', { ...known([]), status: 429, body: '' }],
  ['is not there', { kind: 'failure', problem: { kind: 'timeout' } as never, mayHaveArrived: true }],
])('asks nobody twice while the gateway %s', async (_, answer) => {
  const queue = new StatusQueue();
  const gateway = new Gateway(() => answer);
  const kinds = askAll(queue, gateway, upTo(18));
  await gateway.round();
  await gateway.round();
  expect(kinds).toEqual(Array(18).fill('unanswered'));
  expect(gateway.requests).toHaveLength(9);
  expect(queue.isIdle).toBe(true);
});
