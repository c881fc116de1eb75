import { statusKnows } from '../contract/operations';
import type { Problem } from '../errors/problem';
import type { MessageFate } from './departed';
import type { Doubt, Recovery } from './doubt';
import {
  afterDeparture,
  afterExchange,
  isKnownToStatus,
  isShared,
  isTimed,
  STATUS_LAG_MS,
  stateAtStart,
} from './doubt';
import type { InquiryTools } from './inquiry';
import { Inquiry, stateByFate } from './inquiry';
import { partOf, Progress, refusalToWait } from './progress';
import type { Verdict } from './response';
import { judge } from './response';
import type { Departures, FinalState, NotAccepted, Row, RowState } from './row';
import { READY } from './row';
import type { Transport } from './transport';
import { FIRST_WAIT_MS, Pace, Patience } from './wait';

export interface SendSettings {
  /** Operations in one request, 1 or more; left out: found by trying. */
  batchSize?: number;

  /** Milliseconds between two batches; a question waits for a second of them at most. */
  pauseMs: number;
  recovery: Recovery;
}

export interface SendTools<R extends Row> extends Omit<InquiryTools, 'pace'> {
  /** Called with a copy of a row right before its request leaves, and with a row in doubt: a later try has to know. */
  recordState(row: R): void;

  /** Called once for each row, with its final state. */
  settle(row: R, state: FinalState): void;

  /** Called right before a row leaves: whether the caller ends the row in place of that, such as since its Send Window has closed. */
  staysBack?(row: R): boolean;
}

/** Milliseconds after which no request is made again that couldn't leave, or that only reads and got no answer. */
const REPEATED_FOR_MS = 15_000;

/** Milliseconds for which a gateway that asks to be left alone is waited for, since it last took a message. */
const LEFT_ALONE_MS = 120_000;

/** Batches in a row about which `status` told nothing, after which a row that needs a second question ends without it. */
const MOST_UNTOLD = 16;

/** The state that is recorded of a row during its request. */
const UNDER_WAY: RowState = { is: 'unknown', problem: { kind: 'notTold' } };

/**
 * Sends operations one batch at a time, from its request to the last question about it, and finds out what became of each
 * (docs/delivery-guarantees.md). Never throws for what the gateway or the network does.
 */
export class SendLoop<R extends Row> {
  private readonly settings: SendSettings;
  private readonly tools: SendTools<R>;
  private readonly progress: Progress;
  private readonly patience = new Patience(LEFT_ALONE_MS);
  private readonly pace = new Pace();
  private readonly inquiry: Inquiry<R>;

  /** Rows that have not left in this try, in reverse: taken from the front of 100,000 rows, each batch would move all others. */
  private rest: R[] = [];

  /** Rows that leave again, in the groups in which they leave. */
  private again: R[][] = [];

  /** Rows that the gateway asked to wait one by one: behind all others, since what one number has to wait for concerns no other. */
  private deferred: R[] = [];

  /** When the last request ended, in milliseconds since 1970; undefined before the first. */
  private lastAtMs: number | undefined;

  /** How long the last request took, without the gap before it. */
  private lastTookMs = 0;

  /** Rows that were absent, with the doubt of the question that is repeated right before they leave. */
  private readonly absentOnce = new Map<R, Doubt>();

  /** Batches in a row after whose second question no row was found, and none left. */
  private untold = 0;

  constructor(settings: SendSettings, tools: SendTools<R>) {
    const transport: Transport = async (endpoint, data) => {
      await this.keepGap(Math.max(this.pace.gapMs, Math.min(settings.pauseMs, FIRST_WAIT_MS)));
      const startMs = tools.now();
      const answer = await tools.transport(endpoint, data);
      this.lastAtMs = tools.now();
      this.lastTookMs = this.lastAtMs - startMs;
      return answer;
    };
    this.settings = settings;
    this.tools = { ...tools, transport };
    this.progress = new Progress(settings.batchSize);
    this.inquiry = new Inquiry({ ...this.tools, pace: this.pace }, (row, state) => this.end(row, state));
  }

  /**
   * Takes the rows of one endpoint in order, and empties the list on the way, since the texts of what was sent would be most of what
   * the caller holds. Each row ends in a final state.
   */
  async send(rows: R[]): Promise<void> {
    await this.enter(rows);
    while (!this.isOver && this.hasMore) {
      const batch = this.nextBatch();
      await this.keepGap(this.settings.pauseMs);
      const asked = this.isOver ? batch : await this.askAgain(batch);
      if (this.isOver) this.again.unshift(asked);
      else {
        // Right before they leave: the batch may have waited for long.
        const leaving = this.withoutOvertaken(asked.filter((row) => !this.tools.staysBack?.(row)));
        if (leaving.length > 0) await this.exchange(leaving);
      }
    }
    const problem: Problem = this.progress.ended ?? { kind: 'cancelled' };
    const staying = [...this.again.flat(), ...this.rest.reverse(), ...this.deferred];
    const fates = this.departedBefore(staying);
    for (const row of staying) {
      const { state } = row;
      const fate = fates?.get(row.operation.id);
      const isUnsent = state.is === 'ready' || state.is === 'notSent';
      if (fate !== undefined) this.end(row, stateByFate(row, fate));
      else this.end(row, isUnsent ? { is: 'notSent', problem } : state);
    }
  }

  private get hasMore(): boolean {
    return this.again.length + this.rest.length + this.deferred.length > 0;
  }

  /** Waits until the last request is so many milliseconds ago. */
  private async keepGap(gapMs: number): Promise<void> {
    if (this.lastAtMs === undefined) return;
    // A clock may be set meanwhile: the wait is never longer than the gap.
    const waitMs = Math.min(gapMs, this.lastAtMs + gapMs - this.tools.now());
    if (waitMs > 0) await this.tools.sleep(waitMs);
  }

  private get isOver(): boolean {
    return this.progress.ended !== undefined || this.tools.stopped();
  }

  private end(row: R, state: FinalState): void {
    row.state = state;
    if (state.is === 'accepted') {
      this.patience.reset();
      this.inquiry.renew();
      // An id of the user's own may be small, and tells nothing of a gateway that cuts large ones.
      if (this.settings.recovery === 'status' && isKnownToStatus(row) && !row.hasOwnId)
        this.tools.knownMessages.add(row.operation.id, this.tools.now());
    }
    this.tools.settle(row, state);
  }

  /** Takes over the rows, and asks about those that may have left before. */
  private async enter(rows: R[]): Promise<void> {
    const { recovery } = this.settings;
    const doubted = new Map<Doubt, R[]>();
    // Few rows stay: a set of those that leave would hold 100,000.
    const staying = new Set<R>();
    const fates = this.departedBefore(rows);
    for (const row of rows) {
      const fate = fates?.get(row.operation.id);
      if (fate !== undefined && this.isEndedBy(fate, row)) {
        staying.add(row);
        continue;
      }
      const { state, doubt } = stateAtStart(row, this.tools.now());
      row.state = state;
      if (doubt === undefined) continue;
      if (recovery === 'status') {
        staying.add(row);
        add(doubted, doubt, row);
        this.tools.recordState(row);
      } else if (recovery === 'none' && state.is === 'unknown') {
        staying.add(row);
        this.end(row, state);
      }
      // A row that only reads, or was certainly not taken, may leave without a question.
      else row.state = READY;
    }
    for (const [doubt, some] of doubted) {
      const lastAtMs = some.reduce((last, { departures }) => Math.max(last, departures?.lastAtMs ?? 0), 0);
      const waitedMs = isTimed(doubt) ? this.tools.now() - lastAtMs : 0;
      for (const row of await this.inquiry.ask(some, doubt, { waitedMs })) {
        staying.delete(row);
        if (!isTimed(doubt)) this.absentOnce.set(row, doubt);
        // By the last question of a timed doubt, only another run can have sent it.
        else if (row.hasKey) this.absentOnce.set(row, 'elsewhere');
      }
    }
    this.rest = rows.filter((row) => !staying.has(row)).reverse();
    rows.length = 0;
    // A message that another run has just sent shows by then.
    if (this.absentOnce.size > 0) await this.tools.sleep(STATUS_LAG_MS);
  }

  /** Ends a row that `status` can't know, whose message left another execution. Returns false for any other row. */
  private isEndedBy(fate: MessageFate, row: R): boolean {
    if (statusKnows(row.operation.type)) return false;
    this.end(row, stateByFate(row, fate));
    return true;
  }

  /**
   * Keeps back rows whose message left another execution since they were asked about: they are asked about anew. Returns the rows
   * that leave, with no wait between this and their departure.
   */
  private withoutOvertaken(batch: R[]): R[] {
    const fates = this.departedBefore(batch);
    if (fates === undefined || fates.size === 0) return batch;
    const overtaken: R[] = [];
    const leaving = batch.filter((row) => {
      const fate = fates.get(row.operation.id);
      if (fate === undefined) return true;
      if (!this.isEndedBy(fate, row)) overtaken.push(row);
      return false;
    });
    for (const row of overtaken) {
      if (row.state.is === 'ready') row.state = UNDER_WAY;
      this.absentOnce.set(row, 'elsewhere');
    }
    if (overtaken.length > 0) this.again.unshift(overtaken);
    return leaving;
  }

  /** Returns what this process knows of messages that other executions may have sent; undefined where there are none. */
  private departedBefore(rows: readonly R[]): Map<unknown, MessageFate> | undefined {
    const { departed, execution, now } = this.tools;
    const shared = rows.filter(isShared);
    if (shared.length === 0) return undefined;
    return departed.fatesOf(new Set(shared.map(({ operation }) => operation.id)), execution, now());
  }

  private nextBatch(): R[] {
    const { size } = this.progress;
    const group = this.again.shift();
    if (group === undefined && this.rest.length === 0) {
      this.rest = this.deferred.reverse();
      this.deferred = [];
    }
    if (group === undefined) return this.progress.takeFrom(this.rest);
    if (group.length > size) this.again.unshift(group.splice(size));
    return group;
  }

  /**
   * Asks right before departure about the rows of a batch that were absent before; once `status` has told nothing of many batches,
   * such rows stay without a question. Returns the rows that may leave.
   */
  private async askAgain(batch: R[]): Promise<R[]> {
    const doubted = new Map<Doubt, R[]>();
    for (const row of batch) {
      const doubt = this.absentOnce.get(row);
      if (doubt === undefined) continue;
      add(doubted, doubt, row);
      this.absentOnce.delete(row);
    }
    if (doubted.size === 0) return batch;
    const asked = [...doubted.values()].flat();
    const staying = new Set(asked);
    for (const [doubt, some] of doubted) {
      if (this.untold >= MOST_UNTOLD) for (const row of some) this.end(row, row.state as NotAccepted);
      else for (const row of await this.inquiry.ask(some, doubt)) staying.delete(row);
    }
    const isTold = asked.some((row) => !staying.has(row) || row.state.is === 'accepted');
    this.untold = isTold ? 0 : this.untold + 1;
    return batch.filter((row) => !staying.has(row));
  }

  /** Makes the request of a batch, and finds out what became of its rows. Those that may leave again go to the front. */
  private async exchange(batch: R[]): Promise<void> {
    const { settings, tools } = this;
    // Until there is an answer, the gateway may take the batch at any time: a try after an unexpected exception has to know.
    const leaving: Departures = { count: 1, lastAtMs: tools.now(), mayComeLate: true };
    if (settings.recovery !== 'repeat')
      for (const row of batch)
        tools.recordState({ ...row, state: UNDER_WAY, departures: afterDeparture(row.departures, leaving) });

    const verdict = await tools.departed.during(batch, tools.execution, {
      now: tools.now,
      request: async () => await this.request(batch),
    });
    const hasLeft = verdict.kind !== 'notReached' && verdict.kind !== 'closed';
    const left: Departures = { count: 1, lastAtMs: tools.now() };
    const nexts = afterExchange(batch, verdict, settings.recovery);
    const doubted = new Map<Doubt, R[]>();
    const again: R[] = [];
    batch.forEach((row, i) => {
      const { state, doubt } = nexts[i];
      row.state = state;
      // After `late`, the gateway may still take the row, as in a request that is under way.
      if (hasLeft) {
        row.leftNow = true;
        row.departures = afterDeparture(row.departures, doubt === 'late' ? leaving : left);
      }
      if (doubt !== undefined) {
        add(doubted, doubt, row);
        tools.recordState(row);
      } else if (state.is === 'ready') again.push(row);
      else this.end(row, state);
    });

    const delayMs = this.delay(verdict);
    if (doubted.size === 0 && again.length > 0) await tools.sleep(delayMs);
    for (const [doubt, some] of doubted)
      for (const row of await this.inquiry.ask(some, doubt, { delayMs })) {
        // Another run may send the message of its key while this row waits for its turn.
        if (row.hasKey) this.absentOnce.set(row, 'elsewhere');
        // A row of a broken exchange keeps its state: it stays unknown where the run ends before it leaves again.
        else if (doubt === 'together') row.state = READY;
        again.push(row);
      }

    if (verdict.kind === 'results') {
      for (const row of again) this.deferred.push(row);
      return;
    }
    // Where the gateway asks to wait, the next request is as small as that asks for.
    const isSplit = verdict.kind === 'refused' && refusalToWait(verdict) === undefined;
    const size = isSplit ? partOf(batch.length) : batch.length;
    const groups: R[][] = [];
    for (let i = 0; i < again.length; i += size) groups.push(again.slice(i, i + size));
    this.again.unshift(...groups);
  }

  /** Makes one request, and again as long as nothing can have reached the gateway, or it only reads. */
  private async request(batch: R[]): Promise<Verdict> {
    const { settings, tools } = this;
    const { now, transport } = tools;
    const [{ endpoint }] = batch;
    const operations = batch.map(({ operation }) => operation);
    const patience = new Patience(REPEATED_FOR_MS);
    const beginMs = now();
    for (;;) {
      const answer = await transport(endpoint, operations);
      const verdict = judge(endpoint, answer, operations);
      const isUnanswered = verdict.kind === 'broken' || verdict.kind === 'late';
      const isHarmless = verdict.kind === 'notReached' || (isUnanswered && settings.recovery === 'repeat');
      const isInTime = now() - beginMs < REPEATED_FOR_MS;
      const waitMs = isHarmless && isInTime ? patience.wait() : undefined;
      if (waitMs === undefined || tools.stopped()) {
        this.progress.learn(verdict, batch.length, this.lastTookMs);
        return verdict;
      }
      await tools.sleep(waitMs);
    }
  }

  /** Milliseconds for which a gateway that took no more asks to be left alone; ends the run where that is too long. */
  private delay(verdict: Verdict): number {
    if (verdict.kind === 'results' && verdict.items.some(({ is }) => is === 'accepted')) this.pace.speedUp();
    const problem = refusalToWait(verdict);
    if (problem === undefined) return 0;
    const waitMs = this.patience.wait(problem.kind === 'request' ? problem.retryAfter : undefined);
    if (waitMs === undefined) this.progress.ended = problem;
    else this.pace.slowDown(waitMs);
    return waitMs ?? 0;
  }
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
