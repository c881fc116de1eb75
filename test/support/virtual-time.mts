/** Time that passes only when a test says so; connections are real. */

/**
 * Stops the clock and the timers of what a test loads, also of a sandbox in its process. Those inside Node, such as of
 * connections, go on.
 */
export const stopTime = (): void => {
  jest.useFakeTimers({ doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
};

export const letTimeRun = (): void => {
  jest.useRealTimers();
};

/** Has the timers that keep no process from its end stop and go on with the others, of which jest doesn't know. */
export const stopAbortTimers = (): void => {
  jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(), ms);
    return timeout.signal;
  });
};

/** Lets milliseconds pass, and what is due in them happen. */
export const pass = async (ms: number): Promise<void> => await jest.advanceTimersByTimeAsync(ms);

/** Lets what is ready in Node's own loop happen, once. */
export const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

/** Lets connections go on until something is so, while time stands still. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Lets time pass until a promise is settled. Returns what it resolves with, and throws what it rejects with. */
export async function passUntil<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => (isSettled = true));
  settled.catch(() => undefined);
  while (!isSettled) {
    await pass(1);
    await turn();
  }
  return await settled;
}
