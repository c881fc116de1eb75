import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two attempts: looking costs n8n more than what is looked for. */
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 1000;

/**
 * The only limit of all that is waited for, far above what anything takes: it ends what hangs, and says nothing about
 * speed, so that a busy machine fails no test.
 */
const PATIENCE_MS = 300_000;

/**
 * Attempts something until it comes to something, and returns that.
 * @throws Error naming `what` was waited for, after five minutes
 */
export async function until<T>(
  what: string,
  attempt: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pause = SHORTEST_PAUSE; ; pause = Math.min(1.5 * pause, LONGEST_PAUSE)) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}`);
    await sleep(pause);
  }
}
