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
    replies: typedWhere(replyList),
  })
  .passthrough();

export type CallbackBody = z.infer<typeof callbackSchema>;

/** A reply, with the fields that the gateway sent as text or numbers. */
export interface Reply {
  datetime?: string;
  message?: string;

  /** The name of a file, or its address without the query, which may be signed anew each time. */
  file?: string;
}

/**
 * Reads an entry of `replies` (gateway-api.md, "Callback fields"), which some gateways write as its text alone, and
 * its media as their address alone. Undefined for a value that can't be a reply, such as null.
 */
export function readReply(entry: unknown): Reply | undefined {
  if (!isObject(entry)) {
    const message = toText(entry);
    return message ? { message } : undefined;
  }
  const { datetime, message, media } = entry;
  const { url, filename } = isObject(media) ? media : { url: media };
  const file = toText(filename) || toText(url)?.split(/[?#]/, 1)[0];
  return { datetime: toText(datetime), message: toText(message), file };
}

/** Returns `replies` as a list, also where it is keyed by index, or one reply without its list; undefined for all else. */
export function replyList(replies: unknown): unknown[] | undefined {
  const isOne = isObject(replies) && ('message' in replies || 'media' in replies);
  return isOne ? [replies] : readList(replies);
}

/** Returns the entries of `replies` that are replies, as they came. */
export const replyEntries = (replies: unknown): unknown[] =>
  (replyList(replies) ?? []).filter((entry) => readReply(entry) !== undefined);

/** Returns the texts of replies, in order; a file without words has none. */
export const replyTexts = (replies: unknown): string[] =>
  replyEntries(replies).flatMap((entry) => readReply(entry)?.message || []);
