import { createHash } from 'crypto';

import { readReply, replyEntries } from '../contract/callback';
import type { Outcome } from '../delivery/outcomes';
import { arrivalRank, canonicalStatus, OUTCOME_NAMES } from '../delivery/outcomes';
import type { CallbackEvent } from './parse';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Marks of all triggers of a process. An event leaves two: its own, and the one of the outcome that its message reached. */
const MOST_MARKS = 20_000;

/** Remembers for a day which events have started the workflow of a trigger; of more than 10,000, the latest. */
export class SeenEvents {
  /** When each mark was left, in milliseconds since 1970, oldest first. */
  private readonly marks = new Map<string, number>();

  /**
   * Returns the events that the trigger has not seen, each once, and remembers these events until `forget` is called. A late status,
   * such as Delivered after Read, counts as seen.
   */
  add<Event extends CallbackEvent>(trigger: string, events: Event[]): { unseen: Event[]; forget(): void } {
    this.dropOldest();
    const added: string[] = [];
    const unseen = events.filter((event) => {
      const { own, reached, later } = marksOf(trigger, event);
      if ([own, ...later].some((mark) => this.marks.has(mark))) return false;
      // An outcome that the gateway couldn't confirm must not make other statuses look late.
      const left = event.verified === false ? [own] : [own, reached];
      const fresh = left.filter((mark) => !this.marks.has(mark));
      for (const mark of fresh) this.marks.set(mark, Date.now());
      added.push(...fresh);
      return true;
    });
    return { unseen, forget: () => added.forEach((mark) => this.marks.delete(mark)) };
  }

  private dropOldest(): void {
    for (const [mark, leftAtMs] of this.marks) {
      if (this.marks.size <= MOST_MARKS && Date.now() - leftAtMs <= DAY_MS) return;
      this.marks.delete(mark);
    }
  }
}

/** Returns an event's own mark, the one of the outcome that its message reached, and those that make the event late. */
function marksOf(trigger: string, event: CallbackEvent) {
  const { id, msg_id: messageId, request_id: requestId, status, outcome, verified } = event;
  const message = digest([trigger, id, messageId, requestId]);
  const answers = answersOf(event);
  const markOf = (reached: Outcome) => `${message} ${reached}`;
  const isLater = (other: Outcome) => arrivalRank(other) > arrivalRank(outcome);
  return {
    own: digest([message, canonicalStatus(status), outcome, answers, verified]),
    reached: markOf(outcome),
    // An answer that is new is never late.
    later: answers === undefined ? OUTCOME_NAMES.filter(isLater).map(markOf) : [],
  };
}

/** The digit and the replies of an event; undefined where it has none. */
function answersOf({ reply, replies }: CallbackEvent): unknown {
  const said = replyEntries(replies).map(readReply);
  return reply !== undefined || said.length > 0 ? [reply, said] : undefined;
}

const digest = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
