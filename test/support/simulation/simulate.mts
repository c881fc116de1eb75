import { scenarioOf } from './draw-scenario.mts';
import { ModelGateway } from './gateway.mts';
import { evidenceOf } from './evidence.mts';
import { judgeSending } from './invariants.mts';
import type { NodeRun } from './n8n.mts';
import { ModelN8n } from './n8n.mts';
import { simulation } from './outcome.mts';

/** Some executions of a workflow send through a gateway. Counts their messages and requests. */
export const simulate = simulation(scenarioOf, (stage) => {
  const { scenario, clock, trace } = stage;
  const gateway = new ModelGateway(stage);
  const runs: NodeRun[] = [];
  const n8n = new ModelN8n({ ...stage, gateway });
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
  return {
    run: async () => await clock.run(workflow()),
    judge: (check) => judgeSending(evidenceOf(scenario, gateway, runs), check),
    counts: () => ({
      messages: runs.reduce((sum, { plan }) => sum + plan.items.length, 0),
      requests: gateway.requests.length,
    }),
  };
});
