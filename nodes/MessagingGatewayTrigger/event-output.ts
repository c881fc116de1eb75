import type { IDataObject } from 'n8n-workflow';

import { isReservedName } from '../gateway/callback/parse';
import { asOutput } from '../gateway/delivery/reports';
import type { TriggerEvent } from './address-facts';
import { replyFields } from './reply-fields';
import type { TriggerSettings } from './settings';

/**
 * Returns the output of an event: what happened, to whom, the Callback Fields each as a column of its own, the reply, then the rest.
 * A Callback Field with the name of a column that the node or the contract gives is in `fields` alone, where all of them are. One with
 * the name of any other field of the body takes its place, since anybody may have written the body.
 */
export function eventOutput(
  event: TriggerEvent,
  settings: TriggerSettings,
  sessionKey?: Buffer,
): IDataObject {
  const output = asOutput(event);
  const { outcome, phone, reply, ...rest } = output;
  const own = Object.entries(event.fields ?? {}).filter(([name]) => !isReservedName(name));
  const first = { outcome, ...(phone !== undefined && { phone }), ...Object.fromEntries(own) };
  return {
    ...first,
    ...(reply !== undefined && { reply }),
    ...rest,
    // Again, over fields of the body with these names; the place stays that of the first time.
    ...Object.fromEntries(own),
    ...replyFields(output, settings, sessionKey),
  } as IDataObject;
}
