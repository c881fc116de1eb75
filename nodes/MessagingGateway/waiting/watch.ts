import { sleep } from 'n8n-workflow';

import { askStatusBatch } from '../../gateway/client/status-check';
import type { Transport } from '../../gateway/client/transport';
import type { SelfAnswer, SelfCall } from '../sleeping/self-call';
import type { OpenWait } from './open-wait';
import { Pace } from './pace';

/** Milliseconds between two tries to wake the execution, and after the limit until the last one. */
const FIRST_WAKE_PAUSE = 1000;
const LONGEST_WAKE_PAUSE = 300_000;
const LAST_WAKE = 300_000;
/** Milliseconds until n8n has surely started what a callback woke, and tries to confirm that. */
const CONFIRMATION = 2000;
const CONFIRMATIONS = 6;
/** Milliseconds in which n8n saves an execution that falls asleep; until then it calls it running. */
const SAVING = 60_000;

/** What a watch works with. */
export interface WatchParts {
  /** Milliseconds since 1970. */
  limitAt: number;
  /** Ids in one request. */
  batchSize: number;
  /** Milliseconds before the first question, if not the usual ones. */
  firstPause?: number;
  /** Reads the credential. Returns the way to the gateway; rejects where it can't be read. */
  connect(): Promise<Transport>;
  /** Tells the user, in n8n's log, why the gateway can't be asked. */
  warn(error: unknown): void;
  /** Calls the sleeping execution; does not throw. */
  callSelf(todo: SelfCall['todo']): Promise<SelfAnswer>;
  /** Looks whether the execution still sleeps, and says when to look again, in milliseconds since 1970. */
  look(): Promise<{ answer?: SelfAnswer; nextAt: number }>;
}

/**
 * Waits for the outcomes of one sleeping execution: asks `status`, a request at a time, until all of them are final or
 * the limit has come, and then wakes the execution with one call to itself; the process that gets it asks once more at the
 * limit.
 */
export class Watch {
  readonly wait: OpenWait;

  private readonly parts: WatchParts;

  private readonly pace = new Pace();

  private readonly startedAt = Date.now();

  private batchSize: number;

  /** The most ids that were answered in one request. */
  private answeredSize = 0;

  private transport: Transport | undefined;

  /** Whether the credential is to be read before the next question: it may be why the last one failed. */
  private isStale = true;

  /** Of the last question that got no answer, in seconds. */
  private retryAfter: number | undefined;

  /** The round in which everything is asked about, while there is one, and its end in milliseconds since 1970. */
  private asking: Promise<void> | undefined;

  private askUntil = Infinity;

  private alarm = new AbortController();

  private hasNews = false;

  /** Whether the sleep has ended. */
  private isOver = false;

  private isLeftToCaller = false;

  private hasWarned = false;

  /** When a question comes after a look, in milliseconds since 1970. */
  private lookAt = this.startedAt + SAVING;

  constructor(wait: OpenWait, parts: WatchParts) {
    this.wait = wait;
    this.parts = parts;
    this.batchSize = parts.batchSize;
    this.pace.pause = parts.firstPause ?? this.pace.pause;
  }

  /** Tells the watch that a callback brought an outcome, so that it asks sooner. */
  nudge(): void {
    this.hasNews = true;
    this.alarm.abort();
  }

  /** The caller confirms the wake-up: another watch had this process wake the execution. */
  leaveToCaller(): void {
    this.isLeftToCaller = true;
  }

  /**
   * Reads the credential, if the last question failed or there was none. The last one stays where n8n can't read it: after
   * the run of a node, n8n evaluates no expressions in a credential. Does not throw.
   */
  async connect(): Promise<void> {
    if (!this.isStale) return;
    try {
      this.transport = await this.parts.connect();
      this.isStale = false;
    } catch (error) {
      if (this.transport === undefined && !this.hasWarned) this.parts.warn(error);
      this.hasWarned = true;
    }
  }

  /** Runs until the execution sleeps no longer, or can't be reached long after the limit. Does not throw. */
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
    if (!this.isOver) await this.wake();
  }

  /**
   * Asks once about everything that is open, until a time in milliseconds since 1970. Calls at the same time share a round:
   * of two, each would leave to the other what it has asked about, and not wait for it. Does not throw.
   */
  async askAll(end = Infinity): Promise<void> {
    this.askUntil = Math.min(end, this.askUntil);
    await (this.asking ??= this.askEach().finally(() => {
      this.asking = undefined;
      this.askUntil = Infinity;
    }));
  }

  private async askEach(): Promise<void> {
    let failures = 0;
    for (let unasked = this.wait.open; unasked > 0 && failures < 2 && Date.now() < this.askUntil; ) {
      const answered = await this.ask();
      unasked -= answered?.asked ?? 0;
      if (this.transport === undefined) return;
      // The second try is made with the credential read again.
      if (answered === undefined) failures += 1;
    }
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
    const { answer, nextAt } = await this.parts.look();
    this.isOver = this.meansOver(answer);
    this.lookAt = nextAt;
  }

  /** Whether the execution sleeps no longer; n8n's word counts once it must have saved the execution. */
  private meansOver(answer: SelfAnswer | undefined): boolean {
    return (
      answer === 'over' ||
      (answer === 'awake' && (this.wait.isResumed || Date.now() >= this.startedAt + SAVING))
    );
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
      if (answered === undefined) return pace.afterFailure(this.retryAfter);
      asked += answered.asked;
      final += answered.final;
      if (request >= fewest && !pace.isWorthwhile(answered.final / answered.asked)) break;
    }
    if (asked > 0) pace.afterRound(final / asked);
  }

  private async ask(): Promise<{ asked: number; final: number } | undefined> {
    const { wait } = this;
    await this.connect();
    if (this.transport === undefined) return undefined;
    const messages = wait.nextInQuestion(this.batchSize);
    if (messages.length === 0) return { asked: 1, final: 1 };
    const answered = await askStatusBatch(
      this.transport,
      messages.map(({ id }) => id),
    );
    const asked = messages.length;
    if (answered.ok) {
      this.answeredSize = Math.max(asked, this.answeredSize);
      return { asked, final: wait.learnAnswers(messages, answered.answers) };
    }
    // As many were answered before where it isn't their number.
    if (answered.tooLarge && asked > Math.max(1, this.answeredSize)) {
      this.batchSize = Math.floor(asked / 2);
      return await this.ask();
    }
    this.isStale = true;
    this.retryAfter = answered.retryAfter;
    return undefined;
  }

  /** Wakes the execution, or makes sure that a callback did. Only n8n's or our own answer ends it. */
  private async wake(): Promise<void> {
    const { wait, parts } = this;
    let pause = FIRST_WAKE_PAUSE;
    if (wait.isResumed) await sleep(CONFIRMATION);
    if (this.isLeftToCaller) return;
    for (let tries = 1; this.left > -LAST_WAKE; tries++) {
      const answer = await parts.callSelf('resume');
      if (this.meansOver(answer) || (wait.isResumed && tries >= CONFIRMATIONS)) return;
      const { left } = this;
      await sleep(left > 0 ? Math.min(pause, left) : pause);
      // From the limit on, n8n may pass on what it saved at any time, without the outcomes.
      pause = left > 0 && this.left <= 0 ? FIRST_WAKE_PAUSE : Math.min(2 * pause, LONGEST_WAKE_PAUSE);
    }
  }
}
