/** Whether what a client said of its messages is true, and what it cost: no judge excuses anything. */
import type { Facts } from './gateway.mts';
import type { Execution, NodeRow, Result } from './node.mts';
import type { Promised } from './worlds.mts';

export interface Violation {
  promise: Promised;
  words: string;
}

/** Counts over scenarios; unknown and good rows that did not leave, of runs that nobody ended. */
export const NO_FIGURES = {
  ...{ scenarios: 0, good: 0, twice: 0, falseAccepted: 0, falseRefused: 0, unknown: 0, unsent: 0 },
  ...{ tries: 0, requests: 0, ms: 0 },
};
export type Figures = typeof NO_FIGURES;

/** Requests of a try, and its seconds: bounds for something that has no end. */
const mostRequests = (rows: number): number => 60 + 5 * rows;
const mostSeconds = (wrong: number, batches: number): number => 600 + 200 * wrong + 20 * batches;

export function judge(
  executions: readonly Execution[],
  { taken, older, bad, refusedLater, heardBy }: Facts,
): { violations: Violation[]; figures: Figures } {
  const violations: Violation[] = [];
  const check = (promise: Promised, holds: boolean, words: () => string): boolean => {
    if (!holds) violations.push({ promise, words: words() });
    return holds;
  };
  const figures = { ...NO_FIGURES, scenarios: 1 };

  for (const { rows, batches, requests, wrong, ms, afterStop } of executions.flatMap(({ tries }) => tries)) {
    figures.tries += 1;
    figures.requests += requests;
    figures.ms += ms;
    check('stop', afterStop === 0, () => `${afterStop} requests left after the stop`);
    check('requests', requests <= mostRequests(rows), () => `${requests} requests for ${rows} rows`);
    check(
      'time',
      ms <= 1000 * mostSeconds(wrong, batches),
      () => `${ms / 1000} s, ${wrong} requests went wrong`,
    );
  }

  for (const [id, senders] of taken) {
    const isTwice = new Set(senders.map(({ execution }) => execution)).size < senders.length;
    check('once', !isTwice, () => `${id} was taken ${senders.length} times, of one execution`);
    check('key', isTwice || senders.length < 2, () => `${id} was taken of ${senders.length} executions`);
    figures.twice += senders.length - 1;
  }

  const judgeRow = ({ execution, chain }: Execution, { kind, operation }: NodeRow, result: Result): void => {
    const { id } = operation;
    const senders = taken.get(id) ?? [];
    const isTaken = senders.length > 0 || refusedLater.has(id) || (result.isDuplicate && older.has(id));
    // What other runs sent with its key was not sent by this one, and what a later Retry sent was not sent yet.
    const isSent = senders.some((one) => one.chain === chain && one.execution <= execution);
    const isRefused = result.is === 'refused' || result.is === 'notSent';
    const hasHeard = [...(heardBy.get(id) ?? [])].every((hearer) => hearer === execution);
    const words = () => `${id} (${kind}) is ${result.is}, and was ${isTaken ? '' : 'not '}taken`;
    if (!check(hasHeard ? 'accepted' : 'unheard', result.is !== 'accepted' || isTaken === true, words))
      figures.falseAccepted += 1;
    if (!check('refused', !isRefused || !isSent, words)) figures.falseRefused += 1;
  };

  for (const execution of executions) {
    const end = execution.tries.at(-1)?.end;
    // Nobody was told anything of it.
    if (end === 'throw' || end === 'kill') continue;
    for (const row of execution.rows) {
      const { id } = row.operation;
      const result = execution.journal.get(row)?.result;
      check('result', result !== undefined, () => `${id} has no result`);
      if (!result) continue;
      judgeRow(execution, row, result);
      if (end || bad.has(id)) continue;
      figures.good += 1;
      if (result.is === 'unknown') figures.unknown += 1;
      if ((result.is === 'refused' || result.is === 'notSent') && !taken.has(id)) figures.unsent += 1;
    }
  }
  return { violations, figures };
}

/** Adds the figures of a scenario to a sum. */
export function add(sum: Figures, figures: Figures): void {
  for (const name of Object.keys(NO_FIGURES) as Array<keyof Figures>) sum[name] += figures[name];
}

/** A table of worlds: events for each 1,000 rows that the gateway would take, and what a try costs. */
export function tableOf(worlds: ReadonlyMap<string, Figures>): string {
  const head = ['twice', 'false accepted', 'false refused', 'unknown', 'good unsent', 'requests', 'seconds'];
  const lines = [...worlds].map(([world, { good, tries, requests, ms, ...events }]) => {
    const counts = [events.twice, events.falseAccepted, events.falseRefused, events.unknown, events.unsent];
    const shares = counts.map((count) => (count === 0 ? '0' : ((1000 * count) / good).toFixed(1)));
    return [world, ...shares, (requests / tries).toFixed(1), (ms / tries / 1000).toFixed(0)];
  });
  const rows = [['world', ...head], ['---', ...head.map(() => '--:')], ...lines];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
