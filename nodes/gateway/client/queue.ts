import type { Progress } from './progress';
import type { Row } from './row';

/** The rows of a run that have not ended, in the order in which they leave. */
export class RowQueue<R extends Row> {
  /** Rows that leave again, in the groups in which they leave. */
  private groups: R[][] = [];

  /** Rows that have not left in this try, in reverse: taken from the front of 100,000 rows, each batch would move all others. */
  private rest: R[] = [];

  /** Rows that the gateway asked to wait one by one: behind all others, since what one number has to wait for concerns no other. */
  private deferred: R[] = [];

  get isEmpty(): boolean {
    return this.groups.length + this.rest.length + this.deferred.length === 0;
  }

  /** Takes the rows with which a try begins. */
  fill(rows: R[]): void {
    this.rest = rows.reverse();
  }

  /** Puts rows to the front, of which at most `size` leave together. */
  putFirst(rows: R[], size = rows.length): void {
    const groups: R[][] = [];
    for (let i = 0; i < rows.length; i += size) groups.push(rows.slice(i, i + size));
    this.groups.unshift(...groups);
  }

  putLast(rows: readonly R[]): void {
    for (const row of rows) this.deferred.push(row);
  }

  /** Takes out the rows of the next request, as many as the progress of the run lets leave. */
  next(progress: Progress): R[] {
    const group = this.groups.shift();
    if (group === undefined && this.rest.length === 0) {
      this.rest = this.deferred.reverse();
      this.deferred = [];
    }
    if (group === undefined) return progress.takeFrom(this.rest);
    if (group.length > progress.size) this.groups.unshift(group.splice(progress.size));
    return group;
  }

  /** Takes out all rows, in order. */
  empty(): R[] {
    const rows = [...this.groups.flat(), ...this.rest.reverse(), ...this.deferred];
    this.groups = [];
    this.rest = [];
    this.deferred = [];
    return rows;
  }
}
