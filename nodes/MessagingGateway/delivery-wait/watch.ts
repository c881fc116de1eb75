import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { SelfAnswer } from '../suspend/self-call';
import { selfCaller } from '../suspend/self-call';
import type { SleepNote } from '../suspend/sleep';
import type { OpenWait } from './open-wait';
import type { Round } from './status-questions';
import { StatusQuestions } from './status-questions';

/** Milliseconds at the limit, or of a call after it, in which a question may begin: n8n goes on a minute after the limit. */
const LAST_QUESTION_MS = 10_000;

/** Milliseconds between two rounds of questions: at first, and at most. */
const SHORTEST_MS = 1000;
const LONGEST_MS = 600_000;

/**
 * The share of the messages in a round that have their outcome from which on the next round comes soon. A round about a part
 * of the messages may find less than half by chance where half of all have come, and the next one would then come as late
 * again as all before.
 */
const SOON_SHARE = 2 / 5;

/** Milliseconds until a round that failed goes on. */
const AFTER_FAILURE_MS = 5000;

/** Milliseconds between two looks whether an execution still sleeps: a user may have ended it. */
const LOOK_EVERY_MS = 60_000;

/** What a look took, so many times, passes before the next one of any wait, since n8n loads all data of the execution. */
const LOOK_REST = 100;

/** Milliseconds between two tries to wake: the first, the longest, and from the limit on; and from it until the last try. */
const FIRST_WAKE_MS = 1000;
const LONGEST_WAKE_MS = 300_000;
const LATE_WAKE_MS = 10_000;
const LAST_WAKE_MS = 300_000;

/** Milliseconds until n8n has surely started what a callback woke. */
const CONFIRMATION_MS = 2000;

/** Milliseconds in which n8n saves an execution that falls asleep; until then it calls it running. */
const SAVING_MS = 60_000;

/** A sleeping execution's record of its wait, with the most ids of one `status` request, where the user set them. */
export type WaitNote = SleepNote & { batchSize?: number };

/** The waits that one process watches, by the keys of their sleeps. */
export class Watches extends Map<string, Watch> {
  /** When the next look may be made, in milliseconds since 1970. */
  nextLookAt = 0;

  /**
   * Watches a wait from now on, and asks for the first time after `firstMs` milliseconds. The questions belong to the context
   * of the node or of the call, and keep the data of the execution in memory as long as the wait lasts, since n8n's request
   * helpers do.
   */
  async start(
    context: IExecuteFunctions | IWebhookFunctions,
    { key, limitAt, batchSize }: WaitNote,
    wait: OpenWait,
    { firstMs = SHORTEST_MS, questions = new StatusQuestions(context, batchSize) } = {},
  ): Promise<Watch> {
    const watch = new Watch(this, wait, questions, { limitAt, callSelf: selfCaller(context, key) });
    this.set(key, watch);
    await questions.connect();
    void watch.run(firstMs).finally(() => this.delete(key));
    return watch;
  }
}

/**
 * Waits for the outcomes of one sleeping execution: asks about its open messages in rounds, each after twice the time of the
 * one before, until all are final or the limit has come, and then wakes the execution with one call to itself; whoever gets
 * it asks once more at the limit. The intervals begin anew when a round brought two fifths of its outcomes, or a callback one.
 */
export class Watch {
  readonly wait: OpenWait;
  private readonly watches: Watches;
  private readonly questions: StatusQuestions;
  private readonly limitAt: number;
  private readonly callSelf: ReturnType<typeof selfCaller>;

  /** When n8n has surely saved the execution, and when a look is due, in milliseconds since 1970. */
  private readonly savedAt = Date.now() + SAVING_MS;
  private lookAt = this.savedAt;

  /** The questions that are under way. */
  private asking: { asked: number; round: Promise<Round> } | undefined;

  constructor(
    watches: Watches,
    wait: OpenWait,
    questions: StatusQuestions,
    { limitAt, callSelf }: { limitAt: number; callSelf: ReturnType<typeof selfCaller> },
  ) {
    this.watches = watches;
    this.wait = wait;
    this.questions = questions;
    this.limitAt = limitAt;
    this.callSelf = callSelf;
  }

  /** Runs until the execution sleeps no longer, or can't be reached long after the limit. Does not throw. */
  async run(firstMs: number): Promise<void> {
    const { wait } = this;
    let intervalMs = firstMs;
    let restMs = firstMs;

    /** Messages that a round which failed has not asked about, and how many rounds in a row brought nothing. */
    let due = 0;
    let fruitless = 0;
    while (wait.open > 0 && this.leftMs > 0) {
      if (await wait.rest(Math.min(restMs, this.leftMs))) {
        // A callback is a reason to ask soon, not at once: others are on their way.
        await sleep(Math.max(0, Math.min(SHORTEST_MS, this.leftMs)));
        intervalMs = SHORTEST_MS;
        due = 0;
      }
      if (wait.open === 0 || this.leftMs <= 0) break;
      if (await this.isOver()) return;
      const asked = due > 0 ? due : wait.open;
      // The five minutes that settle the failure of a channel begin when it is first seen, so nothing is left for later.
      const round = await this.ask(asked, !wait.hasFallback);
      due = round.hasFailed ? round.left : 0;
      if (round.hasFailed) {
        fruitless = round.left < asked ? 0 : fruitless + 1;
        restMs = Math.max(round.retryAfterMs, Math.min(LONGEST_MS, AFTER_FAILURE_MS * 2 ** fruitless));
      } else {
        fruitless = 0;
        const isFruitful = round.outcomes >= SOON_SHARE * round.told;
        intervalMs = isFruitful ? SHORTEST_MS : Math.min(2 * intervalMs, LONGEST_MS);
        restMs = intervalMs;
      }
    }
    await this.wake();
  }

  /**
   * Asks once about everything that is open; for the last time (`isLast`), once more after a request that failed: it may have
   * held too many ids, which a second one shows. Does not throw.
   */
  async askAll(isLast: boolean): Promise<void> {
    const { hasFailed, retryAfterMs } = await this.ask(this.wait.open);
    if (isLast && hasFailed && retryAfterMs === 0) await this.ask(this.wait.open);
  }

  /**
   * Asks about so many open messages; in parts, only as long as the answers bring most of the outcomes. Who asks about no more
   * at the same time shares the answers: of two, each would leave to the other what it has asked about, and not wait for it.
   */
  private async ask(count: number, inParts = false): Promise<Round> {
    while (this.asking) {
      const { asked, round } = this.asking;
      const shared = await round;
      if (asked >= count && !shared.isCut) return shared;
    }
    const asked = Math.min(count, this.wait.open);
    const until = Math.max(this.limitAt, Date.now()) + LAST_QUESTION_MS;
    const round = this.questions
      .ask(this.wait, asked, { until, inParts })
      .finally(() => (this.asking = undefined));
    this.asking = { asked, round };
    return await round;
  }

  /** Milliseconds until the limit. */
  private get leftMs(): number {
    return this.limitAt - Date.now();
  }

  /**
   * Looks whether the sleep has ended, if that is due and no other look was made a moment ago: such calls take n8n no more
   * than a hundredth of its time, however many executions wait.
   */
  private async isOver(): Promise<boolean> {
    const { watches } = this;
    const begin = Date.now();
    if (begin < Math.max(this.lookAt, watches.nextLookAt)) return false;
    watches.nextLookAt = Infinity;
    const answer = await this.callSelf('look');
    const end = Date.now();
    watches.nextLookAt = end + LOOK_REST * (end - begin);
    this.lookAt = end + LOOK_EVERY_MS;
    return this.meansOver(answer);
  }

  /** Whether the execution sleeps no longer; n8n's word counts once it must have saved the execution. */
  private meansOver(answer: SelfAnswer): boolean {
    const isSaved = this.wait.resumption !== undefined || Date.now() >= this.savedAt;
    return answer === 'over' || (answer === 'awake' && isSaved);
  }

  /** Wakes the execution, or makes sure that a callback did. Only n8n's or our own answer ends it. */
  private async wake(): Promise<void> {
    const { wait } = this;
    let pauseMs = FIRST_WAKE_MS;
    if (wait.resumption !== undefined) await sleep(CONFIRMATION_MS);
    if (wait.resumption === 'by a call') return;
    while (this.leftMs > -LAST_WAKE_MS) {
      const answer = await this.callSelf('resume', wait.failing());
      if (this.meansOver(answer)) return;
      await sleep(this.leftMs > 0 ? Math.min(pauseMs, this.leftMs) : pauseMs);
      // From the limit on, n8n may pass on what it saved at any time, without the outcomes.
      pauseMs = this.leftMs > 0 ? Math.min(2 * pauseMs, LONGEST_WAKE_MS) : LATE_WAKE_MS;
    }
  }
}

export const watches = new Watches();
