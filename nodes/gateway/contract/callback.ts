import { z } from 'zod';

import { typedIdentifier } from './envelope';

/**
 * The status callback (gateway-api.md, "Status callback payload"), read tolerantly: numbers and booleans also as
 * texts, since form fields know nothing else. Unknown fields are kept.
 */

const TRUE = new Set<unknown>([true, 1, '1', 'true', 'True', 'TRUE']);
const FALSE = new Set<unknown>([false, 0, '0', 'false', 'False', 'FALSE']);

const flag = z.unknown().transform((value, context) => {
  if (TRUE.has(value)) return true;
  if (FALSE.has(value)) return false;
  context.addIssue({ code: 'custom', message: '"success" is neither true nor false' });
  return z.NEVER;
});

/** Identifiers and words of the gateway are short; what is longer is none of them. */
const MAX_LENGTH = 200;
const word = z.string().max(MAX_LENGTH);

const identifier = z
  .union([word, z.number().int()])
  .transform((value): string | number => typedIdentifier(value));
const numeric = z.union([
  z.number().finite(),
  z
    .string()
    .trim()
    .regex(/^\d{1,15}(\.\d{1,15})?$/)
    .transform(Number),
]);
const text = z.union([z.string(), z.number().finite().transform(String)]);
/** "None", as some languages write it where a text or an object is expected. */
const none = z.union([z.literal(false), z.array(z.never()).length(0)]).transform(() => null);
const optionalText = z.union([text, none]).nullish();
/** Forms write "none" as an empty text. */
const empty = z.literal('').transform(() => null);

export const replySchema = z
  .object({
    datetime: text.nullish(),
    message: text.nullish(),
    media: z
      .union([
        none,
        empty,
        z
          .object({
            url: z.string().nullish(),
            filename: z.string().nullish(),
            filesize: z.union([numeric, empty]).nullish(),
          })
          .passthrough(),
      ])
      .nullish(),
  })
  .passthrough()
  .refine(({ message, media }) => message !== undefined || media !== undefined, {
    message: 'a reply has neither "message" nor "media"',
  });

/** One callback. A body is one only when it says `success` and names its message. */
export const callbackSchema = z
  .object({
    success: flag,
    id: identifier.optional(),
    msg_id: identifier.optional(),
    type: word.optional(),
    status: word.optional(),
    error: optionalText,
    updated: optionalText,
    reply: optionalText,
    duration: numeric.nullish(),
    request_id: text.pipe(word).optional(),
    replies: z.array(replySchema).nullish(),
  })
  .passthrough();

export type CallbackBody = z.infer<typeof callbackSchema>;
