const MAX_TRIES = 5;

/** Milliseconds that the yardstick takes on the machine that the limits are written for. */
const USUAL = 20;

const TEXT = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ id: i, name: `name ${i}` })));

/** Work of the same size every time. */
const yardstick = (): unknown => JSON.parse(TEXT);

/** The milliseconds of processor time that a call takes this thread. */
function timeOf(call: () => unknown): number {
  const start = process.threadCpuUsage();
  call();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** How many times slower this machine is at this moment than the one that the limits are written for; 1 at least. */
export const slowness = (): number => Math.max(1, timeOf(yardstick) / USUAL);

/**
 * Returns the milliseconds of processor time that a call takes this thread: of the first call under `limit`, or else of
 * the fastest of five, since other work on the machine slows down single calls. A machine that is slow at that moment
 * has taken longer for the yardstick as well, and its milliseconds count for as much less.
 */
export function processorTime(call: () => unknown, limit: number): number {
  let fastest = Infinity;
  for (let tries = 0; tries < MAX_TRIES && fastest >= limit; tries++) {
    const time = timeOf(call);
    fastest = Math.min(fastest, time < limit ? time : time / slowness());
  }
  return fastest;
}
