import type { ToolOutcome } from '../../gateway/connector/call-tool';
import { explainConnector } from '../../gateway/connector/explain';
import type { CallFailure } from '../../gateway/connector/problem';
import { explain } from '../../gateway/errors/catalogue';
import { quote } from '../../gateway/errors/explanation';
import type { FailedItem, FailedState, ItemError } from '../run/item-result';
import { SWITCH_ON } from './connector';

interface Words extends Pick<ItemError, 'message' | 'failure'> {
  /** Sentences; empty ones are left out. */
  description: Array<string | undefined>;
  state?: FailedState;
}

function failedItem(itemIndex: number, { message, description, failure, state }: Words): FailedItem {
  return {
    error: {
      kind: 'service',
      message: `[Item ${itemIndex}] ${message}`,
      description: description.filter((sentence) => sentence !== undefined && sentence !== '').join(' '),
      ...(failure !== undefined && { failure }),
    },
    ...(state && { state }),
  };
}

/** The failure of an item for which the connector returned no result; `why` is what is known besides. */
export function failedCall(itemIndex: number, { problem }: CallFailure, why?: string): FailedItem {
  const { message, description, failure } = explainConnector(problem);
  return failedItem(itemIndex, {
    message,
    description: [why && `${why}. ${SWITCH_ON}`, description],
    failure,
  });
}

const ASK_FIRST =
  'It was not called again, since that might send a message twice. Find out whether it was sent before you run this item once more.';

/** The failure of a confirmed call that may or may not have been carried out. */
export function unknownCall(itemIndex: number, tool: string, failed?: CallFailure): FailedItem {
  const explanation = failed && explainConnector(failed.problem);
  const because = explanation ? `: ${explanation.message}` : '';
  return failedItem(itemIndex, {
    message: `It is not known whether the tool ${quote(tool)} was carried out${because}`,
    description: [ASK_FIRST, explanation?.description],
    failure: explanation?.failure,
    state: 'unknown',
  });
}

interface RefusalWords {
  reason: string;
  howTo: string;
  advice?: string;
}

/** The failure of a call that the connector refused to carry out. */
export function refusedCall(
  itemIndex: number,
  tool: string,
  { reason, howTo, advice }: RefusalWords,
): FailedItem {
  const words = reason === '' ? 'no reason given' : reason;
  return failedItem(itemIndex, {
    message: `The connector refused the tool ${quote(tool)}: ${quote(words)}`,
    description: ['Nothing was sent.', advice, howTo && `The connector says what to do: ${quote(howTo)}.`],
  });
}

/** The failure of a call that was not made, because sending is switched off. */
export function switchedOff(itemIndex: number, tool: string, why: string): FailedItem {
  return failedItem(itemIndex, {
    message: `The tool ${quote(tool)} was not called`,
    description: [`${why}.`, SWITCH_ON],
  });
}

/** The failure of a tool that reports it itself. The gateway may have taken a message all the same. */
export function toolFailed(
  itemIndex: number,
  tool: string,
  { text, nothingDone }: Extract<ToolOutcome, { kind: 'failed' }>,
): FailedItem {
  const { description, failure } = explain({ kind: 'envelope', text });
  return failedItem(itemIndex, {
    message: `The tool ${quote(tool)} failed: ${quote(text)}`,
    description: [description],
    failure,
    ...(nothingDone ? {} : { state: 'unknown' }),
  });
}
