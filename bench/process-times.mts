import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks in a second, as Linux counts the times of processes for everybody. */
const TICKS = 100;

interface Times {
  parent: number;
  seconds: number;
}

function timesOf(pid: string): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold anything, so the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    // It ended in the meantime.
    return undefined;
  }
}

/** Returns the seconds of processor time that some processes and their children have taken so far, on Linux. */
export function processorSeconds(pids: number[]): number {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), timesOf(name)] as const),
  );
  const belongs = (pid: number): boolean => {
    if (pids.includes(pid)) return true;
    const parent = all.get(pid)?.parent ?? 0;
    return parent > 1 && belongs(parent);
  };
  return [...all].reduce((sum, [pid, times]) => sum + (belongs(pid) ? (times?.seconds ?? 0) : 0), 0);
}
