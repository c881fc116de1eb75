import { beginningOf } from './characters';

/** Whether a value is an object, which lists and null aren't. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that reach into an object's prototype when it is copied carelessly. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** What some editors and servers put before a text; a file that was joined of several may have it more than once. */
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

/** Digits that may make a number beyond 2^53, which begins with 9007199254740992. */
const MAY_BE_LONG = /\b(?:\d{17}|9\d{15})/;

/** Levels that a value may have: far more than any answer has, and far less than n8n can save and show. */
const DEEPEST = 100;

/** Stands for what lies deeper. */
const TOO_DEEP = `(nested deeper than ${DEEPEST} levels)`;

/** Cuts off what a value that was just parsed has below so many levels, so that an execution with it can be opened. */
function withoutDepths(value: unknown, levels = DEEPEST): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  // Results of thousands: names of their places would be made for nothing.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = withoutDepths(value[i], levels - 1);
    return value;
  }
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    const kept = withoutDepths(inner, levels - 1);
    // Not an assignment: a server may call a field "__proto__".
    if (kept !== inner) Object.defineProperty(value, name, { value: kept });
  }
  return value;
}

/**
 * Parses JSON that a server wrote; returns undefined for any other text. Whole numbers beyond 2^53 are texts, so that an
 * identifier keeps its last digits (gateway-api.md, "Synchronous answers": `msg_id` is a string or a number). Notices of PHP
 * and comments of a cache around it are left out, where there is one object, or list of objects, and no other. What is nested
 * deeper than 100 levels is cut off. Never throws; the time grows with the length of the text and no faster.
 */
export function fromForeignJson(text: string): unknown {
  const parsed = fromJson(text);
  if (parsed === undefined) return withoutDepths(exactly(loneJsonIn(text) ?? ''));
  return withoutDepths(MAY_BE_LONG.test(text) ? exactly(text) : parsed);
}

const exactly = (json: string): unknown =>
  fromJson(MAY_BE_LONG.test(json) ? withLongNumbersAsText(json) : json);

/** The beginning of an object with fields, or of a list of such. */
const OBJECT_OR_LIST = /(?:\[\s*)?\{\s*"/g;

/** What only stands in web pages, whose scripts may hold objects that are no answer. */
const WEB_PAGE = /<(?:!doctype|html|head|body|script|title)\b/i;

/**
 * Returns what may be the only JSON object, or list of objects, in a text around which there are other words; undefined
 * without one. Never looks into what isn't whole: the rest of a broken answer isn't an answer.
 */
function loneJsonIn(text: string): string | undefined {
  const starts = new RegExp(OBJECT_OR_LIST);
  let lone: { json: string; start: number; end: number } | undefined;
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const { index: start } = found;
    if (lone !== undefined) return undefined;
    const end = endOfJson(text, start);
    starts.lastIndex = end;
    lone = { json: text.slice(start, end), start, end };
  }
  if (lone === undefined) return undefined;
  const { json, start, end } = lone;
  return WEB_PAGE.test(text.slice(0, start)) || WEB_PAGE.test(text.slice(end)) ? undefined : json;
}

const BRACKET_OR_STRING = /["{}[\]]/g;

/** The place after the object or list that begins at a place. */
function endOfJson(text: string, start: number): number {
  const tokens = new RegExp(BRACKET_OR_STRING);
  tokens.lastIndex = start;
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [token] = found;
    if (token === '"') tokens.lastIndex = endOfString(text, found.index);
    else depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) return tokens.lastIndex;
  }
  return text.length;
}

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

/** Walks through valid JSON token by token: one expression over all of it overflows on a long string. */
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

/** The place after the string that begins at a place. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
