import { z } from 'zod';

import { typedIdentifier } from './envelope';

/**
 * The status callback (gateway-api.md, "Status callback payload"), read tolerantly: numbers and booleans also as
 * texts, since form fields know nothing else. Unknown fields are kept.
 */

/** The channels that a callback can name; the operation types that send are understood as well. */
export const CALLBACK_CHANNELS = ['sms', 'viber', 'voice', 'rcs', 'telegram', 'whatsapp'] as const;
export type CallbackChannel = (typeof CALLBACK_CHANNELS)[number];

const TRUE = new Set<unknown>([true, 1, '1', 'true', 'True', 'TRUE']);
const FALSE = new Set<unknown>([false, 0, '0', 'false', 'False', 'FALSE', '']);

const flag = z.unknown().transform((value, context) => {
  if (TRUE.has(value)) return true;
  if (FALSE.has(value)) return false;
  context.addIssue({ code: 'custom', message: '"success" is neither true nor false' });
  return z.NEVER;
});

const identifier = z.union([z.string(), z.number().finite()]).transform((value) => typedIdentifier(value));
const numeric = z.union([z.number().finite(), z.string().trim().regex(/^\d+(\.\d+)?$/).transform(Number)]);
const text = z.union([z.string(), z.number().finite().transform(String)]);

export const replySchema = z
  .object({
    datetime: z.string().optional(),
    message: z.string().optional(),
    media: z
      .object({ url: z.string().optional(), filename: z.string().optional(), filesize: numeric.optional() })
      .passthrough()
      .nullish(),
  })
  .passthrough();

/** One callback. A body is one only when it says `success` and names its message. */
export const callbackSchema = z
  .object({
    success: flag,
    id: identifier.optional(),
    msg_id: identifier.optional(),
    type: z.string().optional(),
    status: z.string().optional(),
    error: z.string().nullish(),
    updated: text.nullish(),
    reply: text.nullish(),
    duration: numeric.nullish(),
    request_id: text.nullish(),
    replies: z.array(replySchema).nullish(),
  })
  .passthrough();

export type CallbackBody = z.infer<typeof callbackSchema>;
