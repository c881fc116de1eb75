import type { QueuedAnswer } from './status-check';
import { askStatusBatch } from './status-check';
import type { Transport } from './transport';

/** Ids in one request. */
export const MOST_IDS = 100;

/** Requests under way at the same time. */
const MOST_REQUESTS = 8;

/** Ids that wait: as many as the next requests take. */
const MOST_WAITING = MOST_REQUESTS * MOST_IDS;

interface WaitingId {
  id: number;
  transport: Transport;

  /** Whether the gateway has refused it in a request with others. */
  isAlone: boolean;

  settle(answer: QueuedAnswer): void;
}

/**
 * Asks one gateway about single messages, for callers who ask at the same moment and don't know of each other. What waits
 * goes into the next request together, so that an answer takes at most twice as long as the gateway needs for one, however
 * many ask: a stranger with hundreds of made-up ids holds nobody up.
 */
export class StatusQueue {
  private running = 0;
  private waiting: WaitingId[] = [];

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  get isFull(): boolean {
    return this.waiting.length >= MOST_WAITING;
  }

  /**
   * Asks about the message with this id (gateway-api.md, "Asking for a status"), perhaps by the transport of another caller.
   * Returns what the gateway says of it; undefined where too many wait already. Does not throw.
   */
  async ask(id: number, transport: Transport): Promise<QueuedAnswer | undefined> {
    if (this.isFull) return undefined;
    return await new Promise<QueuedAnswer>((settle) => {
      this.waiting.push({ id, transport, isAlone: false, settle });
      this.startRequests();
    });
  }

  private startRequests(): void {
    while (this.running < MOST_REQUESTS && this.waiting.length > 0) {
      this.running += 1;
      void this.request(this.takeNext());
    }
  }

  /** Takes the oldest one, and what may be asked along with it. */
  private takeNext(): WaitingId[] {
    const [first] = this.waiting;
    const next = first.isAlone ? [first] : this.waiting.filter(({ isAlone }) => !isAlone).slice(0, MOST_IDS);
    const taken = new Set(next);
    this.waiting = this.waiting.filter((question) => !taken.has(question));
    return next;
  }

  private async request(questions: WaitingId[]): Promise<void> {
    const ids = Array.from(new Set(questions.map(({ id }) => id)));
    const [{ transport }] = questions;
    const batch = await askStatusBatch(transport, ids);
    this.running -= 1;
    if (batch.ok) {
      const answerOf = new Map(ids.map((id, i) => [id, batch.answers[i]]));
      for (const { id, settle } of questions) settle(answerOf.get(id) ?? { kind: 'unanswered' });
    } else if (ids.length > 1 && batch.reason === 'refused') {
      // By the contract, one id doesn't spoil the others; where it does, each is asked about for itself.
      this.waiting.push(...questions.map((question) => ({ ...question, isAlone: true })));
    } else {
      for (const { settle } of questions) settle({ kind: 'unanswered' });
    }
    this.startRequests();
  }
}
