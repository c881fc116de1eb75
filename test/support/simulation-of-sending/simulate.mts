/** Plays a scenario with a client, and scenarios by their numbers. */
import fc from '../generated.mts';

import type { Outcome as AnyOutcome } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import { Clock } from './clock.mts';
import { Gateway } from './gateway.mts';
import { judge } from './judge.mts';
import type { Figures, Violation } from './judge.mts';
import { ModelNode } from './node.mts';
import type { Client, Execution } from './node.mts';
import { scenarios } from './scenario.mts';
import type { Play, Scenario } from './scenario.mts';
import { WORLDS } from './worlds.mts';
import type { World } from './worlds.mts';

export interface Outcome {
  /** Without what the world breaks by its nature. */
  violations: Violation[];
  figures: Figures;
  trace: string[];
}

/** Seconds in which a gateway, and its queue, is done with an execution: docs/bulk.md says to wait before another one begins. */
function settlesSeconds({ lateSeconds = [0], queueSeconds = 30, status = {} }: World): number {
  const { lagSeconds = 0, hiddenSeconds = 0 } = status;
  return Math.max(...lateSeconds) + lagSeconds + hiddenSeconds + queueSeconds;
}

export async function simulate<P>(client: Client<P>, scenario: Scenario, hasTrace = false): Promise<Outcome> {
  const { world, seed, plays } = scenario;
  const clock = new Clock();
  const settles = settlesSeconds(world);
  const isBeside = ({ how }: Play): boolean => how === 'beside' && settles === 30;
  const gateway = new Gateway(world, clock, seeded(seed), plays.some(isBeside));
  const trace: string[] = [];
  const startedAt = clock.now;
  const node = new ModelNode(client, {
    scenario,
    gateway,
    clock,
    trace(line) {
      if (hasTrace) trace.push(`${((clock.now - startedAt) / 1000).toFixed(2).padStart(9)} ${line()}`);
    },
  });
  const first = node.begin(true);
  let current = first;
  let isStopped = false;

  const play = async (step: Play, index: number): Promise<void> => {
    const execution = next(step, index);
    if (!execution) return;
    current = execution;
    await node.try(execution, step, execution.chain < execution.execution && execution.tries.length === 0);
    isStopped = execution.tries.at(-1)?.end?.startsWith('stop') === true;
  };

  /** Whether a step is a try of the execution before, as by Retry On Fail. */
  const isAgain = ({ how }: Play): boolean => how === 'again' && !current.isKilled && !isStopped;

  /** The execution that a step is a try of. */
  const next = (step: Play, index: number): Execution | undefined => {
    if (index === 0) return first;
    const hasFailed = ({ rows, journal }: Execution): boolean =>
      rows.some((row) => journal.get(row)?.result?.is !== 'accepted');
    if (isAgain(step)) return hasFailed(current) ? current : undefined;
    if (step.how === 'retry' && !first.isKilled) return hasFailed(first) ? node.retry(first) : undefined;
    const other = node.begin(false);
    return other.rows.length > 0 ? other : undefined;
  };

  for (let i = 0; i < plays.length; i++) {
    const step = plays[i];
    const after = plays[i + 1];
    const { pauseSeconds } = step;
    if (i > 0) await clock.sleep(1000 * (isAgain(step) ? Math.min(pauseSeconds, 5) : pauseSeconds + settles));
    if (after && isBeside(after)) {
      const pause = 1000 * Math.min(after.pauseSeconds, 60);
      const beside = async (): Promise<void> => {
        await clock.sleep(pause);
        await play(after, i + 1);
      };
      await clock.both(async () => await play(step, i), beside);
      i += 1;
    } else await play(step, i);
  }
  gateway.finish();
  const { violations, figures } = judge(node.executions, gateway.facts);
  const unkept: readonly string[] = world.breaks ?? [];
  return { violations: violations.filter(({ promise }) => !unkept.includes(promise)), figures, trace };
}

/** Scenarios that are drawn at a time: the number of a scenario says which draw it is of. */
const BLOCK = 1000;

/** Draws scenarios by number, from 1 on. */
export function drawer(worlds: readonly World[] = WORLDS): (number: number) => Scenario {
  const drawn: { block?: number; scenarios: Scenario[] } = { scenarios: [] };
  return (number) => {
    const { block, index } = placeOf(number);
    if (drawn.block !== block) {
      drawn.block = block;
      drawn.scenarios = fc.sample(scenarios(worlds), { seed: block, numRuns: BLOCK });
    }
    return drawn.scenarios[index];
  };
}

const placeOf = (number: number) => ({
  block: Math.floor((number - 1) / BLOCK),
  index: (number - 1) % BLOCK,
});

/** Plays scenarios by number; one that is to be traced, in its smallest form that still breaks a promise. */
export function simulation<P>(client: Client<P>, worlds: readonly World[] = WORLDS) {
  const scenarioOf = drawer(worlds);
  return async (number: number, hasTrace = false): Promise<AnyOutcome<Scenario> & { figures: Figures }> => {
    let scenario = scenarioOf(number);
    const { world } = scenario;
    const promisesBroken = async (one: Scenario) =>
      (await simulate(client, one)).violations.map(({ promise }) => promise);
    if (hasTrace) {
      const { block, index } = placeOf(number);
      const [promise] = await promisesBroken(scenario);
      const isSound = async (one: Scenario) =>
        one.world !== world || !(await promisesBroken(one)).includes(promise);
      const property = fc.asyncProperty(scenarios(worlds), isSound);
      const result = await fc.check(property, { seed: block, path: String(index), numRuns: 1 });
      if (result.counterexample) [scenario] = result.counterexample;
    }
    const { violations, figures, trace } = await simulate(client, scenario, hasTrace);
    return {
      scenario,
      violations: violations.map(({ promise, words }) => ({ invariant: promise, words })),
      trace,
      messages: scenario.rows.length,
      requests: figures.requests,
      figures,
    };
  };
}
