import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ROOT } from '../tools/paths.mts';
import { processorSeconds } from './process-times.mts';
import { median } from './statistics.mts';

/** Ids of processes, by what they are. */
export type Pids = Record<string, number>;

/** Seconds of processor time, by process. */
export type Cpu = Record<string, number>;

const COLLECTION_MS = 2000;

/** Node's options for the processes that are measured: they collect their garbage when {@link collectGarbage} asks. */
export const COLLECTS_GARBAGE = `--require "${join(ROOT, 'bench', 'collect-garbage.cjs')}"`;

/** Returns what some processes and their children have taken so far. */
export const cpuOf = (pids: Pids): Cpu => mapCpu(pids, (pid) => processorSeconds([pid]));

export const mapCpu = (cpu: Cpu, change: (seconds: number, name: string) => number): Cpu =>
  Object.fromEntries(Object.entries(cpu).map(([name, seconds]) => [name, change(seconds, name)]));

export const minus = (cpu: Cpu, other: Cpu): Cpu => mapCpu(cpu, (seconds, name) => seconds - other[name]);

export const total = (cpu: Cpu): number => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

/** Returns the median of each process. Needs one measurement at least. */
export const medianCpu = (all: Cpu[]): Cpu =>
  mapCpu(all[0], (_, name) => median(all.map((cpu) => cpu[name])));

/** Lets processes that were started with {@link COLLECTS_GARBAGE} collect all their garbage, and waits until they have. */
export async function collectGarbage(pids: Pids): Promise<void> {
  for (const pid of Object.values(pids)) process.kill(pid, 'SIGUSR2');
  await sleep(COLLECTION_MS);
}
