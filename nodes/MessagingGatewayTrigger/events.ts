import type { IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import { hasReply, textOfReplies } from '../gateway/callback/replies';
import type { CallbackFields } from '../gateway/callback/sealed-fields';
import { deriveCallbackKey, openFields, SEAL_PARAMETER } from '../gateway/callback/sealed-fields';
import { meaningOf } from '../gateway/delivery/reports';
import { deriveKey, digestOf } from '../gateway/keys/seal';
import { CREDENTIAL, readConnection } from '../n8n/connection';

/** A callback with the facts that the send sealed into its address, where there are any. */
export type EventWithFields = CallbackEvent & {
  phone?: unknown;
  fields?: CallbackFields;
  sent_as?: string;

  /** Set where the address carries something that can't be opened for this message. */
  fields_unreadable?: true;
};

/**
 * Returns the events with what the address of the call carries sealed: `phone`, `fields` and `sent_as` of the message that
 * the event itself names, and of no other. A seal that can't be opened, as after a change of the API key or without a credential,
 * doesn't keep an event from starting the workflow.
 */
export async function withCallbackFields(
  context: IWebhookFunctions,
  events: CallbackEvent[],
  sentType: string | undefined,
): Promise<EventWithFields[]> {
  const { [SEAL_PARAMETER]: seal } = context.getQueryData() as Record<string, unknown>;
  if (seal === undefined) return events;
  const key = await sealKeyOf(context);
  return events.map((event): EventWithFields => {
    const id = event.id ?? event.msg_id;
    const opened = key && id !== undefined ? openFields(key, id, seal) : undefined;
    if (opened === undefined) return { ...event, fields_unreadable: true };
    const { phone, fields, sentAs } = opened;
    // The sealed type counts more than the type in the address, which anybody on the way could have written.
    const meaning = sentAs === sentType ? undefined : meaningOf(event, sentAs);
    const hasFields = Object.keys(fields).length > 0;
    return { ...event, ...meaning, phone, ...(hasFields && { fields }), sent_as: sentAs };
  });
}

async function sealKeyOf(context: IWebhookFunctions): Promise<Buffer | undefined> {
  if (context.getNode().credentials?.[CREDENTIAL] === undefined) return undefined;
  try {
    return (await readConnection(context)).derive(deriveCallbackKey);
  } catch (thrown) {
    context.logger.warn(`The credential of the trigger can't be used: ${(thrown as Error).message}`);
    return undefined;
  }
}

/** Derives the key of all sessions of an account from its API key, which must not be empty. */
export const deriveSessionKey = (apiKey: string): Buffer => deriveKey(apiKey, 'session v1');

/**
 * Returns the key of sessions, from the credential of the trigger.
 * @throws NodeOperationError where the credential can't be read or has no API key
 */
export async function readSessionKey(context: IWebhookFunctions): Promise<Buffer> {
  const problem = (message: string) =>
    new NodeOperationError(context.getNode(), message, {
      description: 'Choose a credential with an API key in the trigger, or remove the option.',
    });
  const connection = await readConnection(context).catch((thrown: unknown) => {
    throw problem(`'For AI Agents' can't use the credential: ${(thrown as Error).message}`);
  });
  const key = connection.derive(deriveSessionKey);
  if (key === undefined) throw problem("'For AI Agents' needs an API key, and the credential has none");
  return key;
}

/** 128 bits: no two people share a session by chance. */
const SESSION_BYTES = 16;

/**
 * Returns the fields of an event with a reply that n8n's agents and memories read, by the names that they look for; none for an
 * event without a reply. `sessionId` is an HMAC under the key of the account, as 32 hexadecimal digits, which also
 * spreadsheets take for text: without the API key, no number can be found from it, not even by trying all numbers.
 */
export function agentFields(key: Buffer, event: EventWithFields) {
  if (!hasReply(event)) return {};
  return {
    sessionId: digestOf(key, conversationOf(event)).subarray(0, SESSION_BYTES).toString('hex'),
    chatInput: textOfReplies(event),
  };
}

/**
 * The person who replied and the channel, where the seal of the callback's address names the number: a number that merely stands
 * in the body could put words into the conversation of anybody. Otherwise the message, by the first identifier that it has.
 */
function conversationOf({ phone, sent_as: sentAs, type, ...event }: EventWithFields): unknown[] {
  if (sentAs !== undefined) {
    const channel = typeof type === 'string' && type !== '' ? type : sentAs;
    return ['phone', phone, channel.trim().toLowerCase()];
  }
  const identifier = (['id', 'msg_id', 'request_id'] as const).find((name) => event[name] !== undefined);
  return [identifier, String(event[identifier ?? 'id'])];
}
