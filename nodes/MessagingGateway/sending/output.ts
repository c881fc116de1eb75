import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

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

/** One item for an operation on a phone number: what was sent, and what the gateway says of it. */
export function sendOutput({ sent, payload, requestId }: Accepted): IDataObject[] {
  const { id, type, phone } = sent;
  const json: IDataObject = { id, type, phone, ...plainFields(payload) };
  // What was sent decides, whatever the payload calls by the same name.
  json.id = id;
  json.type = type;
  json.phone = phone;
  if (requestId !== undefined) json.request_id = requestId;
  return [json];
}

/** One item with the payload as it is. */
export const plainOutput = ({ payload }: Accepted): IDataObject[] => [plainFields(payload)];

const plainFields = (payload: unknown): IDataObject => payloadFields(payload) as IDataObject;
