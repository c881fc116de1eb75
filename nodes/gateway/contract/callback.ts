import { z } from 'zod/v3';

import { isObject } from '../text/json';
import { readFlag, readList, typedIdentifier } from './envelope';

/** A field that decides whether a callback is taken: `read` returns undefined for a value that isn't `expected`. */
const insistOn = <T>(read: (value: unknown) => T | undefined, expected: string) =>
  z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });

/** A field that decides nothing: a value that `read` doesn't understand passes as it came. */
const typedWhere = (read: (value: unknown) => unknown) =>
  z.unknown().transform((value) => {
    const result = read(value);
    return result === undefined ? value : result;
  });

const NUMBER = /^\d{1,15}(\.\d{1,15})?$/;

/** Characters of an identifier; real ones are far shorter. */
const MAX_LENGTH = 200;

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? String(value) : undefined;
}

const toWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_LENGTH ? value.trim() : undefined;

const toNumber = (value: unknown): number | undefined =>
  typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;

const WORD = `text of at most ${MAX_LENGTH} characters`;
const identifier = insistOn(
  (value) => typedIdentifier(Number.isInteger(value) ? (value as number) : toWord(value)),
  `a whole number or ${WORD}`,
);

/** Takes what `readFlag` takes, and an empty text, as which PHP writes false into a form. */
const readSuccess = (value: unknown): boolean | undefined => (value === '' ? false : readFlag(value));

const requestId = insistOn((value) => toWord(toText(value)), WORD);
const optionalText = typedWhere(toText);

/**
 * The schema of a callback (gateway-api.md, "Callback fields"), read tolerantly: numbers and booleans may also be strings, since
 * forms have no other type. Only `success` and the identifiers decide whether it is taken; all other fields, unknown ones
 * included, pass. The reader checks that the callback identifies its message.
 */
export const callbackSchema = z
  .object({
    success: insistOn(readSuccess, 'true or false'),
    id: identifier.optional(),
    msg_id: identifier.optional(),
    type: z.unknown(),
    status: z.unknown(),
    error: optionalText,
    updated: optionalText,
    reply: optionalText,
    duration: typedWhere(toNumber),
    request_id: requestId.optional(),
    replies: typedWhere(readList),
  })
  .passthrough();

export type CallbackBody = z.infer<typeof callbackSchema>;

/** Returns the entries of `replies` (gateway-api.md, "Callback fields"), as they came, also where PHP keys the list by index. */
export const replyEntries = (replies: unknown): Array<Record<string, unknown>> =>
  (readList(replies) ?? []).filter(isObject);

/** Returns the texts of replies, in order; a file without words has none. */
export const replyTexts = (replies: unknown): string[] =>
  replyEntries(replies).flatMap(({ message }) => toText(message) || []);
