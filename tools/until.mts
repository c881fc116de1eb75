import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two attempts: looking costs n8n more than what is looked for. */
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 500;

/**
 * Attempts something until it comes to something, and returns that.
 * @throws Error naming `what` was waited for, once the time is over
 */
export async function until<T>(
  timeoutMs: number,
  what: string,
  attempt: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = SHORTEST_PAUSE; ; pause = Math.min(1.3 * pause, LONGEST_PAUSE)) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}`);
    await sleep(pause);
  }
}
