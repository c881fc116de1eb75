import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Explanation } from '../../gateway/errors/problem';

/** Why an item failed, as plain data; `toNodeError` (output.ts) turns it into n8n's error. */
export interface ItemError {
  /** `input`: the item could not be sent. `service`: the gateway or the connector failed to do it. */
  kind: 'input' | 'service';
  message: string;
  description: string;

  /** The advice on what to do next, as a clause that begins with a small letter; undefined where the description is short enough. */
  todo?: string;
  failure?: Explanation['failure'];

  /** Set for an error that concerns all items alike, such as one of the account. */
  wholeRun?: true;

  /** The underlying error of n8n's engine. */
  cause?: Error;
}

/** The fate of the row of an item that succeeded; in the output, the first field that the node adds (`result`). */
export type DoneState = 'sent' | 'queued' | 'duplicate' | 'skipped' | 'checked';

/** The fate of the row of an item that failed; in the output, `result` as well. */
export type FailedState = 'refused' | 'notSent' | 'unknown';

/** What the SMS of a row that is only checked would be billed as. */
export interface Bill {
  parts: number;

  /** Names of the characters because of which there aren't fewer parts. */
  costly: readonly string[];
}

/** An item that succeeded. */
export interface DoneItem {
  /** Its output. That of a send begins with `result`, which is a DoneState. */
  jsons: IDataObject[];

  /** Set for a message that another execution has sent: the retried execution, another Retry, or any with the same id. */
  sentBefore?: true;

  /** Set for a row that is only checked. */
  checked?: true;

  /** Set for a row that is only checked and has an SMS. */
  bill?: Bill;

  /** Why the row was skipped (`reason` in its output); undefined for a row that wasn't. */
  skipped?: string;

  /** Of a row that repeats another one of this run: that item, whose result it shares, and what the two have in common. */
  repeats?: { item: number; by: 'key' | 'content' };

  /** The output in the form in which the data of the execution already holds it, so that n8n saves it once. */
  saved?: INodeExecutionData[];
}

/** A sentence of the box above the output, or two of one matter. */
export interface Hint {
  type: 'info' | 'warning';
  text: string;
}

export interface FailedItem {
  error: ItemError;

  /** What became of its operation; undefined where the item itself is wrong, which `result` calls `invalid`. */
  state?: FailedState;

  /** Other fields that accompany the error in the output. */
  json?: IDataObject;
}

export type ItemResult = DoneItem | FailedItem;

/** Returns the result of an item that is the same as another one, which has the result `first`. */
export function repeatedResult(first: ItemResult, repeats: DoneItem['repeats']): ItemResult {
  if ('error' in first) return { ...first, json: { ...first.json, duplicate: true } };
  // A step left the first row out right before it was to leave; the same message to the same number is left out as well.
  if (first.skipped !== undefined) return first;
  return {
    repeats,
    jsons: first.jsons.map((json) => ({ ...json, result: 'duplicate' satisfies DoneState })),
  };
}

export const isFailed = (result: ItemResult): result is FailedItem => 'error' in result;

/** Whether a run only checks: at least one row is checked, and all others are invalid. */
export const isCheckOfAll = (results: readonly object[]): boolean =>
  results.some((result) => 'checked' in result) &&
  results.every((result) => 'checked' in result || ('error' in result && !('state' in result)));
