/** A whole number so long that JavaScript's numbers may not hold it. */
const LONG_NUMBER = /\d{16}/;
/** The strings and the numbers of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?\d+$/;

/**
 * Parses JSON, with whole numbers beyond 2^53 as text, so that an identifier keeps its last digits
 * (gateway-api.md: `msg_id` is a string or a number). Returns undefined for text that isn't JSON.
 */
export function parseExactJson(text: string): unknown {
  const parsed = parse(text);
  if (parsed === undefined || !LONG_NUMBER.test(text)) return parsed;
  const exact = text.replace(TOKENS, (token) =>
    WHOLE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return parse(exact);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the callers' schemas refuse undefined.
    return undefined;
  }
}
