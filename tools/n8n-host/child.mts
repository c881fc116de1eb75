import type { ChildProcess } from 'node:child_process';

/** How a process that a tool has started ends: with the tool, however that ends, or before. */
export interface Child {
  /** Resolves when it has ended, whoever ended it. */
  exited: Promise<void>;

  /** Ends it the polite way, and kills it when it has not ended after 15 seconds. */
  stop(): Promise<void>;

  /** Kills it at once, as a crash would. */
  kill(): Promise<void>;
}

const STOP_LIMIT_MS = 15_000;

/** Follows a process until it has ended, also one that could not be started. */
export function follow(child: ChildProcess): Child {
  const reap = () => child.kill('SIGKILL');
  process.once('exit', reap);
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  }).then(() => void process.off('exit', reap));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return {
    exited,
    async stop() {
      const timer = setTimeout(reap, STOP_LIMIT_MS);
      await end('SIGTERM');
      clearTimeout(timer);
    },
    kill: async () => await end('SIGKILL'),
  };
}
