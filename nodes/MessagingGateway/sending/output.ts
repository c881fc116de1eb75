import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { payloadFields } from '../../gateway/payloads/fields';
import type { Accepted } from './sending';

const identifier = z.union([z.number(), z.string()]);

/** Output of a send: `id`, `type`, `phone`, the payload's fields and, when queued, `request_id`. */
export const sendOutputSchema = z.object({
  id: identifier,
  type: z.string(),
  phone: z.number(),
  msg_id: identifier.optional(),
  parts: z.number().optional(),
  request_id: z.string().optional(),
});

/** Returns one item for an operation on a phone number: its identifying fields and the gateway's payload. */
export function sendOutput({ sent, payload, requestId }: Accepted): IDataObject[] {
  const { id, type, phone } = sent;
  const json: IDataObject = { id, type, phone, ...plainFields(payload) };
  // The sent values take precedence over payload fields of the same name.
  json.id = id;
  json.type = type;
  json.phone = phone;
  if (requestId !== undefined) json.request_id = requestId;
  return [json];
}

/** Returns one item with the unchanged payload. */
export const plainOutput = ({ payload }: Accepted): IDataObject[] => [plainFields(payload)];

const plainFields = (payload: unknown): IDataObject => payloadFields(payload) as IDataObject;
