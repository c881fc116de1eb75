/**
 * What a gateway says, as strictly as gateway-api.md says it. The nodes read far more than this (PHP's ways of writing lists and
 * booleans, for example), so these schemas are no part of them: they are for whoever builds or checks a gateway.
 */
import { z } from 'zod/v3';

import type { WireType } from '../../../nodes/gateway/contract/operations.ts';
import { open } from './open.mts';

const identifier = z.union([z.string(), z.number()]);
const dateTime = z.string().datetime({ offset: true });

/** Fields that payloads commonly have ("Result item"). */
const common = {
  id: identifier.describe("the client's identifier").optional(),
  msg_id: identifier.describe("the gateway's identifier").optional(),
  parts: z.number().describe('message parts that are billed').optional(),
};

const sent = z.object(common).passthrough();
const unshown = (what: string) => open(sent, `The contract doesn't show ${what}.`);
const deleted = open(
  z.unknown(),
  'The result is the number of deleted templates; the contract does not show in which field it stands.',
);

/** The payload of each operation type that succeeded ("Operation objects by type"). */
export const PAYLOADS: Record<WireType, z.ZodTypeAny> = {
  balance: unshown("the fields of the balance; that of the connector's tool has amount and currency"),
  sender: unshown('how senders are listed'),
  'template/list': unshown('the names of the fields of a template: id, name, text, counts, time of creation'),
  'template/viber/list': unshown(
    'the names of the fields of a template: id, text, signature, moderation status',
  ),
  'template/create': unshown('the names of the fields of a template: id, text, name, counts'),
  'template/viber/create': unshown('the names of the fields: id and moderation status'),
  'template/delete': deleted,
  'template/viber/delete': deleted,
  'call/otp': z.object({ ...common, code: z.string().regex(/^[0-9]{4}$/), price: z.number() }).passthrough(),
  hlr: unshown('the fields of operator and porting'),
  status: unshown('the fields of a status, and the values that a status can have besides REJECTED'),
  sms: sent,
  viber: z.object({ ...common, data: z.number().int().optional() }).passthrough(),
  'viber+sms': sent,
  rcs: sent,
  'rcs+sms': sent,
  'rcs+viber+sms': sent,
  telegram: sent,
  voice: sent,
  pipeline: sent,
};

/** An envelope that was refused ("Errors", 2). */
export const refusal = z
  .object({
    success: z.literal(false),
    error: open(
      z.string(),
      'The contract lists four texts, Access denied among them, and says that there are more.',
    ),
    data: z.never().optional(),
  })
  .passthrough();

/** A result that failed ("Errors", 3). */
export const failedResult = z
  .object({
    success: z.literal(false),
    error: z.string(),
    data: open(
      z.object({ id: identifier.nullable().optional() }).passthrough(),
      'A failed item holds at least id; operations that have none, such as those of templates, have none here either.',
    ),
  })
  .passthrough();

/** A result that succeeded, with its payload. */
export const goodResult = (payload: z.ZodTypeAny) =>
  z.object({ success: z.literal(true), data: payload }).passthrough();

/** What the asynchronous endpoint says of a request that it took ("Asynchronous response"). */
export const receipt = z.object({ success: z.literal(true), request_id: z.string() }).passthrough();

/** The status callback ("Status callback payload"). */
export const callback = z
  .object({
    success: z.boolean().describe('true where the message was delivered or read'),
    id: z.string().optional(),
    msg_id: z.string().optional(),
    type: open(
      z.enum(['sms', 'viber', 'voice', 'rcs']).optional(),
      'The contract lists these four; what stands here for Telegram and WhatsApp is not shown.',
    ),
    status: open(z.string().optional(), 'The contract names REJECTED alone.'),
    error: z.string().describe('reason for a rejection').optional(),
    updated: dateTime.optional(),
    reply: z.string().describe('digit that the recipient pressed').optional(),
    duration: z.number().describe('duration of the call in seconds').optional(),
    request_id: z.string().describe('that of the answer of the asynchronous endpoint').optional(),
    replies: z
      .array(
        z
          .object({
            datetime: dateTime,
            message: z.string(),
            media: z
              .object({ url: z.string().url(), filename: z.string(), filesize: z.number() })
              .partial()
              .passthrough()
              .optional(),
          })
          .passthrough(),
      )
      .optional(),
  })
  .passthrough();

/** `/health` of the connector ("Endpoints"). */
export const health = z
  .object({ ok: z.boolean(), domain: z.string(), send_enabled: z.boolean() })
  .passthrough();

/** A call of a tool ("Assistant connector"). */
export const toolCall = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]),
    method: open(z.literal('tools/call'), 'Other methods of JSON-RPC are not shown.'),
    params: z
      .object({
        name: open(z.string(), 'Of eleven tools the contract names balance alone.'),
        arguments: open(
          z.object({}).passthrough(),
          'Parameters of tools other than balance, which has none, are not shown.',
        ),
      })
      .passthrough(),
  })
  .passthrough();

/** The answer to a call of a tool. */
export const toolAnswer = open(
  z
    .object({
      jsonrpc: z.literal('2.0'),
      id: z.union([z.string(), z.number(), z.null()]),
      result: z
        .object({
          content: z.array(
            z.object({ type: z.literal('text'), text: z.string().describe('JSON as text') }).passthrough(),
          ),
        })
        .passthrough()
        .optional(),
      error: z.unknown().optional(),
    })
    .passthrough(),
  'Error objects of JSON-RPC are not shown.',
);
