import type { IDataObject } from 'n8n-workflow';

import { withoutSecret } from '../../gateway/callback/address';
import type { NotAccepted } from '../../gateway/client/row';
import type { Endpoint } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import { canonicalStatus } from '../../gateway/delivery/outcomes';
import { explain, policyOf } from '../../gateway/errors/catalogue';
import { shortened } from '../../gateway/text/characters';
import { capitalised, counted, quote, uncapitalised } from '../../gateway/text/phrases';
import { InvalidParameter, quoted } from '../fields/field';
import { sendersOf } from '../fields/pipeline';
import type { Effect } from './description';
import { isMessage } from './description';
import type { Form } from './form';
import type { FailedItem, FailedState, ItemError, ItemResult } from './item-result';
import { isFailed } from './item-result';
import type { Run } from './run';

/** A value as an error shows it: one line, shortened. */
function shown(value: unknown): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  if (whole === undefined) return String(value);
  return shortened(withoutSecret(whole).replace(/\s+/g, ' '), 60);
}

/** Returns how a value is corrected. An expression in a field that is set to Fixed is a text for n8n. */
function adviceOn(form: Form, parameter: string, received: unknown): string {
  const group = form.groupOf(parameter.replaceAll("'", ''));
  const place = group === undefined ? parameter : `${parameter} in ${quoted(group)}`;
  if (isMissing(received)) return `Fill in ${place}`;
  return typeof received === 'string' && received.includes('{{')
    ? `Where ${place} is set to Fixed, switch it to Expression,`
    : `Correct ${place}`;
}

const isMissing = (received: unknown): boolean =>
  received === undefined || received === null || received === '';

/** Returns what became of the item and what to do; takes that as a sentence without its full stop. */
function correct(fix: string, run: Run, endsRun: boolean): string {
  const { effect } = run.definition;
  if (effect === 'reads') return `${fix} and run the node again.`;
  const done = effect === 'changes' ? 'changed' : 'sent';
  const nothing = `Nothing was ${done}${run.mayHaveSent ? ' in this try' : ''}`;
  if (run.items.length < 2) return `${nothing}. ${fix} and run the node again.`;
  if (endsRun) return `${nothing} for any row. ${fix} and run the node again.`;
  // Advice may end with a comma of its own.
  const first = fix.replace(/,$/, '');
  return `${nothing}. ${first}, and run this row again.`;
}

/**
 * Returns the failure of an item that could not be read or may not be sent. Takes what was thrown meanwhile: InvalidParameter, or
 * an error of n8n's engine for an expression that fails; `endsRun`: whether it keeps all other items from being processed.
 */
export function invalidItem(
  run: Run,
  index: number,
  thrown: unknown,
  endsRun = run.stopsAtErrors,
): FailedItem {
  if (!(thrown instanceof InvalidParameter)) return { error: engineError(run, thrown, endsRun) };
  const { parameter, received, advice = adviceOn(run.form, parameter, received) } = thrown;
  const source = cameFrom(thrown, run, index);
  const { headline, sentences } = explained(thrown, source?.told);
  const description = [...sentences.map((one) => `${one}.`), correct(advice, run, endsRun)].join(' ');
  const todo = todoOf(thrown, advice, source?.misnamed);
  return { error: { kind: 'input', message: headline, description, todo } };
}

/**
 * Returns what to do about an invalid parameter, as a clause. Takes the advice, as a sentence without its full stop, and what is
 * wrong with the name of the column from which an empty value was to come.
 */
function todoOf(
  { parameter, received, reason, advice: own }: InvalidParameter,
  advice: string,
  misnamed: string | undefined,
): string {
  if (own === undefined && isMissing(received) && (reason === undefined || reason === 'is empty'))
    return `fill in ${parameter}${misnamed === undefined ? '' : `: ${misnamed}`}`;
  const [, ...fix] = reason?.split('; ') ?? [];
  const sentence = own === undefined && fix.length > 0 ? fix.join(' and ') : advice;
  return uncapitalised(sentence.replace(/,$/, ''));
}

/**
 * Returns the headline of an error, which says what is wrong with this value, and the sentences that follow, without their full
 * stops: what is accepted only where nothing else says how to correct the value. Takes what an empty value was to come from.
 */
function explained(
  { parameter, accepted, received, reason, advice }: InvalidParameter,
  source: string | undefined,
): { headline: string; sentences: string[] } {
  const mustBe = `must be ${accepted}`;
  if (reason === 'is empty' || (isMissing(received) && reason === undefined))
    return { headline: `${parameter} is empty`, sentences: source === undefined ? [] : [source] };
  const value = isMissing(received) ? '' : shown(received);
  const isShort = value !== '' && typeof received !== 'object';
  // The reason tells more of a list than its JSON does.
  const isTold = value === '' || isShort || (Array.isArray(received) && reason !== undefined);
  const last = isTold ? [] : [`Received: ${value}`];
  if (reason === undefined)
    return { headline: `${parameter} ${mustBe}${isShort ? `, not ${value}` : ''}`, sentences: last };
  const [wrong, ...fix] = reason.split('; ');
  return {
    headline: `${parameter} ${wrong}${isShort ? `: ${value}` : ''}`,
    sentences: [
      ...fix.map(capitalised),
      ...(advice !== undefined || fix.length > 0 ? [] : [`It ${mustBe}`]),
      ...last,
    ],
  };
}

/**
 * Says which placeholders of a parameter that is empty are empty, and what is wrong with the name of a column; undefined where none
 * is.
 */
function cameFrom(
  { parameter, entry }: InvalidParameter,
  { form, items, columns }: Run,
  index: number,
): { told: string; misnamed?: string } | undefined {
  const label = /^'([^']+)'/.exec(parameter)?.[1] ?? '';
  const gaps = form
    .flaws(index)
    .filter(
      (one) => one.is === 'empty' && one.parameter.startsWith(entry) && form.isLabelled(one.parameter, label),
    );
  if (gaps.length === 0) return undefined;
  const sources = gaps.map(({ source }) => source).join(' and ');
  const misnamed = columns.meantBy(sources, items[index]?.json);
  return {
    told: `${sources} ${gaps.length === 1 ? 'is' : 'are'} empty${misnamed === undefined ? '' : `, since ${misnamed}`}`,
    misnamed,
  };
}

/** The error of an item whose parameter n8n's engine could not read, in the engine's words. */
function engineError(run: Run, thrown: unknown, endsRun: boolean): ItemError {
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { context, description } = cause as { context?: { parameter?: unknown }; description?: unknown };
  const parameter = context?.parameter;
  const name = typeof parameter === 'string' ? run.form.place(parameter) : undefined;
  const words = cause.message;
  const message = name === undefined || words.includes(name) ? words : `${name} can't be read: ${words}`;
  const fix = name === undefined ? undefined : adviceOn(run.form, name, words);
  const advice = fix === undefined ? '' : correct(fix, run, endsRun);
  return {
    kind: 'input',
    message,
    description: typeof description === 'string' && description !== '' ? description : advice,
    ...(fix !== undefined && { todo: uncapitalised(fix.replace(/,$/, '')) }),
    cause,
  };
}

const isSame = (one: unknown, other: unknown): boolean => one !== undefined && String(one) === String(other);

const NOT_MSG_ID = "Take id in place of msg_id as 'Message ID'";

/** The failure of an item that was refused or has an unknown outcome. Takes its state, and its operation with where that went. */
export function notAcceptedItem(
  { definition: { effect }, items }: Run,
  notAccepted: NotAccepted,
  { operation, endpoint, index }: { operation: WireOperation; endpoint: Endpoint; index?: number },
): FailedItem {
  const { is: state, problem } = notAccepted;
  const isCertain = state !== 'unknown';
  const reported = notAccepted.report?.status;
  const status = canonicalStatus(reported) === '' ? undefined : String(reported).trim();
  const senders = sendersOf(operation);
  const explained = explain(problem, {
    address: endpoint === 'async' ? 'asyncUrl' : 'baseUrl',
    // Where there are several, the gateway doesn't say which of them it refuses.
    ...(senders.length === 1 && { sender: `the sender ${senders[0]}` }),
    isInDoubt: !isCertain,
  });
  const { message, failure } = explained;
  const isWholeRequest = isCertain && policyOf(problem).wholeRequest;
  const isOneOf = policyOf(problem).about === 'sender' && senders.length > 1;
  const advice = isOneOf ? ` Senders of this message: ${senders.join(', ')}.` : '';
  const known = status === undefined ? '' : ` The gateway's status of this message: ${quote(status)}.`;
  const { id, type, phone } = operation;
  const isMsgId =
    type === 'status' && state === 'refused' && index !== undefined && isSame(items[index]?.json.msg_id, id);
  const description = isMsgId ? NOT_MSG_ID : `${explained.description}${advice}${known}`;
  const {
    headline,
    fate,
    todo = isMsgId ? uncapitalised(NOT_MSG_ID) : explained.todo,
  } = FATES[effect][state];
  const asked = isCertain || id === undefined ? '' : ` Its id is ${id}.`;
  const became = isWholeRequest ? FATES[effect].nothing : `${fate}${asked}`;
  return {
    error: {
      kind: 'service',
      message: isWholeRequest ? message : `${headline}${message}`,
      description: `${became} ${description}`.trim(),
      todo,
      ...(failure !== undefined && { failure }),
      ...(isWholeRequest && { wholeRun: true }),
    },
    state,
    json: { id, phone, type, ...(status !== undefined && { status }) },
  };
}

/** Returns the failure of an item that was carried out, but whose one-time password is lost. */
export function incompleteItem(sent: IDataObject): FailedItem {
  return {
    error: {
      kind: 'service',
      message: 'The call was made, but its code is unknown',
      todo: 'run this row again for another call, which costs money',
      description:
        'The gateway tells the code only once, and its answer was lost or had none. To call again, which costs money, run the node again for this row.',
    },
    state: 'unknown',
    json: sent,
  };
}

/** The words for an item that failed. */
interface Fate {
  /** The beginning of the message. */
  headline: string;

  /** The fate of the row beyond what the message says, in sentences. */
  fate: string;

  /** Behind a number of items. */
  counted: string;

  /** The advice on what to do next, where it doesn't depend on the problem. */
  todo?: string;
}

/** The words for all that can become of the items of an operation. */
interface Fates extends Record<FailedState, Fate> {
  /** Behind the number of the items that succeeded. */
  done: string;

  /** Where the account was refused, and nothing was done for any item. */
  nothing: string;
}

const silent = (counted: string, fate = ''): Fate => ({ headline: '', fate, counted });

const SENDS: Fates = {
  done: 'accepted',
  nothing: 'Nothing was sent.',
  refused: silent('refused', 'Nothing was sent.'),
  notSent: { headline: 'Not sent: ', fate: '', counted: 'not sent' },
  unknown: {
    headline: 'Unknown whether this was sent: ',
    fate: 'It was not sent again, since that might send it twice. Look for it with Get Status, or in your gateway account, before you send it again.',
    counted: 'unknown',
    todo: 'ask Get Status about its id before you send it again',
  },
};

/** By the effect of the operation; one with a switch of its own sends. */
const FATES: Record<Effect, Fates> = {
  sends: SENDS,
  ownSwitch: SENDS,
  changes: {
    done: 'carried out',
    nothing: 'Nothing was changed.',
    refused: silent('refused', 'Nothing was changed.'),
    notSent: silent('not carried out', 'Nothing was changed.'),
    unknown: {
      headline: 'Unknown whether this was carried out: ',
      fate: 'It was not tried again. See with Get Many whether it was carried out before you run the node again.',
      counted: 'unknown',
      todo: 'see with Get Many whether it was carried out',
    },
  },
  reads: {
    done: 'answered',
    nothing: '',
    refused: silent('refused'),
    notSent: silent('without an answer'),
    unknown: silent(
      'perhaps billed',
      'The gateway may have looked it up and billed it, so it was not asked again. Another run of the node asks anew.',
    ),
  },
};

/**
 * Counts what became of the items of a run, such as `12 of 20 accepted as 10 messages, 7 not sent, 1 unknown`: the messages are named where
 * rows repeat each other, so that Check Only and the send give the same number. Items that fail by their input count as not sent.
 */
export function countFates(effect: Effect, results: readonly ItemResult[]): string {
  const fates = FATES[effect];
  const failed = results.filter(isFailed);
  const done = results.filter((one) => !isFailed(one) && !one.checked && one.skipped === undefined);
  const counts = (['refused', 'notSent', 'unknown'] as const).flatMap((state) => {
    const { length: count } = failed.filter((one) => (one.state ?? 'notSent') === state);
    return count === 0 ? [] : `${count} ${fates[state].counted}`;
  });
  const { length: messages } = done.filter((one) => !isFailed(one) && one.repeats === undefined);
  const as = messages < done.length ? ` as ${counted(messages, 'message')}` : '';
  return [`${done.length} of ${results.length} ${fates.done}${as}`, ...counts].join(', ');
}

/**
 * Returns the sentence, without its full stop, that tells whoever runs the node in the editor how accepted messages would leave a second
 * time: a step that is executed again is a new execution, which knows of none of them, whereas Retry has their results. Returns none
 * outside the editor, without an accepted row beside a failed one, and with keys, by which each message leaves once.
 */
export function warnOfAnotherStep(run: Run, results: readonly ItemResult[]): string[] {
  const { context, definition, form, stopsAtErrors } = run;
  const isAccepted = (one: ItemResult) => !isFailed(one) && !one.checked && one.skipped === undefined;
  const isMixed = results.some(isFailed) && results.some(isAccepted);
  if (context.getMode() !== 'manual' || !isMessage(definition) || !isMixed) return [];
  if (form.hasOption('sendOnceKey')) return [];
  const again = "'Execute step' sends the accepted messages again";
  // n8n offers no Retry of an execution that went on behind its errors.
  return [stopsAtErrors ? `${again}; 'Retry' in Executions sends only what was not sent` : again];
}
