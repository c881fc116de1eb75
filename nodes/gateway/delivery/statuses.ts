/** From the gateway's status of a message to what it means for a workflow (gateway-api.md, "States and transitions"). */

export const OUTCOMES = ['delivered', 'failed', 'pending', 'read', 'replied', 'unknown'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Classified {
  outcome: Outcome;
  /** Whether the status is the last word on the delivery; a message may still be read or answered. */
  final: boolean;
}

/**
 * The statuses of gateways that speak this contract. The contract itself names REJECTED only. Written with
 * spaces; underscores and dashes are read as such.
 */
const STATUSES: Record<string, Outcome> = {
  ACCEPTED: 'pending',
  QUEUED: 'pending',
  ROUTING: 'pending',
  SENT: 'pending',
  DELIVERED: 'delivered',
  'PARTIALLY DELIVERED': 'delivered',
  READ: 'read',
  SEEN: 'read',
  REPLIED: 'replied',
  EXPIRED: 'failed',
  DELETED: 'failed',
  FILTERED: 'failed',
  REJECTED: 'failed',
  FAILED: 'failed',
  UNDELIVERABLE: 'failed',
  UNDELIVERED: 'failed',
  'NO ROUTE': 'failed',
  'SIM FULL': 'failed',
  'INVALID DESTINATION ADDRESS': 'failed',
  'INVALID SOURCE ADDRESS': 'failed',
};

const FINAL: Record<Outcome, boolean> = {
  delivered: true,
  read: true,
  replied: true,
  failed: true,
  pending: false,
  unknown: false,
};

/** Last channel of each fallback operation: a failure on an earlier one is followed by the next. */
const LAST_CHANNEL: Record<string, string> = { 'viber+sms': 'sms', 'rcs+sms': 'sms', 'rcs+viber+sms': 'sms' };

/** Whether messages of this operation type are tried on another channel when one fails. */
export const isFallbackType = (type: string): boolean => Object.hasOwn(LAST_CHANNEL, type);

interface Statement {
  status?: unknown;
  /** `success` of a callback: true when the message was delivered or read. */
  success?: boolean;
  /** Channel that the statement is about. */
  type?: unknown;
  replies?: unknown;
}

/**
 * Classifies what the gateway says of a message. `sentType` is the operation type with which it was sent, where
 * that is known: in a fallback send the failure of a channel that is not the last is not final.
 */
export function classifyStatus({ status, success, type, replies }: Statement, sentType?: string): Classified {
  const outcome = outcomeOf(normalised(status), success, replies);
  const last = sentType !== undefined && isFallbackType(sentType) ? LAST_CHANNEL[sentType] : undefined;
  const channel = typeof type === 'string' ? type.trim().toLowerCase() : undefined;
  if (
    outcome === 'failed' &&
    last !== undefined &&
    channel !== undefined &&
    channel !== last &&
    channel !== sentType
  ) {
    return { outcome: 'pending', final: false };
  }
  return { outcome, final: FINAL[outcome] };
}

/** The status as the table writes it. */
export const normalised = (status: unknown): string =>
  typeof status === 'string'
    ? status
        .trim()
        .toUpperCase()
        .replace(/[\s_-]+/g, ' ')
    : '';

function outcomeOf(status: string, success: boolean | undefined, replies: unknown): Outcome {
  if (Object.hasOwn(STATUSES, status)) {
    const outcome = STATUSES[status];
    // Replies are news of their own, whatever the delivery status beside them says.
    return Array.isArray(replies) && replies.length > 0 && outcome !== 'failed' ? 'replied' : outcome;
  }
  if (Array.isArray(replies) && replies.length > 0) return 'replied';
  if (success === true) return 'delivered';
  if (success === false && status !== 'UNKNOWN') return 'failed';
  return 'unknown';
}
