import { Semaphore } from '../../../nodes/gateway/net/semaphore.ts';

/** Work that ends when it is told to. */
function manual() {
  const ends: Array<(error?: Error) => void> = [];
  let running = 0;
  let most = 0;
  const work = async () =>
    await new Promise<number>((resolve, reject) => {
      most = Math.max(most, ++running);
      const n = ends.length;
      ends.push((error) => {
        running -= 1;
        if (error) reject(error);
        else resolve(n);
      });
    });
  return { work, ends, most: () => most };
}
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

it('runs a few at a time, in order, and refuses what is too much', async () => {
  const slots = new Semaphore({ running: 2, waiting: 3 });
  const { work, ends, most } = manual();
  const calls = Array.from({ length: 6 }, async () => await slots.run(work));
  expect(await calls[5]).toBeUndefined();
  expect(ends).toHaveLength(2);
  for (let i = 0; i < 5; i++) {
    ends[i]();
    await turn();
  }
  expect(await Promise.all(calls.slice(0, 5))).toEqual([0, 1, 2, 3, 4].map((result) => ({ result })));
  expect(most()).toBe(2);
});

it('runs work while nothing else runs, where nothing may wait', async () => {
  const slots = new Semaphore({ running: 1, waiting: 0 });
  expect(await slots.run(() => Promise.resolve(1))).toEqual({ result: 1 });
});

it('lets the next have the place of work that failed', async () => {
  const slots = new Semaphore({ running: 1, waiting: 1 });
  const { work, ends } = manual();
  const failing = slots.run(work);
  const next = slots.run(work);
  ends[0](new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  await turn();
  ends[1]();
  expect(await next).toEqual({ result: 1 });
});

it('counts the size of work: what waits, and what runs at the same time', async () => {
  const slots = new Semaphore({ running: 10, waiting: 15 });
  const { work, ends, most } = manual();
  const sizes = [6, 4, 10, 5, 1, 30];
  const calls = sizes.map(async (size) => await slots.run(work, size));
  // 10 run, 15 wait: there is no place for more.
  expect([await calls[4], await calls[5]]).toEqual([undefined, undefined]);
  expect(ends).toHaveLength(2);
  ends[0]();
  await turn();
  // The next one is too large for what is free, and what is behind it waits for its turn.
  expect(ends).toHaveLength(2);
  ends[1]();
  await turn();
  expect(ends).toHaveLength(3);
  ends[2]();
  await turn();
  ends[3]();
  expect(await Promise.all(calls.slice(0, 4))).toEqual([0, 1, 2, 3].map((result) => ({ result })));
  expect(most()).toBe(2);
  const alone = slots.run(work, 1000);
  ends[4]();
  expect(await alone).toEqual({ result: 4 });
});

it('lets nothing small overtake what waits', async () => {
  const slots = new Semaphore({ running: 2, waiting: 3 });
  const { work, ends } = manual();
  const calls = [1, 2, 1].map(async (size) => await slots.run(work, size));
  await turn();
  // One runs, and the place beside it is kept for two.
  expect(ends).toHaveLength(1);
  for (let i = 0; i < 3; i++) {
    ends[i]();
    await turn();
  }
  expect(await Promise.all(calls)).toEqual([0, 1, 2].map((result) => ({ result })));
});
