import { VirtualClock } from '../simulation/clock.mts';
import type { Simulate } from '../simulation/outcome.mts';
import { traceOf, violationsAtEnd } from '../simulation/outcome.mts';
import { seeded } from '../simulation/random.mts';
import { triggerViolationsOf } from './invariants.mts';
import type { CallPlan, TriggerScenario } from './scenario.mts';
import { triggerScenarioOf } from './scenario.mts';
import { TriggerWorld } from './world.mts';

/** The last calls, when nothing fails any more, are repeated so often. */
const LAST_TRIES = 20;
const LAST_PATIENCE = 120_000;
const LAST_GAP = 60_000;

/** A gateway calls a trigger. Counts the events, and the calls that n8n handled. */
export const simulateTrigger: Simulate<TriggerScenario> = async (product, seed, hasTrace = false) => {
  const scenario = triggerScenarioOf(seed);
  const clock = new VirtualClock(scenario.startsAt);
  const { lines, trace } = traceOf(clock, hasTrace);
  const world = new TriggerWorld(clock, scenario, { product, random: seeded(seed, 22), trace });

  /** Calls until it gets a success, or gives up. */
  async function call({ events, sentAs, tries, patience, gap }: CallPlan): Promise<void> {
    for (let left = tries; left > 0; left--) {
      const status = await Promise.race([world.call(events, sentAs), clock.sleep(patience)]);
      if (status === 200) return;
      await clock.sleep(gap);
    }
  }

  const last = new Map(scenario.calls.flatMap((plan) => plan.events.map((event) => [event, plan])));
  for (const plan of scenario.calls) clock.after(plan.at, () => void call(plan));
  for (const [i, [event, plan]] of [...last].entries()) {
    const repeats = { tries: LAST_TRIES, patience: LAST_PATIENCE, gap: LAST_GAP };
    clock.after(scenario.calmFrom + i * LAST_GAP, () => void call({ ...plan, ...repeats, events: [event] }));
  }
  const violations = await violationsAtEnd(async () => {
    await clock.finish();
    return triggerViolationsOf(world);
  });
  return {
    scenario,
    violations,
    messages: last.size,
    requests: world.handled.length,
    trace: lines,
  };
};
