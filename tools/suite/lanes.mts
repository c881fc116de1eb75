/** A step of the suite. */
export interface Step {
  name: string;
  /** Whether it works with the built package, or may run beside the build. */
  needsBuild: boolean;
  /** Returns whether it passed. */
  run(): Promise<boolean>;
}

/** What became of a step. */
export interface StepResult {
  name: string;
  passed: boolean;
  seconds: number;
}

/**
 * Runs lanes side by side, and the steps of each one after the other, until all of them and the build have ended.
 * Steps that need the build wait for it, and are left out when it fails. A step that throws has failed; `report` takes
 * its error.
 */
export async function runLanes(
  build: Promise<boolean>,
  lanes: Step[][],
  report: (step: Step, error: unknown) => void,
): Promise<StepResult[]> {
  const inLane = async (steps: Step[]): Promise<StepResult[]> => {
    const results: StepResult[] = [];
    for (const step of steps) {
      if (step.needsBuild && !(await build)) continue;
      const start = performance.now();
      const passed = await step.run().catch((error: unknown) => {
        report(step, error);
        return false;
      });
      results.push({ name: step.name, passed, seconds: (performance.now() - start) / 1000 });
    }
    return results;
  };
  const results = await Promise.all(lanes.map(inLane));
  await build;
  return results.flat();
}
