import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import type { CallbackFields, CallbackKeys } from '../gateway/callback/sealed-fields';
import { deriveCallbackKeys, openFields, SEAL_PARAMETER } from '../gateway/callback/sealed-fields';
import { meaningOf } from '../gateway/delivery/reports';
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
 * the event itself names, and of no other. What can't be opened, as after a change of the API key or without a credential,
 * doesn't keep an event from starting the workflow.
 */
export async function withCallbackFields(
  context: IWebhookFunctions,
  events: CallbackEvent[],
  sentType: string | undefined,
): Promise<EventWithFields[]> {
  const { [SEAL_PARAMETER]: seal } = context.getQueryData() as Record<string, unknown>;
  if (seal === undefined) return events;
  const keys = await keysOf(context);
  return events.map((event): EventWithFields => {
    const id = event.id ?? event.msg_id;
    const opened = keys && id !== undefined ? openFields(keys, id, seal) : undefined;
    if (opened === undefined) return { ...event, fields_unreadable: true };
    const { phone, fields, sentAs } = opened;
    // The sealed type counts more than the type in the address, which anybody on the way could have written.
    const meaning = sentAs === sentType ? undefined : meaningOf(event, sentAs);
    const hasFields = Object.keys(fields).length > 0;
    return { ...event, ...meaning, phone, ...(hasFields && { fields }), sent_as: sentAs };
  });
}

async function keysOf(context: IWebhookFunctions): Promise<CallbackKeys | undefined> {
  if (context.getNode().credentials?.[CREDENTIAL] === undefined) return undefined;
  try {
    return (await readConnection(context)).derive(deriveCallbackKeys);
  } catch (thrown) {
    context.logger.warn(`The credential of the trigger can't be used: ${(thrown as Error).message}`);
    return undefined;
  }
}
