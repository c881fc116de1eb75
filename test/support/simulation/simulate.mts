import { VirtualClock } from './clock.mts';
import { scenarioOf } from './draw-scenario.mts';
import { ModelGateway } from './gateway.mts';
import { violationsOf } from './invariants.mts';
import type { NodeRun } from './n8n.mts';
import { ModelN8n } from './n8n.mts';
import type { Simulate } from './outcome.mts';
import { traceOf, violationsAtEnd } from './outcome.mts';
import { seeded } from './random.mts';
import type { Scenario } from './scenario.mts';

/** Some executions of a workflow send through a gateway. Counts their messages and requests. */
export const simulate: Simulate<Scenario> = async (product, seed, hasTrace = false) => {
  const scenario = scenarioOf(seed);
  const clock = new VirtualClock(scenario.startsAt);
  const { lines, trace } = traceOf(clock, hasTrace);
  product.setClock(clock);
  const gateway = new ModelGateway(clock, seeded(seed, 2), scenario.gateway, trace);
  const runs: NodeRun[] = [];
  const n8n = new ModelN8n({ clock, gateway, product, trace });
  for (const { at, by } of scenario.clockSteps) {
    clock.after(
      at,
      () => {
        trace(() => `the clock is set by ${by} ms`);
        clock.offset += by;
      },
      true,
    );
  }
  const workflow = async (): Promise<void> => {
    for (const plan of scenario.executions) {
      if (plan.delay > 0) await clock.sleep(plan.delay);
      runs.push(...(await n8n.execute(plan)));
    }
  };
  const violations = await violationsAtEnd(async () => {
    await clock.run(workflow());
    // What the gateway is still at work on.
    await clock.finish();
    return violationsOf(scenario, gateway, runs);
  });
  return {
    scenario,
    violations,
    messages: runs.reduce((sum, { plan }) => sum + plan.items.length, 0),
    requests: gateway.requests.length,
    trace: lines,
  };
};
