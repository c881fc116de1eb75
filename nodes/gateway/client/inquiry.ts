import type { DepartedMessages, MessageFate } from './departed';
import type { Doubt } from './doubt';
import { decide, DOUBTS, mayStillTake } from './doubt';
import type { DeliveryEvents } from './events';
import { settled } from './events';
import { RequestSize } from './progress';
import type { FinalState, NotAccepted, Row } from './row';
import type { Asking, KnownMessages, MessageId } from './status';
import { askAbout, FIRST_IDS, MAX_IDS } from './status';
import type { Transport } from './transport';
import type { Clock, Pace } from './wait';
import { Backoff } from './wait';

/** What is around a run that sends. */
export interface Surroundings {
  transport: Transport;
  clock: Clock;

  /** Messages that the account certainly took. */
  knownMessages: KnownMessages;

  /** Messages that left this process for the account, and the execution that sends. */
  departed: DepartedMessages;
  execution: string;

  /** Two ids that nobody has sent; the first one just below those of the run, which shows a gateway that cuts ids. */
  unusedIds(): readonly [MessageId, MessageId];
}

/** Milliseconds for which questions wait for a gateway that asks to wait, since it last took a message. */
const LEFT_ALONE_MS = 120_000;

/** Batches in a row whose second question cleared no row, from when on rows that need such a question end without it. */
const MAX_UNCLEARED = 16;

/** The questions of a run: asks `status` about rows in doubt until it is known what became of them. */
export class Inquiry<R extends Row> {
  private readonly around: Surroundings;
  private readonly backoff = new Backoff(LEFT_ALONE_MS);
  private readonly asking: Asking;

  /** Whether the gateway wanted questions to wait for longer than that: then each is asked once. */
  private isOut = false;

  /** Rows that may leave after a second question, with the doubt of that question. */
  private readonly secondDoubts = new Map<R, Doubt>();

  /** Batches in a row whose second question cleared no row: none was found, and none may leave. */
  private uncleared = 0;

  /** `pace` is that of all requests of the run. */
  constructor(around: Surroundings, pace: Pace) {
    const { clock } = around;
    this.around = around;
    this.asking = {
      size: new RequestSize(FIRST_IDS, MAX_IDS),
      wait: async (refusal) => {
        const waitMs = this.backoff.wait(refusal.kind === 'request' ? refusal.retryAfter : undefined);
        if (waitMs === undefined) {
          this.isOut = true;
          return false;
        }
        pace.slowDown(0);
        await clock.sleep(waitMs);
        return !clock.isStopped;
      },
      answered: () => this.backoff.begin(),
      now: () => clock.now(),
    };
  }

  /** The gateway took a message, so that questions may wait for it anew. */
  renew(): void {
    this.isOut = false;
    this.backoff.reset();
  }

  /** Has a row asked about once more right before it leaves. */
  askBeforeLeaving(row: R, doubt: Doubt): void {
    this.secondDoubts.set(row, doubt);
  }

  get hasSecondQuestions(): boolean {
    return this.secondDoubts.size > 0;
  }

  /**
   * Asks the second question about those rows of a batch that need one; once that has cleared nothing of many batches, such
   * rows end without it. Returns the rows that may leave.
   */
  async *askAgain(batch: R[]): DeliveryEvents<R, R[]> {
    const inDoubt = new Map<Doubt, R[]>();
    for (const row of batch) {
      const doubt = this.secondDoubts.get(row);
      if (doubt === undefined) continue;
      addTo(inDoubt, doubt, row);
      this.secondDoubts.delete(row);
    }
    if (inDoubt.size === 0) return batch;
    const asked = [...inDoubt.values()].flat();
    const staying = new Set(asked);
    for (const [doubt, rows] of inDoubt) {
      if (this.uncleared >= MAX_UNCLEARED) yield* settled(rows);
      else
        for (const row of yield* this.ask(rows, doubt, { hasWaited: this.uncleared > 0 }))
          staying.delete(row);
    }
    const isCleared = asked.some((row) => !staying.has(row) || row.state.is === 'accepted');
    this.uncleared = isCleared ? 0 : this.uncleared + 1;
    return batch.filter((row) => !staying.has(row));
  }

  /**
   * Asks until each row has a state, or the questions of the doubt are at their end. `waitedMs`: time since the exchange;
   * `delayMs`: time for which the gateway wants to be left alone; `hasWaited`: whether the batch before has waited in vain for messages that
   * another execution has under way, so that this one doesn't wait again. Returns the rows that may leave again.
   */
  async *ask(
    rows: R[],
    doubt: Doubt,
    { waitedMs = 0, delayMs = 0, hasWaited = false } = {},
  ): DeliveryEvents<R, R[]> {
    const { transport, clock, knownMessages, departed, execution, unusedIds } = this.around;
    const ids = new Set(rows.map(({ operation }) => operation.id));

    /** What this process knows of the messages that another execution may have sent. */
    const fates = () => departed.fatesOf(ids, execution, clock.now());
    const isElsewhere = doubt === 'elsewhere';
    const isUnderWay = isElsewhere && !hasWaited && [...fates().values()].some((fate) => fate !== 'taken');
    const times = timesOf(isUnderWay ? 'broken' : doubt, delayMs);
    const last = times[times.length - 1];
    const leaving: R[] = [];
    let open = rows;
    // Counted, not read from the clock: a clock may be set while a run waits.
    let atMs = Math.max(0, waitedMs);
    const due = times.filter((timeMs) => timeMs >= atMs);
    // Asked once even where all times are over.
    for (const timeMs of due.length > 0 ? due : [last]) {
      if (timeMs > atMs) {
        await clock.sleep(timeMs - atMs);
        atMs = timeMs;
      }
      if (clock.isStopped) break;
      const askedAtMs = clock.now();
      const witness = knownMessages.at(askedAtMs);
      const controls = { unused: unusedIds(), witness };
      const { told, failure, isWitnessDenied } = await askAbout(transport, open, controls, this.asking);
      if (isWitnessDenied) {
        knownMessages.forget(witness, clock.now());
        // A `status` that denies a message of the gateway's may have denied these rows before: another Retry may have sent them.
        for (const row of open) doubtAnew(row);
      }
      // An address that isn't a gateway's tells nothing later either.
      const isShut = this.isOut || failure?.kind === 'closed' || failure?.problem.kind === 'notGateway';
      const isAnswered = failure === undefined && !mayStillTake(doubt);
      const isEnd = isShut || timeMs === last;
      const isLast = isEnd || isAnswered;
      const atSeconds = timeMs / 1000;
      const known = isElsewhere ? fates() : undefined;
      const ended: R[] = [];
      open = open.filter((row, i) => {
        const fate = known?.get(row.operation.id);
        const isOpen = !hasWaited && (fate === 'underWay' || fate === 'late');
        const said = decide(row, doubt, told[i], { atSeconds, isLast: isLast && (!isOpen || isEnd) });
        const state = fate === undefined || said?.is === 'accepted' ? said : stateByFate(row, fate);
        if (state === undefined || (isOpen && state.is !== 'accepted' && !isEnd)) return true;
        if (state.is === 'ready') {
          const answer = told[i];
          const isProven = answer.is === 'absent' && answer.isWitnessed;
          // If the run ends before the row leaves, the row wasn't sent.
          if (isProven && row.departures === undefined)
            row.state = { ...(row.state as NotAccepted), is: 'notSent' };
          row.absentAtMs = askedAtMs;
          leaving.push(row);
        } else {
          row.state = state;
          ended.push(row);
        }
        return false;
      });
      yield* settled(ended);
      if (isEnd || open.length === 0) break;
    }
    yield* settled(open);
    return leaving;
  }
}

/** The state of a row that `status` doesn't show, by what became of its message in another execution. */
export function stateByFate(row: Row, fate: MessageFate): FinalState {
  if (fate === 'taken') return { is: 'accepted', ...(row.hasKey && { duplicate: true as const }) };
  const problem = { kind: fate === 'late' ? 'notTold' : 'underWay' } as const;
  // Of a key, the row of another run says what became of the message; a Retry has no other row.
  return { is: row.hasKey && !row.mayHaveBeenSent ? 'notSent' : 'unknown', problem };
}

/** Puts a row of a Retry in doubt again that an earlier answer of `status` has proven unsent. */
function doubtAnew(row: Row): void {
  const { state, mayHaveBeenSent } = row;
  if (mayHaveBeenSent && state.is === 'notSent') row.state = { ...state, is: 'unknown' };
}

/** Milliseconds after the exchange at which a doubt is asked about, the first not before the gateway wants to be asked. */
function timesOf(doubt: Doubt, delayMs: number): number[] {
  const times = DOUBTS[doubt].askAt.map((seconds) => 1000 * seconds);
  const firstMs = Math.max(times[0], delayMs);
  return [firstMs, ...times.filter((timeMs) => timeMs > firstMs)];
}

/** Adds a row to those of its doubt. */
export function addTo<R extends Row>(lists: Map<Doubt, R[]>, doubt: Doubt, row: R): void {
  const list = lists.get(doubt);
  if (list) list.push(row);
  else lists.set(doubt, [row]);
}
