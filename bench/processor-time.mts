import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { median } from './statistics.mts';

/** Ids of processes, by what they are. */
export type Pids = Record<string, number>;

/** Seconds of processor time, by process. */
export type Cpu = Record<string, number>;

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

/** Returns what some processes, each with its children, have taken so far, on Linux. */
export function cpuOf(pids: Pids): Cpu {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), timesOf(name)] as const),
  );
  const belongs = (pid: number, root: number): boolean => {
    if (pid === root) return true;
    const parent = all.get(pid)?.parent ?? 0;
    return parent > 1 && belongs(parent, root);
  };
  return mapCpu(pids, (root) =>
    [...all].reduce((sum, [pid, times]) => sum + (belongs(pid, root) ? (times?.seconds ?? 0) : 0), 0),
  );
}

export const mapCpu = (cpu: Cpu, change: (seconds: number, name: string) => number): Cpu =>
  Object.fromEntries(Object.entries(cpu).map(([name, seconds]) => [name, change(seconds, name)]));

export const minus = (cpu: Cpu, other: Cpu): Cpu => mapCpu(cpu, (seconds, name) => seconds - other[name]);

export const total = (cpu: Cpu): number => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

/** Returns the median of each process. Needs one measurement at least. */
export const medianCpu = (all: Cpu[]): Cpu =>
  mapCpu(all[0], (_, name) => median(all.map((cpu) => cpu[name])));

/** Has Linux forget how much memory a process held at most. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Returns the most bytes of the resident set of a process since then. */
export function peakBytesOf(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
}
