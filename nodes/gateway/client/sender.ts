import type { Problem } from '../errors/problem';
import { backOff } from './back-off';
import { BatchSize } from './batch-size';
import { ControlQuestions } from './control-question';
import { Doubts } from './doubts';
import type { RefusedPart } from './parking';
import { FIRST_QUESTION } from './parking';
import type { ItemVerdict } from './read-answer';
import { judge } from './read-answer';
import { asksForPatience, commonRefusal, partsOf, refusesRepeat, sampleOf, wordsOf } from './refusals';
import type { SendEntry, SendResult, SendSettings, SendTools } from './send';
import { SentBefore } from './sent-before';

/** How often a request that only reads is made. */
const READ_TRIES = 4;
/** Requests in a row that were not taken after which nothing is sent before it is found out what became of them. */
const UNCLEAR_IN_A_ROW = 3;

/** One run of `sendOperations`. */
export class BatchSender<E extends SendEntry> {
  /** What hasn't left yet. */
  private open: E[];
  /** What was refused together and certainly not taken. */
  private readonly parts = new Set<RefusedPart<E>>();
  /** The words with which entries were refused that certainly were not taken. */
  private readonly refusals = new Map<E, string>();
  private readonly doubts: Doubts<E>;
  private readonly sentBefore: SentBefore<E>;
  private readonly batchSize: BatchSize;
  /** Why nothing more is sent. */
  private halted: Problem | undefined;
  /** Requests in a row that were not taken, so far as is known. */
  private unclearInARow = 0;
  /** Why the last of these requests wasn't taken. */
  private lastProblem: Problem | undefined;
  private patience = UNCLEAR_IN_A_ROW;
  private readonly waiting = backOff();
  /** Operations that were accepted. */
  private accepted = 0;
  /** What `accepted` was when the gateway began to refuse with these words. */
  private readonly acceptedBefore = new Map<string, number>();
  private readonly settings: SendSettings;
  private readonly tools: SendTools<E>;

  constructor(entries: E[], settings: SendSettings, tools: SendTools<E>) {
    this.settings = settings;
    this.tools = tools;
    this.open = entries;
    this.batchSize = new BatchSize(settings.batchSize);
    const questions = new ControlQuestions(settings, tools);
    this.sentBefore = new SentBefore(tools, questions);
    this.doubts = new Doubts(settings, tools, questions, this);
  }

  async run(): Promise<void> {
    // What an earlier try left unknown is asked about before anything else may happen to it.
    for (const entry of this.open) if (entry.doubt) this.doubts.takeOver(entry, entry.doubt);
    this.open = await this.sentBefore.begin(this.open.splice(0).filter(({ doubt }) => !doubt));
    for (let isFirst = true; this.open.length > 0 && !this.isHalted(); isFirst = false) {
      await this.deliver(this.open.splice(0, this.batchSize.current), isFirst);
      if (this.unclearInARow >= this.patience) await this.findOutFirst();
    }
    await this.doubts.settle();
    while (this.parts.size > 0 && !this.isHalted()) {
      await this.search();
      await this.doubts.settle();
    }
    // Each with the words with which it was refused itself.
    for (const { entries, problem } of this.parts) {
      this.giveUpAll(entries, this.tools.stopped() ? undefined : problem);
    }
    this.giveUpAll(this.open.splice(0));
  }

  private isHalted(): boolean {
    return this.halted !== undefined || this.tools.stopped();
  }

  /** Finds out what became of the last requests. Ends the run where the gateway took nothing of them. */
  private async findOutFirst(): Promise<void> {
    await this.doubts.settle();
    if (this.parts.size === 0 && this.unclearInARow >= this.patience) this.halted ??= this.lastProblem;
    this.unclearInARow = 0;
    // What is refused because of single rows is searched at the end, all in one go.
    if (this.parts.size > 0) this.patience *= 2;
    while (this.isAllRefused() && !this.isHalted() && (await this.haveWaited())) await this.doubts.settle();
    if (this.isAllRefused()) await this.probe();
  }

  /** Sends what may leave of one batch. Where the gateway doesn't tell what that is, nothing more is sent. */
  private async deliver(batch: E[], isFirst = false): Promise<void> {
    if (this.isHalted()) return this.giveUpAll(batch);
    const { leaving, problem } = await this.sentBefore.leave(batch);
    this.halted ??= problem;
    if (leaving.length > 0) await this.exchange(leaving, isFirst && leaving === batch);
  }

  /** Sends one batch until it is known what became of the request, or that this is unknown; pauses before, unless it is first. */
  private async exchange(batch: E[], isFirst: boolean): Promise<void> {
    const { endpoint, recovery, pause } = this.settings;
    const { now, sleep, transport } = this.tools;
    const operations = batch.map(({ operation }) => operation);
    const waiting = backOff();
    if (pause > 0 && !isFirst && !this.isHalted()) await sleep(pause);
    for (let tries = 1; ; tries++) {
      if (this.isHalted()) return this.giveUpAll(batch);
      const leftAt = now();
      const verdict = judge(endpoint, await transport(endpoint, operations), operations);
      switch (verdict.kind) {
        case 'results': {
          const refusal = recovery === 'status' ? commonRefusal(verdict.items) : undefined;
          if (refusal) return this.refuseAll(batch, { problem: refusal }, leftAt);
          this.unclearInARow = 0;
          this.batchSize.answered(batch.length, now() - leftAt);
          return batch.forEach((entry, i) => this.take(entry, verdict.items[i], leftAt));
        }
        case 'rejected':
        case 'notReached':
        case 'tryLater': {
          const wait = waiting(verdict);
          if (wait === undefined) {
            this.halted ??= verdict.problem;
            return this.giveUpAll(batch);
          }
          await sleep(wait);
          continue;
        }
        case 'tooLarge':
          this.batchSize.tooLarge(batch.length);
          if (batch.length === 1)
            return this.conclude(batch[0], { state: 'refused', problem: verdict.problem });
          return await this.sendAgain(batch);
        case 'refused':
          return this.refuseAll(batch, verdict, leftAt);
        case 'lost':
        case 'late': {
          const { kind, problem } = verdict;
          if (recovery === 'repeat') {
            if (tries >= READ_TRIES) return this.giveUpAll(batch, problem);
            await sleep(FIRST_QUESTION * tries);
            continue;
          }
          this.unclearInARow += 1;
          this.lastProblem = problem;
          if (kind === 'late') this.batchSize.timedOut();
          for (const entry of batch) this.doubts.add(entry, { kind, leftAt }, problem);
          return undefined;
        }
      }
    }
  }

  /** Takes a refusal of a whole request: no more than a doubt, except where what is said is believed. */
  private refuseAll(
    batch: E[],
    refusal: Pick<RefusedPart<E>, 'problem' | 'retryAfter'>,
    leftAt: number,
  ): void {
    const { problem, retryAfter } = refusal;
    const part: RefusedPart<E> = { entries: [], size: batch.length, problem, retryAfter };
    this.unclearInARow += 1;
    this.lastProblem = problem;
    const words = wordsOf(problem);
    if (!this.acceptedBefore.has(words)) this.acceptedBefore.set(words, this.accepted);
    this.batchSize.refused(batch.length);
    for (const entry of batch) {
      if (this.settings.recovery === 'status')
        this.doubts.add(entry, { kind: 'answered', leftAt }, problem, part);
      else this.notTaken(entry, part);
    }
  }

  /** Sends what certainly was not taken; what is found out about the first part holds for the rest. */
  async sendAgain(entries: E[]): Promise<void> {
    while (entries.length > 0) await this.deliver(entries.splice(0, this.batchSize.current));
  }

  /** Takes an entry that was refused with its request, and certainly not taken. */
  notTaken(entry: E, part: RefusedPart<E>): void {
    this.refusals.set(entry, wordsOf(part.problem));
    part.entries.push(entry);
    this.parts.add(part);
  }

  /** Takes the result of one operation of a request that was answered. */
  private take(entry: E, item: ItemVerdict, leftAt: number): void {
    if (item.state === 'accepted' || this.settings.recovery !== 'status') return this.conclude(entry, item);
    if (refusesRepeat(item.problem, entry))
      return this.doubts.add(entry, { kind: 'answered', leftAt }, item.problem);
    this.conclude(entry, item);
    // The request may have come twice, or the `id` may have been sent before.
    this.doubts.addRefused(entry, item);
  }

  /** Takes the final result of an entry, as far as is known. */
  conclude(entry: E, result: SendResult): void {
    if (result.state === 'accepted') {
      this.unclearInARow = 0;
      this.accepted += 1;
      if (result.requestId === undefined) this.doubts.witness ??= entry;
    }
    if (result.state === 'refused') this.refusals.set(entry, wordsOf(result.problem));
    else this.refusals.delete(entry);
    this.tools.record(entry, result);
  }

  private giveUpAll(batch: E[], problem: Problem = this.halted ?? { kind: 'cancelled' }): void {
    for (const entry of batch) this.tools.record(entry, { state: 'notSent', problem });
  }

  /** Goes on by one level: sends in smaller parts, to find good rows, and gives up where the rows aren't the cause. */
  private async search(): Promise<void> {
    if (await this.haveWaited()) return;
    for (const part of this.parts) {
      if (part.size > 1) continue;
      this.parts.delete(part);
      this.conclude(part.entries[0], { state: 'refused', problem: part.problem });
    }
    if (this.isAllRefused()) return await this.probe();
    for (const { entries } of this.takeParts()) {
      for (const part of partsOf(entries)) await this.deliver(part);
    }
  }

  private takeParts(): Array<RefusedPart<E>> {
    const parts = [...this.parts];
    this.parts.clear();
    return parts;
  }

  /** Whether nothing was taken since the gateway began to refuse in these words, so that rows need not be the cause. */
  private isAllRefused(): boolean {
    const isCommon = ({ problem }: RefusedPart<E>) =>
      this.acceptedBefore.get(wordsOf(problem)) === this.accepted;
    return this.parts.size > 0 && [...this.parts].every(isCommon);
  }

  /** Waits and sends again what was refused with a request for patience; returns whether there was any left. */
  private async haveWaited(): Promise<boolean> {
    const asking = [...this.parts].find(({ problem }) => asksForPatience(problem));
    const wait = asking && this.waiting(asking);
    if (wait === undefined) return false;
    await this.tools.sleep(wait);
    for (const { entries } of this.takeParts()) await this.deliver(entries);
    return true;
  }

  /** Sends up to 16 single rows from all over, until one is taken. Where all are refused alike, nothing more is sent. */
  private async probe(): Promise<void> {
    const { accepted } = this;
    const [{ problem }] = this.parts;
    const probes = sampleOf([...[...this.parts].flatMap(({ entries }) => entries), ...this.open]);
    for (const probe of probes) {
      if (this.accepted > accepted || this.isHalted()) return;
      const others = (entry: E) => entry !== probe;
      this.open = this.open.filter(others);
      for (const part of this.parts) {
        part.entries = part.entries.filter(others);
        if (part.entries.length === 0) this.parts.delete(part);
      }
      await this.deliver([probe]);
    }
    await this.doubts.settle();
    const words = wordsOf(problem);
    if (probes.every((entry) => this.refusals.get(entry) === words)) this.halted ??= problem;
    // What differs from row to row is found by going on.
    else this.acceptedBefore.set(words, -1);
  }
}
