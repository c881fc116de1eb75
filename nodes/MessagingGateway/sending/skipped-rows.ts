import type { IDataObject } from 'n8n-workflow';

import type { WireOperation } from '../../gateway/contract/operations';
import type { Item } from '../run/item';
import type { DoneItem } from '../run/item-result';
import type { Run } from '../run/run';
import { SEND_WINDOW, windowsAt } from './send-window';
import { readStopList, STOP_LIST } from './stop-list';

/** Why a row is left out, which is no error. */
export interface Skip extends IDataObject {
  reason: 'stop_list' | 'send_window';

  /** When the window of the row opens next: ISO 8601 with the offset of the recipient's time zone. */
  opens_at?: string;
}

/**
 * Decides whether the operation of a row is left out.
 * @throws InvalidParameter where that can't be told
 */
export type SkipRule = (item: Item, operation: WireOperation) => Skip | undefined;

/**
 * Returns what decides, before anything is sent, which rows of a run are left out; undefined where none can be.
 * @throws NodeOperationError for a list that can't be read
 */
export function skipRule(run: Run): SkipRule | undefined {
  if (![STOP_LIST, SEND_WINDOW].some(({ name }) => run.form.hasOption(name))) return undefined;
  const stopped = readStopList(run);
  const windowOf = windowsAt(run.now());
  return ({ options }, { phone }) => {
    if (phone === undefined) return undefined;
    if (stopped?.has(phone)) return { reason: 'stop_list' };
    const { open, opensAt } = windowOf(options, phone) ?? { open: true };
    return open ? undefined : { reason: 'send_window', opens_at: opensAt };
  };
}

/** Returns the result of a row that is left out: nothing was sent, and nothing failed. */
export const skippedRow = ({ id, type, phone }: WireOperation, skip: Skip, checkOnly: boolean): DoneItem => ({
  jsons: [{ id, type, phone, skipped: true, ...skip }],
  skipped: skip.reason,
  ...(checkOnly && { checked: true }),
});
