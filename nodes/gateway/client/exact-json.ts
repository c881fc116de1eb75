/** A number token; those between are found by their first character. */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WHOLE = /^-?\d+$/;
/** Digits that may make a number beyond 2^53, which begins with 9007199254740992. */
const MAY_BE_LONG = /\d{17}|9\d{15}/;

/**
 * Parses JSON, with whole numbers beyond 2^53 as text, so that an identifier keeps its last digits
 * (gateway-api.md: `msg_id` is a string or a number). Returns undefined for text that isn't JSON. The time grows with
 * the length of the text and no faster; never throws.
 */
export function parseExactJson(text: string): unknown {
  const parsed = parse(text);
  if (parsed === undefined || !MAY_BE_LONG.test(text)) return parsed;
  const exact = withLongNumbersAsText(text);
  return exact === undefined ? parsed : parse(exact);
}

/**
 * Walks through valid JSON token by token: one expression over all of it overflows on a long string. Returns undefined
 * where there is nothing to change.
 */
function withLongNumbersAsText(text: string): string | undefined {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character !== '-' && (character < '0' || character > '9')) at += 1;
    else {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)?.[0] ?? character;
      if (WHOLE.test(token) && !Number.isSafeInteger(Number(token))) {
        parts.push(text.slice(done, at), `"${token}"`);
        done = at + token.length;
      }
      at += token.length;
    }
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(done);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the callers' schemas refuse undefined.
    return undefined;
  }
}
