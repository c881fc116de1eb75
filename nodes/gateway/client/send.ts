import type { WireOperation } from '../contract/operations';
import { explain } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { backOff } from './back-off';
import type { SendResult, Recovery } from './send-result';
import { readAnswer } from './read-answer';
import { askStatuses } from './status-check';
import type { Endpoint, Transport } from './transport';

export interface SendSettings {
  endpoint: Endpoint;
  /** Operations in one request, 1 or more. */
  batchSize: number;
  /** Requests under way at the same time, 1 or more. */
  parallel: number;
  /** Milliseconds between two requests of the same lane. */
  pause: number;
  recovery: Recovery;
  /** Whether these operations had an unknown outcome before, so that `status` is asked before they are sent. */
  askFirst?: boolean;
}

export interface SendTools {
  transport: Transport;
  /** Waits; rejects or returns early when the execution is stopped. */
  sleep(milliseconds: number): Promise<void>;
  stopped(): boolean;
  /** Called for each outcome as soon as it is known, with the position of its operation. */
  record(position: number, outcome: SendResult): void;
}

/** An operation with its position in the list that was given. */
interface Entry {
  position: number;
  operation: WireOperation;
}

/** Rounds of "ask `status`, send again what the gateway does not know" for one batch. */
const RESEND_ROUNDS = 5;
/** How often an unanswered `status` question is repeated. */
const STATUS_TRIES = 4;
/** How often a request that only reads is repeated. */
const READ_TRIES = 4;
/** Milliseconds a gateway gets to finish a request whose connection broke, before it is asked about it. */
const GRACE = 500;
/** After so many requests in a row with an unknown outcome, nothing more is sent. */
const UNKNOWN_IN_A_ROW = 3;
/** After so many operations refused one by one with the text that refused their request, the rest is not tried. */
const SAME_REFUSALS = 3;

/**
 * Sends operations in batches and finds out what became of each of them.
 *
 * Takes the operations in order; gives one outcome for each, in the same order, and reports each to
 * `tools.record` as soon as it is known. The list is emptied on the way: with many items the texts of what was
 * sent would be most of what the caller holds. Never throws for what the gateway or the network does.
 * Nothing is sent a second time unless the gateway certainly did not take it (gateway-api.md, "Errors").
 */
export async function sendOperations(
  operations: WireOperation[],
  settings: SendSettings,
  tools: SendTools,
): Promise<SendResult[]> {
  return await new Sender(operations, settings, tools).run();
}

class Sender {
  private readonly outcomes: SendResult[] = [];

  /** What no lane has taken yet. */
  private readonly open: WireOperation[];

  private readonly count: number;

  /** Shrinks when the gateway refuses a batch as too large. */
  private batchSize: number;

  /** Why nothing more is sent. */
  private halted: Problem | undefined;

  private unknownInARow = 0;

  private readonly settings: SendSettings;

  private readonly tools: SendTools;

  constructor(operations: WireOperation[], settings: SendSettings, tools: SendTools) {
    this.settings = settings;
    this.tools = tools;
    this.open = operations;
    this.count = operations.length;
    this.batchSize = settings.batchSize;
  }

  async run(): Promise<SendResult[]> {
    const lanes = Math.min(this.settings.parallel, Math.ceil(this.count / this.batchSize));
    await Promise.all(Array.from({ length: lanes }, async () => await this.lane()));
    const problem: Problem = this.halted ?? { kind: 'cancelled' };
    this.settleAll(this.take(this.count), { state: 'notSent', problem });
    return this.outcomes;
  }

  /** The next operations, so many at most. */
  private take(most: number): Entry[] {
    const first = this.count - this.open.length;
    return this.open.splice(0, most).map((operation, i) => ({ operation, position: first + i }));
  }

  private async lane(): Promise<void> {
    while (this.open.length > 0 && !this.isHalted()) {
      const batch = this.take(this.batchSize);
      if (this.settings.askFirst) await this.resolve(batch, { kind: 'unknownOutcome' }, 0);
      else await this.deliver(batch);
      if (this.settings.pause > 0 && this.open.length > 0) await this.tools.sleep(this.settings.pause);
    }
  }

  private isHalted(): boolean {
    return this.halted !== undefined || this.tools.stopped();
  }

  private settle({ position }: Entry, outcome: SendResult): void {
    this.outcomes[position] = outcome;
    this.tools.record(position, outcome);
  }

  private settleAll(batch: Entry[], outcome: SendResult): void {
    for (const entry of batch) this.settle(entry, outcome);
  }

  private halt(batch: Entry[], problem: Problem): void {
    this.halted ??= problem;
    this.settleAll(batch, { state: 'notSent', problem });
  }

  /** Sends one batch until the outcome of each of its operations is known, or known to be unknown. */
  private async deliver(batch: Entry[], round = 0): Promise<void> {
    const operations = batch.map(({ operation }) => operation);
    const waiting = backOff();
    let reads = 0;
    for (;;) {
      if (this.isHalted()) {
        this.settleAll(batch, { state: 'notSent', problem: this.halted ?? { kind: 'cancelled' } });
        return;
      }
      const answer = await this.tools.transport(this.settings.endpoint, operations);
      if (answer.kind === 'failure') {
        if (answer.mayHaveArrived) {
          if (await this.mayReadAgain(++reads)) continue;
          return await this.resolve(batch, answer.problem, round);
        }
        const wait = waiting.afterUnreachable(answer.problem);
        if (wait === undefined) return this.halt(batch, answer.problem);
        await this.tools.sleep(wait);
        continue;
      }
      const reading = readAnswer(this.settings.endpoint, answer, operations);
      switch (reading.kind) {
        case 'results':
          this.unknownInARow = 0;
          return batch.forEach((entry, i) => this.settle(entry, reading.outcomes[i]));
        case 'tryLater': {
          const wait = waiting.afterRateLimit(reading.retryAfter);
          if (wait === undefined) return this.halt(batch, reading.problem);
          await this.tools.sleep(wait);
          continue;
        }
        case 'tooLarge':
          if (batch.length === 1)
            return this.settle(batch[0], { state: 'refused', problem: reading.problem });
          return await this.split(batch);
        case 'envelopeRefused':
          if (explain(reading.problem).stop) return this.halt(batch, reading.problem);
          if (batch.length === 1)
            return this.settle(batch[0], { state: 'refused', problem: reading.problem });
          return await this.split(batch, reading.text);
        case 'rejected':
          return this.halt(batch, reading.problem);
        case 'unclear':
          if (await this.mayReadAgain(++reads)) continue;
          return await this.resolve(batch, reading.problem, round);
      }
    }
  }

  private async mayReadAgain(reads: number): Promise<boolean> {
    if (this.settings.recovery !== 'repeat' || reads >= READ_TRIES || this.isHalted()) return false;
    await this.tools.sleep(GRACE * reads);
    return true;
  }

  /** Sends the halves of a batch that was refused as a whole; `text` is what refused it. */
  private async split(batch: Entry[], text?: string): Promise<void> {
    const half = Math.ceil(batch.length / 2);
    this.batchSize = Math.min(this.batchSize, half);
    await this.deliver(batch.slice(0, half));
    const rest = batch.slice(half);
    if (text !== undefined && this.refusedOneByOne(batch.slice(0, half), text)) {
      // The refusal has nothing to do with the size of the batch or with one bad operation in it.
      return this.settleAll(rest, { state: 'refused', problem: { kind: 'envelope', text } });
    }
    await this.deliver(rest);
  }

  private refusedOneByOne(batch: Entry[], text: string): boolean {
    const same = batch.filter(({ position }) => {
      const outcome = this.outcomes[position];
      return (
        outcome?.state === 'refused' && outcome.problem.kind === 'envelope' && outcome.problem.text === text
      );
    });
    return same.length === batch.length && same.length >= SAME_REFUSALS;
  }

  /**
   * Finds out what became of a batch whose request may have been taken. What the gateway knows was accepted;
   * what it does not know is sent again; what it can't be asked about stays unknown.
   */
  private async resolve(batch: Entry[], problem: Problem, round: number): Promise<void> {
    const canAsk = this.settings.recovery === 'status' && this.settings.endpoint === 'sync';
    if (!canAsk || this.tools.stopped()) return this.leaveUnknown(batch, problem);

    let open = batch;
    let absent: Entry[] = [];
    for (let attempt = 1; attempt <= STATUS_TRIES && open.length > 0 && !this.tools.stopped(); attempt++) {
      await this.tools.sleep(GRACE * attempt);
      const ids = open.map(({ operation }) => operation.id);
      const answers = await askStatuses(this.tools.transport, ids, ids.length);
      const asked = open;
      open = [];
      asked.forEach((entry, i) => {
        const answer = answers[i];
        if (answer.kind === 'known') this.settle(entry, { state: 'accepted', payload: answer.payload });
        else if (answer.kind === 'absent') absent.push(entry);
        else open.push(entry);
      });
    }
    if (open.length < batch.length) this.unknownInARow = 0;
    if (open.length > 0) this.leaveUnknown(open, problem);
    absent = absent.sort((a, b) => a.position - b.position);
    if (absent.length === 0) return;
    // A gateway that is still working on a request that timed out may yet take it, whatever it says now.
    if (problem.kind === 'timeout' || round >= RESEND_ROUNDS) return this.leaveUnknown(absent, problem);
    await this.deliver(absent, round + 1);
  }

  private leaveUnknown(batch: Entry[], problem: Problem): void {
    this.settleAll(batch, { state: 'unknown', problem });
    this.unknownInARow += 1;
    if (this.unknownInARow >= UNKNOWN_IN_A_ROW) this.halted ??= problem;
  }
}
