import type { Problem } from '../errors/problem';
import { wordsOf } from './refusal';
import type { Row } from './row';

/** Requests in a row of which nothing was taken, after which it is found out first what became of them. */
const IN_A_ROW = 3;

/** Rows that are sent alone before a search is given up. */
const MOST_PROBES = 16;

/**
 * Decides whether more is sent. After several requests in a row of which the gateway took nothing, nothing new leaves
 * until it is known what became of them. If all of it was refused, single rows from all over are sent: one that is taken
 * shows that rows are the cause, and 16 that are refused alike end the run.
 */
export class Breaker {
  /** Why nothing more is sent. */
  problem: Problem | undefined;

  /** Whether the gateway took anything in this run. */
  hasAccepted = false;

  /** Requests in a row of which nothing was taken, so far as is known, and how many are too many. */
  private failures = 0;
  private limit = IN_A_ROW;

  /** Whether one of them was refused, so that a row may be the cause; and why the last one failed. */
  private isRefused = false;
  private last: Problem | undefined;

  /** The rows that are sent alone. */
  private probes: readonly Row[] = [];

  /** Whether nothing new leaves. */
  get isWaiting(): boolean {
    return this.failures >= this.limit;
  }

  /** Whether rows leave alone, to find out whether the gateway takes anything. */
  get isSearching(): boolean {
    return this.probes.length > 0;
  }

  /** For a row that the gateway took. */
  accepted(): void {
    this.hasAccepted = true;
    this.close();
  }

  /** For a request whose rows have results of their own. */
  answered(): void {
    if (!this.isSearching) this.close();
  }

  /** For a request of which nothing is known to be taken; `isRefused`: whether a row of it may be the cause. */
  failed(problem: Problem, isRefused: boolean): void {
    this.failures += 1;
    this.isRefused ||= isRefused;
    this.last = problem;
  }

  /** Has nothing new leave before it is known what became of the last request. */
  findOutFirst(): void {
    this.failures = Math.max(this.failures, this.limit);
  }

  /** Ends the run. */
  open(problem: Problem | undefined): void {
    this.problem ??= problem;
  }

  /** Lets one more request leave. */
  tryOnce(): void {
    this.failures = Math.min(this.failures, this.limit - 1);
  }

  /**
   * Decides how to go on when it is known what became of all that left. Takes what is left; returns the rows to send
   * alone. Where there are none, the run ends, or goes on as usual.
   */
  findOut<R extends Row>(rows: readonly R[]): readonly R[] {
    if (this.isSearching) {
      this.conclude();
      return [];
    }
    if (!this.isRefused) {
      this.open(this.last);
      return [];
    }
    // Next time, more has to fail: what is refused because of single rows is found by going on.
    this.limit *= 2;
    this.failures = this.limit;
    const count = Math.min(MOST_PROBES, rows.length);
    const probes = Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]);
    this.probes = probes;
    return probes;
  }

  private conclude(): void {
    // What stays unknown is no better: each row that leaves after it would be one more.
    const problems = this.probes.map(({ state }) => ('problem' in state ? state.problem : undefined));
    const [first] = problems;
    const areAlike = first && problems.every((one) => one && wordsOf(one) === wordsOf(first));
    // What is kept back wasn't refused itself.
    if (areAlike) this.open(first.kind === 'filtered' ? { ...first, isOther: true } : first);
    else this.close();
  }

  private close(): void {
    this.failures = 0;
    this.isRefused = false;
    this.probes = [];
  }
}
