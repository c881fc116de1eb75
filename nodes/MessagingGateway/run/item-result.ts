import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Explanation } from '../../gateway/errors/problem';

/** Why an item failed, as plain data; `toNodeError` (output.ts) turns it into n8n's error. */
export interface ItemError {
  /** `input`: the item could not be sent. `service`: the gateway or the connector failed to do it. */
  kind: 'input' | 'service';
  message: string;
  description: string;
  failure?: Explanation['failure'];

  /** Set for an error that concerns all items alike, such as one of the account. */
  wholeRun?: true;

  /** The underlying error of n8n's engine. */
  cause?: Error;
}

/** An item that succeeded, with its output. */
export interface DoneItem {
  jsons: IDataObject[];
  checked?: true;

  /** Why the row was skipped (`reason` in its output); undefined for a row that wasn't. */
  skipped?: string;

  /** The item of this run whose result it takes, once that is known, and what the two have in common. */
  repeats?: { item: number; by: 'key' | 'content' };

  /** The output in the form in which the data of the execution already holds it, so that n8n saves it once. */
  saved?: INodeExecutionData[];
}

/** A sentence of the box above the output, or two of one matter. */
export interface Hint {
  type: 'info' | 'warning';
  text: string;
}

export type FailedState = 'refused' | 'notSent' | 'unknown';

export interface FailedItem {
  error: ItemError;

  /** A field of the output; undefined where nothing was to be sent. */
  state?: FailedState;

  /** Other fields that accompany the error in the output. */
  json?: IDataObject;
}

export type ItemResult = DoneItem | FailedItem;

/** Returns the result of an item that is the same as another one, which has the result `first`. */
export function repeatedResult(first: ItemResult, repeats: DoneItem['repeats']): ItemResult {
  if ('error' in first) return { ...first, json: { ...first.json, duplicate: true } };
  return { repeats, jsons: first.jsons.map((json) => ({ ...json, duplicate: true })) };
}

export const isFailed = (result: ItemResult): result is FailedItem => 'error' in result;

/** Whether a run sends nothing since Check Only is on for each of its rows that is valid, and one is. */
export const isCheckOfAll = (results: readonly object[]): boolean =>
  results.some((result) => 'checked' in result) &&
  results.every((result) => 'checked' in result || ('error' in result && !('state' in result)));
