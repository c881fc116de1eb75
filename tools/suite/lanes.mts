import { shorten } from './jest-report.mts';
import type { Failure } from './jest-report.mts';

/** A step of the suite. */
export interface Step {
  name: string;

  /** Whether it works with the built package, or may run beside the build. */
  needsBuild: boolean;

  /** Returns what failed. */
  run(): Promise<Failure[]>;
}

/** The result of a step. */
interface StepResult {
  name: string;
  failures: Failure[];
  seconds: number;
}

/** Runs a step, which has failed when it throws; shows the error then. */
export async function runStep({ name, run }: Pick<Step, 'name' | 'run'>): Promise<StepResult> {
  const start = performance.now();
  const failures = await run().catch((error: unknown) => {
    console.error(error);
    return [{ where: name, reason: shorten(String(error)) }];
  });
  return { name, failures, seconds: (performance.now() - start) / 1000 };
}

/**
 * Runs lanes side by side, and the steps of each one after the other, until all of them and the build have ended.
 * Steps that need the build wait for it, and are left out when it fails. Returns the results, the build's first.
 */
export async function runLanes(build: Promise<StepResult>, lanes: Step[][]): Promise<StepResult[]> {
  const inLane = async (steps: Step[]): Promise<StepResult[]> => {
    const results: StepResult[] = [];
    for (const step of steps) {
      if (step.needsBuild && (await build).failures.length > 0) continue;
      results.push(await runStep(step));
    }
    return results;
  };
  const results = await Promise.all(lanes.map(inLane));
  return [await build, ...results.flat()];
}
