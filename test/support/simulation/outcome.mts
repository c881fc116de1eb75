/** What every simulation returns, and how it gets there. */
import { VirtualClock } from './clock.mts';
import type { Product } from './product.mts';
import type { Random } from './random.mts';

/** A promise of the node that did not hold: the name of the invariant, and what happened. */
export interface Violation {
  invariant: string;
  words: string;
}

/** Notes a promise that does not hold, and what happened. */
export type Check = (invariant: string, holds: boolean, words: string) => void;

/** What was to be done and what it took, as a simulation counts them. */
interface Counts {
  messages: number;
  requests: number;
}

export interface Outcome<Scenario = unknown> extends Counts {
  scenario: Scenario;
  violations: Violation[];
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

/** What a seed decides about any simulation. */
interface AnyScenario {
  seed: number;
  startsAt: number;
}

/** What a simulation has to begin with. */
export interface Stage<Scenario> {
  scenario: Scenario;
  product: Product;
  clock: VirtualClock;
  trace: Trace;
}

/** What a simulation checks and counts, when nothing more happens. */
interface Play {
  judge(check: Check): void;
  counts(): Counts;
}

/** Makes a simulation. Each line of the trace has the seconds since the start; what is thrown breaks the promise "ends". */
export const simulation =
  <Scenario extends AnyScenario>(
    scenarioOf: (seed: number) => Scenario,
    begin: (stage: Stage<Scenario>) => Play,
  ): Simulate<Scenario> =>
  async (product, seed, hasTrace = false) => {
    const scenario = scenarioOf(seed);
    const clock = new VirtualClock(scenario.startsAt);
    product.setClock(clock);
    const lines: string[] = [];
    const trace: Trace = (line) => {
      const seconds = (clock.now - scenario.startsAt) / 1000;
      if (hasTrace) lines.push(`${seconds.toFixed(3).padStart(10)} ${line()}`);
    };
    const play = begin({ scenario, product, clock, trace });
    let violations: Violation[] = [];
    try {
      await clock.finish();
      play.judge((invariant, holds, words) => {
        if (!holds) violations.push({ invariant, words });
      });
    } catch (error) {
      const { name, message, stack = '' } = error as Error;
      violations = [{ invariant: 'ends', words: `${name}: ${message}\n${stack}` }];
    }
    return { scenario, violations, ...play.counts(), trace: lines };
  };

/** What surrounds the node in a simulation. */
export class World<Scenario extends AnyScenario> {
  readonly scenario: Scenario;

  readonly product: Product;

  readonly clock: VirtualClock;

  readonly trace: Trace;

  readonly random: Random;

  constructor({ scenario, product, clock, trace }: Stage<Scenario>, random: Random) {
    this.scenario = scenario;
    this.product = product;
    this.clock = clock;
    this.trace = trace;
    this.random = random;
  }

  /** Milliseconds since the start. */
  get time(): number {
    return this.clock.now - this.scenario.startsAt;
  }
}

/** What a process that is gone waits for. */
export const never = async (): Promise<never> => await new Promise<never>(() => undefined);
