import { createHash } from 'crypto';

import { normalised } from '../delivery/statuses';
import type { CallbackEvent } from './parse';

/** Statuses in the order in which a message passes through them; a lower one after a higher one comes late. */
const RANKS: Record<CallbackEvent['outcome'], number> = {
  unknown: 0,
  pending: 0,
  failed: 0,
  delivered: 1,
  read: 2,
  replied: 3,
};

export interface RecentLimits {
  /** How many statuses are remembered at most. */
  entries: number;
  /** For how many seconds. */
  seconds: number;
}

const KEY_LENGTH = 12;
const ENTRY = /^([\w-]{12})(\d)([\da-z]{1,8})$/;

/**
 * Which statuses have started a workflow lately. Of each it keeps a short digest, so its size is bounded whatever
 * the callbacks hold.
 */
export class RecentStatuses {
  /** Rank and time in seconds by digest, in the order in which they became known. */
  private readonly known = new Map<string, [rank: number, time: number]>();

  private readonly limits: RecentLimits;

  constructor(limits: RecentLimits) {
    this.limits = limits;
  }

  /**
   * Whether an event says something new: the same message has not had this status (and this digit, these replies)
   * before, nor one that comes later in the life of a message. `now` is in seconds.
   */
  isNews(event: CallbackEvent, now: number): boolean {
    const keys = keysOf(event);
    if (this.rankOf(keys.status, now) !== undefined) return false;
    // Every reply and every digit is news, whenever it comes.
    if (event.outcome === 'replied' || keys.status !== keys.plain) return true;
    if ((this.rankOf(keys.message, now) ?? 0) > RANKS[event.outcome]) return false;
    return event.outcome !== 'pending' || this.rankOf(keys.failure, now) === undefined;
  }

  /** Remembers an event; false where it was no news, so that of two that come at once only one gets true. */
  claim(event: CallbackEvent, now: number): boolean {
    if (!this.isNews(event, now)) return false;
    const keys = keysOf(event);
    const rank = RANKS[event.outcome];
    this.put(keys.status, rank, now);
    // The same status without the answer, when it comes late, says less than this one did.
    this.put(keys.plain, rank, now);
    if (event.outcome === 'failed') this.put(keys.failure, rank, now);
    if (rank > (this.rankOf(keys.message, now) ?? 0)) this.put(keys.message, rank, now);
    this.forgetOldest();
    return true;
  }

  /** The newest `entries` of them as a text that `load` reads. */
  dump(entries: number): string {
    return Array.from(this.known)
      .slice(-entries)
      .map(([key, [rank, time]]) => `${key}${rank}${time.toString(36)}`)
      .join(' ');
  }

  /**
   * Adds what another process has remembered; what is no such text is left out. The work goes with the length of
   * the text, not with how much is known already.
   */
  load(text: string): void {
    for (const entry of text.split(' ').slice(-this.limits.entries)) {
      const match = ENTRY.exec(entry);
      if (match === null) continue;
      const [, key, rank, time] = match;
      const [knownRank, knownTime] = this.known.get(key) ?? [0, 0];
      // One that is known keeps its place in the order.
      this.known.set(key, [Math.max(Number(rank), knownRank), Math.max(parseInt(time, 36), knownTime)]);
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

  private put(key: string, rank: number, now: number): void {
    // Taken out first, so that it moves to the end of the order.
    this.known.delete(key);
    this.known.set(key, [rank, now]);
  }

  private rankOf(key: string, now: number): number | undefined {
    const entry = this.known.get(key);
    if (entry === undefined) return undefined;
    const [rank, time] = entry;
    if (now - time <= this.limits.seconds) return rank;
    this.known.delete(key);
    return undefined;
  }
}

interface Keys {
  message: string;
  /** The message with this status, and with the digit and the replies that came with it. */
  status: string;
  /** The message with this status; the same as `status` where there is no answer in it. */
  plain: string;
  failure: string;
}

function keysOf(event: CallbackEvent): Keys {
  const { id, msg_id: messageId, request_id: requestId, status, outcome, type, reply, replies } = event;
  const named = id !== undefined || messageId !== undefined;
  const message = named ? [id ?? null, messageId ?? null] : [null, null, requestId ?? null];
  const what = [...message, normalised(status) || outcome];
  // A form writes "none" as an empty text.
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
