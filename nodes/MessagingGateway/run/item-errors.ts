import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Outcome } from '../../gateway/client/outcome';
import { explain } from '../../gateway/errors/catalogue';
import { InvalidParameter, quoted } from '../fields/field';

/** A value as it is shown in an error: one line, shortened. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined ? String(value) : text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const correct = (parameter: string): string =>
  `Nothing was sent for this item. Correct the value or the expression of ${parameter} and run the node again.`;

/** Gives the label that a parameter has in the form, or its name where there is none. */
export type LabelOf = (parameter: string) => string;

/** The error of an item whose parameters can't be sent. Takes what `prepareItems` caught. */
export function parameterError(
  node: INode,
  itemIndex: number,
  problem: unknown,
  labelOf: LabelOf = (parameter) => parameter,
): NodeOperationError {
  if (!(problem instanceof InvalidParameter)) return engineError(node, itemIndex, problem, labelOf);
  const { parameter, accepted, got, reason } = problem;
  const given = got === undefined || got === '' ? 'It is empty' : `It got: ${shown(got)}`;
  const why = reason === undefined || reason === 'is empty' ? '' : ` That ${reason}.`;
  return new NodeOperationError(node, `[Item ${itemIndex}] ${parameter} must be ${accepted}`, {
    itemIndex,
    description: `${given}.${why} ${correct(parameter)}`,
  });
}

/** The error of an item of which n8n's engine could not read a parameter, with the words of the engine. */
function engineError(node: INode, itemIndex: number, problem: unknown, labelOf: LabelOf): NodeOperationError {
  const cause = problem instanceof Error ? problem : new Error(String(problem));
  const words = cause.message;
  const error = new NodeOperationError(node, cause, { itemIndex });
  // A copy: the context is the one of the cause. The editor would show a template in place of the message.
  error.context = { ...error.context, itemIndex };
  delete error.context.messageTemplate;
  const { parameter } = (cause as { context?: { parameter?: unknown } }).context ?? {};
  const label = typeof parameter === 'string' ? quoted(labelOf(parameter)) : undefined;
  const named = label === undefined || words.includes(label) ? words : `${label} can't be read: ${words}`;
  error.message = `[Item ${itemIndex}] ${named}`;
  if (label !== undefined) error.description ??= correct(label);
  return error;
}

type Failed = Exclude<Outcome, { state: 'accepted' }>;

const FATE: Record<Failed['state'], string> = {
  refused: 'The gateway did not take this message.',
  notSent: 'This message was not sent.',
  unknown:
    'The gateway may have taken it, so it was not sent again: that might send it twice. Ask for it with the operation Get Status and the "id" of this item before you send it once more.',
};

const HEADLINE: Record<Failed['state'], string> = {
  refused: '',
  notSent: 'Not sent: ',
  unknown: 'It is not known whether this was sent: ',
};

/** The error of an item that the gateway refused, or of which it is not known what became of it. */
export function outcomeError(node: INode, itemIndex: number, outcome: Failed, id: unknown): NodeApiError {
  const { message, description, failure } = explain(outcome.problem);
  const named = id === undefined ? '' : ` (id ${String(id)})`;
  return new NodeApiError(node, {} as JsonObject, {
    message: `[Item ${itemIndex}] ${HEADLINE[outcome.state]}${message}${named}`,
    description: `${FATE[outcome.state]} ${description}`,
    itemIndex,
    ...(failure !== undefined && { failure }),
  });
}

/**
 * The json of an item that carries its error. n8n sends an item to the error branch, with its input merged in, when
 * its json has no other fields than `error`, `message` and `details`; in the ordinary output the fields of the
 * message stand where those of a sent one do.
 */
export function failedJson(
  { onError }: INode,
  error: NodeOperationError | NodeApiError,
  sent: IDataObject = {},
): IDataObject {
  const words = { error: error.message, message: error.description ?? '' };
  return onError === 'continueErrorOutput' ? { ...words, details: sent } : { ...sent, ...words };
}

export interface Tally {
  accepted: IDataObject[];
  refused: number;
  notSent: number;
  unknown: number;
}

/**
 * Completes the error that stops the node with what became of the other items, so that nothing that was
 * accepted is lost: their ids are in the error's context.
 */
export function withTally(error: NodeApiError, { accepted, refused, notSent, unknown }: Tally): NodeApiError {
  const total = accepted.length + refused + notSent + unknown;
  if (total > 1) {
    const parts = [
      `${accepted.length} of ${total} items were accepted`,
      ...(refused > 0 ? [`${refused} refused`] : []),
      ...(notSent > 0 ? [`${notSent} not sent`] : []),
      ...(unknown > 0 ? [`${unknown} with an unknown outcome`] : []),
    ];
    const rest = 'With Retry On Fail, only what was not accepted is sent again.';
    error.description = `${parts.join(', ')}. ${rest} ${error.description ?? ''}`.trim();
  }
  error.context.accepted = accepted;
  return error;
}
