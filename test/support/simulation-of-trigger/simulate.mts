import { simulation } from '../simulation/outcome.mts';
import { judgeTrigger } from './invariants.mts';
import type { CallPlan } from './scenario.mts';
import { triggerScenarioOf } from './scenario.mts';
import { TriggerWorld } from './world.mts';

/** The last calls, when nothing fails any more, are repeated so often. */
const LAST_TRIES = 20;
const LAST_PATIENCE = 120_000;
const LAST_GAP = 60_000;

/** A gateway calls a trigger. Counts the events, and the calls that n8n handled. */
export const simulateTrigger = simulation(triggerScenarioOf, (stage) => {
  const { scenario, clock } = stage;
  const world = new TriggerWorld(stage);

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
  for (const plan of scenario.strangers) clock.after(Math.max(0, plan.at), () => world.callAs(plan));
  for (const [i, [event, plan]] of [...last].entries()) {
    const repeats = { tries: LAST_TRIES, patience: LAST_PATIENCE, gap: LAST_GAP };
    clock.after(scenario.calmFrom + i * LAST_GAP, () => void call({ ...plan, ...repeats, events: [event] }));
  }
  return {
    judge: (check) => judgeTrigger(world, check),
    counts: () => ({ messages: last.size, requests: world.handled.length }),
  };
});
