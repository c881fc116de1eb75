/** The strings and the numbers of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?\d+$/;

/**
 * Parses JSON, with whole numbers beyond 2^53 as text, so that an identifier keeps its last digits
 * (gateway-api.md: `msg_id` is a string or a number). Returns undefined for text that isn't JSON.
 */
export function parseExactJson(text: string): unknown {
  const parsed = parse(text);
  if (!holdsLongNumber(parsed)) return parsed;
  const exact = text.replace(TOKENS, (token) =>
    WHOLE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return parse(exact);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the callers' schemas refuse undefined.
    return undefined;
  }
}
