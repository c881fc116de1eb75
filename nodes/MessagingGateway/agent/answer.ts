import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Recipients } from '../../gateway/numbers/recipients';
import { withNames } from '../../gateway/numbers/recipients';
import { beginningOf } from '../../gateway/text/characters';
import type { Form } from '../run/form';
import { Item } from '../run/item';
import type { Run } from '../run/run';
import { lockedAgainst, lockedDeed } from './locks';

/** The most characters of JSON that an agent receives for one call. */
const ANSWER_CHARACTERS = 12_000;

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

/** The answer about a message whose texts a reviewer changed, with both versions: the model believes it sent its own. */
function withEdits({ editedTexts }: Form, item: INodeExecutionData): INodeExecutionData {
  if (editedTexts.length === 0) return item;
  const texts = editedTexts.map(({ label, proposed, approved }) => ({ field: label, proposed, approved }));
  return { ...item, json: { ...item.json, edited_by_reviewer: texts } };
}

/** The items with the names of recipients in place of their numbers, which are no model's business. */
function withoutNumbers({ form }: Run, items: INodeExecutionData[]): INodeExecutionData[] {
  const recipients = recipientsOf(form);
  if (recipients === undefined || recipients.people.size === 0) return items;
  return items.map((item) => ({ ...item, json: withNames(recipients, item.json) }));
}

function recipientsOf(form: Form): Recipients | undefined {
  try {
    return form.recipients;
  } catch {
    // The answer says so: a list that can't be read lets nothing through.
    return undefined;
  }
}

/** Joins `error` and `what_to_do` of a failed item (On Error set to continue) into one string. */
function withErrorText(item: INodeExecutionData): INodeExecutionData {
  const { error, what_to_do: advice, ...rest } = item.json;
  if (typeof error !== 'string' || typeof advice !== 'string') return item;
  return { ...item, json: { ...rest, ...failure(error, advice) } };
}

/** The shape in which the gateway reports failures, with the parts of an error as one string. */
function failure(...parts: unknown[]): IDataObject {
  const texts = [...new Set(parts.flatMap((part) => (typeof part === 'string' && part !== '' ? part : [])))];
  const ended = texts.slice(0, -1).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`));
  return { success: false, error: [...ended, ...texts.slice(-1)].join(' ') };
}

/** The items as they are, or one item with the beginning of their JSON as a text, which a model reads all the same. */
function bounded(items: INodeExecutionData[]): INodeExecutionData[] {
  const whole = JSON.stringify(items.map(({ json }) => json));
  if (whole.length <= ANSWER_CHARACTERS) return items;
  const note = `Only the beginning of the result, which has ${whole.length} characters`;
  for (let most = ANSWER_CHARACTERS; ; most = Math.floor(most * 0.9)) {
    const json = { note, beginning: beginningOf(whole, most) };
    // A quotation mark within the beginning takes two characters of JSON.
    if (JSON.stringify([json]).length <= ANSWER_CHARACTERS)
      return [{ json, pairedItem: items[0].pairedItem }];
  }
}
