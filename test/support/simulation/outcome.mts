/** What every simulation returns, and how it gets there. */
import type { VirtualClock } from './clock.mts';
import type { Product } from './product.mts';

/** A promise of the node that did not hold: the name of the invariant, and what happened. */
export interface Violation {
  invariant: string;
  words: string;
}

export interface Outcome<Scenario = unknown> {
  scenario: Scenario;
  violations: Violation[];
  /** What was to be done and what it took, as the simulation counts them. */
  messages: number;
  requests: number;
  /** What happened, line by line; empty unless asked for. */
  trace: string[];
}

/** Runs what one seed decides. Nothing but the seed counts. */
export type Simulate<Scenario = unknown> = (
  product: Product,
  seed: number,
  hasTrace?: boolean,
) => Promise<Outcome<Scenario>>;

/** Takes a line of the trace, which is only made where somebody wants it. */
export type Trace = (line: () => string) => void;

/** Returns the lines of a trace, and what adds to them, each with the seconds since now. */
export function traceOf(clock: VirtualClock, hasTrace: boolean): { lines: string[]; trace: Trace } {
  const startsAt = clock.now;
  const lines: string[] = [];
  const trace: Trace = (line) => {
    if (hasTrace) lines.push(`${((clock.now - startsAt) / 1000).toFixed(3).padStart(10)} ${line()}`);
  };
  return { lines, trace };
}

/** Runs a simulation to its end and returns the broken promises; whatever is thrown breaks the promise "ends". */
export async function violationsAtEnd(run: () => Promise<Violation[]>): Promise<Violation[]> {
  try {
    return await run();
  } catch (error) {
    const { name, message, stack = '' } = error as Error;
    return [{ invariant: 'ends', words: `${name}: ${message}\n${stack}` }];
  }
}
