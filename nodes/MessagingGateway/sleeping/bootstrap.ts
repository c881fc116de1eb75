import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { ownAddresses, warnOfOwnAddress } from './address';
import type { PostSelf } from './self-call';
import { selfCaller } from './self-call';
import type { SleepNote } from './sleep';

/** Milliseconds before the first call: time for n8n to put the execution to sleep. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/** Milliseconds after which it is given up; a callback of the execution does the same. */
const LONGEST_TIME = 900_000;

/**
 * Has the sleep adopted, in the background, by the process of n8n that takes calls for the execution. n8n's helpers of
 * a running node hold all data of its execution, and those of such a call need not: so only this call is made with the
 * former, a second later and again until it arrives.
 */
export function haveAdopted(context: IExecuteFunctions, note: SleepNote): void {
  const post = selfCaller(context.helpers.httpRequest, ownAddresses(context), warnOfOwnAddress(context));
  void adoption(note.key, post);
}

/** Takes the key of the sleep and the function that calls its execution. Does not throw. */
export async function adoption(key: string, post: PostSelf): Promise<void> {
  const end = Date.now() + LONGEST_TIME;
  for (let pause = FIRST_PAUSE; Date.now() + pause <= end; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await sleep(pause);
    const answer = await post({ sleep: key, todo: 'adopt' });
    if (answer === 'asleep' || answer === 'over') return;
  }
}
