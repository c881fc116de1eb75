import type { IDataObject } from 'n8n-workflow';

import { notAcceptedItem } from '../run/item-errors';
import type { DoneItem } from '../run/item-result';
import type { Step } from '../run/row';
import type { Run } from '../run/run';
import { SEND_WINDOW, windowsAt, withoutZone } from './send-window';
import { readStopList, STOP_LIST } from './stop-list';

/** Why a row is left out, which is no error. */
interface Skip extends IDataObject {
  reason: 'stop_list' | 'send_window';

  /** When the window of the row opens next: ISO 8601 with the offset of the recipient's time zone. */
  opens_at?: string;
}

/**
 * Returns the step that leaves out rows before anything is sent; undefined where none can be.
 * @throws NodeOperationError for a list that can't be read
 */
export function leaveOut(run: Run): Step | undefined {
  if (![STOP_LIST, SEND_WINDOW].some(({ name }) => run.form.hasOption(name))) return undefined;
  const stopped = readStopList(run);
  const windowOf = windowsAt(run.now());
  const whyLeftOut = (options: Record<string, unknown>, phone: number): Skip | undefined => {
    if (stopped?.has(phone)) return { reason: 'stop_list' };
    const window = windowOf(options, phone);
    if (window?.open === null) throw withoutZone(phone);
    return window?.open === false ? { reason: 'send_window', opens_at: window.opensAt } : undefined;
  };
  return (row, { options }) => {
    const { id, phone, type } = row.operation;
    if (phone === undefined) return undefined;
    const skip = whyLeftOut(options, phone);
    if (skip === undefined) return undefined;
    // Not asked about: where the gateway doesn't have the message, it would leave.
    if (row.state.is === 'unknown') return notAcceptedItem(run, row.state, row);
    const left: DoneItem = { jsons: [{ id, phone, skipped: true, ...skip, type }], skipped: skip.reason };
    return row.checkOnly ? { ...left, checked: true } : left;
  };
}
