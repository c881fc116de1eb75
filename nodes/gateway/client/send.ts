import type { WireOperation } from '../contract/operations';
import { BatchSender } from './sender';
import type { Doubt, Recovery, SendResult } from './send-result';
import type { Endpoint, Transport } from './transport';

/** One operation that is to be sent. */
export interface SendEntry {
  operation: WireOperation;
  /** Whether the user chose the `id`, so that a run before this one may have sent it. */
  hasOwnId?: boolean;
  /** Whether it leaves only if `status` doesn't know its `id`, with which any run may have sent it; false once that is so. */
  asksFirst?: boolean;
  /** What an earlier try of this execution left unknown; changed in place when more is known. */
  doubt?: Doubt;
}

export interface SendSettings {
  endpoint: Endpoint;
  /** Operations in one request, 1 or more; left out: found by trying. */
  batchSize?: number;
  /** Milliseconds between two requests. */
  pause: number;
  recovery: Recovery;
}

export interface SendTools<E extends SendEntry> {
  transport: Transport;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; resolves early when the execution is stopped. Doesn't reject. */
  sleep(milliseconds: number): Promise<void>;
  stopped(): boolean;
  /**
   * Called for each entry as soon as something is known of it: once, or first with `unknown` and later with what
   * was found out. The last call counts.
   */
  record(entry: E, result: SendResult): void;
}

/**
 * Sends operations in batches and finds out what became of each of them (gateway-api.md, "Refusals").
 *
 * Takes the entries in order and empties the list on the way, since the texts of what was sent would be most of what
 * the caller holds. Reports each entry to `tools.record`. Never throws for what the gateway or the network does.
 *
 * Words of the gateway prove nothing. What may have been taken is parked, the other batches go on, and `status` is
 * asked, with a control, until each parked `id` is known or certainly absent (control-question.ts). What was refused
 * together and is absent is then sent in ever smaller parts; what a broken exchange lost is sent once more, both with
 * the same `id`.
 */
export async function sendOperations<E extends SendEntry>(
  entries: E[],
  settings: SendSettings,
  tools: SendTools<E>,
): Promise<void> {
  await new BatchSender(entries, settings, tools).run();
}
