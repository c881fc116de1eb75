import { statusKnows } from '../contract/operations';
import { BROKEN_SETTLES_MS, FORGOTTEN_MS, isKnownToStatus, isShared, STATUS_LAG_MS } from './doubt';
import type { ItemVerdict, Verdict } from './response';
import { saysNo } from './response';
import type { Row } from './row';
import type { MessageId } from './status';

/** A batch that left: its ids, what is known of them, and until when. */
export interface DepartedBatch {
  execution: string;
  ids: Float64Array;

  /** Whether `status` ever shows its messages, and whether it shows them soon. */
  isShown: boolean;
  isShownSoon: boolean;
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
   * Notes that rows of an execution leave now, all of one type, except those whose message left another execution meanwhile. The look
   * and the note are one step, so that no message leaves two executions at once.
   * @returns the rows that leave; their batch, which `end` has to be called with; what became of the messages of the other rows
   */
  begin<R extends Row>(
    rows: R[],
    execution: string,
    nowMs: number,
  ): { leaving: R[]; batch: DepartedBatch; overtaken: Map<R, MessageFate> } {
    const fates = this.fatesOfShared(rows, execution, nowMs);
    const overtaken = new Map<R, MessageFate>();
    for (const row of fates.size > 0 ? rows : []) {
      const fate = fates.get(row.operation.id);
      if (fate !== undefined) overtaken.set(row, fate);
    }
    const leaving = overtaken.size > 0 ? rows.filter((row) => !overtaken.has(row)) : rows;
    const ids = Float64Array.from(leaving, ({ operation: { id } }) => (typeof id === 'number' ? id : NaN));
    const [row] = rows;
    const isShown = statusKnows(row.operation.type);
    const shown = { isShown, isShownSoon: isKnownToStatus(row) };
    const batch: DepartedBatch = { execution, ids, ...shown, fate: 'underWay', untilMs: Infinity };
    if (leaving.length > 0) this.add(batch);
    return { leaving, batch, overtaken };
  }

  /**
   * Notes that an execution sends a message of which `status` knows nothing, such as by the connector. Returns what takes the note back,
   * for a message that certainly was not sent; undefined where another execution may have sent it.
   */
  claim(id: number, execution: string, nowMs: number): (() => void) | undefined {
    if (this.fatesOf(new Set([id]), execution, nowMs).size > 0) return undefined;
    const batch: DepartedBatch = {
      execution,
      ids: Float64Array.of(id),
      isShown: false,
      isShownSoon: false,
      fate: 'late',
      untilMs: Infinity,
    };
    this.add(batch);
    return () => void (batch.untilMs = 0);
  }

  private add(batch: DepartedBatch): void {
    this.batches.push(batch);
    this.count += batch.ids.length;
    while (this.count > MAX_IDS && this.batches.length > 1)
      this.count -= this.batches.shift()?.ids.length ?? 0;
  }

  /** Learns what became of a batch, at a time in milliseconds since 1970: from the verdict on its request, if there is one. */
  end(batch: DepartedBatch, verdict: Verdict | undefined, nowMs: number): void {
    const { execution, ids, isShown, isShownSoon } = batch;
    const shown = { isShown, isShownSoon };
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
        if (fates.includes('refused')) this.add({ execution, ids: having('refused'), ...shown, ...refused });
        if (fates.includes('late')) this.add({ execution, ids: having('late'), ...shown, ...late });
        break;
      }
      case 'refused':
        Object.assign(batch, refused);
        break;
      case 'notReached':
      case 'closed':
        batch.untilMs = 0;
        break;
      case 'broken':
        Object.assign(batch, isShownSoon ? { untilMs: nowMs + BROKEN_SETTLES_MS } : late);
        break;
      default:
        Object.assign(batch, late);
    }
  }

  /**
   * As `fatesOf`, of those rows whose message another execution may have sent; of a row that `status` didn't show, as of that moment: the
   * row may have waited for its turn while another execution sent its message.
   */
  fatesOfShared(rows: readonly Row[], execution: string, nowMs: number): Map<MessageId, MessageFate> {
    const shared = rows.filter(isShared);
    if (shared.length === 0) return new Map();
    return this.fatesSince(
      new Map(shared.map(({ operation: { id }, absentAtMs = nowMs }) => [id, absentAtMs])),
      execution,
    );
  }

  /** Returns of ids what became of them: those that the gateway has taken, or that another execution than this may still bring there. */
  fatesOf(
    ids: ReadonlySet<MessageId | undefined>,
    execution: string,
    nowMs: number,
  ): Map<MessageId, MessageFate> {
    return this.fatesSince(new Map(Array.from(ids, (id) => [id, nowMs])), execution);
  }

  /** As `fatesOf`, of each id as of its time. */
  private fatesSince(
    sinceMs: ReadonlyMap<MessageId | undefined, number>,
    execution: string,
  ): Map<MessageId, MessageFate> {
    const fates = new Map<MessageId, MessageFate>();
    let firstMs = Infinity;
    for (const since of sinceMs.values()) firstMs = Math.min(firstMs, since);
    for (const { ids: departed, fate, untilMs, execution: owner } of this.batches) {
      if (fate !== 'taken' && (untilMs <= firstMs || owner === execution)) continue;
      for (const id of departed) {
        const since = sinceMs.get(id);
        if (since !== undefined && (fate === 'taken' || since < untilMs)) fates.set(id, fate);
      }
    }
    return fates;
  }
}
