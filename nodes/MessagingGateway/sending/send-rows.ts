import type { Recovery } from '../../gateway/client/doubt';
import type { FinalState, RowState } from '../../gateway/client/row';
import { SendLoop } from '../../gateway/client/send';
import { secretMasker } from '../../gateway/text/secrets';
import { incompleteItem, notAcceptedItem } from '../run/item-errors';
import type { ItemResult } from '../run/item-result';
import { isFailed, repeatedResult } from '../run/item-result';
import type { Accepted, OutgoingRow, ResultOf, RowOrResult } from '../run/row';
import { isRow, secretsOf } from '../run/row';
import type { Run } from '../run/run';
import { settingsOf } from '../run/settings';
import { closedMeanwhile } from './skipped-rows';

/** How the rows of an operation are sent. */
interface HowSent {
  recovery: Recovery;

  /**
   * Returns the output of an accepted row, as `ResultOf` does. The journal keeps the output, so it must not contain codes that stay
   * hidden.
   */
  output(accepted: Accepted, row: OutgoingRow): ReturnType<ResultOf>;
}

/**
 * Sends the rows of a run, and finds out what became of each. Takes their list over: each result takes the place of its row, so
 * that texts that were sent can be freed, which are most of what a run holds.
 * @returns one result for each entry of the list, in order
 * @throws NodeOperationError where the credential lacks a usable address
 */
export async function sendRows(run: Run, rows: RowOrResult[], how: HowSent): Promise<ItemResult[]> {
  try {
    if (rows.some(isRow)) await sendAll(run, rows, how);
  } finally {
    takeResults(run, rows);
  }
  return rows as ItemResult[];
}

async function sendAll(run: Run, rows: RowOrResult[], { recovery, output }: HowSent): Promise<void> {
  const leaving = { sync: [] as OutgoingRow[], async: [] as OutgoingRow[] };
  const secrets: string[] = [];
  for (const row of rows) {
    if (!isRow(row)) continue;
    leaving[row.endpoint].push(row);
    secrets.push(...secretsOf(row));
  }
  const settings = settingsOf(run);
  const transport = await run.transport(settings.timeoutMs, leaving.async.length > 0 ? 'async' : 'sync');
  const { knownMessages, departed } = await run.connection();
  const mask = secretMasker(secrets);
  const closed = closedMeanwhile(run);
  for (const endpoint of ['sync', 'async'] as const) {
    const loop = new SendLoop<OutgoingRow>(
      { ...settings, recovery },
      {
        transport,
        knownMessages,
        departed,
        execution: run.context.getExecutionId(),
        unusedIds: () => run.journal.unusedIds(),
        now: () => run.now(),
        sleep: async (milliseconds) => await run.sleep(milliseconds),
        stopped: () => run.isStopped,
        recordState: (row) => recordState(run, row, mask(row.state)),
        settle: (row, state) => {
          rows[row.index] = endRow(run, row, mask(state), output);
        },
        staysBack: (row) => {
          const result = closed?.(row);
          if (result === undefined) return false;
          rows[row.index] = result;
          keepState(run, row, mask(row.state));
          return true;
        },
      },
    );
    await loop.send(leaving[endpoint]);
  }
}

/** Records the state of a row, from which a later try goes on. */
function recordState(run: Run, row: OutgoingRow, state: RowState): void {
  const { index, operation, endpoint, departures } = row;
  const { id, type, phone } = operation;
  const { account } = run;
  run.journal.record(index, { sent: { id, type, phone }, endpoint, account, state, departures });
}

/** Keeps the state of a row that was not accepted, where it has left or may have. */
function keepState(run: Run, row: OutgoingRow, state: RowState): void {
  const { index, departures, mayBeSent } = row;
  if (!departures && !mayBeSent) run.journal.forget(index);
  // A row that would have left again was certainly not taken.
  else
    recordState(run, row, state.is === 'ready' ? { is: 'notSent', problem: { kind: 'cancelled' } } : state);
}

/** Returns the result of a row, which has its final state, and leaves in the journal what a later try has to know. */
function endRow(run: Run, row: OutgoingRow, state: FinalState, output: HowSent['output']): ItemResult {
  const { index, operation } = row;
  if (state.is !== 'accepted') {
    keepState(run, row, state);
    return notAcceptedItem(run, state, row);
  }
  const { id, phone, type } = operation;
  const sent = { id, phone, type };
  const { payload, requestId, report, duplicate } = state;
  const result = duplicate ? 'duplicate' : row.endpoint === 'async' ? 'queued' : 'sent';
  const jsons = output({ result, sent, payload, requestId, report }, row);
  if (jsons === undefined) {
    // Accepted, but of no use: it must not be repeated, and isn't a success.
    run.journal.record(index, { sent, lacking: true });
    return incompleteItem(sent);
  }
  if (!Array.isArray(jsons)) {
    run.journal.forget(index);
    return jsons;
  }
  // The journal and the results share the output, so that that of 10,000 items is held once.
  run.journal.record(index, { jsons });
  return row.leftNow ? { jsons } : { jsons, sentBefore: true };
}

/** Gives the rows that repeat others the results of these. A later try sends none of them: those that were sent are settled. */
function takeResults({ journal }: Run, rows: RowOrResult[]): void {
  rows.forEach((row, index) => {
    if (!('jsons' in row) || !row.repeats || row.jsons.length > 0) return;
    const first = rows[row.repeats.item];
    if (isRow(first)) return;
    const result = repeatedResult(first, row.repeats);
    rows[index] = result;
    if (!isFailed(result) && result.skipped === undefined) journal.record(index, result);
  });
}
