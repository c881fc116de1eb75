/** Plays scenarios with the node. */
import fc from '../generated.mts';
import { VirtualClock } from '../simulation/clock.mts';
import type { Outcome } from '../simulation/outcome.mts';
import type { Product } from '../simulation/product.mts';
import { seeded } from '../simulation/random.mts';
import { Gateway } from './gateway.mts';
import { judge } from './judge.mts';
import type { Figures, Violation } from './judge.mts';
import { N8n } from './n8n.mts';
import { scenarios } from './scenario.mts';
import type { Scenario } from './scenario.mts';
import { FORGOTTEN, WORLDS } from './worlds.mts';
import type { World } from './worlds.mts';

/** Seconds in which a gateway, and its queue, is done with an execution: the docs say to wait where a process remembers nothing. */
function settlesSeconds({ lateSeconds = [0], queueSeconds = 30, status = {} }: World): number {
  const { lagSeconds = 0, hiddenSeconds = 0 } = status;
  return Math.max(...lateSeconds) + lagSeconds + hiddenSeconds + queueSeconds;
}

/** Plays one scenario. The violations are without what its world breaks by its nature. */
export async function simulate(product: Product, scenario: Scenario, trace?: string[]) {
  const { world, seed, type, plays, isKeyed, isWarm } = scenario;
  const startedAt = Date.UTC(2026, 0, 1) + seed;
  const clock = new VirtualClock(startedAt);
  product.setClock(clock);
  const gateway = new Gateway(world, clock, seeded(seed));
  const known = { type: 'sms', id: 2 ** 52 + seed };
  gateway.addOlder(known, 'ACCEPTED');
  const n8n = new N8n({
    ...{ product, scenario, gateway, clock },
    trace: (line) => trace?.push(`${((clock.now - startedAt) / 1000).toFixed(2).padStart(9)} ${line()}`),
  });
  const isOver: Array<Promise<void>> = [];

  /** A person presses one button after the other, some while an execution still runs. */
  const press = async (): Promise<void> => {
    let crashed = 0;
    if (isWarm) await n8n.warmUp(known.id);
    for (const play of plays) {
      const isFirst = play === plays[0];
      if (!isFirst) {
        if (!play.isAtOnce) await Promise.all(isOver);
        await clock.sleep(1000 * play.pauseSeconds);
        // A kill ends all executions of the process, not only the last.
        const ended = n8n.executions.filter(({ status }) => status === 'crashed').length;
        if (ended > crashed) await clock.sleep(1000 * settlesSeconds(world));
        crashed = ended;
      }
      const execution = isFirst || (!play.isRetry && isKeyed) ? n8n.begin(play) : n8n.retry(play);
      if (execution) isOver.push(n8n.run(execution));
    }
    await Promise.all(isOver);
  };
  let failure: unknown = new Error('It never ends');
  clock.after(0, () => {
    press().then(
      () => (failure = undefined),
      (error: unknown) => (failure = error),
    );
  });
  await clock.finish();
  if (failure) throw failure;
  const { violations, figures } = judge(n8n.executions, scenario, gateway.facts);
  const isForgotten = type !== 'sms' && n8n.executions.some(({ status }) => status === 'crashed');
  const unkept: readonly string[] = [...(world.breaks ?? []), ...(isForgotten ? FORGOTTEN : [])];
  return { violations: violations.filter(({ promise }) => !unkept.includes(promise)), figures };
}

/** Scenarios that are drawn at a time: the number of a scenario says which draw it is of. */
const BLOCK = 1000;

const placeOf = (number: number) => ({
  block: Math.floor((number - 1) / BLOCK),
  index: (number - 1) % BLOCK,
});

/** Plays scenarios by number, from 1 on; one that is to be traced, in its smallest form that breaks the same promise. */
export function simulation(product: Product, worlds: readonly World[] = WORLDS) {
  const drawn: { block?: number; scenarios: Scenario[] } = { scenarios: [] };
  const shrunk = async (scenario: Scenario, number: number): Promise<Scenario> => {
    const { block, index } = placeOf(number);
    const brokenIn = async (one: Scenario) =>
      (await simulate(product, one)).violations.map(({ promise }) => promise);
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
    const { violations, figures } = await simulate(product, scenario, hasTrace ? trace : undefined);
    return {
      ...{ scenario, trace, figures, messages: scenario.rows.length, requests: figures.requests },
      violations: violations.map(({ promise, words }: Violation) => ({ invariant: promise, words })),
    };
  };
}
