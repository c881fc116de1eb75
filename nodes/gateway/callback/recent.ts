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

interface Known {
  /** Arrival rank. */
  rank: number;
  /** In seconds. */
  time: number;
  /** What it took the place of, until its claim is settled. */
  before?: Known;
  isReleased?: boolean;
}

/** What claiming an event has added. */
export type StatusClaim = Array<{ key: string; known: Known }>;

const KEY_LENGTH = 12;
const ENTRY = /^([\w-]{12})(\d)([\da-z]{1,8})$/;

/**
 * The statuses that have started a workflow lately. It keeps short digests only, so its size is bounded whatever the
 * callbacks hold.
 */
export class RecentStatuses {
  /** By digest, oldest first. */
  private readonly known = new Map<string, Known>();

  private readonly limits: RecentLimits;

  constructor(limits: RecentLimits) {
    this.limits = limits;
  }

  /**
   * Whether an event is news: the same message has not had this status (with this digit, these replies) before, nor
   * a later one. `now` is in seconds.
   */
  isNews(event: CallbackEvent, now: number): boolean {
    const keys = keysOf(event);
    if (this.rankOf(keys.status, now) !== undefined) return false;
    // Every new reply and digit is news, however late.
    if (keys.status !== keys.plain) return true;
    if ((this.rankOf(keys.message, now) ?? 0) > arrivalRank(event.outcome)) return false;
    return event.outcome !== 'pending' || this.rankOf(keys.failure, now) === undefined;
  }

  /**
   * Remembers an event that is news. Returns what `release` needs; undefined where it isn't news: of two equal events
   * that arrive at once, only the first is. `now` is in seconds.
   */
  claim(event: CallbackEvent, now: number): StatusClaim | undefined {
    if (!this.isNews(event, now)) return undefined;
    const keys = keysOf(event);
    const rank = arrivalRank(event.outcome);
    const claimed = [keys.status];
    // What the gateway couldn't confirm must not hide what it reports itself.
    if (event.verified !== false) {
      // The same status without the reply is no news if it comes later.
      claimed.push(keys.plain);
      if (event.outcome === 'failed') claimed.push(keys.failure);
      // Also where it got as far before: what is known of that may be released.
      if (rank > 0 && rank >= (this.rankOf(keys.message, now) ?? 0)) claimed.push(keys.message);
    }
    const claim = Array.from(new Set(claimed), (key) => ({ key, known: this.put(key, rank, now) }));
    this.forgetOldest();
    return claim;
  }

  /** Keeps a claimed event for good. */
  confirm(claim: StatusClaim): void {
    for (const { known } of claim) delete known.before;
  }

  /** Forgets a claimed event; what other events have claimed before and since stays, unless it is released as well. */
  release(claim: StatusClaim): void {
    for (const { key, known } of claim) {
      known.isReleased = true;
      let left = this.known.get(key);
      while (left?.isReleased) left = left.before;
      if (left === undefined) this.known.delete(key);
      else this.known.set(key, left);
    }
  }

  /** Whether an event shares anything that is remembered with claims, whose keys are given. */
  concerns(event: CallbackEvent, keys: ReadonlySet<string>): boolean {
    return Object.values<string>({ ...keysOf(event) }).some((key) => keys.has(key));
  }

  /** The newest `entries` entries as a string for `load`, without those of the keys in `except`. */
  dump(entries: number, except: ReadonlySet<string> = new Set()): string {
    return Array.from(this.known)
      .filter(([key]) => !except.has(key))
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
      // A known entry keeps its place in the order, and stays the one that its claim can release.
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

  private put(key: string, rank: number, now: number): Known {
    const known: Known = { rank, time: now, before: this.known.get(key) };
    // Deleted first, so that it moves to the end of the order.
    this.known.delete(key);
    this.known.set(key, known);
    return known;
  }

  private rankOf(key: string, now: number): number | undefined {
    const entry = this.known.get(key);
    return entry !== undefined && now - entry.time <= this.limits.seconds ? entry.rank : undefined;
  }
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
