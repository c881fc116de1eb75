import type { Problem } from '../errors/problem';
import { BatchSize } from './batch-size';
import { Breaker } from './breaker';
import type { RowEvent } from './next';
import { next } from './next';
import { Patience } from './patience';
import { Queue } from './queue';
import type { FailedRequest, ItemVerdict } from './response';
import { judge } from './response';
import { asksForPatience, commonRefusal } from './refusal';
import type { Row } from './row';
import { StatusDesk, UNANSWERED } from './status-desk';
import { backOff, FIRST_LOOK_MS, MOST_PATIENCE_MS } from './timing';
import type { Endpoint, Transport } from './transport';
import type { Witnesses } from './witnesses';

/**
 * How it is found out whether a request was taken.
 * - `repeat`: the operation only reads, so it is asked again.
 * - `status`: words prove nothing; `status` is asked by `id`.
 * - `none`: what the gateway says is believed; what was lost stays unknown.
 */
export type Recovery = 'repeat' | 'status' | 'none';

export interface SendSettings {
  endpoint: Endpoint;

  /** Operations in one request, 1 or more; left out: found by trying. */
  batchSize?: number;

  /** Milliseconds between two requests. */
  pauseMs: number;
  recovery: Recovery;
}

export interface SendTools<R extends Row> {
  transport: Transport;

  /** What the gateway is known to have taken; what is sent by another endpoint is of use too. */
  witnesses: Witnesses;

  /** An id beside those that the node made for the run, which nobody has sent. */
  unusedId?(): number;

  /** Milliseconds since 1970. */
  now(): number;

  /** Waits; resolves early when the execution is stopped. Doesn't reject. */
  sleep(milliseconds: number): Promise<void>;
  stopped(): boolean;

  /** Called whenever a row gets a state that a later try has to know, and at last with its final one. */
  record(row: R): void;
}

/**
 * Sends operations in batches and finds out what became of each of them (gateway-api.md, "Refusals"), by the rules of
 * rules.ts. Takes the rows in order and empties the list on the way, since the texts of what was sent would be most of
 * what the caller holds. Each row ends in a final state. Never throws for what the gateway or the network does.
 */
export async function sendOperations<R extends Row>(
  rows: R[],
  settings: SendSettings,
  tools: SendTools<R>,
): Promise<void> {
  await new SendRun(rows, settings, tools).run();
}

/** How often a request that only reads is made. */
const READ_TRIES = 4;

/** Ids in one question about rows that may have been taken: where a larger one is refused, the search would end too soon. */
const MOST_IN_DOUBT = 100;

/** One run: a loop that sends, asks, or ends. */
class SendRun<R extends Row> {
  private readonly settings: SendSettings;
  private readonly tools: SendTools<R>;
  private readonly queue: Queue<R>;
  private readonly batchSize: BatchSize;
  private readonly breaker = new Breaker();
  private readonly desk: StatusDesk;

  private readonly patience = new Patience();

  constructor(rows: R[], settings: SendSettings, tools: SendTools<R>) {
    this.settings = settings;
    this.tools = tools;
    this.queue = new Queue(rows);
    this.batchSize = new BatchSize(settings.batchSize);
    const { transport } = tools;
    let requests = 0;
    const paced: Transport = async (endpoint, data) => {
      if (requests++ > 0) await this.wait(settings.pauseMs);
      return await transport(endpoint, data);
    };
    this.tools = { ...tools, transport: paced };
    this.desk = new StatusDesk(this.tools, settings.batchSize);
  }

  async run(): Promise<void> {
    const { queue, breaker, tools } = this;
    while (!tools.stopped() && !queue.isEmpty) {
      const batch = await this.nextBatch();
      if (batch.length > 0) await this.exchange(batch);
      else if (queue.isAsking) await this.ask();
      else if (breaker.problem) break;
    }
    const problem: Problem = (!tools.stopped() && breaker.problem) || { kind: 'cancelled' };
    for (const row of queue.takeAll()) this.put(row, { is: 'givenUp', problem });
  }

  /** Returns what leaves next; nothing where something has to be found out first. */
  private async nextBatch(): Promise<R[]> {
    const { queue, breaker, batchSize } = this;
    if (breaker.problem) return [];
    const { isLimited } = this.patience;
    if (!breaker.isWaiting && !isLimited) {
      if (queue.isWaiting) await this.leaveAlone();
      return queue.takeBatch(batchSize);
    }
    if (!isLimited) {
      // One after the other: what is taken and not returned would be lost.
      const lost = queue.takeLost(breaker.isSearching ? 1 : batchSize.current);
      const next = lost.length > 0 ? lost : queue.takeAlone();
      if (next.length > 0) return next;
    }
    if (queue.isAsking) return [];
    const became = await this.leaveAlone();
    // What was waited for long enough may leave alone, or end the run.
    if (became === 'waitedEnough') return [];
    if (became === 'waited') {
      breaker.tryOnce();
      return queue.takeBatch(batchSize);
    }
    queue.sendAlone(breaker.findOut(queue.ready));
    return queue.takeAlone();
  }

  /**
   * Waits before what was refused with a request for patience leaves again, and for a limiter. Those that were waited for long
   * enough leave like others that were refused, unless the gateway still names a time: then it is about no row. Returns what
   * became of them, and nothing where there is neither.
   */
  private async leaveAlone(): Promise<'waited' | 'waitedEnough' | undefined> {
    const rows = this.queue.takeWaiting();
    const { limit, isLimited } = this.patience;
    const [refusal] = rows.flatMap(({ state }) => (state.is === 'ready' && state.refusal) || []);
    if (!refusal && !isLimited) return undefined;
    const waitMs = this.patience.sending(limit ?? refusal);
    if (waitMs !== undefined) await this.wait(waitMs);
    else if (limit) this.breaker.open(limit.problem);
    const is = waitMs === undefined ? 'waitedEnough' : 'waited';
    for (const row of rows) this.put(row, { is });
    return is;
  }

  /** Makes one request, and again as long as it certainly didn't arrive, or only reads. */
  private async exchange(batch: R[]): Promise<void> {
    const { endpoint, recovery } = this.settings;
    const { now, stopped, transport } = this.tools;
    const operations = batch.map(({ operation }) => operation);
    const waiting = backOff();
    for (let tries = 1; ; tries++) {
      if (stopped())
        return batch.forEach((row) => this.put(row, { is: 'givenUp', problem: { kind: 'cancelled' } }));
      const leftAtMs = now();
      const verdict = judge(endpoint, await transport(endpoint, operations), operations);
      const isBroken = verdict.kind === 'lost' || verdict.kind === 'late';
      if (verdict.kind === 'results') return this.takeResults(batch, verdict.items, leftAtMs);
      let waitMs: number | undefined;
      if (verdict.kind === 'notReached') waitMs = waiting(verdict);
      if (isBroken && recovery === 'repeat' && tries < READ_TRIES) waitMs = FIRST_LOOK_MS * tries;
      if (waitMs === undefined) return this.takeFailure(batch, verdict, leftAtMs);
      await this.wait(waitMs);
    }
  }

  private takeResults(batch: R[], items: ItemVerdict[], leftAtMs: number): void {
    const { recovery, endpoint } = this.settings;
    // What a queue lists beside its receipt, it has looked at one by one.
    const problem = recovery === 'status' && endpoint === 'sync' ? commonRefusal(items) : undefined;
    if (problem) return this.takeFailure(batch, { kind: 'refused', problem }, leftAtMs);
    this.breaker.answered();
    this.batchSize.answered(batch.length, this.tools.now() - leftAtMs);
    if (items.some(({ state }) => state === 'accepted')) this.patience.accepted();
    batch.forEach((row, i) => {
      const item = items[i];
      if (item.state === 'refused')
        return this.put(row, { is: 'refused', problem: item.problem, payload: item.payload, leftAtMs });
      this.put(row, { is: 'accepted', payload: item.payload, requestId: item.requestId });
    });
  }

  private takeFailure(batch: R[], { kind, problem, retryAfter }: FailedRequest, leftAtMs: number): void {
    const { recovery } = this.settings;
    // Nothing leaves for as long as it asks for, and this run ends before that.
    if (this.patience.refused({ problem, retryAfter })) this.breaker.open(problem);
    const isRead = recovery === 'repeat' && (kind === 'lost' || kind === 'late');
    const ends =
      kind === 'notReached' || kind === 'rejected' || (recovery !== 'status' && isClosed({ kind, problem }));
    if (ends || isRead) {
      if (!isRead) this.breaker.open(problem);
      return batch.forEach((row) => this.put(row, { is: 'notSent', problem }));
    }
    const size = batch.length;
    if (kind === 'late') this.batchSize.timedOut();
    else if (problem.kind === 'http' && problem.status === 413) this.batchSize.tooLarge(size);
    else if (kind !== 'lost' && !(kind === 'turnedAway' && asksForPatience(problem)))
      this.batchSize.refused(size);
    this.breaker.failed(problem, kind === 'refused' || kind === 'turnedAway');
    if (isClosed({ kind, problem }) && !this.breaker.hasAccepted) this.breaker.findOutFirst();
    const is = kind === 'refused' ? 'refusedTogether' : kind;
    for (const row of batch) this.put(row, { is, problem, leftAtMs, size });
  }

  /** Asks `status` once about what is due, and waits for that before. */
  private async ask(): Promise<void> {
    const { queue, desk, batchSize, settings } = this;
    const { witnesses } = this.tools;
    await this.wait(queue.untilQuestionMs);
    if (this.tools.stopped()) return;
    const asked = queue.takeDue(batchSize.current);
    const questions = asked.map(({ operation: { id, type } }) => ({ id, type }));
    const isInDoubt = asked.some(({ state }) => state.is === 'asking' && state.cause !== 'key');
    const most = isInDoubt && settings.batchSize === undefined ? MOST_IN_DOUBT : Infinity;
    const askedAtMs = asked.map(({ state }) => (state.is === 'asking' ? state.waitedMs : 0));
    const proofs = await desk.ask(questions, witnesses.questions, most);
    const before = witnesses.questions;
    // A state that isn't listed may be one of a fault.
    asked.forEach((row, i) => 'report' in proofs[i] && proofs[i].is !== 'seen' && witnesses.learn(row));
    // What is a witness by that has to be asked about before anything is absent.
    const [first] = witnesses.questions;
    const isEarly = first !== undefined && !before.includes(first);
    asked.forEach((row, i) => {
      const proof = isEarly && proofs[i].is === 'absent' ? UNANSWERED : proofs[i];
      const isProvable = witnesses.wouldKnow(row.operation.type);
      this.put(row, { is: 'told', proof, isProvable, askedAtMs: askedAtMs[i] });
    });
    // What wasn't asked about comes first next time; with what it was refused for, it doesn't begin again and again.
    const [, ...others] = asked.filter((_, i) => proofs[i].is === 'notAsked');
    queue.putFirst(new Set(others));
    await this.afterQuestion(proofs.some(({ is }) => is !== 'notAsked' && is !== 'unanswered'));
  }

  /** Acts on a question that failed: waits if the gateway asks for that, and gives up where nothing will be told. */
  private async afterQuestion(isTold: boolean): Promise<void> {
    const { queue, desk, breaker } = this;
    const { failure } = desk;
    if (!failure || isTold) this.patience.asking = backOff();
    const { problem, retryAfter }: FailedRequest = failure ?? { kind: 'lost', problem: { kind: 'notTold' } };
    const waitMs = retryAfter === undefined ? 0 : this.patience.asking({ problem, retryAfter });
    if (waitMs === undefined || desk.left <= 0) {
      for (const row of queue.takeAsking()) this.put(row, { is: 'givenUp', problem });
      this.patience.asking = backOff();
      // Also where nothing is left: other operations may be asked about next.
      await this.wait(Math.min(1000 * (retryAfter ?? 0), MOST_PATIENCE_MS));
    } else if (!failure) return;
    else if (isClosed(failure) && !breaker.hasAccepted) {
      breaker.open(problem);
      for (const row of queue.takeAsking()) this.put(row, { is: 'shutOut', problem });
    } else {
      desk.leftAlone(waitMs);
      await this.wait(waitMs);
    }
  }

  /** Gives a row its next state, and the row to whoever is next with it. */
  private put(row: R, event: RowEvent): void {
    const wasAsking = row.state.is === 'asking';
    row.state = next(row, event);
    if (row.state.is === 'asking' && this.settings.recovery !== 'status')
      row.state = next(row, { is: 'believed' });
    // What is newly in doubt is waited for as long as anything.
    if (row.state.is === 'asking' && !wasAsking) this.patience.asking = backOff();
    if (row.state.is === 'accepted') {
      this.breaker.accepted();
      this.tools.witnesses.add(row);
    }
    this.queue.put(row);
    // Which time it is asked is of no use to a later try.
    if (row.state.is !== 'ready' && !(wasAsking && row.state.is === 'asking')) this.tools.record(row);
  }

  /** Waits, and counts what was waited: a clock may be set. */
  private async wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    await this.tools.sleep(milliseconds);
    this.patience.waited(milliseconds);
    this.queue.waited(milliseconds);
    this.tools.witnesses.waited(milliseconds);
  }
}

/** Whether a failure says that nothing gets through: neither a message nor a question. */
function isClosed({ kind, problem }: FailedRequest): boolean {
  if (kind !== 'turnedAway') return kind === 'rejected';
  return problem.kind === 'http' && problem.status !== 413 && problem.status !== 429;
}
