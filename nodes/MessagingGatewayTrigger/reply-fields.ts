import { hasReply, isStop } from '../gateway/callback/replies';
import { deriveKey, digestOf } from '../gateway/keys/seal';
import type { TriggerEvent } from './address-facts';
import type { TriggerSettings } from './settings';

/** Derives the key of all sessions of an account from its API key, which must not be empty. */
export const deriveSessionKey = (apiKey: string): Buffer => deriveKey(apiKey, 'session v1');

/** 128 bits, so that no two people share a session by chance. */
const SESSION_BYTES = 16;

/**
 * Returns the fields that options add to an event with a reply, as `asOutput` returns it; none for any other event.
 * `sessionId` and `chatInput` are the names by which n8n's agents and memories look for a conversation and its words. `sessionId` is an
 * HMAC under the key of the account: without the API key, nobody finds the number, not even by trying all numbers. Its 32 hexadecimal
 * digits are text to spreadsheets too.
 */
export function replyFields(event: TriggerEvent, { stopWords }: TriggerSettings, sessionKey?: Buffer) {
  if (!hasReply(event)) return {};
  return {
    ...(stopWords && isStop(stopWords, event) && { stop: true }),
    ...(sessionKey && {
      sessionId: digestOf(sessionKey, conversationOf(event)).subarray(0, SESSION_BYTES).toString('hex'),
      chatInput: typeof event.reply === 'string' ? event.reply : '',
    }),
  };
}

/** Characters of a channel that count, far more than any has: each of 1,000 split replies carries the channel of its callback. */
const LONGEST_CHANNEL = 100;

/**
 * Returns what a conversation is: a person on a channel, where the seal of the called address names the number; otherwise a message, by
 * the first identifier of the callback. A number in the body doesn't count, since any caller could put words into anybody's
 * conversation by it.
 */
function conversationOf(event: TriggerEvent): unknown[] {
  const { phone, sent_as: sentAs, type, id, msg_id: messageId, request_id: requestId } = event;
  if (sentAs !== undefined) {
    const channel = typeof type === 'string' ? type : sentAs;
    return ['phone', phone, channel.slice(0, LONGEST_CHANNEL).trim().toLowerCase()];
  }
  if (id !== undefined) return ['id', String(id)];
  return messageId === undefined ? ['request_id', requestId] : ['msg_id', String(messageId)];
}
