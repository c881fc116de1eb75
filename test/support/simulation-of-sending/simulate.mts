/** Plays scenarios with a client. */
import fc from '../generated.mts';
import type { Outcome } from '../simulation/outcome.mts';
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

/** Seconds in which a gateway, and its queue, is done with an execution: the docs say to wait before another one begins. */
function settlesSeconds({ lateSeconds = [0], queueSeconds = 30, status = {} }: World): number {
  const { lagSeconds = 0, hiddenSeconds = 0 } = status;
  return Math.max(...lateSeconds) + lagSeconds + hiddenSeconds + queueSeconds;
}

const lastEnd = ({ tries }: Execution): Play['end'] | undefined => tries.at(-1)?.end;
const hasFailed = ({ rows, journal }: Execution): boolean =>
  rows.some((row) => journal.get(row)?.result?.is !== 'accepted');

/** Plays one scenario. The violations are without what its world breaks by its nature. */
export async function simulate(client: Client, scenario: Scenario, trace?: string[]) {
  const { world, seed, plays } = scenario;
  const clock = new Clock();
  const settles = settlesSeconds(world);
  const gateway = new Gateway(world, clock, seeded(seed));
  const startedAt = clock.now;
  const node = new ModelNode({
    client,
    scenario,
    gateway,
    clock,
    trace: (line) => trace?.push(`${((clock.now - startedAt) / 1000).toFixed(2).padStart(9)} ${line()}`),
  });
  const first = node.begin();
  let current = first;

  /** Whether a step is a further try of the execution before, as by Retry On Fail. */
  const isAgain = ({ how }: Play): boolean => {
    const end = lastEnd(current);
    return how === 'again' && (end === undefined || end === 'throw');
  };

  /** The execution that a step is a try of, if it is anything. */
  const executionOf = (step: Play): Execution | undefined => {
    if (isAgain(step)) return hasFailed(current) ? current : undefined;
    if (step.how === 'retry' && lastEnd(first) !== 'kill')
      return hasFailed(first) ? node.retry(first) : undefined;
    const other = node.begin();
    return other.rows.length > 0 ? other : undefined;
  };

  for (const step of plays) {
    const { pauseSeconds } = step;
    const isFirst = step === plays[0];
    if (!isFirst) clock.pass(1000 * (isAgain(step) ? Math.min(pauseSeconds, 5) : pauseSeconds + settles));
    const execution = isFirst ? first : executionOf(step);
    if (!execution) continue;
    current = execution;
    await node.try(execution, step);
  }
  gateway.finish();
  const { violations, figures } = judge(node.executions, gateway.facts);
  const unkept: readonly string[] = world.breaks ?? [];
  return { violations: violations.filter(({ promise }) => !unkept.includes(promise)), figures };
}

/** Scenarios that are drawn at a time: the number of a scenario says which draw it is of. */
const BLOCK = 1000;

const placeOf = (number: number) => ({
  block: Math.floor((number - 1) / BLOCK),
  index: (number - 1) % BLOCK,
});

/** Plays scenarios by number, from 1 on; one that is to be traced, in its smallest form that breaks the same promise. */
export function simulation(client: Client, worlds: readonly World[] = WORLDS) {
  const drawn: { block?: number; scenarios: Scenario[] } = { scenarios: [] };
  const shrunk = async (scenario: Scenario, number: number): Promise<Scenario> => {
    const { block, index } = placeOf(number);
    const brokenIn = async (one: Scenario) =>
      (await simulate(client, one)).violations.map(({ promise }) => promise);
    const [promise] = await brokenIn(scenario);
    const isSound = async (one: Scenario) =>
      one.world !== scenario.world || !(await brokenIn(one)).includes(promise);
    const property = fc.asyncProperty(scenarios(worlds), isSound);
    const { counterexample } = await fc.check(property, { seed: block, path: String(index), numRuns: 1 });
    return counterexample?.[0] ?? scenario;
  };
  return async (number: number, hasTrace = false): Promise<Outcome<Scenario> & { figures: Figures }> => {
    const { block, index } = placeOf(number);
    if (drawn.block !== block) {
      drawn.block = block;
      drawn.scenarios = fc.sample(scenarios(worlds), { seed: block, numRuns: BLOCK });
    }
    const scenario = hasTrace ? await shrunk(drawn.scenarios[index], number) : drawn.scenarios[index];
    const trace: string[] = [];
    const { violations, figures } = await simulate(client, scenario, hasTrace ? trace : undefined);
    return {
      ...{ scenario, trace, figures, messages: scenario.rows.length, requests: figures.requests },
      violations: violations.map(({ promise, words }: Violation) => ({ invariant: promise, words })),
    };
  };
}
