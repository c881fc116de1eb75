import type { OpenWait } from './open-wait';
import { askTogether, MOST_TOGETHER } from './open-wait';
import { LEAST_IDS } from './status';
import type { Transport } from './transport';

/**
 * A wait is asked about again after as long as it has lasted so far, 8 seconds at most; after its eighth minute, after a sixtieth of
 * that time, ten minutes at most. So an outcome without a callback is noticed within 15 seconds in the first quarter of an hour.
 */
const FIRST_MS = 1000;
const STEADY_MS = 8000;
const LATER_SHARE = 1 / 60;
const LONGEST_MS = 600_000;

/** Milliseconds before its limit at which a wait is asked about last. */
const LAST_MS = 3000;

/** Answered requests after which a request may hold twice as many ids, where a failure has halved them. */
const CAREFUL = 8;

/** A wait whose messages are asked about in rounds. Times are milliseconds since 1970. */
export interface Round {
  messages: OpenWait;
  startedAt: number;

  /** When the gateway is asked nothing any more. */
  limitAt: number;

  /** The next round: when, and how many messages it still has. */
  askAt: number;
  unasked: number;
}

/** Returns the first round of a wait that begins now. */
export const firstRound = (messages: OpenWait, limitAt: number): Round => {
  const startedAt = Date.now();
  return { messages, startedAt, limitAt, askAt: startedAt + FIRST_MS, unasked: messages.open };
};

/** The questions about all waits of an account: how many ids a request holds, and when nothing is asked. */
export class AccountQuestions {
  private idsAtMost = MOST_TOGETHER;

  /** Requests that were answered since the last failure. */
  private answered = 0;

  /** After a failed request, nothing is asked for a time, which doubles with each failure. */
  private pauseMs = 0;
  private pausedUntil = 0;

  /** Asks at once again: the gateway has just taken a message. */
  resume(): void {
    this.pausedUntil = 0;
  }

  /** Returns those of the waits that are to be asked about now, those first that have waited longest for that. */
  due<Wait extends Round>(waits: Iterable<Wait>): Wait[] {
    const now = Date.now();
    if (now < this.pausedUntil) return [];
    return [...waits].filter(({ askAt }) => askAt <= now).sort((a, b) => a.askAt - b.askAt);
  }

  /** Makes one request about due waits. Does not throw. */
  async ask(transport: Transport, due: readonly Round[]): Promise<void> {
    let room = this.idsAtMost;
    const parts = due.flatMap((wait) => {
      const messages = wait.messages.next(Math.min(room, wait.unasked));
      room -= messages.length;
      return messages.length > 0 ? [{ wait, messages }] : [];
    });
    if (parts.length === 0) return;
    const messages = parts.flatMap((part) => part.messages);
    const isAnswered = await askTogether(transport, messages, this.idsAtMost);
    this.answered = isAnswered ? this.answered + 1 : 0;
    if (!isAnswered) this.idsAtMost = Math.max(LEAST_IDS, Math.ceil(this.idsAtMost / 2));
    else if (this.answered % CAREFUL === 0) this.idsAtMost = Math.min(MOST_TOGETHER, 2 * this.idsAtMost);
    this.pauseMs = isAnswered ? 0 : Math.min(Math.max(FIRST_MS, 2 * this.pauseMs), LONGEST_MS);
    this.pausedUntil = Date.now() + this.pauseMs;
    // After a failure, the rest of the round isn't asked about: it may be the reason, and other waits come first.
    for (const part of parts) planNext(part.wait, isAnswered ? part.messages.length : Infinity);
  }
}

/** Plans the next questions about a wait, of whose round so many messages were asked about. */
function planNext(wait: Round, asked: number): void {
  const now = Date.now();
  const { messages, startedAt, limitAt } = wait;
  wait.unasked = Math.min(wait.unasked - asked, messages.open);
  wait.askAt = now;
  if (wait.unasked > 0) return;
  const soFarMs = now - startedAt;
  wait.askAt += Math.min(soFarMs, Math.max(STEADY_MS, LATER_SHARE * soFarMs), LONGEST_MS);
  const lastAt = limitAt - LAST_MS;
  if (now < lastAt) wait.askAt = Math.min(wait.askAt, lastAt);
  wait.unasked = messages.open;
}
