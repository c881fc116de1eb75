import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { withoutSecret } from '../../gateway/callback/address';
import type { SendResult } from '../../gateway/client/send';
import { explain } from '../../gateway/errors/catalogue';
import type { Words } from '../../gateway/errors/words';
import { PLAIN_WORDS } from '../../gateway/errors/words';
import { InvalidParameter, quoted } from '../fields/field';
import type { Effect } from './definition';
import type { FailedItem, ItemError } from './item-result';
import type { Run } from './run';

/** A value as an error shows it: one line, shortened. The entries of a list are counted, as JSON of them is hard to read. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'object')) {
    return value.length === 1 ? '1 entry' : `${value.length} entries`;
  }
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  if (whole === undefined) return String(value);
  const text = withoutSecret(whole);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * The other items of a run with an invalid one: there are none, they are held back because of it, or they are
 * processed all the same.
 */
export type OtherItems = 'none' | 'heldBack' | 'processed';

/** What the advice on an invalid item depends on: the labels of the form, and what happens to the other items. */
interface InvalidIn {
  label: Words['label'];
  effect: Effect;
  others: OtherItems;
}

const FOR_WHICH: Record<OtherItems, string> = {
  none: '',
  heldBack: ' for any item',
  processed: ' for this item',
};

function correct(parameter: string, { effect, others }: InvalidIn): string {
  const fix = `Correct the value or the expression of ${parameter}`;
  if (effect === 'reads') return `${fix} and run the node again.`;
  const nothing = `Nothing was ${effect === 'changes' ? 'changed' : 'sent'}${FOR_WHICH[others]}.`;
  return others === 'processed'
    ? `${nothing} ${fix}, and run the node again with this item only: the others were processed.`
    : `${nothing} ${fix} and run the node again.`;
}

/**
 * Returns the failure of an item with invalid parameters. Takes the error thrown while reading them: InvalidParameter,
 * or an error of n8n's engine for an expression that fails.
 */
export function invalidItem(thrown: unknown, where: InvalidIn): FailedItem {
  if (!(thrown instanceof InvalidParameter)) return { error: engineError(thrown, where) };
  const { parameter, accepted, received, reason } = thrown;
  const value = received === undefined || received === '' ? 'It is empty' : `Received: ${shown(received)}`;
  const why = reason === undefined || reason === 'is empty' ? '' : ` It ${reason}.`;
  return {
    error: {
      kind: 'input',
      message: `${parameter} must be ${accepted}`,
      description: `${value}.${why} ${correct(parameter, where)}`,
    },
  };
}

/** The error of an item whose parameter n8n's engine could not read, in the engine's words. */
function engineError(thrown: unknown, where: InvalidIn): ItemError {
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { parameter } = (cause as { context?: { parameter?: unknown } }).context ?? {};
  const { description } = cause as { description?: unknown };
  const name = typeof parameter === 'string' ? quoted(where.label(parameter) ?? parameter) : undefined;
  const words = cause.message;
  const message = name === undefined || words.includes(name) ? words : `${name} can't be read: ${words}`;
  const advice = name === undefined ? '' : correct(name, where);
  return {
    kind: 'input',
    message,
    description: typeof description === 'string' && description !== '' ? description : advice,
    cause,
  };
}

/** A send that the gateway did not accept. */
export type NotAccepted = Exclude<SendResult, { state: 'accepted' }>;

/** What the message of the error doesn't say of a send. */
const FATE: Record<NotAccepted['state'], string> = {
  refused: 'The gateway did not accept this message, so nothing was sent.',
  notSent: '',
  unknown:
    'The gateway may have accepted it, so it was not sent again: that might send it twice. Check it with the operation Get Status and the "id" of this item before you send it again.',
};

const HEADLINE: Record<NotAccepted['state'], string> = {
  refused: '',
  notSent: 'Not sent: ',
  unknown: 'Unknown whether this was sent: ',
};

/** Details of a failed item for its error, in addition to the problem. */
interface Undone {
  /** Identifies the operation. */
  sent: IDataObject;
  /** What the operation would have done. */
  effect: Effect;
  label: Words['label'];
  /** Its senders. Where there are several, the gateway doesn't say which of them it refuses. */
  senders?: string[];
}

/**
 * Returns the failure of an item that the gateway refused or whose outcome is unknown. For a problem of the account
 * the message contains neither item nor id.
 */
export function notAcceptedItem(
  result: NotAccepted,
  { sent, effect, label, senders = [] }: Undone,
): FailedItem {
  const reads = effect === 'reads';
  const words = { ...PLAIN_WORDS, label, sender: senders.length === 1 ? senders[0] : undefined };
  const { code, message, description: advice, failure, account } = explain(result.problem, words);
  const description =
    code === 'sender-not-approved' && senders.length > 1
      ? `${advice} Senders of this message: ${senders.join(', ')}.`
      : advice;
  const { state } = result;
  const isCertain = state !== 'unknown';
  const headline = isCertain && reads ? '' : HEADLINE[state];
  const ofAccount = isCertain && account;
  const isPlain = isCertain && effect !== 'sends';
  const fate = ofAccount ? 'Nothing was sent.' : FATE[state];
  return {
    error: {
      kind: 'service',
      message: ofAccount ? message : `${headline}${message}${idOf(sent)}`,
      description: isPlain ? description : `${fate} ${description}`.trimStart(),
      ...(failure !== undefined && { failure }),
      ...(ofAccount && { wholeRun: true }),
    },
    state,
    json: { ...sent, state },
  };
}

/** Returns the failure of an item that was carried out, but whose result lacks its essential part (`lacking`). */
export function incompleteItem(lacking: string, sent: IDataObject): FailedItem {
  return {
    error: {
      kind: 'service',
      message: `It was carried out, but ${lacking} is unknown${idOf(sent)}`,
      description:
        "The gateway's answer was lost, and the gateway returns this only once. The operation was not repeated because that costs money: to repeat it, run the node again for this item.",
    },
    state: 'unknown',
    json: { ...sent, state: 'unknown' },
  };
}

const idOf = ({ id }: IDataObject): string => (id === undefined ? '' : ` (id ${String(id)})`);

/**
 * Returns the message of an item's error with the item, where there are several. n8n's editor adds the item by itself,
 * unless the message has it in this form.
 */
export const locate = ({ message, wholeRun }: ItemError, run: Run, itemIndex: number): string =>
  wholeRun || run.inputCount < 2 ? message : `${message} [item ${run.inputOf(itemIndex)}]`;

/** Returns n8n's error for an item. All errors of items are created here. */
export function toNodeError(
  run: Run,
  itemIndex: number,
  error: ItemError,
): NodeApiError | NodeOperationError {
  const { kind, description, failure, cause } = error;
  const message = locate(error, run, itemIndex);
  const place = error.wholeRun ? {} : { itemIndex: run.inputOf(itemIndex) };
  if (kind === 'service') {
    const options = { message, description, ...place, ...(failure !== undefined && { failure }) };
    return new NodeApiError(run.node, {}, options);
  }
  if (cause === undefined) return new NodeOperationError(run.node, message, { ...place, description });
  const ofEngine = new NodeOperationError(run.node, cause, place);
  // A copy: the context belongs to the cause, and its template would replace the message in the editor.
  ofEngine.context = { ...ofEngine.context, ...place };
  delete ofEngine.context.messageTemplate;
  ofEngine.message = message;
  if (description !== '') ofEngine.description = description;
  return ofEngine;
}
