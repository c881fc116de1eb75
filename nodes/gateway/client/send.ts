import type { WireOperation } from '../contract/operations';
import type { Report } from '../delivery/reports';
import type { Problem } from '../errors/problem';
import { BatchSender } from './sender';
import type { Endpoint, Transport } from './transport';

/**
 * Why it is unknown whether the gateway took an operation.
 * - `answered`: the gateway answered and refused the whole request, in words that prove nothing. Its work is over.
 * - `lost`: the exchange broke. A gateway finishes such a request within 30 seconds.
 * - `late`: the gateway was still at work when the time limit was over. It may take the operation at any time, so it is
 *   never sent again in this execution.
 */
export interface Doubt {
  kind: 'answered' | 'lost' | 'late';
  /** When the last request that carried the operation left, in milliseconds since 1970. */
  leftAt: number;
  /** Milliseconds that were waited since the exchange ended; counted, since a clock may be set. */
  waited?: number;
}

/**
 * What is known of one operation after the client is done with it.
 * - `accepted`: the gateway took it. `payload` is the `data` of its result item; for a queued operation
 *   `requestId` is set instead, and for one that `status` was asked about, `report`. `duplicate` marks one that may have
 *   been sent before this execution.
 * - `refused`: the gateway refused this operation, or a request that held it alone, and did not take it.
 * - `unknown`: the gateway may have taken it.
 * - `notSent`: it certainly was not taken.
 */
export type SendResult =
  | { state: 'accepted'; payload?: unknown; requestId?: string; report?: Report; duplicate?: true }
  | { state: 'refused'; problem: Problem; payload?: unknown }
  | { state: 'unknown'; problem: Problem; doubt: Doubt }
  | { state: 'notSent'; problem: Problem };

/**
 * How it is found out whether a request was taken.
 * - `repeat`: the operation only reads, so it is asked again.
 * - `status`: words prove nothing; `status` is asked by `id`.
 * - `none`: what the gateway says is believed; what was lost stays unknown.
 */
export type Recovery = 'repeat' | 'status' | 'none';

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
  /** Called as soon as something is known of an entry: once, or first with `unknown`. The last call counts. */
  record(entry: E, result: SendResult): void;
}

/**
 * Sends operations in batches and finds out what became of each of them (gateway-api.md, "Refusals").
 * Takes the entries in order and empties the list on the way, since the texts of what was sent would be most of what
 * the caller holds. Reports each entry to `tools.record`. Never throws for what the gateway or the network does.
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
