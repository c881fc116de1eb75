import type { IDataObject } from 'n8n-workflow';

import { notAcceptedItem } from '../run/item-errors';
import type { DoneItem, DoneState, ItemResult } from '../run/item-result';
import type { OutgoingRow, RowSpare } from '../run/row';
import type { Run } from '../run/run';
import type { WindowOf } from './send-window';
import { SEND_WINDOW, windowsAt, withoutZone } from './send-window';
import { readStopList } from './stop-list';

/** Why a row is left out, which is no error. */
interface Skip extends IDataObject {
  reason: 'stop_list' | 'send_window';

  /** When the window of the row opens next: ISO 8601 with the offset of the recipient's time zone. */
  opens_at?: string;
}

/**
 * Returns the step that leaves out rows before anything is sent.
 * @throws NodeOperationError for a list that can't be read
 */
export function leaveOut(run: Run): RowSpare {
  const stopped = readStopList(run);
  const windowOf = windowsAt(run.now());
  const whyLeftOut = (options: Record<string, unknown>, phone: number): Skip | undefined => {
    if (stopped?.has(phone)) return { reason: 'stop_list' };
    const window = windowOf(options, phone);
    if (window?.open === null) throw withoutZone(phone);
    return window?.open === false ? { reason: 'send_window', opens_at: window.opensAt } : undefined;
  };
  return (row, { options }) => {
    const { phone } = row.operation;
    if (phone === undefined) return undefined;
    const skip = whyLeftOut(options, phone);
    return skip && leftOut(run, row, skip);
  };
}

/** Returns the result of a row that is left out. */
function leftOut(run: Run, row: Readonly<OutgoingRow>, skip: Skip): ItemResult {
  // Not asked about: where the gateway doesn't have the message, it would leave.
  if (row.state.is === 'unknown') return notAcceptedItem(run, row.state, row);
  const { id, phone, type } = row.operation;
  const result = 'skipped' satisfies DoneState;
  const left: DoneItem = { jsons: [{ result, phone, id, type, ...skip }], skipped: skip.reason };
  return row.checkOnly ? { ...left, checked: true } : left;
}

/** Milliseconds for which a window that was open counts as open: batches and limiters may keep a row waiting for hours. */
const OPEN_FOR_MS = 60_000;

/**
 * Returns what judges the Send Window of a row again, right before it leaves: the result of one whose window has closed since the
 * run began, undefined for one that leaves. Undefined where no row has a window.
 */
export function closedMeanwhile(run: Run): ((row: OutgoingRow) => ItemResult | undefined) | undefined {
  if (!run.form.hasOption(SEND_WINDOW.name)) return undefined;
  let judgedAt = run.now();
  let windowOf: WindowOf | undefined;
  return (row) => {
    const now = run.now();
    if (Math.abs(now - judgedAt) > OPEN_FOR_MS) {
      judgedAt = now;
      windowOf = windowsAt(now);
    }
    const { phone } = row.operation;
    if (windowOf === undefined || phone === undefined) return undefined;
    const window = windowOf(run.form.options(row.index), phone);
    return window?.open === false
      ? leftOut(run, row, { reason: 'send_window', opens_at: window.opensAt })
      : undefined;
  };
}
