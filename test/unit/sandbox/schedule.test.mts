import { Schedule } from '../../../sandbox/schedule.mts';
import { seededRandom, shuffled } from '../../../sandbox/random.mts';

const made: Schedule[] = [];
const schedule = () => {
  const it = new Schedule();
  made.push(it);
  const done: number[] = [];
  const finished = async () => {
    while (it.size > 0) await jest.advanceTimersByTimeAsync(1);
  };
  return { it, done, finished };
};

beforeEach(() => jest.useFakeTimers());
// A test that fails must not leave a timer that keeps the whole run from ending.
afterEach(() => {
  made.splice(0).forEach((it) => it.close());
  jest.restoreAllMocks();
  jest.useRealTimers();
});

test('runs in order of time, and equal times in order of asking', async () => {
  const { it, done, finished } = schedule();
  const delays = shuffled(
    Array.from({ length: 2000 }, (_, index) => index % 40),
    seededRandom(4),
  );
  for (const [index, delay] of delays.entries()) it.after(delay, () => done.push(delay * 10_000 + index));
  await finished();
  expect(done).toHaveLength(2000);
  expect(done).toEqual([...done].sort((a, b) => a - b));
});

test('an earlier thing asked for later is not late', async () => {
  const { it, done, finished } = schedule();
  const start = Date.now();
  it.after(80, () => done.push(80));
  it.after(5, () => done.push(Date.now() - start));
  await finished();
  expect(done).toEqual([5, 80]);
});

test('things may ask for more things, and clearing forgets all', async () => {
  const { it, done, finished } = schedule();
  it.after(1, () => it.after(1, () => done.push(1)));
  await finished();
  expect(done).toEqual([1]);
  it.after(5, () => done.push(2));
  it.clear();
  it.after(10, () => done.push(3));
  await finished();
  it.close();
  it.after(1, () => done.push(4));
  expect(it.size).toBe(0);
  expect(done).toEqual([1, 3]);
});

test('a delay that is longer than timers take is not a short one', async () => {
  const { it, done } = schedule();
  const timers = jest.spyOn(globalThis, 'setTimeout');
  it.after(2 ** 40, () => done.push(1));
  await jest.advanceTimersByTimeAsync(1000);
  expect(timers).toHaveBeenCalledTimes(1);
  expect(done).toEqual([]);
});
