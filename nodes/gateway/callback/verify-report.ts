import { readReply, replyEntries } from '../contract/callback';
import { typedIdentifier } from '../contract/envelope';
import { isObject } from '../contract/json';
import type { Outcome } from '../delivery/outcomes';
import { follows } from '../delivery/outcomes';
import { classify } from '../delivery/reports';
import { canonicalStatus, REFUSED_STATUS } from '../delivery/statuses';
import type { CallbackEvent } from './parse';

/**
 * What the gateway's own answer means for a callback: it says the same or something later (`confirmed`), it doesn't
 * contradict, but can't show what the callback says (`unconfirmed`), or it says something else, or nothing
 * (`contradicted`).
 */
export type Confirmation = 'confirmed' | 'unconfirmed' | 'contradicted';

/**
 * Compares a callback with the payload of `status` for the same message. Its status must be that of the callback or a
 * later one, and `msg_id` must agree where the payload has it. The same status is unconfirmed where `success` gives it
 * another meaning in the callback. A digit and replies are confirmed by a payload that has them, contradicted by one that
 * has others, and unconfirmed where it has none.
 * Source: gateway-api.md, "Asking for a status" and "Statuses". The payload isn't described there: only `status` counts.
 */
export function compareReport(event: CallbackEvent, payload: unknown): Confirmation {
  if (!isObject(payload) || typeof payload.status !== 'string') return 'contradicted';
  const { msg_id: messageId, replies, reply, status, type } = payload;
  const isLater = follows(statusOutcome(event), classify({ status, type, replies }).outcome);
  const isSame = canonicalStatus(status) !== '' && canonicalStatus(status) === canonicalStatus(event.status);
  const isOther =
    messageId !== undefined && event.msg_id !== undefined && typedIdentifier(messageId) !== event.msg_id;
  if ((!isLater && !isSame) || isOther) return 'contradicted';
  const verdicts = [
    // The same word, which means something else with the callback's `success`: nothing shows that.
    isLater ? 'confirmed' : 'unconfirmed',
    digitVerdict(event, reply),
    ...replyVerdicts(event, replies),
  ];
  const worstFirst = ['contradicted', 'unconfirmed'] as const;
  return worstFirst.find((verdict) => verdicts.includes(verdict)) ?? 'confirmed';
}

/**
 * Whether a callback reports that the gateway refused a send: `status` may not know such a message, since nothing was
 * sent (gateway-api.md, "Callbacks", and "Refusals").
 */
export const isRefusal = ({ outcome, status }: CallbackEvent): boolean =>
  outcome === 'failed' && canonicalStatus(status) === REFUSED_STATUS;

/** The outcome of an event without its replies, which outweigh the status that they come with. */
const statusOutcome = ({ outcome, status }: CallbackEvent): Outcome =>
  outcome === 'replied' ? classify({ status }).outcome : outcome;

/** Forms write an absent value as an empty string. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

function digitVerdict({ reply }: CallbackEvent, known: unknown): Confirmation {
  if (isAbsent(reply)) return 'confirmed';
  if (isAbsent(known)) return 'unconfirmed';
  return String(known) === reply ? 'confirmed' : 'contradicted';
}

function replyVerdicts(event: CallbackEvent, payload: unknown): Confirmation[] {
  const [replies, known] = [event.replies, payload].map((list) =>
    replyEntries(list).map((entry) => readReply(entry)),
  );
  if (replies.length === 0) return [];
  if (known.length === 0) return ['unconfirmed'];
  return replies.map((reply) => {
    const same = known.filter((other) => (other?.message ?? '') === (reply?.message ?? ''));
    if (same.length === 0) return 'contradicted';
    const files = same.map((other) => other?.media?.url);
    if (!reply?.media?.url || files.includes(reply.media.url)) return 'confirmed';
    return files.every(isAbsent) ? 'unconfirmed' : 'contradicted';
  });
}
