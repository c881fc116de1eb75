import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { WireType } from '../../gateway/contract/operations';
import { hasField } from '../../gateway/contract/operations';
import { reportOfStatus, reportsToHook, withReport } from '../../gateway/delivery/reports';
import { payloadFields } from '../../gateway/contract/payloads';
import type { Accepted } from '../run/row';

export const identifier = z.union([z.number(), z.string()]);

/** Output of a send: `result`, `id`, `phone`, `type`, the payload's fields and, when queued, `request_id`. */
export const sendOutputSchema = z.object({
  result: z.string(),
  id: identifier,
  phone: z.number(),
  type: z.string(),
  msg_id: identifier.optional(),
  parts: z.number().optional(),
  request_id: z.string().optional(),
});

/** The fields that a report on a message adds to its output: that of a wait for delivery, or of `status` (gateway-api.md, "Callback fields"). */
export const reportSchema = z.object({
  outcome: z.string().optional(),
  final: z.boolean().optional(),
  success: z.boolean().optional(),
  arrived: z.boolean().optional(),
  status: z.string().optional(),
  channel: z.string().optional(),
  updated: z.string().optional(),
  error: z.string().optional(),
  reply: z.string().optional(),
  replies: z
    .array(
      z.object({
        datetime: z.string(),
        message: z.string(),
        media: z.object({ url: z.string(), filename: z.string(), filesize: z.number() }).optional(),
      }),
    )
    .optional(),
});

/** A successful Viber send carries a number of its own (gateway-api.md, "Synchronous answers"). */
export const viberOutputSchema = sendOutputSchema.extend({ data: z.number().optional() });

/** Returns the output of a message: where it can wait for delivery, with what the report adds. */
export function messageOutputSchema(type: WireType): z.ZodTypeAny {
  const sent = hasField(type, 'viber_signature') ? viberOutputSchema : sendOutputSchema;
  return reportsToHook(type) ? sent.merge(reportSchema) : sent;
}

/** Returns one item for a send: what became of it, its identifying fields and the gateway's payload, or its report. */
export function sendOutput({ result, sent, payload, requestId, report }: Accepted): IDataObject[] {
  const { phone, id, type } = sent;
  // Every row has a number, and one whose form is wrong nothing else of these.
  const json: IDataObject = { result, phone, id, type };
  if (report) return [withReport(json, reportOfStatus(report))];
  // The sent values come first, and take precedence over payload fields of the same name.
  const fields = plainFields(payload);
  for (const name in fields) if (!(name in json)) json[name] = fields[name];
  if (requestId !== undefined) json.request_id = requestId;
  return [json];
}

/** Returns one item with the unchanged payload. */
export const plainOutput = ({ payload }: Accepted): IDataObject[] => [plainFields(payload)];

const plainFields = (payload: unknown): IDataObject => payloadFields(payload) as IDataObject;
