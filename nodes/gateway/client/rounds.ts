import type { OpenWait } from './open-wait';
import { askTogether } from './open-wait';
import { MAX_IDS, MIN_IDS } from './status';
import type { Transport } from './transport';

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

/** The first round of a wait begins after so many milliseconds, and so does the next request after a first failure. */
const FIRST_MS = 1000;

/** Returns the first round of a wait that begins now. */
export const firstRound = (messages: OpenWait, limitAt: number): Round => {
  const startedAt = Date.now();
  return { messages, startedAt, limitAt, askAt: startedAt + FIRST_MS, unasked: messages.openCount };
};

/** Asks about all waits of an account: decides which are due, how many ids a request holds, and how long a failing gateway is left alone. */
export class AccountQuestions {
  /** Ids in the next request at most. */
  private maxIds = MAX_IDS;

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
    let room = this.maxIds;
    const parts = due.flatMap((wait) => {
      const messages = wait.messages.takeNext(Math.min(room, wait.unasked));
      room -= messages.length;
      return messages.length > 0 ? [{ wait, messages }] : [];
    });
    if (parts.length === 0) return;
    const messages = parts.flatMap((part) => part.messages);
    const isAnswered = await askTogether(transport, messages, this.maxIds);
    if (isAnswered) this.noteAnswer();
    else this.noteFailure();
    for (const { wait, messages: asked } of parts) {
      // After a failure, the round of these waits is over: they may be the reason, and others come first now.
      const unasked = isAnswered ? wait.unasked - asked.length : 0;
      planNext(wait, unasked);
    }
  }

  private noteAnswer(): void {
    this.answered += 1;
    this.pauseMs = 0;
    if (this.answered % ANSWERED_TO_GROW === 0) this.maxIds = Math.min(MAX_IDS, 2 * this.maxIds);
  }

  private noteFailure(): void {
    this.answered = 0;
    this.maxIds = Math.max(MIN_IDS, Math.ceil(this.maxIds / 2));
    this.pauseMs = Math.min(Math.max(FIRST_MS, 2 * this.pauseMs), MAX_PAUSE_MS);
    this.pausedUntil = Date.now() + this.pauseMs;
  }
}

/** A failed request halves the ids in the next one; so many answered requests in a row double them. */
const ANSWERED_TO_GROW = 8;

/** Pauses end after so many milliseconds at most: of a wait, and of all waits after failures. */
const MAX_PAUSE_MS = 600_000;

/** Plans the next question about a wait: now, if so many messages are left in its round, else the next round. */
function planNext(wait: Round, unasked: number): void {
  const now = Date.now();
  const { messages, startedAt, limitAt } = wait;
  wait.unasked = Math.min(unasked, messages.openCount);
  wait.askAt = now;
  if (wait.unasked > 0) return;
  const nextAt = now + pauseAfter(now - startedAt);
  const lastAt = limitAt - LAST_MS;
  wait.askAt = now < lastAt ? Math.min(nextAt, lastAt) : nextAt;
  wait.unasked = messages.openCount;
}

/** The last round of a wait begins so many milliseconds before its limit. */
const LAST_MS = 3000;

/**
 * Returns the pause before the next round of a wait that has lasted so long: as long again, but 8 seconds at most; from the eighth minute
 * on a sixtieth of that time. In the first quarter of an hour, an outcome without a callback is noticed within 15 seconds.
 */
const pauseAfter = (soFarMs: number): number =>
  Math.min(soFarMs, Math.max(STEADY_MS, LATER_SHARE * soFarMs), MAX_PAUSE_MS);

const STEADY_MS = 8000;
const LATER_SHARE = 1 / 60;
