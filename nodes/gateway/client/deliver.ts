import { statusKnows } from '../contract/operations';
import type { Problem } from '../errors/problem';
import type { MessageFate } from './departed';
import type { Doubt, Recovery } from './doubt';
import {
  afterDeparture,
  afterExchange,
  isKnownToStatus,
  mayStillTake,
  STATUS_LAG_MS,
  stateAtStart,
} from './doubt';
import type { DeliveryEvent, DeliveryEvents, EndedRow } from './events';
import { doubted, settled } from './events';
import type { Surroundings } from './inquiry';
import { addTo, Inquiry, stateByFate } from './inquiry';
import { Progress, refusalToWait, sizeAfterRefusal } from './progress';
import { RowQueue } from './queue';
import type { Verdict } from './response';
import { judge } from './response';
import type { Departures, NotAccepted, Row } from './row';
import { READY, UNDER_WAY } from './row';
import { Backoff, Pace } from './wait';

export interface SendSettings {
  /** Operations in one request, 1 or more; left out: found by trying. */
  batchSize?: number;

  /** Milliseconds between two batches. Before any other request, such as a question, a run pauses as long, but no more than a second. */
  pauseMs: number;
  recovery: Recovery;
}

/** Milliseconds for which a run repeats a request that never left, or that only reads and got no answer. */
const REPEATED_FOR_MS = 15_000;

/** Milliseconds that a run waits at most, all waits together, for refusals such as 429; counted anew once the gateway takes a message. */
const LEFT_ALONE_MS = 120_000;

/**
 * Sends operations of one endpoint, in order, one batch at a time, and tells what becomes of each (docs/delivery-guarantees.md): a batch
 * leaves after the last question about the batch before it. Empties the list on the way, since the texts of what was sent would be most
 * of what the caller holds. Never throws for what the gateway or the network does.
 */
export async function* deliver<R extends Row>(
  rows: R[],
  settings: SendSettings,
  around: Surroundings,
): DeliveryEvents<R> {
  const delivery = new Delivery<R>(settings, around);
  for await (const event of delivery.run(rows)) {
    // The delivery learns from its own events, since rows come to their end in many of its steps.
    if (event.is === 'settled') delivery.learnFrom(event.rows);
    yield event;
  }
}

class Delivery<R extends Row> {
  private readonly settings: SendSettings;
  private readonly around: Surroundings;
  private readonly progress: Progress;
  private readonly backoff = new Backoff(LEFT_ALONE_MS);
  private readonly pace: Pace;
  private readonly inquiry: Inquiry<R>;
  private readonly queue = new RowQueue<R>();

  constructor(settings: SendSettings, around: Surroundings) {
    this.settings = settings;
    this.progress = new Progress(settings.batchSize);
    this.pace = new Pace(around.clock, settings.pauseMs);
    this.around = { ...around, transport: this.pace.over(around.transport) };
    this.inquiry = new Inquiry(this.around, this.pace);
  }

  async *run(rows: R[]): DeliveryEvents<R> {
    yield* this.begin(rows);
    while (!this.isOver && !this.queue.isEmpty) {
      const batch = this.queue.next(this.progress);
      await this.pace.pause();
      const leaving = this.isOver ? batch : yield* this.inquiry.askAgain(batch);
      if (this.isOver) this.queue.putFirst(leaving);
      else if (leaving.length > 0) yield* this.exchange(leaving);
    }
    yield* this.end();
  }

  private get isOver(): boolean {
    return this.progress.ended !== undefined || this.around.clock.isStopped;
  }

  /** Learns from rows at their end that the gateway takes messages, and which it has. */
  learnFrom(rows: ReadonlyArray<EndedRow<R>>): void {
    const { knownMessages, clock } = this.around;
    for (const row of rows) {
      if (row.state.is !== 'accepted') continue;
      this.backoff.reset();
      this.inquiry.renew();
      // Later questions ask about one of these messages as well, the witness: a `status` that doesn't show it cuts large ids, or tells
      // nothing at all. An id of the user's own may be too small to show that ids are cut.
      if (this.settings.recovery === 'status' && isKnownToStatus(row) && !row.hasOwnId)
        knownMessages.add(row.operation.id, clock.now());
    }
  }

  /** Takes over the rows, and asks about those that may have left before. */
  private async *begin(rows: R[]): DeliveryEvents<R> {
    const { recovery } = this.settings;
    const { clock } = this.around;
    const fates = this.fatesOf(rows);
    const inDoubt = new Map<Doubt, R[]>();
    const ended: R[] = [];
    for (const row of rows) {
      const fate = fates.get(row.operation.id);
      if (fate !== undefined && endByFate(row, fate)) {
        ended.push(row);
        continue;
      }
      const { state, doubt } = stateAtStart(row, clock.now());
      row.state = state;
      if (doubt === undefined) continue;
      if (recovery === 'status') addTo(inDoubt, doubt, row);
      else if (recovery === 'none' && state.is === 'unknown') ended.push(row);
      // Reads (`repeat`) leave without a question, and so do look-ups and changes of templates
      // (`none`) that certainly were not made.
      else row.state = READY;
    }
    const asked = [...inDoubt.values()].flat();
    // The set holds the rows that stay, not those that leave: in a first try of 100,000 rows, few stay.
    const staying = new Set([...asked, ...ended]);
    yield* doubted(asked);
    yield* settled(ended);
    for (const [doubt, some] of inDoubt) {
      // A row without departures, which only another Retry may have sent, counts as sent in 1970 (0). Where no row of the doubt has
      // departures, `waitedMs` is beyond the last time of the doubt: the rows are asked about once, at once.
      const lastAtMs = some.reduce((last, { departures }) => Math.max(last, departures?.lastAtMs ?? 0), 0);
      const waitedMs = mayStillTake(doubt) ? clock.now() - lastAtMs : 0;
      for (const row of yield* this.inquiry.ask(some, doubt, { waitedMs })) {
        staying.delete(row);
        // In these doubts an absence counts at once, but `status` may not show yet what another execution sent in the last two seconds:
        // the row is asked about again before it leaves.
        if (!mayStillTake(doubt)) this.inquiry.askBeforeLeaving(row, doubt);
        // Here the times are over in which the row's own request could arrive; the message of its key may still come from another run.
        else if (row.hasKey) this.inquiry.askBeforeLeaving(row, 'elsewhere');
      }
    }
    this.queue.fill(rows.filter((row) => !staying.has(row)));
    rows.length = 0;
    // By the second question, `status` shows what another run sent just before the first.
    if (this.inquiry.hasSecondQuestions) await clock.sleep(STATUS_LAG_MS);
  }

  /** Ends the rows that are still in the queue: those that never left, and those that were to leave again. */
  private *end(): Generator<DeliveryEvent<R>, void, undefined> {
    const problem: Problem = this.progress.ended ?? { kind: 'cancelled' };
    const rows = this.queue.empty();
    const fates = this.fatesOf(rows);
    for (const row of rows) {
      const fate = fates.get(row.operation.id);
      const isUnsent = row.state.is === 'ready' || row.state.is === 'notSent';
      if (fate !== undefined) row.state = stateByFate(row, fate);
      else if (isUnsent) row.state = { is: 'notSent', problem };
    }
    yield* settled(rows);
  }

  /** Makes the request of a batch, and finds out what became of its rows. */
  private async *exchange(rows: R[]): DeliveryEvents<R> {
    const { clock, departed, execution } = this.around;
    // The journal keeps these rows as under way until there is an answer: should the process end now, a later try knows.
    const openDeparture: Departures = { count: 1, execution, lastAtMs: clock.now(), mayComeLate: true };
    const event = { is: 'leaving' as const, rows, departure: openDeparture };
    // A read leaves no trace: it is simply made again.
    if (this.settings.recovery !== 'repeat') yield event;
    // The caller, which had the event first, may have taken all rows out of it, such as rows whose Send Window has closed meanwhile.
    if (event.rows.length === 0) return;
    // Another execution of this process may be sending the same messages, or have sent them: these rows don't leave.
    const { leaving, batch, overtaken } = departed.begin(event.rows, execution, clock.now());
    let verdict: Verdict | undefined;
    try {
      yield* this.keepBack(overtaken);
      if (leaving.length === 0) return;
      verdict = await this.request(leaving);
    } finally {
      departed.end(batch, verdict, clock.now());
    }
    yield* this.conclude(leaving, verdict, openDeparture);
  }

  /**
   * Keeps rows back whose message another execution is sending, or has sent meanwhile, and puts them to the front of the queue with a question. The journal,
   * which has these rows as about to leave, learns of it by the event `doubted`.
   */
  private *keepBack(overtaken: ReadonlyMap<R, MessageFate>): Generator<DeliveryEvent<R>, void, undefined> {
    const ended: R[] = [];
    const asked: R[] = [];
    for (const [row, fate] of overtaken) {
      if (endByFate(row, fate)) {
        ended.push(row);
        continue;
      }
      // Another execution has the message under way.
      if (row.state.is === 'ready') row.state = UNDER_WAY;
      this.inquiry.askBeforeLeaving(row, 'elsewhere');
      asked.push(row);
    }
    this.queue.putFirst(asked);
    yield* doubted(asked);
    yield* settled(ended);
  }

  /** Makes one request, and again as long as nothing can have reached the gateway, or it only reads. */
  private async request(batch: readonly R[]): Promise<Verdict> {
    const { transport, clock } = this.around;
    const [{ endpoint }] = batch;
    const operations = batch.map(({ operation }) => operation);
    const backoff = new Backoff(REPEATED_FOR_MS);
    const beginMs = clock.now();
    for (;;) {
      const answer = await transport(endpoint, operations);
      const verdict = judge(endpoint, answer, operations);
      const isUnanswered = verdict.kind === 'broken' || verdict.kind === 'timedOut';
      const isHarmless =
        verdict.kind === 'notReached' || (isUnanswered && this.settings.recovery === 'repeat');
      const isInTime = clock.now() - beginMs < REPEATED_FOR_MS;
      const waitMs = isHarmless && isInTime ? backoff.wait() : undefined;
      if (waitMs === undefined || clock.isStopped) {
        this.progress.learn(verdict, batch.length, this.pace.lastTookMs);
        return verdict;
      }
      await clock.sleep(waitMs);
    }
  }

  /** Ends the rows of a request, or asks about them. Those that may leave again go back to the queue. */
  private async *conclude(batch: R[], verdict: Verdict, openDeparture: Departures): DeliveryEvents<R> {
    const { clock, execution } = this.around;
    const hasLeft = verdict.kind !== 'notReached' && verdict.kind !== 'closed';
    const endedDeparture: Departures = { count: 1, execution, lastAtMs: clock.now() };
    const inDoubt = new Map<Doubt, R[]>();
    const again: R[] = [];
    const ended: R[] = [];
    afterExchange(batch, verdict, this.settings.recovery).forEach(({ state, doubt }, i) => {
      const row = batch[i];
      row.state = state;
      // Two kinds of rows keep the departure that says that the gateway may still take them: those in a `late` doubt, and those of the queue
      // whose refusal proves nothing, such as a fault or a duplicate, since the queue may hold their message.
      const mayBeQueued = state.is === 'unknown' && doubt === 'contested' && row.endpoint === 'async';
      const mayComeLate = doubt === 'late' || mayBeQueued;
      if (hasLeft)
        row.departures = afterDeparture(row.departures, mayComeLate ? openDeparture : endedDeparture);
      if (doubt !== undefined) addTo(inDoubt, doubt, row);
      else if (state.is === 'ready') again.push(row);
      else ended.push(row);
    });
    yield* doubted([...inDoubt.values()].flat());
    yield* settled(ended);

    const delayMs = this.adaptPace(verdict);
    if (inDoubt.size === 0 && again.length > 0) await clock.sleep(delayMs);
    for (const [doubt, rows] of inDoubt)
      for (const row of yield* this.inquiry.ask(rows, doubt, { delayMs })) {
        // A row with a key is asked about once more, since another run may send its message while the row waits for its turn.
        if (row.hasKey) this.inquiry.askBeforeLeaving(row, 'elsewhere');
        // The gateway took nothing of the request, or of a row that it asked to wait: should the run end now, the row was not sent. After any
        // other doubt, the row stays as it is until it leaves: should the run end now, nobody knows.
        if (doubt === 'together')
          row.state = row.hasKey ? { ...(row.state as NotAccepted), is: 'notSent' } : READY;
        again.push(row);
      }
    // Of a request with results, only those rows come back that the gateway asked to wait, such as a number that got too many messages: all
    // other rows go first.
    if (verdict.kind === 'results') this.queue.putLast(again);
    // Where the gateway asks the whole run to wait, `progress` has set the size of the next request.
    else if (verdict.kind === 'refused' && refusalToWait(verdict) === undefined)
      this.queue.putFirst(again, sizeAfterRefusal(batch.length));
    else this.queue.putFirst(again);
  }

  /** Adapts the pace of the run to a verdict, and ends the run where the gateway asks to wait too long. Returns the milliseconds to wait. */
  private adaptPace(verdict: Verdict): number {
    if (verdict.kind === 'results' && verdict.items.some(({ is }) => is === 'accepted')) this.pace.speedUp();
    const problem = refusalToWait(verdict);
    if (problem === undefined) return 0;
    const waitMs = this.backoff.wait(problem.kind === 'request' ? problem.retryAfter : undefined);
    if (waitMs === undefined) this.progress.ended = problem;
    else this.pace.slowDown(waitMs);
    return waitMs ?? 0;
  }

  /** Returns what this process knows of messages that other executions may have sent, by id. */
  private fatesOf(rows: readonly R[]): Map<unknown, MessageFate> {
    const { departed, execution, clock } = this.around;
    return departed.fatesOfShared(rows, execution, clock.now());
  }
}

/** Ends a row that `status` can't know, whose message another execution sent. Returns false for any other row. */
function endByFate(row: Row, fate: MessageFate): boolean {
  if (statusKnows(row.operation.type)) return false;
  row.state = stateByFate(row, fate);
  return true;
}
