import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Transport } from '../../gateway/client/transport';
import { readLastingConnection } from '../../n8n/connection';
import type { LastingRequest } from '../../n8n/lasting';
import { lastingRequest, ownAddress, requestWithoutData } from '../../n8n/lasting';
import { jsonTransport } from '../../n8n/transports';
import { ownAddresses, resumeAddress, warnOfOwnAddress } from '../sleeping/address';
import type { PostSelf, SelfAnswer } from '../sleeping/self-call';
import { selfCaller } from '../sleeping/self-call';
import type { SleepNote } from '../sleeping/sleep';
import { WaitEngine } from './engine';
import type { OpenWait } from './open-wait';

/** Milliseconds that one `status` request may take. */
const LONGEST_QUESTION = 15_000;
/** What a look took, so many times, passes before the next one; and the longest time in milliseconds that passes. */
const LOOK_PAUSE = 100;
const LONGEST_LOOK_PAUSE = 3_600_000;
/** Ids in one `status` request where the user set no batch size. */
export const STATUS_BATCH = 500;

/** A sleeping execution's record of its wait. */
export type WaitNote = SleepNote & { batchSize?: number; timeout?: number };

interface Kept {
  wait: OpenWait;
  transport?: Transport;
  engine?: WaitEngine;
  /** Whether a call of the execution has come to this process. */
  isCalled: boolean;
}

/** The waits that one process looks after, each with its engine. */
export class WaitKeeper {
  private readonly kept = new Map<string, Kept>();

  /** When the next look may be made, in milliseconds since 1970. */
  private looksAt = 0;

  /** The waits that had to put off a look, and those that had one meanwhile, whose turn comes after them. */
  private readonly putOff = new Set<string>();

  private readonly looked = new Set<string>();

  /** The waits under way. */
  get size(): number {
    return this.kept.size;
  }

  find(key: string): OpenWait | undefined {
    return this.kept.get(key)?.wait;
  }

  /** Tells the engine of a wait that a callback brought an outcome. */
  nudge(key: string): void {
    this.kept.get(key)?.engine?.nudge();
  }

  /** Tells the engine of a wait that another process, which had this one wake the execution, sees to it that it woke. */
  leaveToCaller(key: string): void {
    this.kept.get(key)?.engine?.leaveToCaller();
  }

  /** The way to the gateway for a wait; undefined where its credential could not be read. */
  transportOf(key: string): Transport | undefined {
    return this.kept.get(key)?.transport;
  }

  /**
   * Looks after a wait from now on, in the process that has sent. Takes from the context what outlives the run, and none
   * of its data. Returns false where n8n offers no such request helper: then the wait has to be adopted.
   */
  async lookAfter(context: IExecuteFunctions, note: WaitNote, wait: OpenWait): Promise<boolean> {
    const request = requestWithoutData(context);
    if (request === undefined) return false;
    const kept: Kept = { wait, isCalled: false };
    this.kept.set(note.key, kept);
    kept.transport = await readTransport(context, note, request);
    this.start(kept, note, selfCaller(request, ownAddresses(context), warnOfOwnAddress(context)));
    return true;
  }

  /**
   * Looks after a wait from now on; for one that is known already, reads its credential again. Takes from the context
   * what outlives its call.
   */
  async adopt(context: IWebhookFunctions, note: WaitNote, wait: OpenWait): Promise<void> {
    const kept: Kept = this.kept.get(note.key) ?? { wait, isCalled: true };
    kept.isCalled = true;
    this.kept.set(note.key, kept);
    const request = lastingRequest(context);
    kept.transport = await readTransport(context, note, request);
    if (kept.engine !== undefined || this.kept.get(note.key) !== kept) return;
    const addresses = [ownAddress(context), resumeAddress(context)].filter((url) => url !== undefined);
    this.start(kept, note, selfCaller(request, addresses, warnOfOwnAddress(context)));
  }

  private start(kept: Kept, { key, limitAt, batchSize = STATUS_BATCH }: WaitNote, post: PostSelf): void {
    kept.engine = new WaitEngine(kept.wait, {
      limitAt,
      batchSize,
      transport: () => kept.transport,
      callSelf: async (todo) => {
        const answer = await post({ sleep: key, todo });
        // The process that got the call has adopted the wait.
        return answer === 'asleep' && !kept.isCalled ? 'over' : answer;
      },
      look: async () => await this.look(key, async () => await post({ sleep: key, todo: 'look' })),
    });
    void kept.engine.run().finally(() => {
      this.kept.delete(key);
      this.putOff.delete(key);
      this.looked.delete(key);
    });
  }

  /**
   * Makes a call that shows whether an execution sleeps, which has n8n load all of its data. Returns undefined where such
   * calls would take n8n more than a hundredth of its time, however many executions wait.
   */
  private async look(key: string, call: () => Promise<SelfAnswer>): Promise<SelfAnswer | undefined> {
    const now = Date.now();
    const hadOne = this.looked.has(key) && this.putOff.size > 0;
    if (hadOne || now < this.looksAt) {
      if (!hadOne) this.putOff.add(key);
      return undefined;
    }
    this.putOff.delete(key);
    if (this.putOff.size > 0) this.looked.add(key);
    else this.looked.clear();
    this.looksAt = now + LONGEST_LOOK_PAUSE;
    const answer = await call();
    this.looksAt = Math.min(this.looksAt, Date.now() + LOOK_PAUSE * (Date.now() - now));
    return answer;
  }
}

/** The waits that this process looks after. */
export const waits = new WaitKeeper();

/** Reads the credential of a wait. Without one the wait goes on: callbacks still come, and so does its limit. */
async function readTransport(
  context: IExecuteFunctions | IWebhookFunctions,
  { timeout = LONGEST_QUESTION }: WaitNote,
  request: LastingRequest,
): Promise<Transport | undefined> {
  try {
    const connection = await readLastingConnection(context, request);
    return jsonTransport(connection, Math.min(timeout, LONGEST_QUESTION));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `Messaging Gateway, execution ${context.getExecutionId()}: could not request the status of messages: ${reason}`,
    );
    return undefined;
  }
}
