import { deliver } from '../../gateway/client/deliver';
import type { Recovery } from '../../gateway/client/doubt';
import type { DeliveryEvents } from '../../gateway/client/events';
import type { FinalState, NotAccepted } from '../../gateway/client/row';
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
export async function sendRows(
  run: Run,
  entries: RowOrResult[],
  { recovery, output }: HowSent,
): Promise<ItemResult[]> {
  const { journal } = run;
  const rows = entries.filter(isRow);
  const mask = secretMasker(rows.flatMap(secretsOf));
  const leftOutNow = closedMeanwhile(run);
  try {
    for await (const event of eventsOf(run, rows, recovery)) {
      if (event.is === 'leaving') {
        if (leftOutNow)
          event.rows = event.rows.filter((row) => {
            const result = leftOutNow(row);
            if (result === undefined) return true;
            journal.noteEnd(row, mask(stateOfStayed(row)));
            entries[row.index] = result;
            return false;
          });
        journal.leave(event.rows, event.departure);
      } else if (event.is === 'doubted') for (const row of event.rows) journal.note(row, mask(row.state));
      else for (const row of event.rows) entries[row.index] = endRow(run, row, mask(row.state), output);
    }
  } finally {
    takeResults(run, entries);
  }
  return entries as ItemResult[];
}

/** Sends rows, those of the queue last. Empties the list. Yields what becomes of the rows. */
async function* eventsOf(run: Run, rows: OutgoingRow[], recovery: Recovery): DeliveryEvents<OutgoingRow> {
  if (rows.length === 0) return;
  const leaving = { sync: [] as OutgoingRow[], async: [] as OutgoingRow[] };
  for (const row of rows) leaving[row.endpoint].push(row);
  rows.length = 0;
  const settings = { ...settingsOf(run), recovery };
  const transport = await run.transport(settings.timeoutMs, leaving.async.length > 0 ? 'async' : 'sync');
  const { knownMessages, departed } = await run.connection();
  const execution = run.context.getExecutionId();
  const unusedIds = () => run.journal.unusedIds();
  const around = { transport, clock: run, knownMessages, departed, execution, unusedIds };
  for (const endpoint of ['sync', 'async'] as const) yield* deliver(leaving[endpoint], settings, around);
}

/** Returns the state of a row that could leave, or leave again, and doesn't: it was certainly not taken, or is in doubt. */
const stateOfStayed = ({ state }: OutgoingRow): NotAccepted =>
  state.is === 'ready' ? { is: 'notSent', problem: { kind: 'cancelled' } } : (state as NotAccepted);

/** Returns the result of a row at its end, and leaves in the journal what a later try has to know. */
function endRow(run: Run, row: OutgoingRow, state: FinalState, output: HowSent['output']): ItemResult {
  const { journal } = run;
  const { index, operation } = row;
  if (state.is !== 'accepted') {
    journal.noteEnd(row, state);
    return notAcceptedItem(run, state, row);
  }
  const { id, phone, type } = operation;
  const sent = { id, phone, type };
  const { payload, requestId, report, duplicate } = state;
  const result = duplicate ? 'duplicate' : row.endpoint === 'async' ? 'queued' : 'sent';
  const jsons = output({ result, sent, payload, requestId, report }, row);
  if (jsons === undefined) {
    // Accepted, but of no use: it must not be repeated, and isn't a success.
    journal.record(index, { sent, isCodeLost: true });
    return incompleteItem(sent);
  }
  if (!Array.isArray(jsons)) {
    journal.forget(index);
    return jsons;
  }
  // The journal and the results share the output, so that that of 10,000 items is held once.
  journal.record(index, { jsons, departures: row.departures });
  return journal.leftHere(row) ? { jsons } : { jsons, sentBefore: true };
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
