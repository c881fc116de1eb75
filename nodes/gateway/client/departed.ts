import { statusKnows } from '../contract/operations';
import { BROKEN_SETTLES_MS, FORGOTTEN_MS, isKnownToStatus, STATUS_LAG_MS } from './doubt';
import type { ItemVerdict, Verdict } from './response';
import { saysNo } from './response';
import type { Row } from './row';
import type { MessageId } from './status';

/** A batch that left: its ids, what is known of them, and until when. */
interface DepartedBatch {
  execution: string;
  ids: Float64Array;
  fate: MessageFate;
  untilMs: number;
}

/**
 * What became of a message that left.
 * - `taken`: the gateway has taken it.
 * - `underWay`: its exchange has not ended, or broke less than two minutes ago, or it was refused within the last two seconds.
 * - `late`: the gateway may take it for hours, or `status` never shows it.
 */
export type MessageFate = 'taken' | 'underWay' | 'late';

/** Ids that are remembered, 8 bytes each; the oldest batches go first. */
const MAX_IDS = 250_000;

/**
 * The messages that left this process for an account. Another execution may have the same message, by a Retry or a Send Once Key: while the
 * gateway may still take that message, an absence of its id proves nothing, and `status` may show it late.
 */
export class DepartedMessages {
  private batches: DepartedBatch[] = [];
  private count = 0;

  /**
   * Makes the request of a batch of an execution, and remembers what becomes of its messages. Takes the clock, in milliseconds since
   * 1970. Returns the verdict; throws what `request` throws.
   */
  async during(
    rows: readonly Row[],
    execution: string,
    { now, request }: { now(): number; request(): Promise<Verdict> },
  ): Promise<Verdict> {
    const ids = Float64Array.from(rows, ({ operation: { id } }) => (typeof id === 'number' ? id : NaN));
    const batch: DepartedBatch = { execution, ids, fate: 'underWay', untilMs: Infinity };
    this.add(batch);
    let verdict: Verdict | undefined;
    try {
      verdict = await request();
      return verdict;
    } finally {
      this.end(batch, verdict, { row: rows[0], nowMs: now() });
    }
  }

  private add(batch: DepartedBatch): void {
    this.batches.push(batch);
    this.count += batch.ids.length;
    while (this.count > MAX_IDS && this.batches.length > 1)
      this.count -= this.batches.shift()?.ids.length ?? 0;
  }

  /** Learns from the verdict on the request of a batch, of which it takes a row; undefined where the request threw. */
  private end(
    batch: DepartedBatch,
    verdict: Verdict | undefined,
    { row, nowMs }: { row: Row; nowMs: number },
  ): void {
    const { execution, ids } = batch;
    const isShown = statusKnows(row.operation.type);
    // What `status` never shows, no later question proves absent.
    const late = { fate: 'late', untilMs: isShown ? nowMs + FORGOTTEN_MS : Infinity } as const;
    // `status` shows by then what the gateway took and refused.
    const refused = { fate: 'underWay', untilMs: nowMs + STATUS_LAG_MS } as const;
    switch (verdict?.kind) {
      case 'results': {
        const fateOf = (item: ItemVerdict) =>
          item.is === 'accepted' ? 'taken' : isShown || saysNo(item.problem) ? 'refused' : 'late';
        const fates = verdict.items.map(fateOf);
        const having = (fate: string) => ids.filter((_, i) => fates[i] === fate);
        this.count -= ids.length;
        Object.assign(batch, { fate: 'taken', ids: having('taken') });
        this.count += batch.ids.length;
        if (fates.includes('refused')) this.add({ execution, ids: having('refused'), ...refused });
        if (fates.includes('late')) this.add({ execution, ids: having('late'), ...late });
        break;
      }
      case 'refused':
        Object.assign(batch, refused);
        break;
      case 'notReached':
      case 'closed':
        batch.untilMs = nowMs;
        break;
      case 'broken':
        Object.assign(batch, isKnownToStatus(row) ? { untilMs: nowMs + BROKEN_SETTLES_MS } : late);
        break;
      default:
        Object.assign(batch, late);
    }
  }

  /** Returns of ids what became of them: those that the gateway has taken, or that another execution than this may still bring there. */
  fatesOf(
    ids: ReadonlySet<MessageId | undefined>,
    execution: string,
    nowMs: number,
  ): Map<MessageId, MessageFate> {
    const fates = new Map<MessageId, MessageFate>();
    for (const { ids: departed, fate, untilMs, execution: owner } of this.batches) {
      if (fate !== 'taken' && (untilMs <= nowMs || owner === execution)) continue;
      for (const id of departed) if (ids.has(id)) fates.set(id, fate);
    }
    return fates;
  }
}
