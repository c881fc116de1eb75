import type { IExecuteFunctions, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { resumeAddress } from './address';
import type { SleepNote } from './sleep';

/** What a watcher sends to its own execution. */
export interface Check {
  /** Key of the sleep. */
  check: string;
  /** Set at the limit of the sleep. */
  limit?: true;
}

/** `over`: the execution no longer sleeps. `later`: it could not be reached, or is still running. */
export type CheckAnswer = 'waiting' | 'over' | 'later';

/** Milliseconds before the first check: time for n8n to put the execution to sleep. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 600_000;
/** Tries of the check at the limit, and the pause in milliseconds, which grows with each try. */
const LAST_TRIES = 4;
const LAST_PAUSE = 1000;
const TIMEOUT = 300_000;

/** Returns the body of a call as a check; undefined if it isn't one. */
export function asCheck(body: unknown): Check | undefined {
  const { check, limit } = (body ?? {}) as { check?: unknown; limit?: unknown };
  return typeof check === 'string' ? { check, ...(limit === true && { limit }) } : undefined;
}

/** The answer to a check while the execution stays asleep. */
export const STILL_WAITING = { waiting: true };

/**
 * Watches over one sleep until it ends: n8n runs none of our code at the limit, and answers callbacks that come before
 * the execution sleeps with 409. So this calls the execution's own address, at growing intervals and at the limit, and
 * webhook() does the work. It holds neither a worker nor the API key.
 * Takes `post`, which makes one such call and does not throw, and the milliseconds before the first check.
 */
export async function watch(
  { key, limitAt }: Pick<SleepNote, 'key' | 'limitAt'>,
  post: (check: Check) => Promise<CheckAnswer>,
  firstPause = FIRST_PAUSE,
): Promise<void> {
  let pause = firstPause;
  for (let left = limitAt - Date.now(); left > 0; left = limitAt - Date.now()) {
    await sleep(Math.min(pause, left));
    if (Date.now() >= limitAt) break;
    if ((await post({ check: key })) === 'over') return;
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  for (let attempt = 1; attempt <= LAST_TRIES; attempt++) {
    if ((await post({ check: key, limit: true })) === 'over') return;
    await sleep(LAST_PAUSE * attempt);
  }
}

/** Sleeps that have a watcher in this process. */
const watched = new Set<string>();

export interface WatcherOptions {
  /** Milliseconds before the first check. */
  firstPause?: number;
  /** Called when the sleep is over. */
  onEnd(): void;
}

/** Starts a watcher in the background, unless this process has one for the sleep already. */
export function startWatcher(
  context: IExecuteFunctions | IWebhookFunctions,
  note: SleepNote,
  { firstPause, onEnd }: WatcherOptions,
): void {
  const { key } = note;
  if (watched.has(key)) return;
  watched.add(key);
  const url = resumeAddress(context);
  const { httpRequest } = context.helpers;
  const post = async (check: Check) => await postCheck(httpRequest, url, check);
  void watch(note, post, firstPause).finally(() => {
    watched.delete(key);
    onEnd();
  });
}

async function postCheck(
  httpRequest: (options: IHttpRequestOptions) => Promise<unknown>,
  url: string,
  check: Check,
): Promise<CheckAnswer> {
  try {
    const response = (await httpRequest({
      method: 'POST',
      url,
      body: check,
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
      timeout: TIMEOUT,
    })) as { statusCode: number; body: unknown };
    return readCheckAnswer(response.statusCode, response.body);
  } catch {
    // n8n can't reach its own address now. A later check may succeed; if none does, n8n's own limit applies.
    return 'later';
  }
}

/** Reads the answer to a check: ours, or n8n's 409 for an execution that is running or has ended. */
export function readCheckAnswer(status: number, body: unknown): CheckAnswer {
  if (status >= 500) return 'later';
  if (status === 409) return JSON.stringify(body ?? '').includes('running') ? 'later' : 'over';
  if (status < 200 || status >= 300) return 'over';
  return typeof body === 'object' && body !== null && (body as { waiting?: unknown }).waiting === true
    ? 'waiting'
    : 'over';
}
