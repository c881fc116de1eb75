import { beginningOf } from './characters';
import { MAX_VALUES } from './gate';

/** Whether a value is an object, which lists and null aren't. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a cell or a field is empty. */
export const isEmpty = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

/** Returns the entries of a list, or of a text with commas, semicolons or line breaks between them; without empty ones. */
export function asEntries(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(asEntries);
  const entries = typeof value === 'string' ? value.split(/[,;\n]/).map((entry) => entry.trim()) : [value];
  return entries.filter((entry) => !isEmpty(entry));
}

/** Names of fields that change the prototype of an object into which a careless program copies them. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Byte order marks, as some editors and servers put them before a text; a file joined of several may have many. */
const BYTE_ORDER_MARKS = /^\ufeff+/;

/** Parses JSON, with or without a byte order mark; returns undefined for any other text. Never throws. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARKS, '')) as unknown;
  } catch {
    // Not JSON: all callers refuse undefined, or take the text as it is.
    return undefined;
  }
}

/** A number, or the beginning of a string. */
const NUMBER_OR_STRING = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"/g;
const WHOLE = /^-?\d+$/;

/** Digits that may be a number of 2^53 (9007199254740992) or more: sixteen that begin with a 9, or seventeen. */
const MAY_BE_LONG = /\b(?:\d{17,}|9\d{15})/g;

/** Whether a text has a whole number beyond 2^53. Of the node's own ids below it, one of a thousand has digits as long. */
const hasLongNumbers = (text: string): boolean =>
  text.match(MAY_BE_LONG)?.some((digits) => !Number.isSafeInteger(Number(digits))) ?? false;

/** Levels of a value: far more than any answer has, and far fewer than n8n can save and show. */
const DEEPEST = 100;

/** Whether a text of JSON may have more values than any answer has. */
function hasTooManyValues(text: string): boolean {
  if (text.length <= MAX_VALUES) return false;
  let count = 0;
  for (let at = 0; at < text.length && count <= MAX_VALUES; at++) {
    const code = text.charCodeAt(at);
    if (code === OPENING_BRACE || code === OPENING_BRACKET || code === COMMA) count += 1;
  }
  return count > MAX_VALUES;
}

const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;

function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((one) => isTooDeep(one, levels - 1));
  const fields = value as Record<string, unknown>;
  for (const name in fields) if (isTooDeep(fields[name], levels - 1)) return true;
  return false;
}

/**
 * Parses JSON that a server wrote; returns undefined for any other text, and for JSON with more than 100 levels or more values than
 * any answer has. Whole numbers beyond 2^53 become texts, so that an identifier keeps its last digits (gateway-api.md, "Synchronous
 * answers": `msg_id` is a string or a number). Never throws; the time grows with the length of the text and no faster.
 */
export function fromForeignJson(text: string): unknown {
  if (hasTooManyValues(text)) return undefined;
  const parsed = fromJson(text);
  if (parsed === undefined || isTooDeep(parsed)) return undefined;
  return hasLongNumbers(text) ? fromJson(withLongNumbersAsText(text)) : parsed;
}

/**
 * Returns the name of the first field in a value that holds a whole number beyond 2^53, whose last digits JSON has lost or would
 * lose; undefined where there is none.
 */
export function inexactField(value: unknown): string | undefined {
  const open: Array<[name: string, inner: unknown]> = [['', value]];
  for (const [name, inner] of open) {
    if (Number.isInteger(inner) && !Number.isSafeInteger(inner)) return name;
    if (typeof inner !== 'object' || inner === null) continue;
    const isList = Array.isArray(inner);
    for (const [key, one] of Object.entries(inner)) open.push([isList ? name : key, one]);
  }
  return undefined;
}

/** Characters of a value that a person is shown. */
const LONGEST_SHOWN = 2000;

/** Returns a value as JSON for people, cut off after 2000 characters; empty where it can't be written out. Never throws. */
export function toShortJson(value: unknown): string {
  try {
    return beginningOf(JSON.stringify(value) ?? '', LONGEST_SHOWN);
  } catch {
    // Nested deeper than can be written out: nothing that a person could read.
    return '';
  }
}

/** Walks through valid JSON token by token: one pattern over all of it would overflow the stack on a long string. */
function withLongNumbersAsText(text: string): string {
  const tokens = new RegExp(NUMBER_OR_STRING);
  let exact = '';
  let done = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [token] = found;
    if (token === '"') tokens.lastIndex = endOfString(text, found.index);
    else if (WHOLE.test(token) && !Number.isSafeInteger(Number(token))) {
      exact += `${text.slice(done, found.index)}"${token}"`;
      done = tokens.lastIndex;
    }
  }
  return exact + text.slice(done);
}

/** Returns the place behind the JSON string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
