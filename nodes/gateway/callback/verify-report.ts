import { typedIdentifier } from '../contract/envelope';
import { follows } from '../delivery/outcomes';
import { classify } from '../delivery/reports';
import { isObject } from './open-body';
import type { CallbackEvent } from './parse';

/**
 * Verifies a callback with the gateway's own answer: the payload of `status` for the same message. Its status must be
 * that of the callback or a later one; `msg_id`, `reply` and the texts of replies must agree where the payload has
 * them. Any other payload verifies nothing.
 * Source: gateway-api.md, `status` and "States and transitions". The payload isn't described there, so only its
 * `status` is relied on.
 */
export function isVerified(event: CallbackEvent, payload: unknown): boolean {
  if (!isObject(payload) || typeof payload.status !== 'string') return false;
  const { msg_id: messageId, reply, replies, status, type } = payload;
  return (
    follows(event.outcome, classify({ status, type, replies }).outcome) &&
    (messageId === undefined || event.msg_id === undefined || typedIdentifier(messageId) === event.msg_id) &&
    (reply === undefined || event.reply === undefined || String(reply) === String(event.reply)) &&
    hasReplies(replies, event)
  );
}

/** Whether the gateway has the replies of an event, or doesn't list replies at all. */
function hasReplies(known: unknown, { replies }: CallbackEvent): boolean {
  if (!Array.isArray(replies) || !Array.isArray(known)) return true;
  const texts = new Set(known.map((reply) => (isObject(reply) ? String(reply.message) : '')));
  return replies.every(({ message }) => texts.has(String(message)));
}
