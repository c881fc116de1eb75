import { replyEntries, replyTexts } from '../contract/callback';
import { isNone, readList, typedIdentifier } from '../contract/envelope';
import type { WireType } from '../contract/operations';
import { channelsOf, hasField, isFallbackType, isWireType } from '../contract/operations';
import { isEmpty } from '../text/json';
import type { Outcome } from './outcomes';
import { canonicalStatus, hasArrived, isFinal, outcomeOfStatus, REFUSED_STATUS } from './outcomes';

/**
 * A report of the gateway on one message: a status callback, which has `success`, or the payload of `status` without it.
 * Of its fields, `success`, `status`, `replies`, and, in a send with fallback, `type` (the channel that reports) and
 * `msg_id` decide the outcome.
 */
export type Report = Record<string, unknown>;

/** The meaning of a report, in every output about a message that the gateway reported, or was asked about. */
export interface Meaning {
  outcome: Outcome;

  /** Whether delivery is decided; a message may still be read or answered. */
  final: boolean;

  /** The `success` of the callback; where there is none, whether the message arrived. */
  success: boolean;

  /** Whether the message was delivered, read or replied to. */
  arrived: boolean;
}

/** Whether the status of messages of this type goes to their `hook`; not for `pipeline` (gateway-api.md, "Callbacks"). */
export const reportsToHook = (type: WireType): boolean => type !== 'pipeline' && hasField(type, 'hook');

/** Returns the payload of `status` as a report: its `success` isn't that of the message, and PHP may key `replies` by index. */
export function reportOfStatus(payload: Report): Report {
  const replies = readList(payload.replies);
  return { ...payload, success: undefined, ...(replies && { replies }) };
}

/**
 * Returns the meaning of a report (gateway-api.md, "Callback fields" and "Callbacks"). `sentAs` is the operation type with
 * which the message was sent, where it is known: in a send with fallback a failure is not final unless it is that of the
 * last channel, or nothing was sent. Any other value of `sentAs` is ignored: anybody may have written the address of a callback.
 */
export function meaningOf(report: Report, sentAs?: unknown): Meaning {
  const named = outcomeOf(report);
  const goesOn = named === 'failed' && isSent(report) && hasNextChannel(report, sentAs);
  const outcome = goesOn ? 'pending' : named;
  const arrived = hasArrived(outcome);
  const success = typeof report.success === 'boolean' ? report.success : arrived;
  return { outcome, final: isFinal(outcome), success, arrived };
}

/** Returns the outcome of a report: its `success` counts more than its status, since the contract says what `success` means. */
function outcomeOf({ status, success, replies }: Report): Outcome {
  const named = outcomeOfStatus(status);
  // A reply outweighs the delivery status beside the reply, except for a failure.
  if (named !== 'failed' && replyEntries(replies).length > 0) return 'replied';
  if (success === true) return hasArrived(named) ? named : 'delivered';
  if (success === false) return named === 'pending' ? 'pending' : 'failed';
  return named;
}

/**
 * Whether a message was sent at all: a refused request is REJECTED, without a message number (gateway-api.md, "Callbacks" and
 * "Statuses"). With any other status, a missing `msg_id` says nothing: callbacks need not have one.
 */
const isSent = ({ status, msg_id: messageId }: Report): boolean =>
  canonicalStatus(status) !== REFUSED_STATUS || !isNone(messageId);

/**
 * Whether the gateway goes on to another channel after the failure that a report tells of. An answer of `status`, which has no
 * `success`, also comes before the end: without the name of a channel, its failure may be that of the first one.
 */
function hasNextChannel({ type: channel, success }: Report, sentAs: unknown): boolean {
  if (!isWireType(sentAs) || !isFallbackType(sentAs)) return false;
  const failed = typeof channel === 'string' ? channel.trim().toLowerCase() : sentAs;
  return failed === sentAs ? success === undefined : failed !== channelsOf(sentAs)?.at(-1);
}

/** Fields that are the send's to say: a report doesn't change them. */
const OF_THE_SEND = new Set(['id', 'msg_id', 'type', 'phone', 'request_id', 'fields', 'sent_as']);

/** Fields of a report that go when a later report comes, since they tell of its outcome alone. */
const OF_ITS_MOMENT = new Set(['status', 'channel', 'updated', 'error']);

/**
 * Joins an output item of a send with a report on its message and the meaning of that report. The send's own fields stay,
 * and the fields of the report that aren't empty join them. The report's `type` becomes `channel`, and the `error` of a channel
 * after which another is tried is left out.
 */
export function withReport<Json extends Report>(json: Json, report: Report): Json & Meaning {
  const { type: channel, msg_id: messageId } = report;
  // The `msg_id` of the send proves that the message was sent, where the report doesn't repeat it.
  const meaning = meaningOf({ msg_id: json.msg_id, ...report }, json.type);
  // Without an `outcome`, the item is the send's alone, whose `status` or `error` no later report makes wrong.
  const earlier = Object.entries(json).filter(
    ([name]) => json.outcome === undefined || !OF_ITS_MOMENT.has(name),
  );
  const said = Object.entries(report).filter(
    ([name, value]) => !isEmpty(value) && !OF_THE_SEND.has(name) && (name !== 'error' || meaning.final),
  );
  // The row's own columns, and `result` behind them, stay in front of the fields that people look for.
  const resultAt = earlier.findIndex(([name]) => name === 'result');
  const front = resultAt === -1 ? [] : earlier.slice(0, resultAt + 1);
  const output = asOutput({
    ...Object.fromEntries(earlier),
    ...(isNone(json.msg_id) && !isNone(messageId) && { msg_id: typedIdentifier(messageId) }),
    ...Object.fromEntries(said),
    ...(typeof channel === 'string' && channel !== '' && { channel }),
    ...meaning,
  });
  return { ...Object.fromEntries(front), ...output } as Json & Meaning;
}

/** The columns of an output that people look for, in the order in which they read. */
const READ_FIRST = ['phone', 'id', 'outcome', 'arrived', 'reply', 'error', 'status', 'channel'];

/**
 * Returns the fields of a report as an output has them: `reply` is the last answer, also where that came as one of the `replies`
 * of Viber and not as a digit; fields that people look for come first.
 */
export function asOutput<Fields extends Report>(fields: Fields): Fields {
  const [text] = replyTexts(replyEntries(fields.replies).slice(-1));
  const output = text === undefined ? fields : { ...fields, reply: text };
  const first = READ_FIRST.flatMap((name) => (Object.hasOwn(output, name) ? [[name, output[name]]] : []));
  return { ...Object.fromEntries(first), ...output };
}
