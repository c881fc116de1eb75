import { VirtualClock } from './clock.mts';
import { scenarioOf } from './draw-scenario.mts';
import { ModelGateway } from './gateway.mts';
import { violationsOf } from './invariants.mts';
import type { NodeRun } from './n8n.mts';
import { execute } from './n8n.mts';
import type { Product } from './product.mts';
import { seeded } from './random.mts';
import type { Scenario } from './scenario.mts';

/** A promise of the node that did not hold: the name of the invariant, and what happened. */
export interface Violation {
  invariant: string;
  words: string;
}

export interface Simulation {
  scenario: Scenario;
  violations: Violation[];
  /** Messages that were to be sent, and requests that were made. */
  messages: number;
  requests: number;
  /** What happened, line by line; empty unless asked for. */
  trace: string[];
}

/** Runs what one seed decides: some executions of a workflow that sends through a gateway. Nothing but the seed counts. */
export async function simulate(product: Product, seed: number, hasTrace = false): Promise<Simulation> {
  const scenario = scenarioOf(seed);
  const clock = new VirtualClock(scenario.startsAt);
  const lines: string[] = [];
  const trace = (line: () => string): void => {
    if (hasTrace) lines.push(`${((clock.now - scenario.startsAt) / 1000).toFixed(3).padStart(9)} ${line()}`);
  };
  product.setClock(clock);
  const gateway = new ModelGateway(clock, seeded(seed, 2), scenario.gateway, trace);
  const runs: NodeRun[] = [];
  const violations: Violation[] = [];
  const workflow = async (): Promise<void> => {
    for (const [execution, plan] of scenario.executions.entries()) {
      if (plan.delay > 0) await clock.sleep(plan.delay);
      runs.push(...(await execute({ clock, gateway, product, trace }, plan, execution)));
    }
  };
  try {
    await clock.run(workflow());
    // What the gateway is still at work on.
    await clock.finish();
    violations.push(...violationsOf(scenario, gateway, runs));
  } catch (error) {
    const { name, message, stack = '' } = error as Error;
    violations.push({ invariant: 'ends', words: `${name}: ${message}\n${stack}` });
  }
  return {
    scenario,
    violations,
    messages: runs.reduce((sum, { plan }) => sum + plan.items.length, 0),
    requests: gateway.requests.length,
    trace: lines,
  };
}
