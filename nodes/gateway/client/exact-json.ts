/** A whole number that JavaScript's numbers may not hold: 17 digits, or 16 from about 2^53 on. */
const LONG_NUMBER =
  /\d{17}|9(?:[1-9]\d{14}|0[1-9]\d{13}|00[89]\d{12}|007[2-9]\d{11}|0071(?:99[3-9]\d{8}|992[5-9]\d{7}))/;
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
