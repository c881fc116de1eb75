/** Whether a value is an object, which lists and null aren't. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/**
 * Does the same, with whole numbers beyond 2^53 as text, so that an identifier keeps its last digits (gateway-api.md,
 * "Synchronous answers": `msg_id` is a string or a number). The time grows with the length of the text and no faster.
 */
export function exactFromJson(text: string): unknown {
  const parsed = fromJson(text);
  return parsed !== undefined && MAY_BE_LONG.test(text) ? fromJson(withLongNumbersAsText(text)) : parsed;
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
