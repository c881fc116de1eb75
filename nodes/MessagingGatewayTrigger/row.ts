import type { IDataObject } from 'n8n-workflow';

import { isNameOfRow } from '../gateway/callback/parse';
import { asOutput } from '../gateway/delivery/reports';
import type { TriggerEvent } from './address-facts';
import { replyFields } from './reply-fields';
import type { TriggerSettings } from './settings';

/**
 * Returns the row of an event: what happened, to whom, the Callback Fields each as a column of its own, the reply, then the rest.
 * A Callback Field that has the name of another column of the row is in `fields` alone, where all of them are; one that has the
 * name of a field that only this gateway sends takes its place, since anybody may have written the body.
 */
export function asRow(event: TriggerEvent, settings: TriggerSettings, sessionKey?: Buffer): IDataObject {
  const output = asOutput(event);
  const { outcome, phone, reply, ...rest } = output;
  const own = Object.entries(event.fields ?? {}).filter(([name]) => !isNameOfRow(name));
  const first = { outcome, ...(phone !== undefined && { phone }), ...Object.fromEntries(own) };
  return {
    ...first,
    ...(reply !== undefined && { reply }),
    ...rest,
    ...Object.fromEntries(own),
    ...replyFields(output, settings, sessionKey),
  } as IDataObject;
}
