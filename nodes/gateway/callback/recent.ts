import { createHash } from 'crypto';

import { arrivalRank } from '../delivery/outcomes';
import { canonicalStatus } from '../delivery/statuses';
import type { CallbackEvent } from './parse';

const WINDOW_SECONDS = 24 * 60 * 60;
/** Entries in memory, of which an event takes up to four, and of these the most that are saved. */
const IN_MEMORY = 30_000;
const SAVED = 2_000;
const SAVE_EVERY_MS = 1000;
/** The most executions that n8n may be starting at the same time. */
const MAX_STARTING = 1000;

/** What events leave behind: how far their messages got, by key. */
type Marks = Map<string, number>;
/** The rank of what has not been seen. */
const NEVER = -1;

const KEY_LENGTH = 12;
const ENTRY = /^([\w-]{12})(\d)([\da-z]{1,8})$/;

/** The answer to a call, which n8n gives once it has started the execution: a success, or an error if it couldn't. */
export interface CallReply {
  statusCode: number;
  writableEnded: boolean;
}

/** The statuses that have recently started a trigger's workflow: short digests, so that its size is bounded. */
export class RecentStatuses {
  /** By key, oldest first. Times are in seconds since 1970. */
  private readonly known = new Map<string, { rank: number; time: number }>();
  /** Calls that had no answer when last seen: nothing is known of their events until n8n has answered them. */
  private starting: Array<{ reply: CallReply; marks: Marks; time: number }> = [];
  /** What was last loaded or dumped, so that each state of another process is read once. */
  private shared = '';
  private hasLearnt = false;
  /** In milliseconds since 1970. */
  private dumpedAt = 0;
  private readonly size: number;

  constructor(size = IN_MEMORY) {
    this.size = size;
  }

  /**
   * Returns the events that are news. Undefined where one repeats what n8n is still starting: whether it is news shows only
   * when n8n has answered that call, so nobody may acknowledge it before.
   */
  newsIn(events: CallbackEvent[]): CallbackEvent[] | undefined {
    this.settle();
    const news = events.filter((event) => this.isNews(event));
    const isOpen = news.some((event) => {
      const keys = keysOf(event);
      return this.starting.some(({ marks }) => !this.isNews(event, marks, keys));
    });
    return isOpen ? undefined : news;
  }

  /**
   * Remembers the events once n8n has started their execution; where the call ends with an error, it could not, and the
   * same event has to start it when it comes again. Returns those that are news, each once; undefined, with nothing
   * remembered, as `newsIn` does, or while n8n is starting too many executions.
   */
  claim(events: CallbackEvent[], reply: CallReply): CallbackEvent[] | undefined {
    const news = this.newsIn(events);
    if (news === undefined || this.starting.length >= MAX_STARTING) return undefined;
    const marks: Marks = new Map();
    const claimed = news.filter((event) => {
      const isFirst = this.isNews(event, marks);
      leaveMarks(event, marks);
      return isFirst;
    });
    if (claimed.length > 0) this.starting.push({ reply, marks, time: seconds() });
    return claimed;
  }

  /** Adds the entries that another process has dumped; ignores anything else, such as nothing. */
  load(dump: unknown): void {
    if (dump === this.shared) return;
    const entries = typeof dump === 'string' ? dump.split(' ') : [];
    this.shared = entries.join(' ');
    for (const entry of entries) {
      const read = ENTRY.exec(entry);
      if (read === null) continue;
      const [, key, digit, time] = read;
      const rank = Number(digit);
      // A known entry keeps its place in the order.
      if (rank > (this.known.get(key)?.rank ?? NEVER)) {
        this.known.set(key, { rank, time: parseInt(time, 36) });
      }
    }
    this.forgetOldest();
    // What this process dumped may have been overwritten by one that knew less.
    this.hasLearnt ||= entries.length < Math.min(this.known.size, SAVED);
  }

  /** Returns the newest entries for `load`; undefined where nothing was learnt since, or less than a second ago. */
  dump(): string | undefined {
    this.settle();
    if (!this.hasLearnt || Date.now() - this.dumpedAt < SAVE_EVERY_MS) return undefined;
    this.hasLearnt = false;
    this.dumpedAt = Date.now();
    const newest = Array.from(this.known).slice(-SAVED);
    this.shared = newest.map(([key, { rank, time }]) => `${key}${rank}${time.toString(36)}`).join(' ');
    return this.shared;
  }

  /** Remembers the events of calls that have ended well. */
  private settle(): void {
    this.starting = this.starting.filter(({ reply, marks, time }) => {
      if (!reply.writableEnded) return true;
      if (reply.statusCode < 400) this.learn(marks, time);
      return false;
    });
  }

  private learn(marks: Marks, time: number): void {
    this.hasLearnt = true;
    for (const [key, rank] of marks) {
      if (rank < this.rankOf(key)) continue;
      // Deleted first, so that it moves to the end of the order.
      this.known.delete(key);
      this.known.set(key, { rank, time });
    }
    this.forgetOldest();
  }

  private forgetOldest(): void {
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.size) break;
      this.known.delete(oldest);
    }
  }

  private rankOf(key: string): number {
    const known = this.known.get(key);
    return known && seconds() - known.time <= WINDOW_SECONDS ? known.rank : NEVER;
  }

  /**
   * Whether an event is news, also beside these marks: its message has not had this status (with this digit, these
   * replies) before, nor a later one.
   */
  private isNews(event: CallbackEvent, besides?: Marks, keys = keysOf(event)): boolean {
    const rankOf = (key: string) => Math.max(this.rankOf(key), besides?.get(key) ?? NEVER);
    if (rankOf(keys.status) !== NEVER) return false;
    // Every new reply and digit is news, however late.
    if (keys.status !== keys.plain) return true;
    if (rankOf(keys.message) > arrivalRank(event.outcome)) return false;
    return event.outcome !== 'pending' || rankOf(keys.failure) === NEVER;
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);

function keysOf({ id, msg_id: messageId, request_id: requestId, ...event }: CallbackEvent) {
  const { status, outcome, type, reply, replies } = event;
  const hasId = id !== undefined || messageId !== undefined;
  const message = hasId ? [id ?? null, messageId ?? null] : [null, null, requestId ?? null];
  const what = [...message, canonicalStatus(status), outcome];
  // Forms write an absent reply as an empty string.
  const answers = reply || replies?.length ? [reply || null, replies ?? null] : [];
  return {
    message: digest(message),
    /** The message with this status, and with the digit and the replies of the event. */
    status: digest([...what, ...answers]),
    /** The message with this status; equal to `status` where the event has no digit and no replies. */
    plain: digest(what),
    /** A failure of the message on this channel. */
    failure: digest([...message, 'failed', type ?? null]),
  };
}

const digest = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, KEY_LENGTH);

function leaveMarks(event: CallbackEvent, marks: Marks): void {
  const { outcome, verified } = event;
  const keys = keysOf(event);
  const rank = arrivalRank(outcome);
  marks.set(keys.status, rank);
  // What the gateway couldn't confirm must not hide what it reports itself.
  if (verified === false) return;
  // The same status without the reply is no news if it comes later.
  marks.set(keys.plain, rank);
  if (outcome === 'failed') marks.set(keys.failure, rank);
  if (rank > 0) marks.set(keys.message, Math.max(rank, marks.get(keys.message) ?? NEVER));
}
