import { z } from 'zod/v3';

import { typedIdentifier } from './envelope';
import { readFlag } from './readers';

/**
 * A field that a function reads, which returns undefined for a value that isn't `expected`. For a field with several
 * forms this takes a tenth of the time of a union of schemas.
 */
const readBy = <T>(read: (value: unknown) => T | undefined, expected: string) =>
  z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });

const NUMBER = /^\d{1,15}(\.\d{1,15})?$/;
/** Characters of an identifier or a word of the gateway; real ones are far shorter. */
const MAX_LENGTH = 200;

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? String(value) : undefined;
}

const toWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string') return NUMBER.test(value.trim()) ? Number(value) : undefined;
  return Number.isFinite(value) ? (value as number) : undefined;
}

/** "None", as some languages write it in place of a string or an object. */
const isNone = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

const WORD = `text of at most ${MAX_LENGTH} characters`;
const word = readBy(toWord, WORD);
const shortText = readBy((value) => toWord(toText(value)), WORD);
const identifier = readBy(
  (value) => typedIdentifier(Number.isInteger(value) ? (value as number) : toWord(value)),
  `a whole number or ${WORD}`,
);
const text = readBy(toText, 'text or a number');
const optionalText = readBy((value) => (isNone(value) ? null : toText(value)), 'text or a number').nullish();
/** Forms write "none" as an empty string. */
const number = readBy((value) => (value === '' ? null : toNumber(value)), 'a number').nullish();

const media = z.preprocess(
  (value) => (isNone(value) || value === '' ? null : value),
  z
    .object({ url: z.string().nullish(), filename: z.string().nullish(), filesize: number })
    .passthrough()
    .nullish(),
);

const replySchema = z
  .object({ datetime: text.nullish(), message: text.nullish(), media })
  .passthrough()
  .refine((reply) => reply.message !== undefined || reply.media !== undefined, {
    message: 'expected "message" or "media" in a reply',
  });

type Reply = z.infer<typeof replySchema>;

/** A list of replies. Stops at the first bad one: zod spends seconds on the issues of thousands. */
const replies = z.array(z.unknown()).transform((entries, context): Reply[] => {
  const read: Reply[] = [];
  for (const [i, entry] of entries.entries()) {
    const { data, error } = replySchema.safeParse(entry);
    if (data === undefined) {
      const [issue] = error.issues;
      context.addIssue({ ...issue, path: [i, ...issue.path] });
      return z.NEVER;
    }
    read.push(data);
  }
  return read;
});

/**
 * One callback (gateway-api.md, "Callback fields"), read tolerantly: numbers and booleans may also be strings, since
 * forms have no other type. Unknown fields are kept. The reader checks that the callback identifies its message.
 */
export const callbackSchema = z
  .object({
    success: readBy(readFlag, 'true or false'),
    id: identifier.optional(),
    msg_id: identifier.optional(),
    type: word.optional(),
    status: word.optional(),
    error: optionalText,
    updated: optionalText,
    reply: optionalText,
    duration: number,
    request_id: shortText.optional(),
    replies: replies.nullish(),
  })
  .passthrough();

export type CallbackBody = z.infer<typeof callbackSchema>;
