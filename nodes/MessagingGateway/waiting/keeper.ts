import type { IWebhookFunctions } from 'n8n-workflow';

import type { Transport } from '../../gateway/client/transport';
import { readLastingConnection } from '../../n8n/connection';
import { lastingRequest, ownAddress } from '../../n8n/lasting';
import { jsonTransport } from '../../n8n/transports';
import { resumeAddress } from '../sleeping/address';
import { selfCaller } from '../sleeping/self-call';
import type { SleepNote } from '../sleeping/sleep';
import { WaitEngine } from './engine';
import type { OpenWait } from './open-wait';

/** Milliseconds that one `status` request may take. */
const LONGEST_QUESTION = 15_000;
/** Ids in one `status` request where the user set no batch size. */
export const STATUS_BATCH = 500;

/** A sleeping execution's record of its wait. */
export type WaitNote = SleepNote & { batchSize?: number; timeout?: number };

interface Kept {
  wait: OpenWait;
  transport?: Transport;
  engine?: WaitEngine;
}

/** The waits that one process looks after, each with its engine. */
export class WaitKeeper {
  private readonly kept = new Map<string, Kept>();

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

  /** The way to the gateway for a wait; undefined where its credential could not be read. */
  transportOf(key: string): Transport | undefined {
    return this.kept.get(key)?.transport;
  }

  /**
   * Looks after a wait from now on; for one that is known already, reads its credential again. Takes from the context
   * what outlives its call.
   */
  async adopt(context: IWebhookFunctions, note: WaitNote, wait: OpenWait): Promise<void> {
    const { key, limitAt, batchSize = STATUS_BATCH } = note;
    let kept = this.kept.get(key);
    if (kept === undefined) this.kept.set(key, (kept = { wait }));
    kept.transport = await readTransport(context, note);
    if (kept.engine !== undefined || this.kept.get(key) !== kept) return;
    const addresses = [ownAddress(context), resumeAddress(context)].filter((url) => url !== undefined);
    const post = selfCaller(lastingRequest(context), addresses);
    kept.engine = new WaitEngine(kept.wait, {
      limitAt,
      batchSize,
      transport: () => this.transportOf(key),
      callSelf: async (todo) => await post({ sleep: key, todo }),
    });
    void kept.engine.run().finally(() => this.kept.delete(key));
  }
}

/** Reads the credential of a wait. Without one the wait goes on: callbacks still come, and so does its limit. */
async function readTransport(
  context: IWebhookFunctions,
  { timeout = LONGEST_QUESTION }: WaitNote,
): Promise<Transport | undefined> {
  try {
    const connection = await readLastingConnection(context);
    return jsonTransport(connection, Math.min(timeout, LONGEST_QUESTION));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `Messaging Gateway, execution ${context.getExecutionId()}: could not request the status of messages: ${reason}`,
    );
    return undefined;
  }
}
