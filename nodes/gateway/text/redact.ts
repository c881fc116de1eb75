/** The mark that stands where the key stood. */
const MASK = '[API key]';

/** A shorter key would be found in ordinary words and numbers, and mask them. */
const SHORTEST_KEY = 6;

/**
 * Returns a function that masks the API key in a text from a server, which may repeat the request and with it the key
 * (gateway-api.md, "API key"): as the key is, in JSON, and in a URL. Keys under 6 characters are not looked for.
 */
export function keyRedactor(apiKey: string): (text: string) => string {
  // Half a character can't be sent, nor written in a URL.
  const key = Buffer.from(apiKey.trim()).toString();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const json = JSON.stringify(key).slice(1, -1);
  // PHP writes slashes in JSON with a backslash.
  const forms = new Set([key, json, json.replaceAll('/', '\\/'), encodeURIComponent(key)]);
  return (text) => [...forms].reduce((masked, form) => masked.replaceAll(form, MASK), text);
}
