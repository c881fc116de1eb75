import type { IDataObject } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { parsePhone } from '../../gateway/numbers/phone';
import { capitalised } from '../../gateway/text/phrases';
import { readCountry } from '../fields/target';
import type { FailedItem, ItemError } from './item-result';
import type { Run } from './run';

/** The texts of an error. */
export type Texts = Pick<ItemError, 'message' | 'description'>;

/** Returns the output of an item that succeeded, behind the columns of its row. */
export const doneJson = (json: IDataObject, own: IDataObject): IDataObject =>
  own === NO_COLUMNS ? json : { ...own, ...json };

/** In place of the columns of a row that aren't shown: one object, since a run may have very many rows. */
export const NO_COLUMNS: IDataObject = {};

/** Returns what became of an item that failed, as its output says it. */
const resultOf = ({ error, state }: Pick<FailedItem, 'error' | 'state'>): string =>
  state ?? (error.kind === 'input' && !error.wholeRun ? 'invalid' : 'notSent');

/** Returns the output of an item that failed, without the columns of its row. `isCheck`: whether the run only checks. */
export function failedJson(run: Run, index: number, failed: FailedItem, isCheck: boolean): IDataObject {
  const { error, json = {} } = failed;
  const { phone = givenPhone(run, index), ...others } = json;
  const number = phone === undefined ? {} : { phone };
  const texts = { error: error.message, what_to_do: whatToDo(run, index, error) };
  return {
    result: resultOf(failed),
    // A table of Check Only has what is wrong next to what is right; any other begins with what all rows have.
    ...(isCheck ? { ...texts, ...number } : { ...number, ...texts }),
    ...others,
  };
}

/** Returns what to do about an error: a clause with the number of the row, as people count. An agent reads it in whole sentences. */
function whatToDo(run: Run, index: number, error: ItemError): string {
  if (isAgentTool(run.context)) return placed(run, index, error).description;
  const { description, todo = description, wholeRun } = error;
  return wholeRun || run.items.length < 2 ? capitalised(todo) : `Row ${index + 1}: ${todo}`;
}

/**
 * Returns the texts of an error with its place, where there are several items: the message with n8n's number, which the editor
 * does not add once more in this form; the description with the row, as people count.
 */
export function placed({ items }: Run, item: number, { message, description, wholeRun }: ItemError): Texts {
  if (wholeRun || items.length < 2) return { message, description };
  return {
    message: `${message} [item ${item}]`,
    description: `Row ${item + 1} of ${items.length}. ${description}`.trimEnd(),
  };
}

/** Returns the number of an item as its message would have it, else as it stands in the form; undefined where the form has none, or can't be read. */
function givenPhone({ form, definition }: Run, index: number): number | string | undefined {
  // A question goes to several people, and a tool of the connector has arguments of its own.
  if (definition.effect === 'ownSwitch') return undefined;
  try {
    const value = form.read('phone', index);
    if (value === undefined) return undefined;
    const parsed = parsePhone(value, readCountry(form.options(index)));
    if (parsed.ok) return parsed.phone;
    return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value ?? '');
  } catch {
    return undefined;
  }
}
