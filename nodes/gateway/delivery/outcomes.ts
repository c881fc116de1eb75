/**
 * The six outcomes of a message (gateway-api.md, "Statuses"), in the order of how much is known and, from `delivered` on, of how
 * far the message got.
 */
export const OUTCOME_NAMES = ['unknown', 'pending', 'failed', 'delivered', 'read', 'replied'] as const;

export type Outcome = (typeof OUTCOME_NAMES)[number];

const orderOf = (outcome: Outcome): number => OUTCOME_NAMES.indexOf(outcome);

/** Whether delivery is decided; a message that arrived may still be read or answered. */
export const isFinal = (outcome: Outcome): boolean => orderOf(outcome) >= orderOf('failed');

/** Whether `after` takes the place of `before`: no outcome is replaced by an outcome of a lower order. */
export const replaces = (before: Outcome, after: Outcome): boolean => orderOf(after) >= orderOf(before);

/** Whether the message was delivered, read or replied to. */
export const hasArrived = (outcome: Outcome): boolean => orderOf(outcome) >= orderOf('delivered');

/**
 * What statuses mean, each in canonical form. The contract lists REJECTED only (gateway-api.md, "Statuses"). The others were seen at
 * gateways of this contract, or are of SMPP, whose words many gateways pass on from operators, also in the short form of receipts.
 */
const STATUSES: Record<string, Outcome> = {
  ACCEPTED: 'pending',
  ACCEPTD: 'pending',
  BUFFERED: 'pending',
  'EN ROUTE': 'pending',
  ENROUTE: 'pending',
  'IN PROGRESS': 'pending',
  PENDING: 'pending',
  PROCESSING: 'pending',
  QUEUED: 'pending',
  ROUTING: 'pending',
  SCHEDULED: 'pending',
  SENDING: 'pending',
  SENT: 'pending',
  SUBMITTED: 'pending',
  WAITING: 'pending',
  DELIVERED: 'delivered',
  DELIVRD: 'delivered',
  'PARTIALLY DELIVERED': 'delivered',
  READ: 'read',
  SEEN: 'read',
  REPLIED: 'replied',
  EXPIRED: 'failed',
  DELETED: 'failed',
  FILTERED: 'failed',
  REJECTED: 'failed',
  REJECTD: 'failed',
  FAILED: 'failed',
  UNDELIVERABLE: 'failed',
  UNDELIVERED: 'failed',
  UNDELIV: 'failed',
  'NO ROUTE': 'failed',
  'SIM FULL': 'failed',
  'INVALID DESTINATION ADDRESS': 'failed',
  'INVALID SOURCE ADDRESS': 'failed',
};

/** The status of a send that the gateway refused (gateway-api.md, "Callbacks"). */
export const REFUSED_STATUS = 'REJECTED';

/** Characters of a status, far more than any has: each of 1,000 split replies carries the status of its callback. */
const LONGEST_STATUS = 200;

/** A status in canonical form: upper case, words separated by single spaces; empty for a longer text, and for anything else. */
export const canonicalStatus = (status: unknown): string =>
  typeof status === 'string' && status.length <= LONGEST_STATUS
    ? status
        .trim()
        .toUpperCase()
        .replace(/[\s_-]+/g, ' ')
    : '';

/** The outcome that a status stands for. */
export function outcomeOfStatus(status: unknown): Outcome {
  const canonical = canonicalStatus(status);
  return Object.hasOwn(STATUSES, canonical) ? STATUSES[canonical] : 'unknown';
}
