/** A number token; those between are found by their first character. */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WHOLE = /^-?\d+$/;

/**
 * Parses JSON, with whole numbers beyond 2^53 as text, so that an identifier keeps its last digits
 * (gateway-api.md: `msg_id` is a string or a number). Returns undefined for text that isn't JSON. The time grows with
 * the length of the text and no faster; never throws.
 */
export function parseExactJson(text: string): unknown {
  const parsed = parse(text);
  return holdsLongNumber(parsed) ? parse(withLongNumbersAsText(text)) : parsed;
}

/** Whether a parsed value holds a number beyond 2^53: much quicker than a search of the text. */
function holdsLongNumber(parsed: unknown): boolean {
  // A list instead of recursion, since nesting may be deep.
  const left: object[] = [[parsed]];
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    for (const value of Array.isArray(holder) ? (holder as unknown[]) : Object.values(holder)) {
      if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return true;
      if (typeof value === 'object' && value !== null) left.push(value);
    }
  }
  return false;
}

/** Walks through valid JSON token by token: one expression over all of it overflows on a long string. */
function withLongNumbersAsText(text: string): string {
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
  return parts.join('') + text.slice(done);
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
