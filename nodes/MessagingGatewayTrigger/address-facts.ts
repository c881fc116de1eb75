import type { IWebhookFunctions } from 'n8n-workflow';

import { triggerIn } from '../gateway/callback/address';
import type { CallbackFields } from '../gateway/callback/message-facts';
import {
  deriveCallbackKey,
  openFacts,
  SEAL_PARAMETER,
  SENT_AS_PARAMETER,
} from '../gateway/callback/message-facts';
import type { CallbackBody } from '../gateway/contract/callback';
import type { Meaning } from '../gateway/delivery/reports';
import { meaningOf } from '../gateway/delivery/reports';
import { CREDENTIAL, readConnection } from '../n8n/connection';

/** A callback, the meaning of its status, and what the called address says of the message. */
export type TriggerEvent = CallbackBody &
  Meaning & {
    phone?: number;

    /** The operation type of the send. */
    sent_as?: string;
    fields?: CallbackFields;

    /** Set where the address has a seal that can't be opened for this message. */
    fields_unreadable?: true;
  };

/**
 * Returns the callbacks of a call as events: with their meaning, and with the facts that the called address has sealed for the message
 * that the callback names. An event starts the workflow also where the seal can't be opened, as after a change of the API key or
 * without a credential.
 */
export async function withAddressFacts(
  context: IWebhookFunctions,
  callbacks: CallbackBody[],
): Promise<TriggerEvent[]> {
  const query = context.getQueryData() as Record<string, unknown>;
  const { [SEAL_PARAMETER]: seal, [SENT_AS_PARAMETER]: unsealed } = query;
  // A plus sign that was not encoded arrives as a blank.
  const unsealedType = typeof unsealed === 'string' ? unsealed.replaceAll(' ', '+') : undefined;
  const key = seal === undefined ? undefined : await sealKeyOf(context);
  const open = key && openerOf(context, key);
  return callbacks.map((callback): TriggerEvent => {
    const { id } = callback;
    const opened = id === undefined ? undefined : open?.(id, seal);
    const { phone, sentAs, fields = {} } = opened ?? {};
    return {
      ...callback,
      // The sealed type counts first: anybody on the way could have changed the type beside the seal.
      ...meaningOf(callback, sentAs ?? unsealedType),
      ...(opened && { phone, sent_as: sentAs }),
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(seal !== undefined && !opened && { fields_unreadable: true }),
    };
  });
}

/** Returns the function that opens a seal for a message, in this trigger. */
function openerOf(context: IWebhookFunctions, key: Buffer) {
  const trigger = triggerIn(context.getNodeWebhookUrl('default') ?? '');
  return (id: number | string, seal: unknown) => openFacts(key, { id, trigger }, seal);
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
