import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ToolOutcome } from '../../gateway/connector/call-tool';
import { explainConnector } from '../../gateway/connector/explain';
import type { Failed } from '../../gateway/connector/problem';
import { explain } from '../../gateway/errors/catalogue';
import { quote } from '../../gateway/errors/explanation';
import { SWITCH_ON } from './connector';

interface Words {
  message: string;
  /** Sentences; empty ones are left out. */
  description: Array<string | undefined>;
  failure?: ReturnType<typeof explainConnector>['failure'];
}

function apiError(node: INode, itemIndex: number, { message, description, failure }: Words): NodeApiError {
  return new NodeApiError(node, {} as JsonObject, {
    message: `[Item ${itemIndex}] ${message}`,
    description: description.filter((sentence) => sentence !== undefined && sentence !== '').join(' '),
    itemIndex,
    ...(failure !== undefined && { failure }),
  });
}

/** The error of an item for which the connector gave no result; `why` is what is known beside that. */
export function failedError(node: INode, itemIndex: number, { problem }: Failed, why?: string): NodeApiError {
  const { message, description, failure } = explainConnector(problem);
  return apiError(node, itemIndex, {
    message,
    description: [why && `${why}. ${SWITCH_ON}`, description],
    failure,
  });
}

const ASK_FIRST =
  'It was not called again, since that might send a message twice. Find out whether it was sent before you run this item once more.';

/** The error of a confirmed call of which it is not known whether it was carried out. */
export function unknownError(node: INode, itemIndex: number, tool: string, failed?: Failed): NodeApiError {
  const explanation = failed && explainConnector(failed.problem);
  const because = explanation ? `: ${explanation.message}` : '';
  return apiError(node, itemIndex, {
    message: `It is not known whether the tool ${quote(tool)} was carried out${because}`,
    description: [ASK_FIRST, explanation?.description],
    failure: explanation?.failure,
  });
}

/** The error of a call that the connector refused to carry out. */
export function refusedError(
  node: INode,
  itemIndex: number,
  tool: string,
  { reason, howTo }: Extract<ToolOutcome, { kind: 'refused' }>,
  advice: string | undefined,
): NodeApiError {
  const said = reason === '' ? 'no reason given' : reason;
  return apiError(node, itemIndex, {
    message: `The connector refused the tool ${quote(tool)}: ${quote(said)}`,
    description: ['Nothing was sent.', advice, howTo && `The connector says what to do: ${quote(howTo)}.`],
  });
}

/** The error of a call that was not made, because sending is switched off. */
export function switchedOffError(node: INode, itemIndex: number, tool: string, why: string): NodeApiError {
  return apiError(node, itemIndex, {
    message: `The tool ${quote(tool)} was not called`,
    description: [`${why}.`, SWITCH_ON],
  });
}

/** The error of a tool that says itself that it failed. */
export function toolError(node: INode, itemIndex: number, tool: string, text: string): NodeApiError {
  const { description, failure } = explain({ kind: 'envelope', text });
  return apiError(node, itemIndex, {
    message: `The tool ${quote(tool)} failed: ${quote(text)}`,
    description: [description],
    failure,
  });
}
