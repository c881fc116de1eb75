import type { BatchSize } from './batch-size';
import { partOf } from './refusal';
import type { Asking, Row } from './row';
import { TOGETHER_MS } from './timing';

type AskedRow<R> = R & { state: Asking };

/** The rows of a run that have no final state yet, by what is next with them. */
export class Queue<R extends Row> {
  /** What hasn't left yet. */
  private readonly fresh: R[];

  /** What may leave again, or has been found out not to have been sent before. */
  private again: R[] = [];

  /** What leaves alone, to find out whether the gateway takes anything. */
  private alone: R[] = [];

  /** What `status` is asked about, and of what it is being asked. */
  private asking: Array<AskedRow<R>> = [];
  private asked: R[] = [];

  /** Takes rows in order, and empties the list. */
  constructor(rows: R[]) {
    this.fresh = rows.splice(0);
    this.asking = this.fresh.filter(isAsking);
    if (this.asking.length > 0) this.fresh = this.fresh.filter((row) => !isAsking(row));
  }

  /** Takes back a row. */
  put(row: R): void {
    if (isAsking(row)) this.asking.push(row);
    else if (row.state.is === 'ready') this.again.push(row);
  }

  get isAsking(): boolean {
    return this.asking.length > 0;
  }

  get isEmpty(): boolean {
    return [this.fresh, this.again, this.alone, this.asking].every(({ length }) => length === 0);
  }

  /** Takes the next request: new rows first, then those that were refused, in smaller parts. */
  takeBatch(size: BatchSize): R[] {
    this.again.unshift(...this.alone.splice(0));
    if (this.fresh.length > 0) return this.fresh.splice(0, size.current);
    let count = 0;
    while (count < this.again.length && count < mostWith(this.again[count], size)) count += 1;
    return this.again.splice(0, count);
  }

  /** Takes the next request of rows that a broken exchange lost. */
  takeLost(most: number): R[] {
    const lost = this.again.filter(
      ({ state }) => state.is === 'ready' && state.past.resent && !state.refusal,
    );
    return this.take(lost.slice(0, most));
  }

  /** Takes the rows that leave only after a pause. */
  takeWaiting(): R[] {
    return this.take(this.again.filter(waits));
  }

  /** Whether a row that leaves only after a pause is next. */
  get isWaiting(): boolean {
    return this.fresh.length === 0 && this.again.length > 0 && waits(this.again[0]);
  }

  /** What could leave. */
  get ready(): R[] {
    return [...this.again, ...this.fresh];
  }

  /** Has rows leave one by one. */
  sendAlone(rows: readonly Row[]): void {
    const chosen = new Set<Row>(rows);
    this.alone = this.ready.filter((row) => chosen.has(row));
    this.again = this.again.filter((row) => !chosen.has(row));
    this.fresh.splice(0, Infinity, ...this.fresh.filter((row) => !chosen.has(row)));
  }

  takeAlone(): R[] {
    return this.alone.splice(0, 1);
  }

  /** Milliseconds until a row has to be asked about. */
  get untilQuestionMs(): number {
    return this.asking.reduce(
      (least, { state }) => Math.min(least, Math.max(0, state.nextAtMs - state.waitedMs)),
      Infinity,
    );
  }

  /**
   * Takes the rows to be asked about now. Of those that leave right after the answer, because they have a key and the
   * gateway has said once that it doesn't have them, no more than `most`.
   */
  takeDue(most: number): R[] {
    const due = this.asking.filter(isDue);
    const others = due.filter((row) => !isLeaving(row));
    const taken = new Set<R>(others.length > 0 ? others : due.slice(0, most));
    this.asking = this.asking.filter((row) => !taken.has(row));
    this.asked = [...taken];
    return this.asked;
  }

  /** Has some rows asked about before all others. */
  putFirst(rows: ReadonlySet<R>): void {
    if (rows.size === 0) return;
    const isFirst = (row: R): boolean => rows.has(row);
    this.asking = [...this.asking.filter(isFirst), ...this.asking.filter((row) => !isFirst(row))];
  }

  /** Takes the rows that are asked about. */
  takeAsking(): R[] {
    return this.asking.splice(0);
  }

  takeAll(): R[] {
    return [this.asking, this.alone, this.again, this.fresh].flatMap((rows) => rows.splice(0));
  }

  /** Counts what was waited, also between the requests of a question: else what is asked early would never be due. */
  waited(milliseconds: number): void {
    for (const { state } of new Set<R>([...this.asking, ...this.asked]))
      if (state.is === 'asking') state.waitedMs += milliseconds;
  }

  private take(rows: R[]): R[] {
    const taken = new Set(rows);
    if (rows.length > 0) this.again = this.again.filter((row) => !taken.has(row));
    return rows;
  }
}

const isAsking = <R extends Row>(row: R): row is AskedRow<R> => row.state.is === 'asking';

const waits = ({ state }: Row): boolean => state.is === 'ready' && state.refusal?.then === 'waits';

/** How many rows a request may have that a row is in; none where that leaves only after a pause. */
function mostWith({ state }: Row, { current, largest }: BatchSize): number {
  if (state.is !== 'ready' || state.refusal?.then === 'waits') return 0;
  return state.refusal?.then === 'parts' ? Math.min(partOf(state.refusal), largest) : current;
}

const isLeaving = ({ state: { cause, absence } }: AskedRow<Row>): boolean =>
  cause === 'key' && absence !== undefined;

/** Whether a row is due; one whose next answer may decide isn't asked about before its time. */
function isDue({ state: { nextAtMs, waitedMs, absence, cause } }: AskedRow<Row>): boolean {
  const leftMs = nextAtMs - waitedMs;
  return leftMs <= 0 || (leftMs <= TOGETHER_MS && !absence && cause !== 'refused');
}
