import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Recipients } from '../../gateway/numbers/recipients';
import { withNames } from '../../gateway/numbers/recipients';
import { beginningOf } from '../../gateway/text/characters';
import type { Form } from '../run/form';
import { Item } from '../run/item';
import type { Run } from '../run/run';
import { lockedAgainst, lockedDeed } from './locks';

/** Characters of JSON that an agent gets for one call. */
const LONGEST_ANSWER = 12_000;

/**
 * Runs an operation for an agent: behind the locks if it sends or deletes, with shortened results, and with errors as text that
 * the model can act on, since a thrown error may end the agent's run. Returns the output items; never throws.
 */
export const answerAgent = async (
  run: Run,
  work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> => bounded(withoutNumbers(run, await answer(run, work)));

async function answer(run: Run, work: () => Promise<INodeExecutionData[]>): Promise<INodeExecutionData[]> {
  try {
    const deed = lockedDeed(run.definition);
    if (deed) {
      const locked = run.items.map((_, index) => lockedAgainst(new Item(run, index), deed));
      if (locked.some((refusal) => refusal !== undefined)) {
        const others = { refused: true, reason: `Nothing was ${deed.done}: another item was not confirmed` };
        return locked.map((refusal, item) => ({ json: refusal ?? others, pairedItem: { item } }));
      }
    }
    return (await work()).map(withErrorText).map((item) => withEdits(run.form, item));
  } catch (thrown) {
    const { message, description } = Object(thrown) as { message?: unknown; description?: unknown };
    return [{ json: failure(message || String(thrown), description), pairedItem: { item: 0 } }];
  }
}

/** Adds both versions of the texts that a reviewer changed: the model would believe that it sent its own. */
function withEdits({ editedTexts }: Form, item: INodeExecutionData): INodeExecutionData {
  if (editedTexts.length === 0) return item;
  const texts = editedTexts.map(({ label, proposed, approved }) => ({ field: label, proposed, approved }));
  return { ...item, json: { ...item.json, edited_by_reviewer: texts } };
}

/** Returns the items with the names of recipients in place of their numbers, which are no model's business. */
function withoutNumbers({ form }: Run, items: INodeExecutionData[]): INodeExecutionData[] {
  const recipients = recipientsOf(form);
  if (recipients === undefined || recipients.people.size === 0) return items;
  return items.map((item) => ({ ...item, json: withNames(recipients, item.json) }));
}

function recipientsOf(form: Form): Recipients | undefined {
  try {
    return form.recipients;
  } catch {
    // Nothing was sent by a list that can't be read, and the answer says so.
    return undefined;
  }
}

/** Joins `error` and `what_to_do` of a failed item (On Error set to continue) into one string. */
function withErrorText(item: INodeExecutionData): INodeExecutionData {
  const { error, what_to_do: advice, ...rest } = item.json;
  if (typeof error !== 'string' || typeof advice !== 'string') return item;
  return { ...item, json: { ...rest, ...failure(error, advice) } };
}

/** Returns a failure in the shape in which the gateway reports one, with the parts of an error as one text. */
function failure(...parts: unknown[]): IDataObject {
  const texts = [...new Set(parts.flatMap((part) => (typeof part === 'string' && part !== '' ? part : [])))];
  const ended = texts.slice(0, -1).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`));
  return { success: false, error: [...ended, ...texts.slice(-1)].join(' ') };
}

/** Returns the items, or one item with the beginning of their JSON as a text, which a model reads as well. */
function bounded(items: INodeExecutionData[]): INodeExecutionData[] {
  const whole = JSON.stringify(items.map(({ json }) => json));
  if (whole.length <= LONGEST_ANSWER) return items;
  const note = `Only the beginning of the result, which has ${whole.length} characters`;
  for (let max = LONGEST_ANSWER; ; max = Math.floor(max * 0.9)) {
    const json = { note, beginning: beginningOf(whole, max) };
    // A quotation mark within the beginning takes two characters of JSON.
    if (JSON.stringify([json]).length <= LONGEST_ANSWER) return [{ json, pairedItem: items[0].pairedItem }];
  }
}
