import { createHash } from 'crypto';

import { arrivalRank } from '../delivery/outcomes';
import { canonicalStatus } from '../delivery/statuses';
import type { CallbackEvent } from './parse';

export interface RecentLimits {
  /** The largest number of entries that are kept. */
  entries: number;
  /** How long an entry is kept, in seconds. */
  seconds: number;
}

/** What events leave behind: arrival ranks by key. */
export type Marks = Map<string, number>;

const KEY_LENGTH = 12;
const ENTRY = /^([\w-]{12})(\d)([\da-z]{1,8})$/;

/**
 * The statuses that have started a workflow lately. It keeps short digests only, so its size is bounded whatever the
 * callbacks hold. Times are in seconds.
 */
export class RecentStatuses {
  /** By key, oldest first. */
  private readonly known = new Map<string, { rank: number; time: number }>();

  private readonly limits: RecentLimits;

  constructor(limits: RecentLimits) {
    this.limits = limits;
  }

  /**
   * Whether an event is news, also beside these marks: the same message has not had this status (with this digit, these
   * replies) before, nor a later one.
   */
  isNews(event: CallbackEvent, now: number, besides?: Marks): boolean {
    const rankOf = (key: string) => Math.max(this.rankOf(key, now), besides?.get(key) ?? NEVER);
    const keys = keysOf(event);
    if (rankOf(keys.status) !== NEVER) return false;
    // Every new reply and digit is news, however late.
    if (keys.status !== keys.plain) return true;
    if (rankOf(keys.message) > arrivalRank(event.outcome)) return false;
    return event.outcome !== 'pending' || rankOf(keys.failure) === NEVER;
  }

  /** Remembers what events have left behind at `time`. */
  add(marks: Marks, time: number): void {
    for (const [key, rank] of marks) {
      if (rank < this.rankOf(key, time)) continue;
      // Deleted first, so that it moves to the end of the order.
      this.known.delete(key);
      this.known.set(key, { rank, time });
    }
    this.forgetOldest();
  }

  /** The newest `entries` entries as a string for `load`. */
  dump(entries: number): string {
    return Array.from(this.known)
      .slice(-entries)
      .map(([key, { rank, time }]) => `${key}${rank}${time.toString(36)}`)
      .join(' ');
  }

  /**
   * Adds the entries of a string that `dump` returned in another process; malformed entries are ignored. Takes time
   * in proportion to the length of the string, however much is known already.
   */
  load(text: string): void {
    for (const entry of text.split(' ')) {
      const match = ENTRY.exec(entry);
      if (match === null) continue;
      const [, key, rank, time] = match;
      // A known entry keeps its place in the order.
      const known = this.known.get(key);
      if (known === undefined || known.rank < Number(rank)) {
        this.known.set(key, { rank: Number(rank), time: parseInt(time, 36) });
      }
    }
    this.forgetOldest();
  }

  get size(): number {
    return this.known.size;
  }

  private forgetOldest(): void {
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.limits.entries) break;
      this.known.delete(oldest);
    }
  }

  private rankOf(key: string, now: number): number {
    const entry = this.known.get(key);
    return entry !== undefined && now - entry.time <= this.limits.seconds ? entry.rank : NEVER;
  }
}

/** The rank of what has not been seen. */
const NEVER = -1;

/** Adds what an event leaves behind to marks. */
export function leaveMarks(event: CallbackEvent, marks: Marks): void {
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

interface Keys {
  message: string;
  /** The message with this status, and with the digit and the replies of the event. */
  status: string;
  /** The message with this status; equal to `status` where the event has no digit and no replies. */
  plain: string;
  /** A failure of the message on this channel. */
  failure: string;
}

function keysOf(event: CallbackEvent): Keys {
  const { id, msg_id: messageId, request_id: requestId, status, outcome, type, reply, replies } = event;
  const hasId = id !== undefined || messageId !== undefined;
  const message = hasId ? [id ?? null, messageId ?? null] : [null, null, requestId ?? null];
  const what = [...message, canonicalStatus(status), outcome];
  // Forms write an absent reply as an empty string.
  const answers = reply || replies?.length ? [reply || null, replies ?? null] : [];
  return {
    message: digest(message),
    status: digest([...what, ...answers]),
    plain: digest(what),
    failure: digest([...message, 'failed', type ?? null]),
  };
}

const digest = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, KEY_LENGTH);
