import { typedIdentifier } from '../contract/envelope';
import type { WireType } from '../contract/operations';
import { channelsOf, hasField, isFallbackType, isWireType } from '../contract/operations';
import type { Outcome } from './outcomes';
import { isFinal } from './outcomes';
import { canonicalStatus, outcomeOfStatus, UNKNOWN_STATUS } from './statuses';

/**
 * What the gateway says of one message: a status callback or the payload of `status`. Of its fields, `status`,
 * `success`, `replies` and `type` (the channel that reports) decide the outcome.
 */
export type Report = Record<string, unknown>;

/** What a report means. */
export interface Classification {
  outcome: Outcome;
  /** Whether delivery is decided; a message may still be read or answered. */
  final: boolean;
}

/**
 * Whether the status of messages of this type goes to the `hook` of their operation: of all types that have the
 * field, except `pipeline` (gateway-api.md, "Events").
 */
export const reportsToHook = (type: WireType): boolean => type !== 'pipeline' && hasField(type, 'hook');

/**
 * Classifies a report. `sentType` is the operation type with which the message was sent, where it is known: in a send
 * with fallback a failure is not final unless it is that of the last channel. Any other value of `sentType` is
 * ignored, since callbacks carry it in from outside.
 */
export function classify(report: Report, sentType?: unknown): Classification {
  const outcome = outcomeOf(report);
  if (outcome === 'failed' && hasNextChannel(report.type, sentType))
    return { outcome: 'pending', final: false };
  return { outcome, final: isFinal(outcome) };
}

function outcomeOf({ status: given, success, replies }: Report): Outcome {
  const status = canonicalStatus(given);
  const outcome = outcomeOfStatus(status);
  // A reply outweighs the delivery status that comes with it, unless that is a failure.
  if (outcome !== 'failed' && Array.isArray(replies) && replies.length > 0) return 'replied';
  if (outcome !== undefined) return outcome;
  if (success === true) return 'delivered';
  if (success === false && status !== UNKNOWN_STATUS) return 'failed';
  return 'unknown';
}

/** Whether the gateway goes on to another channel after a failure on this channel. */
function hasNextChannel(channel: unknown, sentType: unknown): boolean {
  if (typeof channel !== 'string' || !isWireType(sentType) || !isFallbackType(sentType)) return false;
  const failed = channel.trim().toLowerCase();
  return failed !== sentType && failed !== channelsOf(sentType)?.at(-1);
}

/** Joins an output item of a send with the outcome of a message without any report. */
export const withoutReport = <Json extends Record<string, unknown>>(json: Json): Json & Classification => ({
  ...json,
  outcome: 'unknown',
  final: false,
});

/**
 * Joins an output item of a send with a report on its message. The send's own fields stay, and those of the report
 * join them, except for empty ones; `outcome` and `final` say what it means. The report's `type` becomes `channel`,
 * and the `error` of a channel after which another is tried is left out.
 */
export function withReport<Json extends Record<string, unknown>>(
  json: Json,
  report: Report,
): Json & Classification {
  const classification = classify(report, json.type);
  const fields = Object.entries(report).filter(([name, value]) => {
    const isEmpty = value === undefined || value === null;
    return !isEmpty && !OF_THE_SEND.has(name) && (name !== 'error' || classification.final);
  });
  const { type: channel, msg_id: messageId } = report;
  return {
    ...json,
    ...(json.msg_id === undefined && isIdentifier(messageId) && { msg_id: typedIdentifier(messageId) }),
    ...Object.fromEntries(fields),
    ...(typeof channel === 'string' && channel !== '' && { channel }),
    ...classification,
  };
}

const OF_THE_SEND = new Set(['id', 'msg_id', 'type', 'phone', 'request_id', 'outcome', 'final']);

const isIdentifier = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
