import { scenarioOf } from './draw-scenario.mts';
import { ModelGateway } from './gateway.mts';
import { evidenceOf } from './evidence.mts';
import { judgeSending } from './invariants.mts';
import type { NodeRun } from './n8n.mts';
import { ModelN8n } from './n8n.mts';
import type { Simulate } from './outcome.mts';
import { simulation } from './outcome.mts';
import type { Scenario } from './scenario.mts';

/** Some executions of a workflow send through a gateway. Counts their messages and requests. */
export const simulateSending = (draw: (seed: number) => Scenario) =>
  simulation(draw, (stage) => {
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

export const simulate = simulateSending(scenarioOf);

/** Manners of a gateway that can be switched off, to see which of them breaks a promise. */
export const MANNERS = [
  'log',
  'funds',
  'codes',
  'noise',
  'filter',
  'outage',
  'limiter',
  'ownStates',
  'queueTells',
  'restartsAt',
  'limit',
  'pace',
] as const;

/** The same scenarios, by gateways that have only these manners. */
export const simulateOnly = (manners: readonly string[]): Simulate<Scenario> =>
  simulateSending((seed) => {
    const scenario = scenarioOf(seed);
    const { gateway } = scenario;
    const has = (name: (typeof MANNERS)[number]): boolean => manners.includes(name);
    const { limit, pace, ...status } = gateway.status;
    const { funds, filter, outage, limiter, restartsAt, ...others } = gateway;
    return {
      ...scenario,
      gateway: {
        ...others,
        ...(has('funds') && { funds }),
        ...(has('filter') && { filter }),
        ...(has('outage') && { outage }),
        ...(has('limiter') && { limiter }),
        ...(has('restartsAt') && { restartsAt }),
        ...(!has('codes') && { codes: { list: [], rate: 0 } }),
        ...(!has('log') && { log: { ...gateway.log, rate: 0 } }),
        ...(!has('noise') && { noise: [] }),
        ...(!has('ownStates') && { ownStates: false }),
        ...(!has('queueTells') && { queueTells: false }),
        status: {
          ...status,
          ...(!has('noise') && { absence: { ...status.absence, messageId: undefined } }),
          ...(has('limit') && { limit }),
          ...(has('pace') && { pace }),
        },
      },
    };
  });
