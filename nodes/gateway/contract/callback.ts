import { z } from 'zod/v3';

import { isObject } from '../text/json';
import { readFlag, readList, typedIdentifier } from './envelope';

/** A field without which no callback is taken: `read` returns undefined for a value that isn't `expected`. */
const mustBe = <T>(read: (value: unknown) => T | undefined, expected: string) =>
  z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: `expected ${expected}` });
    return z.NEVER;
  });

/** A field that keeps no callback out: a value for which `read` returns undefined passes as it came. */
const typedIfKnown = (read: (value: unknown) => unknown) =>
  z.unknown().transform((value) => {
    const result = read(value);
    return result === undefined ? value : result;
  });

const NUMBER = /^\d{1,15}(\.\d{1,15})?$/;

/** Characters of the longest identifier, far more than real ones have. */
const LONGEST_IDENTIFIER = 200;

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? String(value) : undefined;
}

const toWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= LONGEST_IDENTIFIER ? value.trim() : undefined;

const toNumber = (value: unknown): number | undefined =>
  typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;

const WORD = `text of at most ${LONGEST_IDENTIFIER} characters`;
const identifier = mustBe(
  (value) => typedIdentifier(Number.isInteger(value) ? (value as number) : toWord(value)),
  `a whole number or ${WORD}`,
);

/** Takes what `readFlag` takes, and an empty text, as which PHP writes false into a form. */
const readSuccess = (value: unknown): boolean | undefined => (value === '' ? false : readFlag(value));

const requestId = mustBe((value) => toWord(toText(value)), WORD);
const optionalText = typedIfKnown(toText);

/**
 * The schema of a callback (gateway-api.md, "Callback fields"), read tolerantly: numbers and booleans may also be strings, since
 * forms have no other type. Only `success` and the identifiers decide whether it is taken; all other fields, unknown ones
 * included, pass. The reader checks that the callback identifies its message.
 */
export const callbackSchema = z
  .object({
    success: mustBe(readSuccess, 'true or false'),
    id: identifier.optional(),
    msg_id: identifier.optional(),
    type: z.unknown(),
    status: z.unknown(),
    error: optionalText,
    updated: optionalText,
    reply: optionalText,
    duration: typedIfKnown(toNumber),
    request_id: requestId.optional(),
    replies: typedIfKnown(readList),
  })
  .passthrough();

export type CallbackBody = z.infer<typeof callbackSchema>;

/** Returns the entries of `replies` (gateway-api.md, "Callback fields"), as they came, also where PHP keys the list by index. */
export const replyEntries = (replies: unknown): Array<Record<string, unknown>> =>
  (readList(replies) ?? []).filter(isObject);

/** Returns the texts of replies, in order; a file without words has none. */
export const replyTexts = (replies: unknown): string[] =>
  replyEntries(replies).flatMap(({ message }) => toText(message) || []);
