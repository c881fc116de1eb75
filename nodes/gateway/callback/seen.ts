import { createHash } from 'crypto';

import { readReply, replyEntries } from '../contract/callback';
import { arrivalRank, canonicalStatus } from '../delivery/outcomes';
import type { CallbackEvent } from './parse';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Entries of all triggers of a process. An event takes two: itself, and how far its message got. */
const MOST_ENTRIES = 20_000;

/** The rank of an event or a message that has not been seen. */
const NEVER = -1;

/** The callbacks that started workflows within a day, by trigger and message; the oldest is forgotten first. */
export class SeenEvents {
  /** The rank of the outcome that was seen (`arrivalRank`), oldest first. */
  private readonly entries = new Map<string, { rank: number; atMs: number }>();

  /** Returns the events that are news, each once, and remembers these events until `forget` is called. */
  take<Event extends CallbackEvent>(trigger: string, events: Event[]): { news: Event[]; forget(): void } {
    const news = events.filter((event) => {
      const isNews = this.isNews(trigger, event);
      if (isNews) this.remember(trigger, event);
      return isNews;
    });
    return {
      news,
      forget: () => {
        for (const event of news) {
          this.entries.delete(eventKey(trigger, event));
          // How far the message had got before isn't known any more: a late status starts the workflow rather than none.
          this.entries.delete(messageKey(trigger, event));
        }
      },
    };
  }

  /**
   * Whether an event has not started the workflow of a trigger before, and isn't late: Delivered after Read. An answer that is
   * new is never late.
   */
  private isNews(trigger: string, event: CallbackEvent): boolean {
    if (this.rankOf(eventKey(trigger, event)) !== NEVER) return false;
    return (
      answersOf(event) !== undefined || this.rankOf(messageKey(trigger, event)) <= arrivalRank(event.outcome)
    );
  }

  private remember(trigger: string, event: CallbackEvent): void {
    const rank = arrivalRank(event.outcome);
    this.set(eventKey(trigger, event), rank);
    const message = messageKey(trigger, event);
    // An outcome that the gateway couldn't confirm must not make later ones look late.
    if (event.verified !== false) this.set(message, Math.max(rank, this.rankOf(message)));
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST_ENTRIES) break;
      this.entries.delete(oldest);
    }
  }

  private set(key: string, rank: number): void {
    // Deleted first, so that the entry moves to the end of the order.
    this.entries.delete(key);
    this.entries.set(key, { rank, atMs: Date.now() });
  }

  private rankOf(key: string): number {
    const entry = this.entries.get(key);
    return entry && Date.now() - entry.atMs <= DAY_MS ? entry.rank : NEVER;
  }
}

/** Users may give several messages the same `id`, so that both identifiers count. */
function namesOf({ id, msg_id: messageId, request_id: requestId }: CallbackEvent): unknown[] {
  // A request may hold many messages.
  return id === undefined && messageId === undefined ? ['request', requestId] : [id, messageId];
}

const messageKey = (trigger: string, event: CallbackEvent): string => digest([trigger, ...namesOf(event)]);

const eventKey = (trigger: string, event: CallbackEvent): string =>
  digest([
    ...[trigger, ...namesOf(event), canonicalStatus(event.status), event.outcome],
    ...[answersOf(event), event.verified],
  ]);

/** The digit and the replies of an event; undefined where it has none. */
function answersOf({ reply, replies }: CallbackEvent): unknown {
  const said = replyEntries(replies).map(readReply);
  return reply !== undefined || said.length > 0 ? [reply, said] : undefined;
}

const digest = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
