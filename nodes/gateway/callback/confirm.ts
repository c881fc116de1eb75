import { typedIdentifier } from '../contract/envelope';
import type { Outcome } from '../delivery/statuses';
import { classifyStatus } from '../delivery/statuses';
import { isObject } from './open-body';
import type { CallbackEvent } from './parse';

/** What the gateway may say by now of a message that a callback reported on: the same, or what comes after it. */
const CONFIRMED_BY: Record<Outcome, readonly Outcome[]> = {
  unknown: ['unknown', 'pending', 'delivered', 'read', 'replied', 'failed'],
  pending: ['pending', 'delivered', 'read', 'replied', 'failed'],
  delivered: ['delivered', 'read', 'replied'],
  read: ['read', 'replied'],
  replied: ['replied'],
  failed: ['failed'],
};

/**
 * Whether the answer to `status` (its payload) confirms what a callback says. The status must be the same or one
 * that follows it; `msg_id`, `reply` and the texts of replies must not differ where the gateway tells them.
 * Source: gateway-api.md, `status` and "States and transitions"; its payload is not described there, so that only
 * `status` is relied on.
 */
export function isConfirmed(event: CallbackEvent, payload: unknown): boolean {
  if (!isObject(payload) || typeof payload.status !== 'string') return false;
  const { msg_id: messageId, reply, replies, status, type } = payload;
  const told = classifyStatus({ status, type, replies }).outcome;
  return (
    CONFIRMED_BY[event.outcome].includes(told) &&
    (messageId === undefined || event.msg_id === undefined || typedIdentifier(messageId) === event.msg_id) &&
    (reply === undefined || event.reply === undefined || String(reply) === String(event.reply)) &&
    repliesConfirmed(event, replies)
  );
}

function repliesConfirmed({ replies }: CallbackEvent, told: unknown): boolean {
  if (!Array.isArray(replies) || !Array.isArray(told)) return true;
  const texts = new Set(told.map((reply) => (isObject(reply) ? String(reply.message) : '')));
  return replies.every(({ message }) => texts.has(String(message)));
}
