import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Connection } from '../../n8n/connection';
import { jsonTransport, readConnectionTo } from '../../n8n/connection';
import { REACH_ADVICE, selfCaller } from '../suspend/self-call';
import type { SleepNote } from '../suspend/sleep';
import type { OpenWait } from './open-wait';

/** Milliseconds that one request may take. */
const LONGEST_REQUEST_MS = 15_000;

/** Milliseconds between two rounds of questions: at first, and at most. */
const FIRST_MS = 1000;
const LONGEST_MS = 600_000;

/**
 * While outcomes come, the next round follows after 8 seconds or, where that is longer, a fifteenth of the time so far: the last
 * outcome of a mailing over two minutes is noticed 8 seconds later at most, at the cost of some 17 rounds.
 */
const WITH_NEWS_MS = 8000;
const WITH_NEWS_SHARE = 1 / 15;

/** Milliseconds between two tries to wake an execution before its limit: at first, and at most. */
const FIRST_WAKE_MS = 1000;
const LONGEST_WAKE_MS = 300_000;

/** Milliseconds between two tries after the limit, and from the limit until the last try. */
const LATE_WAKE_MS = 10_000;
const LAST_WAKE_MS = 300_000;

/** Milliseconds in which n8n saves an execution that falls asleep; until then n8n calls the execution running. */
const SAVING_MS = 60_000;

/** A wait that this process watches. */
interface Watched {
  wait: OpenWait;

  /** When n8n has surely saved the execution that falls asleep, in milliseconds since 1970. */
  savedAt: number;

  /** Asks about its open messages once, until a time in milliseconds since 1970. Does not throw. */
  ask(until: number): Promise<void>;
}

/** The waits that this process watches, by the keys of their sleeps. */
export const watches = new Map<string, Watched>();

type Context = IExecuteFunctions | IWebhookFunctions;

const warn = (context: Context, message: string): void =>
  context.logger.warn(`Messaging Gateway, execution ${context.getExecutionId()}: ${message}`);

/**
 * Watches a wait from now on, in the process that put the execution to sleep, or, after a restart, that was called: asks at
 * growing intervals until all outcomes are known or the limit has come, and then wakes the execution. Uses the context after the
 * end of its run or call, and keeps the data of the execution in memory as long as the wait lasts, since n8n's helpers do.
 */
export async function startWatching(
  context: Context,
  { key, limitAt }: SleepNote,
  wait: OpenWait,
): Promise<Watched> {
  const callSelf = selfCaller(context, key);
  let last: Connection | undefined;
  // The credential may change during a wait. The last one that could be read stays in use: n8n evaluates no expression in a
  // credential after the run of a node.
  const connect = async (): Promise<Connection | undefined> =>
    (last = await readConnectionTo(context, 'sync').catch((error: Error) => {
      if (last === undefined) warn(context, `could not request the status of messages: ${error.message}`);
      return last;
    }));
  const watched: Watched = {
    wait,
    savedAt: Date.now() + SAVING_MS,
    async ask(until) {
      const connection = await connect();
      if (connection === undefined) return;
      // The run that sent may have been stopped; a sleep is ended otherwise.
      const transport = jsonTransport({ ...connection, cancelled: undefined }, LONGEST_REQUEST_MS);
      await wait.ask(transport, until);
    },
  };
  // Before anything else: calls may come at the same time.
  watches.set(key, watched);
  void askUntilKnown(watched, limitAt)
    .then(async () => await wake(context, watched, { callSelf, limitAt }))
    .finally(() => watches.delete(key));
  // Now, while n8n still evaluates expressions in the credential.
  await connect();
  return watched;
}

/** Asks at growing intervals until all outcomes are known, or until a time in milliseconds since 1970. Does not throw. */
async function askUntilKnown({ wait, ask }: Watched, until: number): Promise<void> {
  const startedAt = Date.now();
  let intervalMs = FIRST_MS;
  let openBefore = wait.open;
  while (wait.open > 0 && Date.now() < until) {
    await sleep(Math.min(intervalMs, until - Date.now()));
    if (wait.open > 0 && Date.now() < until) await ask(until);
    const soonMs = Math.max(WITH_NEWS_MS, WITH_NEWS_SHARE * (Date.now() - startedAt));
    intervalMs = Math.min(2 * intervalMs, wait.open < openBefore ? soonMs : LONGEST_MS);
    openBefore = wait.open;
  }
}

/** Wakes the execution, or makes sure that a callback did, until n8n's or our own answer says so. Does not throw. */
async function wake(
  context: Context,
  watched: Watched,
  { callSelf, limitAt }: { callSelf: ReturnType<typeof selfCaller>; limitAt: number },
): Promise<void> {
  let pauseMs = FIRST_WAKE_MS;
  let hasWarned = false;
  while (Date.now() < limitAt + LAST_WAKE_MS) {
    const answer = await callSelf();
    if (answer.is === 'over') return;
    if (answer.is === 'awake' && Date.now() >= watched.savedAt) return;
    if (answer.is === 'unreachable' && !hasWarned) {
      hasWarned = true;
      warn(
        context,
        `n8n can't reach this waiting execution at its own address (${answer.reason}), and tries again until its limit. ${REACH_ADVICE}`,
      );
    }
    const leftMs = limitAt - Date.now();
    await sleep(leftMs > 0 ? Math.min(pauseMs, leftMs) : LATE_WAKE_MS);
    pauseMs = Math.min(2 * pauseMs, LONGEST_WAKE_MS);
  }
}
