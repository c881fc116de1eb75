import { createHash } from 'crypto';

import { readReply, replyEntries } from '../contract/callback';
import { arrivalRank } from '../delivery/outcomes';
import { canonicalStatus } from '../delivery/statuses';
import type { CallbackEvent } from './parse';

const WINDOW_SECONDS = 24 * 60 * 60;

/**
 * Entries in memory, and of these the most that are saved. An event takes two or three under each of its message's names, of
 * which there are two to four.
 */
const ENTRIES_IN_MEMORY = 60_000;
const ENTRIES_SAVED = 4_000;
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

  constructor(size = ENTRIES_IN_MEMORY) {
    this.size = size;
  }

  /**
   * Returns the events that are news. Undefined where one repeats what n8n is still starting: whether it is news shows only
   * when n8n has answered that call, so nobody may acknowledge it before.
   */
  unseen<Event extends CallbackEvent>(events: Event[]): Event[] | undefined {
    this.settle();
    const news = events.filter((event) => this.isNews(event));
    const isOpen = news.some((event) => {
      const keys = keysToFind(event);
      return this.starting.some(({ marks }) => !this.isNews(event, marks, keys));
    });
    return isOpen ? undefined : news;
  }

  /**
   * Remembers the events once n8n has started their execution; where the call ends with an error, it could not, and the
   * same event has to start it when it comes again. Returns those that are news, each once; undefined, with nothing
   * remembered, as `unseen` does, or while n8n is starting too many executions.
   */
  markSeen<Event extends CallbackEvent>(events: Event[], reply: CallReply): Event[] | undefined {
    const news = this.unseen(events);
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
    this.hasLearnt ||= entries.length < Math.min(this.known.size, ENTRIES_SAVED);
  }

  /** Returns the newest entries for `load`; undefined where nothing was learnt since, or less than a second ago. */
  dump(): string | undefined {
    this.settle();
    if (!this.hasLearnt || Date.now() - this.dumpedAt < SAVE_EVERY_MS) return undefined;
    this.hasLearnt = false;
    this.dumpedAt = Date.now();
    const newest = Array.from(this.known).slice(-ENTRIES_SAVED);
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
  private isNews(event: CallbackEvent, besides?: Marks, keys = keysToFind(event)): boolean {
    const rankOf = (kind: keyof Keys) =>
      Math.max(...keys.flatMap(({ [kind]: key }) => [this.rankOf(key), besides?.get(key) ?? NEVER]));
    if (rankOf('status') !== NEVER) return false;
    // Every new reply and digit is news, however late.
    if (hasAnswers(event)) return true;
    if (rankOf('message') > arrivalRank(event.outcome)) return false;
    return event.outcome !== 'pending' || (rankOf('failure') === NEVER && rankOf('failureOfAny') === NEVER);
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);

/**
 * The names of a message by which an event finds earlier ones, and under which later ones find it. Two events are of one
 * message where an identifier that both have is equal, and none differs: users may give several messages the same `id`. A
 * request may hold many messages, so an event is known by its `request_id` only to those that have nothing else.
 */
function namesOf({ id, msg_id: messageId, request_id: requestId }: CallbackEvent) {
  const request = requestId === undefined ? [] : [['request', requestId]];
  const any = [
    ...(id === undefined ? [] : [['id', id]]),
    ...(messageId === undefined ? [] : [['msg', messageId]]),
  ];
  if (any.length === 0) return { toFind: request, toLeave: request };
  const only = any.map((name) => ['only', ...name]);
  // Beside a pair with another partner, the names of one identifier say nothing.
  const pair = any.flat();
  return any.length === 1
    ? { toFind: any, toLeave: [...any, ...only, ...request] }
    : { toFind: [pair, ...only], toLeave: [...any, pair, ...request] };
}

/** What is remembered of an event under a name of its message. */
interface Keys {
  message: string;

  /** The message with this status, and with the digit and the replies of the event. */
  status: string;

  /** The message with this status; equal to `status` where the event has no digit and no replies. */
  plain: string;

  /** A failure of the message on this channel. */
  failure: string;

  /** A failure that named no channel. */
  failureOfAny: string;
}

const keysToFind = (event: CallbackEvent): Keys[] => namesOf(event).toFind.map((name) => keysOf(event, name));

function keysOf(event: CallbackEvent, name: unknown[]): Keys {
  const what = [...name, canonicalStatus(event.status), event.outcome];
  return {
    message: digest(name),
    status: digest([...what, ...answersOf(event)]),
    plain: digest(what),
    failure: digest([...name, 'failed', event.type ?? null]),
    failureOfAny: digest([...name, 'failed', null]),
  };
}

/** The digit and the replies of an event, each by its time and text: a link of its media may be signed anew each time. */
function answersOf({ reply, replies }: CallbackEvent): unknown[] {
  const said = replyEntries(replies).map((entry) => {
    const { datetime, message, media } = readReply(entry) ?? {};
    const file = media && [media.filename || media.url?.split(/[?#]/, 1)[0], media.filesize];
    return [datetime, message, file];
  });
  // Forms write an absent reply as an empty string.
  return reply || said.length > 0 ? [reply || null, said] : [];
}

const hasAnswers = (event: CallbackEvent): boolean => answersOf(event).length > 0;

const digest = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, KEY_LENGTH);

function leaveMarks(event: CallbackEvent, marks: Marks): void {
  const { outcome, verified } = event;
  const rank = arrivalRank(outcome);
  const raise = (key: string) => marks.set(key, Math.max(rank, marks.get(key) ?? NEVER));
  for (const name of namesOf(event).toLeave) {
    const keys = keysOf(event, name);
    marks.set(keys.status, rank);
    // What the gateway couldn't confirm must not hide what it reports itself.
    if (verified === false) continue;
    // The same status without the reply is no news if it comes later.
    marks.set(keys.plain, rank);
    if (outcome === 'failed') marks.set(keys.failure, rank);
    if (rank > 0) raise(keys.message);
  }
}
