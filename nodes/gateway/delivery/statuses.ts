import type { Outcome } from './outcomes';

/**
 * Statuses in canonical form: of gateways with this contract, which lists REJECTED only (gateway-api.md, "Statuses"), and of
 * SMPP, whose words many gateways pass on from operators, also in the short form of its receipts.
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

/** A status in canonical form: upper case, words separated by single spaces; empty where it isn't a string. */
export const canonicalStatus = (status: unknown): string =>
  typeof status === 'string'
    ? status
        .trim()
        .toUpperCase()
        .replace(/[\s_-]+/g, ' ')
    : '';

/** The outcome that a status in canonical form stands for; undefined for an unlisted one. */
export const outcomeOfStatus = (status: string): Outcome | undefined =>
  Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
