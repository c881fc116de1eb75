import type { OpenWait } from './open-wait';
import { askTogether, MOST_TOGETHER } from './open-wait';
import { LEAST_IDS } from './status';
import type { Transport } from './transport';

/**
 * The pause before the next round of a wait is as long as the wait has lasted so far, 8 seconds at most; from its eighth minute on a
 * sixtieth of that time, ten minutes at most. In the first quarter of an hour, an outcome without a callback is noticed within 15 seconds.
 */
const FIRST_MS = 1000;
const STEADY_MS = 8000;
const LATER_SHARE = 1 / 60;
const LONGEST_MS = 600_000;

/** The last round of a wait begins so many milliseconds before its limit. */
const LAST_MS = 3000;

/** A failed request halves the ids in the next one; so many answered requests in a row double them. */
const CAREFUL = 8;

/** A wait whose messages the gateway is asked about in rounds, each in one or more requests. Times are milliseconds since 1970. */
export interface Round {
  messages: OpenWait;
  startedAt: number;

  /** From then on, the gateway is asked nothing about the wait. */
  limitAt: number;

  /** When the round goes on, and how many messages it still has to ask about. */
  askAt: number;
  unasked: number;
}

/** Returns the first round of a wait that begins now. */
export const firstRound = (messages: OpenWait, limitAt: number): Round => {
  const startedAt = Date.now();
  return { messages, startedAt, limitAt, askAt: startedAt + FIRST_MS, unasked: messages.open };
};

/** Asks about all waits of an account: decides which are due, how many ids a request holds, and how long a failing gateway is left alone. */
export class AccountQuestions {
  private idsAtMost = MOST_TOGETHER;

  /** Requests that were answered since the last failure. */
  private answered = 0;

  /** The pause after a failed request, in which nothing is asked: twice as long after each failure in a row. */
  private pauseMs = 0;
  private pausedUntil = 0;

  /** Ends the pause: the gateway has just taken a message, so it is there. */
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
    // These waits may be why the request failed: others come first now.
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
