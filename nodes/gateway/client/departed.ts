import { BROKEN_SETTLES_MS, FORGOTTEN_MS } from './doubt';
import type { Verdict } from './response';
import type { MessageId } from './status';

/** A batch that left: its ids, and until when the gateway may take it; `isTaken` once the gateway has taken these ids. */
interface DepartedBatch {
  execution: string;
  ids: Float64Array;
  openUntilMs: number;
  isTaken?: true;
}

/** What became of a message that left: the gateway has taken it, or may still take it. */
export type MessageFate = { is: 'taken' } | { is: 'open'; untilMs: number };

/** Ids that are remembered, 8 bytes each; the oldest batches go first. */
const MAX_IDS = 250_000;

/**
 * The messages that left this process for an account. Another execution may have the same message, by a Retry or a Send Once Key: while the
 * gateway may still take that message, an absence of its id proves nothing, and `status` may show it late.
 */
export class DepartedMessages {
  private batches: DepartedBatch[] = [];
  private count = 0;

  /** Remembers ids of an execution right before their request leaves. Takes the time in milliseconds since 1970. Returns the batch for `end`. */
  leave(execution: string, ids: readonly MessageId[]): DepartedBatch {
    const numbers = Float64Array.from(ids, (id) => (typeof id === 'number' ? id : NaN));
    const batch: DepartedBatch = { execution, ids: numbers, openUntilMs: Infinity };
    this.batches.push(batch);
    this.count += numbers.length;
    while (this.count > MAX_IDS && this.batches.length > 1)
      this.count -= this.batches.shift()?.ids.length ?? 0;
    return batch;
  }

  /** Learns from the verdict on the request of a batch, with the endpoint's word of whether the gateway may take it for hours. */
  end(batch: DepartedBatch, verdict: Verdict, isQueue: boolean, nowMs: number): void {
    if (verdict.kind === 'results') {
      const { items } = verdict;
      this.count -= batch.ids.length;
      batch.ids = batch.ids.filter((_, i) => items[i].is === 'accepted');
      this.count += batch.ids.length;
      batch.isTaken = true;
      batch.openUntilMs = nowMs;
    } else if (verdict.kind === 'broken' && !isQueue) batch.openUntilMs = nowMs + BROKEN_SETTLES_MS;
    else if (verdict.kind === 'broken' || verdict.kind === 'late') batch.openUntilMs = nowMs + FORGOTTEN_MS;
    else batch.openUntilMs = nowMs;
  }

  /** Returns of ids what became of them: `taken` by the gateway, or `open`, where another execution than this may still bring them there. */
  fatesOf(
    ids: ReadonlySet<MessageId | undefined>,
    execution: string,
    nowMs: number,
  ): Map<MessageId, MessageFate> {
    const fates = new Map<MessageId, MessageFate>();
    for (const { ids: departed, openUntilMs, isTaken, execution: owner } of this.batches) {
      const isOpen = openUntilMs > nowMs && owner !== execution;
      if (!isTaken && !isOpen) continue;
      for (const id of departed)
        if (ids.has(id)) fates.set(id, isTaken ? { is: 'taken' } : { is: 'open', untilMs: openUntilMs });
    }
    return fates;
  }
}
