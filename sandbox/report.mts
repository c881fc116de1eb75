/**
 * Says on stderr what went wrong in the sandbox itself. For places that nobody waits for, such as timers: an
 * error that left one of those would end the whole process.
 */
export function reportError(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
}

/** Runs something that must not throw out; what it throws is reported. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}
