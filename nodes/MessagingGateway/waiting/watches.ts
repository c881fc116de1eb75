import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readLastingConnection } from '../../n8n/connection';
import { jsonTransport } from '../../n8n/transports';
import { ownAddresses, warnOfOwnAddress } from '../sleeping/address';
import type { SelfAnswer } from '../sleeping/self-call';
import { selfCaller } from '../sleeping/self-call';
import type { SleepNote } from '../sleeping/sleep';
import type { OpenWait } from './open-wait';
import { Watch } from './watch';

/** Milliseconds that one `status` request may take. */
const LONGEST_QUESTION = 15_000;
/** Milliseconds between two looks whether an execution still sleeps: a user may have stopped or deleted it. */
const LOOK_EVERY = 60_000;
/** What a look took, so many times, passes before the next one; and the longest time in milliseconds that passes. */
const LOOK_PAUSE = 100;
const LONGEST_LOOK_PAUSE = 3_600_000;
/** Ids in one `status` request where the user set no batch size. */
export const STATUS_BATCH = 500;

/** A sleeping execution's record of its wait. */
export type WaitNote = SleepNote & { batchSize?: number; timeout?: number };

type WaitContext = IExecuteFunctions | IWebhookFunctions;

/** The waits that one process watches. */
export class Watches {
  private readonly watches = new Map<string, Watch>();

  /** When the next look may be made, in milliseconds since 1970. */
  private looksAt = 0;

  /** The number of waits that are watched. */
  get size(): number {
    return this.watches.size;
  }

  /** Returns the watch of a sleep; undefined if this process doesn't watch it. */
  find(key: string): Watch | undefined {
    return this.watches.get(key);
  }

  /**
   * Watches a wait from now on. Keeps the context of the node or of the call, and with it the data of the execution, for as
   * long as the wait lasts, since n8n's request helpers belong to it. The first question comes after `firstPause` milliseconds.
   */
  async start(context: WaitContext, note: WaitNote, wait: OpenWait, firstPause?: number): Promise<Watch> {
    const { key, limitAt, batchSize = STATUS_BATCH, timeout = LONGEST_QUESTION } = note;
    const post = selfCaller(context.helpers.httpRequest, ownAddresses(context), warnOfOwnAddress(context));
    const watch = new Watch(wait, {
      limitAt,
      batchSize,
      firstPause,
      connect: async () =>
        jsonTransport(await readLastingConnection(context), Math.min(timeout, LONGEST_QUESTION)),
      warn: (error) => warnOfCredential(context, error),
      callSelf: async (todo) => await post({ sleep: key, todo }),
      look: async () => await this.look(async () => await post({ sleep: key, todo: 'look' })),
    });
    this.watches.set(key, watch);
    await watch.connect();
    void watch.run().finally(() => this.watches.delete(key));
    return watch;
  }

  /**
   * Makes a call that shows whether an execution sleeps, which has n8n load all of its data: only if such calls take n8n no
   * more than a hundredth of its time, however many executions wait. A wait that had one lets all others have theirs.
   */
  private async look(call: () => Promise<SelfAnswer>): Promise<{ answer?: SelfAnswer; nextAt: number }> {
    const now = Date.now();
    if (now < this.looksAt) return { nextAt: now };
    this.looksAt = now + LONGEST_LOOK_PAUSE;
    const answer = await call();
    const pause = Math.min(LONGEST_LOOK_PAUSE, LOOK_PAUSE * (Date.now() - now));
    this.looksAt = Date.now() + pause;
    return {
      answer,
      nextAt: Date.now() + Math.max(LOOK_EVERY, Math.min(pause * this.size, LONGEST_LOOK_PAUSE)),
    };
  }
}

/** The waits that this process watches. */
export const watches = new Watches();

/** Without a credential the wait goes on: callbacks still come, and so does its limit. */
function warnOfCredential(context: WaitContext, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.logger.warn(
    `Messaging Gateway, execution ${context.getExecutionId()}: could not request the status of messages: ${reason}`,
  );
}
