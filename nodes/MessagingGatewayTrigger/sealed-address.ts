import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallbackEvent } from '../gateway/callback/parse';
import type { CallbackFields } from '../gateway/callback/sealed-fields';
import { deriveCallbackKey, openFields, SEAL_PARAMETER } from '../gateway/callback/sealed-fields';
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
 * the event itself names, and of no other. A seal that can't be opened, as after a change of the API key or without a credential,
 * doesn't keep an event from starting the workflow.
 */
export async function withSealedFields(
  context: IWebhookFunctions,
  events: CallbackEvent[],
): Promise<EventWithFields[]> {
  const { [SEAL_PARAMETER]: seal } = context.getQueryData() as Record<string, unknown>;
  if (seal === undefined) return events;
  const key = await sealKeyOf(context);
  return events.map((event): EventWithFields => {
    const id = event.id ?? event.msg_id;
    const opened = key && id !== undefined ? openFields(key, id, seal) : undefined;
    if (opened === undefined) return { ...event, fields_unreadable: true };
    const { phone, sentAs, fields } = opened;
    const hasFields = Object.keys(fields).length > 0;
    // The sealed type decides the outcome: anybody on the way could have written the type beside the seal.
    return { ...event, ...meaningOf(event, sentAs), phone, ...(hasFields && { fields }), sent_as: sentAs };
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
