import { sleep } from 'n8n-workflow';

import { askStatusBatch } from '../../gateway/client/status-check';
import type { Transport } from '../../gateway/client/transport';
import { policyOf } from '../../gateway/errors/catalogue';
import type { SelfAnswer } from '../sleeping/self-call';
import type { OpenWait } from './open-wait';
import { Pace } from './pace';

/** Milliseconds after the limit in which the last question may begin. */
const LAST_QUESTION = 10_000;
/** Milliseconds between two tries to wake the execution, and after the limit until the last one. */
const FIRST_WAKE_PAUSE = 1000;
const LONGEST_WAKE_PAUSE = 300_000;
const LAST_WAKE = 300_000;
/** Milliseconds until n8n has surely started what a callback woke. */
const CONFIRMATION = 2000;
/** Tries to confirm that. */
const CONFIRMATIONS = 6;
/** Milliseconds between two looks whether the execution still sleeps: a user may have stopped or deleted it. */
const LOOK_EVERY = 60_000;
/** From this pause on, whatever fails may be due to a credential that was changed. */
const LONG_FAILURE = 60_000;

/** What an engine works with. */
export interface EngineParts {
  /** Milliseconds since 1970. */
  limitAt: number;
  /** Ids in one request. */
  batchSize: number;
  /** The way to the gateway; undefined where the credential could not be read. */
  transport(): Transport | undefined;
  /** Calls the sleeping execution; does not throw. `over` also where another process looks after it from now on. */
  callSelf(todo: 'adopt' | 'resume'): Promise<SelfAnswer>;
  /** Looks whether the execution still sleeps; does not throw. Undefined where that has to wait. */
  look(): Promise<SelfAnswer | undefined>;
}

/**
 * Waits for the outcomes of one sleeping execution: asks `status`, a request at a time, until all of them are final or
 * the limit has come, and then wakes the execution with one call to itself. Holds what is in `OpenWait`, and nothing of
 * the execution's data.
 */
export class WaitEngine {
  private readonly wait: OpenWait;

  private readonly parts: EngineParts;

  private readonly pace = new Pace();

  private batchSize: number;

  /** The most ids that were answered in one request. */
  private answeredSize = 0;

  private alarm = new AbortController();

  private hasNews = false;

  /** Whether the sleep has ended, or is looked after elsewhere. */
  private isOver = false;

  private isLeftToCaller = false;

  /** When a question comes after a look, in milliseconds since 1970. */
  private lookAt = Date.now() + LOOK_EVERY;

  /** Of the last question that got no answer; `retryAfter` in seconds. */
  private failure: { isOfAccount: boolean; retryAfter?: number } | undefined;

  constructor(wait: OpenWait, parts: EngineParts) {
    this.wait = wait;
    this.parts = parts;
    this.batchSize = parts.batchSize;
  }

  /** Tells the engine that the wait has learned something without it, so that it looks sooner. */
  nudge(): void {
    this.hasNews = true;
    this.alarm.abort();
  }

  /** Tells the engine that whoever had the execution woken makes sure that it woke, which costs n8n as much as waking. */
  leaveToCaller(): void {
    this.isLeftToCaller = true;
  }

  /**
   * Runs until the execution sleeps no longer, can't be reached long after the limit, or is looked after elsewhere. Does
   * not throw.
   */
  async run(): Promise<void> {
    const { wait, pace } = this;
    while (!wait.complete && this.left > 0 && !this.isOver) {
      await this.rest(Math.min(pace.pause, this.left));
      if (this.hasNews) pace.afterNews();
      // A callback is a reason to ask soon, not at once: others are on their way.
      if (this.hasNews && !wait.complete) await this.rest(Math.min(pace.pause, this.left));
      this.hasNews = false;
      if (wait.complete || this.left <= 0) break;
      await this.look();
      if (!this.isOver) await this.askSome();
    }
    if (!this.isOver && !wait.isResumed) await this.askLast();
    if (!this.isOver) await this.wake();
  }

  /** Milliseconds until the limit. */
  private get left(): number {
    return this.parts.limitAt - Date.now();
  }

  private async rest(milliseconds: number): Promise<void> {
    if (this.alarm.signal.aborted) this.alarm = new AbortController();
    await sleep(Math.max(0, milliseconds), this.alarm.signal).catch(() => undefined);
  }

  /** Looks whether the execution still sleeps, where the last look was long ago. */
  private async look(): Promise<void> {
    if (Date.now() < this.lookAt) return;
    const answer = await this.parts.look();
    if (answer === 'over') this.isOver = true;
    if (answer !== undefined) this.lookAt = Date.now() + LOOK_EVERY;
  }

  /** Asks about the messages that waited longest for a question, and about more while many of them are final. */
  private async askSome(): Promise<void> {
    const { wait, pace } = this;
    const batches = Math.ceil(wait.open / this.batchSize);
    const fewest = pace.fewest(batches);
    let asked = 0;
    let final = 0;
    for (let request = 1; request <= batches && !wait.complete && this.left > 0; request++) {
      const answered = await this.ask();
      if (answered === undefined) return await this.recover();
      asked += answered.asked;
      final += answered.final;
      if (request >= fewest && !pace.isWorthwhile(answered.final / answered.asked)) break;
    }
    if (asked > 0) pace.afterRound(final / asked);
  }

  /** Asks about everything that is open, once the limit has come; with a credential read anew where it is refused. */
  private async askLast(): Promise<void> {
    let isRenewed = false;
    for (let unasked = this.wait.open; unasked > 0 && this.left > -LAST_QUESTION; ) {
      const answered = await this.ask();
      unasked -= answered?.asked ?? 0;
      if (answered !== undefined) continue;
      if (isRenewed || !this.failure?.isOfAccount) return;
      isRenewed = true;
      await this.renew();
      if (this.isOver) return;
    }
  }

  private async ask(): Promise<{ asked: number; final: number } | undefined> {
    const { wait } = this;
    const transport = this.parts.transport();
    if (transport === undefined) {
      this.failure = { isOfAccount: true };
      return undefined;
    }
    const messages = wait.nextInQuestion(this.batchSize);
    if (messages.length === 0) return { asked: 1, final: 1 };
    const answered = await askStatusBatch(
      transport,
      messages.map(({ id }) => id),
    );
    const asked = messages.length;
    if (answered.ok) {
      this.answeredSize = Math.max(asked, this.answeredSize);
      return { asked, final: wait.learnAnswers(messages, answered.answers) };
    }
    const { problem, tooLarge, retryAfter } = answered;
    // As many were answered before where it isn't their number.
    if (tooLarge && asked > Math.max(1, this.answeredSize)) {
      this.batchSize = Math.floor(asked / 2);
      return await this.ask();
    }
    this.failure = { isOfAccount: policyOf(problem).account === true, retryAfter };
    return undefined;
  }

  /** After a failure: asks later, and has the credential read again where that may be the cause. */
  private async recover(): Promise<void> {
    const { pace, failure } = this;
    pace.afterFailure(failure?.retryAfter);
    if (failure?.isOfAccount || pace.pause >= LONG_FAILURE) await this.renew();
  }

  /** Has the credential read anew, which takes a call of the execution. */
  private async renew(): Promise<void> {
    if ((await this.parts.callSelf('adopt')) === 'over') this.isOver = true;
  }

  /** Wakes the execution, or makes sure that a callback did. Only n8n's or our own answer ends it. */
  private async wake(): Promise<void> {
    const { wait, parts } = this;
    let pause = FIRST_WAKE_PAUSE;
    if (wait.isResumed) await sleep(CONFIRMATION);
    if (this.isLeftToCaller) return;
    for (let tries = 1; this.left > -LAST_WAKE; tries++) {
      const answer = await parts.callSelf('resume');
      // It sleeps no longer: what runs is what came after.
      if (answer === 'over' || (wait.isResumed && (answer === 'running' || tries >= CONFIRMATIONS))) return;
      const { left } = this;
      await sleep(left > 0 ? Math.min(pause, left) : pause);
      // From the limit on, n8n may pass on what it saved at any time, without the outcomes.
      pause = left > 0 && this.left <= 0 ? FIRST_WAKE_PAUSE : Math.min(2 * pause, LONGEST_WAKE_PAUSE);
    }
  }
}
