/** Whether what the node said of its messages is true, and what it cost: no judge excuses anything. */
import { isBad } from './gateway.mts';
import type { Facts } from './gateway.mts';
import type { Execution, NodeRun, Row } from './n8n.mts';
import type { Scenario } from './scenario.mts';
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

export function judge(
  executions: readonly Execution[],
  { batchSize = 250, isKeyed }: Scenario,
  { taken, older, refusedLater, heardBy }: Facts,
): { violations: Violation[]; figures: Figures } {
  const violations: Violation[] = [];
  const check = (promise: Promised, holds: boolean, words: () => string): boolean => {
    if (!holds) violations.push({ promise, words: words() });
    return holds;
  };
  const figures = { ...NO_FIGURES, scenarios: 1 };

  for (const [phone, takes] of taken) {
    const isTwice = new Set(takes.map(({ execution }) => execution)).size < takes.length;
    check('once', !isTwice, () => `${phone} was taken ${takes.length} times, of one execution`);
    const promise = isKeyed ? 'key' : 'retried';
    check(promise, isTwice || takes.length < 2, () => `${phone} was taken of ${takes.length} executions`);
    figures.twice += takes.length - 1;
  }

  const judgeRow = ({ execution, chain }: Execution, { startedAt }: NodeRun, row: Row, word: unknown) => {
    const { kind, phone, own } = row;
    const takes = taken.get(phone) ?? [];
    const isOlder = word === 'duplicate' && own !== undefined && older.has(own);
    const isTaken = takes.length > 0 || refusedLater.has(phone) || isOlder;
    // What other runs sent with its key was not sent by this one. What another Retry sends meanwhile, its own row says.
    const isSent = takes.some(
      (one) => one.chain === chain && (one.execution === execution || one.leftAt < startedAt),
    );
    const hasHeard = [...(heardBy.get(phone) ?? [])].every((hearer) => hearer === execution);
    const words = () =>
      `${phone} (${kind}) is ${word} in execution ${execution}, and was ${isTaken ? '' : 'not '}taken`;
    const isAccepted = word === 'sent' || word === 'queued' || word === 'duplicate';
    const isRefused = word === 'refused' || word === 'notSent';
    if (!check(hasHeard ? 'accepted' : 'unheard', !isAccepted || isTaken, words)) figures.falseAccepted += 1;
    if (!check('refused', !isRefused || !isSent, words)) figures.falseRefused += 1;
  };

  const judgeRun = (execution: Execution, run: NodeRun): void => {
    const { rows, words, tries } = run;
    // The bounds are for something that has no end.
    for (const { requests, wrong, ms, afterStop } of tries) {
      figures.tries += 1;
      figures.requests += requests;
      figures.ms += ms;
      const mostSeconds = 600 + 200 * wrong + 20 * Math.ceil(rows.length / batchSize);
      check('stop', afterStop === 0, () => `${afterStop} requests left after the stop`);
      // Where the gateway takes few operations at once, each row in doubt is asked about by itself, at the six times of a broken exchange.
      check('requests', requests <= 60 + 10 * rows.length, () => `${requests} for ${rows.length} rows`);
      check('time', ms <= 1000 * mostSeconds, () => `${ms / 1000} s, ${wrong} requests went wrong`);
    }
    // Nobody was told anything of a run that threw, or was killed.
    if (!words) return;
    const isWhole = words.length === rows.length && !words.includes(undefined);
    check('result', isWhole, () => `results: ${words.join()}`);
    for (const [i, row] of rows.entries()) {
      const word = words[i];
      judgeRow(execution, run, row, word);
      if (execution.status === 'canceled' || isBad(row.phone)) continue;
      figures.good += 1;
      if (word === 'unknown') figures.unknown += 1;
      if ((word === 'refused' || word === 'notSent') && !taken.has(row.phone)) figures.unsent += 1;
    }
  };
  for (const execution of executions) for (const run of execution.runs) judgeRun(execution, run);
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
