import type { Check, CheckAnswer } from '../../../nodes/MessagingGateway/sleeping/watch.ts';
import { readCheckAnswer, watch } from '../../../nodes/MessagingGateway/sleeping/watch.ts';

/** Lets a watcher run on a clock of its own; gives the seconds at which it checked, limit checks negative. */
async function watched(limitSeconds: number, answer: (seconds: number) => CheckAnswer): Promise<number[]> {
  jest.useFakeTimers({ now: 0 });
  try {
    const times: number[] = [];
    const post = async (check: Check): Promise<CheckAnswer> => {
      expect(check.check).toBe('key');
      const seconds = Math.round(Date.now() / 1000);
      times.push(check.limit ? -seconds : seconds);
      return await Promise.resolve(answer(seconds));
    };
    let ended = false;
    const end = watch({ key: 'key', limitAt: limitSeconds * 1000 }, post).then(() => (ended = true));
    for (let i = 0; i < 20_000 && !ended; i++) await jest.advanceTimersByTimeAsync(1000);
    await end;
    return times;
  } finally {
    jest.useRealTimers();
  }
}

describe('the watcher of a wait', () => {
  it('checks soon, then at growing intervals, and at the limit', async () => {
    const limit = 3 * 3600;
    const times = await watched(limit, (seconds) => (seconds < limit ? 'waiting' : 'over'));
    expect(times.slice(0, 8)).toEqual([1, 3, 7, 15, 31, 63, 127, 255]);
    const pauses = times.map(Math.abs).map((time, i, all) => time - (all[i - 1] ?? 0));
    expect(Math.max(...pauses)).toBe(600);
    expect(times.at(-1)).toBe(-limit);
    expect(times.filter((time) => time < 0)).toHaveLength(1);
  });

  it('ends when the execution waits no longer', async () => {
    expect(await watched(1000, (seconds) => (seconds < 7 ? 'waiting' : 'over'))).toEqual([1, 3, 7]);
  });

  it('goes on while the execution can not be reached, and gives up some time after the limit', async () => {
    const times = await watched(10, () => 'later');
    expect(times).toEqual([1, 3, 7, -10, -11, -13, -16]);
  });
});

it.each<[CheckAnswer, number, unknown]>([
  ['waiting', 200, { waiting: true }],
  ['over', 200, { received: true }],
  ['over', 200, 'ok'],
  ['later', 409, { code: 409, message: 'The execution "7" is running already.' }],
  ['over', 409, { code: 409, message: 'The execution "7 has finished already.' }],
  ['over', 404, { message: 'The execution "7" does not exist.' }],
  ['over', 410, { error: 'The execution does not wait for this' }],
  ['over', 401, { error: 'Invalid token' }],
  ['later', 502, '<html>'],
])('takes as "%s" the answer %i %j', (meaning, status, body) => {
  expect(readCheckAnswer(status, body)).toBe(meaning);
});
