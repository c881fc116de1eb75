import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { OperationDescription } from '../run/description';
import { lockedAgainst, lockedDeed } from './locks';

/** The most characters of JSON that an agent receives for one call, and of a single string in it. */
const ANSWER_CHARACTERS = 12_000;
const TEXT_CHARACTERS = 2000;

/**
 * Runs an operation for an agent: behind the locks if it sends or deletes, with shortened results, and with errors as text that
 * the model can act on, since a thrown error may end the agent's run. Returns the output items; never throws.
 */
export async function answerAgent(
  context: IExecuteFunctions,
  definition: OperationDescription,
  run: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
  try {
    const deed = lockedDeed(definition);
    if (deed) {
      const locked = context.getInputData().map((_, item) => lockedAgainst(context, item, deed));
      if (locked.some((refusal) => refusal !== undefined)) {
        const others = { refused: true, reason: `Nothing was ${deed.done}: another item was not confirmed` };
        return locked.map((refusal, item) => ({ json: refusal ?? others, pairedItem: { item } }));
      }
    }
    return shortened((await run()).map(withErrorText));
  } catch (thrown) {
    const { message, description } = Object(thrown) as { message?: unknown; description?: unknown };
    return [{ json: failure(message || String(thrown), description), pairedItem: { item: 0 } }];
  }
}

/** Joins `error` and `message` of a failed item (On Error set to continue) into one string. */
function withErrorText(item: INodeExecutionData): INodeExecutionData {
  const { error, message, ...rest } = item.json;
  if (typeof error !== 'string' || typeof message !== 'string') return item;
  return { ...item, json: { ...rest, ...failure(error, message) } };
}

/** The shape in which the gateway reports failures, with the parts of an error as one string. */
function failure(...parts: unknown[]): IDataObject {
  const texts = new Set(parts.filter((part) => typeof part === 'string' && part !== ''));
  return { success: false, error: [...texts].join('. ').replaceAll(/([.!?])\./g, '$1') };
}

/** The items that fit the limit, with long strings cut; a last item counts the omitted ones. */
function shortened(items: INodeExecutionData[]): INodeExecutionData[] {
  const kept: INodeExecutionData[] = [];
  let size = 0;
  for (const item of items) {
    const json = cut(item.json) as IDataObject;
    size += JSON.stringify(json).length;
    if (size > ANSWER_CHARACTERS && kept.length > 0) {
      const left = items.length - kept.length;
      kept.push({ json: { note: `${left} more results were omitted` }, pairedItem: item.pairedItem });
      break;
    }
    kept.push({ ...item, json });
  }
  return kept;
}

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > TEXT_CHARACTERS ? `${value.slice(0, TEXT_CHARACTERS)}…` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)]));
}
