import { policyOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { backOff } from './back-off';
import { BatchSize } from './batch-size';
import type { Parked } from './parking';
import { decide, FIRST_QUESTION, nextPause, timeUntilQuestion } from './parking';
import type { ItemVerdict } from './read-answer';
import { judge, saysNothing } from './read-answer';
import type { SendEntry, SendSettings, SendTools } from './send';
import type { Doubt, SendResult } from './send-result';
import { askStatuses } from './status-check';

/** How often a request that only reads is made. */
const READ_TRIES = 4;
/** Requests in a row whose fate is unknown, after which nothing is sent before that of these is known. */
const UNCLEAR_IN_A_ROW = 3;
/** Requests refused with the same words, none of them taken, after which a search for the cause is given up. */
const SAME_REFUSALS = 32;

/** One run of `sendOperations`. */
export class BatchSender<E extends SendEntry> {
  /** What no lane has taken yet. */
  private open: E[];

  /** What waits for an answer of `status`. */
  private parked: Array<Parked<E>> = [];

  private readonly batchSize: BatchSize;

  /** Why nothing more is sent. */
  private halted: Problem | undefined;

  private unclearInARow = 0;

  /** Requests that were taken, so far as is known. */
  private taken = 0;

  private settling: Promise<void> | undefined;

  private readonly settings: SendSettings;

  private readonly tools: SendTools<E>;

  constructor(entries: E[], settings: SendSettings, tools: SendTools<E>) {
    this.settings = settings;
    this.tools = tools;
    this.open = entries;
    this.batchSize = new BatchSize(settings.batchSize);
  }

  async run(): Promise<void> {
    this.takeOverDoubts();
    const lanes = Math.min(this.settings.parallel, this.open.length);
    await Promise.all(Array.from({ length: lanes }, async () => await this.lane()));
    await this.settle();
    const problem: Problem = this.halted ?? { kind: 'cancelled' };
    for (const entry of this.open.splice(0)) this.giveUp(entry, problem);
  }

  /** What an earlier try left unknown is asked about before anything else may happen to it. */
  private takeOverDoubts(): void {
    if (this.open.every(({ doubt }) => doubt === undefined)) return;
    const problem: Problem = { kind: 'unknownOutcome' };
    for (const entry of this.open) if (entry.doubt) this.park(entry, entry.doubt, problem);
    this.open = this.open.filter(({ doubt }) => doubt === undefined);
  }

  private async lane(): Promise<void> {
    while (this.open.length > 0 && !this.isHalted()) {
      await this.deliver(this.open.splice(0, this.batchSize.current));
      if (this.unclearInARow >= UNCLEAR_IN_A_ROW) await this.findOutFirst();
      await this.pauseBetween(this.open.length > 0);
    }
  }

  private async pauseBetween(more: boolean): Promise<void> {
    const { pause } = this.settings;
    if (pause > 0 && more) await this.tools.sleep(pause);
  }

  private isHalted(): boolean {
    return this.halted !== undefined || this.tools.stopped();
  }

  /** Waits for what is parked. Ends the run where the gateway turns out to have taken nothing of it. */
  private async findOutFirst(): Promise<void> {
    const { taken } = this;
    const [last] = this.parked.slice(-1);
    await this.settle();
    this.unclearInARow = 0;
    if (this.taken === taken) this.halted ??= last?.problem ?? { kind: 'unknownOutcome' };
  }

  private async deliver(batch: E[]): Promise<void> {
    const refusal = await this.attempt(batch);
    if (refusal) await this.findRefused(batch, refusal);
  }

  /**
   * Sends one batch until it is known what became of the request, or that this is unknown. Returns the problem where
   * the gateway refused the request as a whole, which one bad operation in it may have caused.
   */
  private async attempt(batch: E[]): Promise<Problem | undefined> {
    const { endpoint, recovery } = this.settings;
    const { now, sleep, transport } = this.tools;
    const operations = batch.map(({ operation }) => operation);
    const waiting = backOff();
    for (let tries = 1; ; tries++) {
      if (this.isHalted()) return this.giveUpAll(batch, this.halted ?? { kind: 'cancelled' });
      const leftAt = now();
      const verdict = judge(endpoint, await transport(endpoint, operations), operations);
      switch (verdict.kind) {
        case 'results':
          this.unclearInARow = saysNothing(verdict.items) ? this.unclearInARow + 1 : 0;
          if (this.unclearInARow === 0) this.taken += 1;
          this.batchSize.answered(batch.length, now() - leftAt);
          batch.forEach((entry, i) => this.take(entry, verdict.items[i], leftAt));
          return undefined;
        case 'notReached':
        case 'tryLater': {
          const wait =
            verdict.kind === 'tryLater'
              ? waiting.afterRateLimit(verdict.retryAfter)
              : waiting.afterUnreachable(verdict.problem);
          if (wait === undefined) return this.halt(batch, verdict.problem);
          await sleep(wait);
          continue;
        }
        case 'tooLarge':
          this.batchSize.tooLarge(batch.length);
          if (batch.length === 1) return this.refuse(batch[0], verdict.problem);
          // What is found out about the first part holds for the rest.
          while (batch.length > 0) await this.deliver(batch.splice(0, this.batchSize.current));
          return undefined;
        case 'refused':
          return policyOf(verdict.problem).stop ? this.halt(batch, verdict.problem) : verdict.problem;
        case 'rejected':
          return this.halt(batch, verdict.problem);
        case 'unclear':
          if (recovery === 'repeat') {
            if (tries >= READ_TRIES) return this.giveUpAll(batch, verdict.problem);
            await sleep(FIRST_QUESTION * tries);
            continue;
          }
          this.unclearInARow += 1;
          if (verdict.isLate) this.batchSize.timedOut();
          for (const entry of batch) {
            this.park(entry, { kind: verdict.isLate ? 'late' : 'lost', leftAt }, verdict.problem);
          }
          return undefined;
      }
    }
  }

  /**
   * Finds the operations because of which the gateway refused a whole request. Larger parts come first, so that
   * good ones are found early; a refusal that has nothing to do with the operations ends the run.
   */
  private async findRefused(batch: E[], problem: Problem): Promise<void> {
    const parts = [batch];
    let refusals = 0;
    let isAnyTaken = false;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const refusal = part === batch ? problem : await this.attempt(part);
      if (!refusal) {
        isAnyTaken = true;
        continue;
      }
      refusals += 1;
      if (part.length === 1) this.refuse(part[0], refusal);
      else parts.push(...halves(part));
      if (!isAnyTaken && refusals >= SAME_REFUSALS) return void this.halt(parts.splice(0).flat(), refusal);
    }
  }

  /** Takes the result of one operation of a request that was answered. */
  private take(entry: E, item: ItemVerdict, leftAt: number): void {
    if (item.kind === 'accepted') {
      const { payload, requestId } = item;
      return this.tools.record(entry, {
        state: 'accepted',
        payload,
        ...(requestId !== undefined && { requestId }),
      });
    }
    const { problem, payload } = item;
    const policy = policyOf(problem);
    const canAsk = this.settings.recovery === 'status';
    if (policy.duplicate) {
      if (entry.doubt) return this.tools.record(entry, { state: 'accepted', payload });
      if (canAsk && entry.hasOwnId) return this.ask(entry, 'recognise', problem);
    } else if (policy.retry === 'afterStatusCheck' && this.settings.recovery !== 'repeat') {
      return this.park(entry, { kind: 'lost', leftAt }, problem);
    } else if (entry.doubt && canAsk) {
      return this.ask(entry, 'confirm', problem);
    }
    this.tools.record(entry, { state: 'refused', problem, payload });
  }

  /** Records that an entry may have been taken, and has `status` asked about it where that is possible. */
  private park(entry: E, doubt: Doubt, problem: Problem): void {
    const earlier = entry.doubt;
    const known: Doubt = {
      // What an earlier request left open is never weakened.
      kind: earlier?.kind === 'late' ? 'late' : doubt.kind,
      leftAt: Math.max(doubt.leftAt, earlier?.leftAt ?? 0),
      ...((earlier?.resent ?? doubt.resent) && { resent: true }),
    };
    entry.doubt = known;
    this.tools.record(entry, { state: 'unknown', problem, doubt: known });
    if (this.settings.recovery === 'status') this.ask(entry, 'doubt', problem);
  }

  private ask(entry: E, reason: Parked<E>['reason'], problem: Problem): void {
    this.parked.push({ entry, reason, problem, unanswered: 0 });
  }

  private refuse(entry: E, problem: Problem): undefined {
    if (entry.doubt && this.settings.recovery === 'status') this.ask(entry, 'confirm', problem);
    else this.tools.record(entry, { state: 'refused', problem });
  }

  private giveUp(entry: E, problem: Problem): void {
    const { doubt } = entry;
    const result: SendResult = doubt ? { state: 'unknown', problem, doubt } : { state: 'notSent', problem };
    this.tools.record(entry, result);
  }

  private giveUpAll(batch: E[], problem: Problem): undefined {
    for (const entry of batch) this.giveUp(entry, problem);
  }

  private halt(batch: E[], problem: Problem): undefined {
    this.halted ??= problem;
    return this.giveUpAll(batch, problem);
  }

  /** Asks `status` about what is parked until nothing is, and sends again what was certainly not taken. */
  private async settle(): Promise<void> {
    await (this.settling ??= this.settleParked().finally(() => (this.settling = undefined)));
  }

  private async settleParked(): Promise<void> {
    for (let pause = FIRST_QUESTION; this.parked.length > 0; pause = nextPause(pause)) {
      const times = { now: this.tools.now(), settling: this.settings.settling, pause };
      await this.tools.sleep(timeUntilQuestion(this.parked, times));
      // Each of them is recorded as unknown already, or was refused.
      if (this.tools.stopped()) return this.leaveParked();
      const again = await this.questionParked();
      while (again.length > 0) {
        const batch = again.splice(0, this.batchSize.current);
        for (const { doubt } of batch) if (doubt) doubt.resent = true;
        await this.deliver(batch);
        await this.pauseBetween(again.length > 0);
      }
    }
  }

  /** Asks `status` once about everything that is parked. Returns what is to be sent again. */
  private async questionParked(): Promise<E[]> {
    const asked = this.parked.splice(0);
    const askedAt = this.tools.now();
    const ids = asked.map(({ entry }) => entry.operation.id);
    const replies = await askStatuses(this.tools.transport, ids, this.batchSize.current);
    const canResend = this.settings.endpoint === 'sync' && !this.isHalted();
    const again: E[] = [];
    asked.forEach((parked, i) => {
      parked.askedAt = askedAt;
      const isSettled = askedAt >= (parked.entry.doubt?.leftAt ?? 0) + this.settings.settling;
      const decision = decide(parked, replies[i], { isSettled, canResend });
      if (decision.kind === 'wait') this.parked.push(parked);
      else if (decision.kind === 'sendAgain') again.push(parked.entry);
      else {
        if (decision.result.state === 'accepted') this.taken += 1;
        this.tools.record(parked.entry, decision.result);
      }
    });
    return again;
  }

  private leaveParked(): void {
    for (const { entry, reason, problem } of this.parked.splice(0)) {
      if (reason === 'recognise') this.tools.record(entry, { state: 'refused', problem });
      else this.giveUp(entry, problem);
    }
  }
}

function halves<T>(list: T[]): [T[], T[]] {
  const half = Math.ceil(list.length / 2);
  return [list.slice(0, half), list.slice(half)];
}
