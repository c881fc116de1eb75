import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks in a second, in which Linux counts (`getconf CLK_TCK`). */
const TICKS = 100;

interface Process {
  parent: number;
  ticks: number;
}

function processOf(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, ...times] = [1, 11, 12, 13, 14].map((field) => Number(fields[field]));
    return { parent, ticks: times.reduce((sum, time) => sum + time, 0) };
  } catch {
    // It has ended meanwhile; its parent has its time.
    return undefined;
  }
}

/** Milliseconds of processor time that a process, its children and theirs have taken, ended ones included. Linux only. */
export function processorTime(pid: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), processOf(name)] as const);
  const isOfTree = (id: number): boolean => {
    if (id === pid) return true;
    const parent = all.find(([other]) => other === id)?.[1]?.parent;
    return parent !== undefined && parent > 1 && isOfTree(parent);
  };
  const ticks = all.reduce((sum, [id, found]) => sum + (found && isOfTree(id) ? found.ticks : 0), 0);
  return (ticks * 1000) / TICKS;
}
