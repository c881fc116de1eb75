import { readReply, replyEntries, replyList } from '../contract/callback';
import { typedIdentifier } from '../contract/envelope';
import type { WireType } from '../contract/operations';
import { channelsOf, hasField, isFallbackType, isWireType } from '../contract/operations';
import type { Outcome } from './outcomes';
import { arrivalRank, canonicalStatus, isFinal, outcomeOfStatus, REFUSED_STATUS } from './outcomes';

/**
 * A report of the gateway on one message: a status callback, which has `success`, or the payload of `status` without it.
 * Of its fields, `success`, `status`, `replies`, and, in a send with fallback, `type` (the channel that reports) and
 * `msg_id` decide the outcome.
 */
export type Report = Record<string, unknown>;

export interface Classification {
  outcome: Outcome;

  /** Whether delivery is decided; a message may still be read or answered. */
  final: boolean;
}

/** The meaning of a report, which every output has of a message about which the gateway was asked, or reported. */
export interface Meaning extends Classification {
  /** The `success` of the callback; where there is none, whether the message arrived. */
  success: boolean;

  /** Whether the message was delivered, read or replied to. */
  arrived: boolean;
}

/** Whether the status of messages of this type goes to their `hook`; not for `pipeline` (gateway-api.md, "Callbacks"). */
export const reportsToHook = (type: WireType): boolean => type !== 'pipeline' && hasField(type, 'hook');

/** Returns the payload of `status` as a report: a `success` in it isn't that of the message. */
export const reportOfStatus = (payload: Report): Report => ({ ...withList(payload), success: undefined });

/** Returns a report with `replies` as a list where they are one, keyed by index or a single reply. */
function withList<Fields extends Report>(report: Fields): Fields {
  const { replies } = report;
  const list = Array.isArray(replies) ? undefined : replyList(replies);
  return list === undefined ? report : { ...report, replies: list };
}

/**
 * Classifies a report (gateway-api.md, "Callback fields" and "Callbacks"). `sentType` is the operation type with
 * which the message was sent, where it is known: in a send with fallback a failure is not final unless it is that of the
 * last channel, or nothing was sent, which only REJECTED says. Any other value of `sentType` is ignored, since callbacks carry
 * it in from outside. `isAnswer`: the report is an answer of `status`, which also comes before the end: a failure without the name
 * of its channel, or with the type of the send, may be that of the first one.
 */
export function classify(report: Report, sentType?: unknown, isAnswer = false): Classification {
  const outcome = outcomeOf(report);
  if (outcome === 'failed' && isSent(report) && hasNextChannel(report.type, sentType, isAnswer))
    return { outcome: 'pending', final: false };
  return { outcome, final: isFinal(outcome) };
}

/**
 * Whether a message was sent at all, as far as a report on it shows: of a refused request the gateway says REJECTED, in a
 * callback with its `request_id` (gateway-api.md, "Callbacks" and "Statuses"). That `msg_id` is missing alone says nothing,
 * since callbacks need not have it (gateway-api.md, "Callback fields").
 */
function isSent({ status, msg_id, request_id }: Report): boolean {
  const saysRefused = canonicalStatus(status) === REFUSED_STATUS;
  return !saysRefused || (isMessageNumber(msg_id) && !isIdentifier(request_id));
}

/** Returns what an output says of a message after a report; takes what `classify` takes. */
export function meaningOf(report: Report, sentType?: unknown): Meaning {
  return meaningIn(report, classify(report, sentType));
}

function meaningIn({ success }: Report, classification: Classification): Meaning {
  const arrived = arrivalRank(classification.outcome) > 0;
  return { ...classification, success: typeof success === 'boolean' ? success : arrived, arrived };
}

/** `success` decides where a report has it: the contract says what `success` means, and not what most statuses mean. */
function outcomeOf({ status, success, replies }: Report): Outcome {
  const named = outcomeOfStatus(canonicalStatus(status)) ?? 'unknown';
  // A reply outweighs the delivery status that comes with it, unless that is a failure.
  if (named !== 'failed' && replyEntries(replies).length > 0) return 'replied';
  if (success === true) return arrivalRank(named) > 0 ? named : 'delivered';
  if (success === false) return named === 'pending' ? 'pending' : 'failed';
  return named;
}

/** Whether the gateway goes on to another channel after a failure on this channel; `isAnswer` as `classify` takes it. */
function hasNextChannel(channel: unknown, sentType: unknown, isAnswer: boolean): boolean {
  if (!isWireType(sentType) || !isFallbackType(sentType)) return false;
  const failed = typeof channel === 'string' ? channel.trim().toLowerCase() : sentType;
  return failed === sentType ? isAnswer : failed !== channelsOf(sentType)?.at(-1);
}

/**
 * Joins an output item of a send with a report on its message and the meaning of that report. The send's own fields stay;
 * those of the report join them, except for empty ones. The report's `type` becomes `channel`, and the `error` of a channel
 * after which another is tried is left out.
 */
export function withReport<Json extends Record<string, unknown>>(
  json: Json,
  report: Report,
  // A message that was accepted with a `msg_id` was sent, whether or not the report repeats that.
  classification = classify({ msg_id: json.msg_id, ...report }, json.type),
): Json & Meaning {
  const meaning = meaningIn(report, classification);
  const fields = Object.entries(withReply(report)).filter(([name, value]) => {
    const isEmpty = value === undefined || value === null;
    return !isEmpty && !OF_THE_SEND.has(name) && (name !== 'error' || meaning.final);
  });
  const { type: channel, msg_id: messageId } = report;
  return inReadingOrder({
    ...(json.outcome === undefined ? json : withoutReport(json)),
    ...(json.msg_id === undefined && isMessageNumber(messageId) && { msg_id: typedIdentifier(messageId) }),
    ...Object.fromEntries(fields),
    ...(typeof channel === 'string' && channel !== '' && { channel }),
    ...meaning,
  });
}

/** The columns of an output that people look for, in the order in which they read. */
const READ_FIRST = ['id', 'phone', 'outcome', 'arrived', 'reply', 'error', 'status', 'channel'];

/** Returns an output with the same fields, first the fields that people look for. */
export function inReadingOrder<Json extends object>(json: Json): Json {
  const fields = Object.entries(json);
  const first = READ_FIRST.flatMap((name) => fields.filter(([field]) => field === name));
  return Object.assign(Object.fromEntries(first), json) as Json;
}

/** Fields of an earlier report that are wrong beside a later report, since they tell of another outcome. */
const OF_ITS_MOMENT = new Set(['status', 'channel', 'updated', 'error']);

const withoutReport = <Json extends Record<string, unknown>>(json: Json): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !OF_ITS_MOMENT.has(name))) as Json;

/**
 * Returns a report with `replies` as a list, and with what the recipient answered last as `reply`, whether that is a digit or
 * a reply on Viber: the gateway has digits in `reply` and replies in `replies`.
 */
export function withReply<Fields extends Report>(given: Fields): Fields {
  const report = withList(given);
  const { reply, replies } = report;
  if (reply !== undefined && reply !== null && reply !== '') return report;
  const message = readReply(replyEntries(replies).at(-1))?.message;
  return message ? { ...report, reply: message } : report;
}

const OF_THE_SEND = new Set(['id', 'msg_id', 'type', 'phone', 'request_id', 'fields', 'sent_as']);

/** Whether a `msg_id` is the number of a message: gateways say "none" with zero too. */
const isMessageNumber = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'string') && !/^(0*|null|none)$/i.test(String(value).trim());

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
