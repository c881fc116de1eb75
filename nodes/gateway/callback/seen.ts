import { createHash } from 'crypto';

import type { CallbackBody } from '../contract/callback';
import { replyEntries } from '../contract/callback';
import type { Outcome } from '../delivery/outcomes';
import { canonicalStatus, hasArrived, OUTCOME_NAMES, replaces } from '../delivery/outcomes';
import type { Meaning } from '../delivery/reports';
import { replyKeys } from './replies';

/** A callback, and the meaning of its status. */
type CallbackEvent = CallbackBody & Meaning;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Marks of one trigger: an event sets a mark of its own, and a mark of the outcome that its message reached. */
const MAX_MARKS = 20_000;

/** Remembers for a day at most which events have started the workflow of one trigger; of more than 10,000, the latest. */
export class SeenEvents {
  /** When each mark was set, in milliseconds since 1970, oldest first. */
  private readonly marks = new Map<string, number>();
  private lastAddedMs = Date.now();

  /**
   * Returns the events that have not been seen, each once, and remembers these events until `forget` is called. A status that comes
   * after a later one, such as Delivered after Read, counts as seen.
   */
  add<Event extends CallbackEvent>(events: Event[]): { unseen: Event[]; forget(): void } {
    this.dropOldest();
    this.lastAddedMs = Date.now();
    const added: string[] = [];
    const unseen = events.filter((event) => {
      const { toSet, ofSeen } = marksOf(event);
      if (ofSeen.some((mark) => this.marks.has(mark))) return false;
      for (const mark of toSet.filter((one) => !this.marks.has(one))) {
        this.marks.set(mark, Date.now());
        added.push(mark);
      }
      return true;
    });
    return { unseen, forget: () => added.forEach((mark) => this.marks.delete(mark)) };
  }

  /** Whether everything that is remembered is older than a day. */
  get isOver(): boolean {
    return Date.now() - this.lastAddedMs > DAY_MS;
  }

  private dropOldest(): void {
    for (const [mark, setAtMs] of this.marks) {
      if (this.marks.size <= MAX_MARKS && Date.now() - setAtMs <= DAY_MS) return;
      this.marks.delete(mark);
    }
  }
}

/** Returns the marks that an event sets, and those of which any shows that the event was seen: its own, and those of later outcomes. */
function marksOf(event: CallbackEvent) {
  const { id, msg_id: messageId, request_id: requestId, status, outcome, verified } = event;
  // `request_id` names a message only where nothing else does: many messages share a request, and not each callback repeats it.
  const message = digest(id === undefined && messageId === undefined ? [requestId] : [id, messageId]);
  const answers = answersOf(event);
  // The status doesn't count beside an answer, which comes again with each later status of its message.
  const said = answers === undefined ? canonicalStatus(status) : { answers };
  const own = digest([message, outcome, said, verified]);
  const markOf = (reached: Outcome) => `${message} ${reached}`;
  const later = OUTCOME_NAMES.filter((other) => hasArrived(other) && !replaces(other, outcome)).map(markOf);
  return {
    // An outcome that the gateway couldn't confirm makes no earlier status of the message count as seen.
    toSet: verified === false ? [own] : [own, markOf(outcome)],
    // A new answer counts, whatever its message had reached before.
    ofSeen: answers === undefined ? [own, ...later] : [own],
  };
}

/** The replies of an event; where there are none, its digit, if any. */
function answersOf({ reply, replies }: CallbackEvent): unknown {
  const entries = replyEntries(replies);
  // The digit beside replies doesn't count: each of 1,000 split replies carries the same one, of up to 1 MB.
  return entries.length > 0 ? [entries.map(({ datetime }) => datetime), replyKeys(replies)] : reply;
}

const digest = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
