import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { QuestionSize } from '../../gateway/client/question-size';
import { askStatusBatch } from '../../gateway/client/status-check';
import type { Transport } from '../../gateway/client/transport';
import { readConnection } from '../../n8n/connection';
import { jsonTransport } from '../../n8n/transports';
import type { SelfAnswer } from '../suspend/self-call';
import { selfCaller } from '../suspend/self-call';
import type { SleepNote } from '../suspend/sleep';
import type { OpenWait } from './open-wait';

/** Ids in one `status` request where the user set no batch size, and milliseconds that it may take. */
export const STATUS_BATCH = 500;
const LONGEST_QUESTION = 15_000;
/** Milliseconds at the limit, or of a call after it, in which a question may begin: n8n goes on a minute after the limit. */
const LAST_QUESTION = 10_000;

/** Milliseconds between two rounds of questions. */
const SHORTEST = 1000;
const LONGEST = 600_000;
const FIRST_AFTER_FAILURE = 5000;
/** Target share of the polled messages that become final per round. */
const WORTHWHILE = 0.35;
const MOST_GROWTH = 1.5;
const MOST_SHRINKING = 0.5;

/** Milliseconds between two looks whether an execution still sleeps: a user may have stopped or deleted it. */
const LOOK_EVERY = 60_000;
/** What a look took, so many times, passes before the next one; and the longest time in milliseconds that passes. */
const LOOK_PAUSE = 100;
const LONGEST_LOOK_PAUSE = 3_600_000;

/** Milliseconds between two tries to wake: the first, the longest, and from the limit on; and from it until the last try. */
const FIRST_WAKE_PAUSE = 1000;
const LONGEST_WAKE_PAUSE = 300_000;
const LATE_WAKE_PAUSE = 10_000;
const LAST_WAKE = 300_000;
/** Milliseconds until n8n has surely started what a callback woke. */
const CONFIRMATION = 2000;
/** Milliseconds in which n8n saves an execution that falls asleep; until then it calls it running. */
const SAVING = 60_000;

/** A sleeping execution's record of its wait. */
export type WaitNote = SleepNote & { batchSize?: number };

type WaitContext = IExecuteFunctions | IWebhookFunctions;

/** The waits that one process watches, by the keys of their sleeps. */
export class Watches extends Map<string, Watch> {
  /** When the next look may be made, in milliseconds since 1970: a wait that had one lets all others have theirs. */
  looksAt = 0;

  /**
   * Watches a wait from now on. Keeps the context of the node or of the call, and with it the data of the execution, for as
   * long as the wait lasts, since n8n's request helpers belong to it. The first question comes after `firstPause`
   * milliseconds.
   */
  async start(context: WaitContext, note: WaitNote, wait: OpenWait, firstPause = SHORTEST): Promise<Watch> {
    const watch = new Watch(this, context, note, wait);
    watch.pause = firstPause;
    this.set(note.key, watch);
    await watch.connect();
    void watch.run().finally(() => this.delete(note.key));
    return watch;
  }
}

/**
 * Waits for the outcomes of one sleeping execution: asks `status`, a request at a time, until all of them are final or
 * the limit has come, and then wakes the execution with one call to itself; whoever gets it asks once more at the limit.
 * It is quick at first, asks at growing intervals while nothing changes, and is quicker again when outcomes come in. Each
 * interval is chosen so that about a third of the messages in question become final in it; the requests of a whole wait are
 * then a few times those of one question for all messages.
 */
export class Watch {
  readonly wait: OpenWait;
  /** Milliseconds until the next round. */
  pause = SHORTEST;
  /** Whether a call of the node itself woke the execution: whoever made it makes sure that it has woken. */
  isLeftToCaller = false;
  private readonly watches: Watches;
  private readonly context: WaitContext;
  private readonly limitAt: number;
  private readonly callSelf: ReturnType<typeof selfCaller>;
  private readonly size: QuestionSize;
  private transport: Transport | undefined;
  /** Whether the credential is to be read before the next question: it may be why the last one failed. */
  private isStale = true;
  /** The round in which everything is asked about, while there is one. */
  private asking: Promise<void> | undefined;
  private alarm = new AbortController();
  private hasWarned = false;
  /** When n8n has surely saved the execution, and when the next look comes before a question, in milliseconds since 1970. */
  private readonly savedAt = Date.now() + SAVING;
  private lookAt = this.savedAt;

  constructor(watches: Watches, context: WaitContext, note: WaitNote, wait: OpenWait) {
    this.wait = wait;
    this.watches = watches;
    this.context = context;
    this.limitAt = note.limitAt;
    this.size = new QuestionSize(note.batchSize ?? STATUS_BATCH);
    this.callSelf = selfCaller(context, note.key);
  }

  /** Tells the watch that a callback brought an outcome, so that it asks sooner. */
  nudge(): void {
    this.pause = SHORTEST;
    this.alarm.abort();
  }

  /**
   * Reads the credential, if the last question failed or there was none. The last one stays where n8n can't read it: after
   * the run of a node, n8n evaluates no expressions in a credential. Without any the wait goes on: callbacks still come, and
   * so does its limit. Does not throw.
   */
  async connect(): Promise<void> {
    if (!this.isStale) return;
    try {
      const connection = await readConnection(this.context);
      // The run that sent may have been stopped; a sleep is ended otherwise.
      this.transport = jsonTransport({ ...connection, cancelled: undefined }, LONGEST_QUESTION);
      this.isStale = false;
    } catch (error) {
      if (this.transport !== undefined || this.hasWarned) return;
      this.hasWarned = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.context.logger.warn(
        `Messaging Gateway, execution ${this.context.getExecutionId()}: could not request the status of messages: ${reason}`,
      );
    }
  }

  /** Runs until the execution sleeps no longer, or can't be reached long after the limit. Does not throw. */
  async run(): Promise<void> {
    while (this.wait.open > 0 && this.left > 0) {
      await this.rest();
      if (this.wait.open === 0 || this.left <= 0) break;
      if (await this.isOver()) return;
      await this.askSome();
    }
    await this.wake();
  }

  /**
   * Asks once about everything that is open. Calls at the same time share a round: of two, each would leave to the other
   * what it has asked about, and not wait for it. Does not throw.
   */
  async askAll(): Promise<void> {
    await (this.asking ??= this.askEach().finally(() => (this.asking = undefined)));
  }

  private async askEach(): Promise<void> {
    let failures = 0;
    const { wait } = this;
    const end = Math.max(this.limitAt, Date.now()) + LAST_QUESTION;
    // The second try is made with the credential read again.
    for (let left = wait.open; left > 0 && wait.open > 0 && failures < 2 && Date.now() < end; ) {
      const answered = await this.ask();
      left -= answered?.asked ?? 0;
      if (answered === undefined) failures += 1;
    }
  }

  /** Milliseconds until the limit. */
  private get left(): number {
    return this.limitAt - Date.now();
  }

  /** Rests until the next round. A callback is a reason to ask soon, not at once: others are on their way. */
  private async rest(): Promise<void> {
    do {
      this.alarm = new AbortController();
      const pause = Math.max(0, Math.min(this.pause, this.left));
      await sleep(pause, this.alarm.signal).catch(() => undefined);
    } while (this.alarm.signal.aborted && this.wait.open > 0);
  }

  /**
   * Looks whether the sleep has ended, where the last look was long ago. It has n8n load all of the execution's data: such
   * calls take n8n no more than a hundredth of its time, however many executions wait.
   */
  private async isOver(): Promise<boolean> {
    const { watches } = this;
    const begin = Date.now();
    if (begin < Math.max(this.lookAt, watches.looksAt)) return false;
    watches.looksAt = begin + LONGEST_LOOK_PAUSE;
    const answer = await this.callSelf('look');
    const pause = Math.min(LONGEST_LOOK_PAUSE, LOOK_PAUSE * (Date.now() - begin));
    watches.looksAt = Date.now() + pause;
    this.lookAt = Date.now() + Math.max(LOOK_EVERY, Math.min(pause * watches.size, LONGEST_LOOK_PAUSE));
    return this.meansOver(answer);
  }

  /** Whether the execution sleeps no longer; n8n's word counts once it must have saved the execution. */
  private meansOver(answer: SelfAnswer): boolean {
    const isSaved = this.wait.isResumed || Date.now() >= this.savedAt;
    return answer === 'over' || (answer === 'awake' && isSaved);
  }

  /** Asks about the messages that waited longest for a question, and about more while many of them are final. */
  private async askSome(): Promise<void> {
    const { wait } = this;
    const batches = Math.ceil(wait.open / this.size.current);
    // Each message is in question every ten minutes.
    const fewest = Math.ceil((batches * this.pause) / LONGEST);
    let asked = 0;
    let final = 0;
    for (let request = 1; request <= batches && wait.open > 0 && this.left > 0; request++) {
      const answered = await this.ask();
      if (answered === undefined) return;
      asked += answered.asked;
      final += answered.final;
      const isWorthwhile = answered.final / answered.asked >= WORTHWHILE;
      if (request >= fewest && !isWorthwhile) break;
    }
    const factor = Math.min(MOST_GROWTH, Math.max(MOST_SHRINKING, (WORTHWHILE * asked) / final));
    if (asked > 0) this.setPause(this.pause * factor);
  }

  private setPause(pause: number): void {
    this.pause = Math.min(LONGEST, Math.max(SHORTEST, pause));
  }

  /** Asks about one batch. Returns undefined where there is no answer, and then leaves the gateway alone for longer. */
  private async ask(): Promise<{ asked: number; final: number } | undefined> {
    const messages = this.wait.nextInQuestion(this.size.current);
    const asked = messages.length;
    await this.connect();
    const ids = messages.map(({ id }) => id);
    const answered = this.transport && (await askStatusBatch(this.transport, ids));
    if (answered?.ok) this.size.answered();
    if (answered?.ok) return { asked, final: this.wait.learnAnswers(messages, answered.answers) };
    const isFewer = answered?.isRefused === true && answered.retryAfter === undefined;
    if (isFewer && this.size.refused(asked)) return await this.ask();
    this.isStale = true;
    this.setPause(Math.max(2 * this.pause, FIRST_AFTER_FAILURE, 1000 * (answered?.retryAfter ?? 0)));
    return undefined;
  }

  /** Wakes the execution, or makes sure that a callback did. Only n8n's or our own answer ends it. */
  private async wake(): Promise<void> {
    let pause = FIRST_WAKE_PAUSE;
    if (this.wait.isResumed) await sleep(CONFIRMATION);
    if (this.isLeftToCaller) return;
    while (this.left > -LAST_WAKE) {
      const answer = await this.callSelf('resume');
      if (this.meansOver(answer)) return;
      await sleep(this.left > 0 ? Math.min(pause, this.left) : pause);
      // From the limit on, n8n may pass on what it saved at any time, without the outcomes.
      pause = this.left > 0 ? Math.min(2 * pause, LONGEST_WAKE_PAUSE) : LATE_WAKE_PAUSE;
    }
  }
}

export const watches = new Watches();
