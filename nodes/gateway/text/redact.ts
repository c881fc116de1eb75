/** What stands where the key stood. */
const MASK = '[API key]';

/** A shorter key would be found in ordinary words and numbers, and mask them. */
const SHORTEST_KEY = 6;

/**
 * Returns a function that masks the API key in any text that came back from a server: a server, or a proxy on the
 * way, may repeat the request, which carries the key (gateway-api.md, "API key").
 * The key is found as it is, as JSON, URLs, forms and web pages write it, also inside one another, and in base64 (at any
 * place of a longer text) and hexadecimal. Keys under 6 characters are not looked for.
 */
export function keyRedactor(apiKey: string): (text: string) => string {
  // Half a character can't be sent.
  const key = Buffer.from(apiKey.trim()).toString();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const forms = [...new Set(formsOf(key))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(key: string): string[] {
  const once = WRITERS.map((write) => write(key));
  const written = [key, ...once, ...once.flatMap((form) => WRITERS.map((write) => write(form)))];
  const hex = Buffer.from(key).toString('hex');
  return [...written, ...written.map(lowerPercent), hex, hex.toUpperCase(), ...base64Forms(key)];
}

const lowerPercent = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const ascii = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const slashed = (text: string): string => text.replaceAll('/', '\\/');
const url = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** How a text is written into another one: PHP and others escape more in JSON, and not all escape the same in URLs. */
const WRITERS: ReadonlyArray<(text: string) => string> = [
  json,
  (text) => ascii(json(text)),
  (text) => slashed(json(text)),
  (text) => slashed(ascii(json(text))),
  url,
  (text) => url(text).replaceAll('%20', '+'),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => new URLSearchParams({ text }).toString().slice('text='.length),
  html,
  (text) => html(text).replaceAll("'", '&#39;'),
  (text) => html(text).replaceAll("'", '&#039;'),
];

/**
 * Base64 takes three bytes at a time, so a key in the middle of a text is written in one of three ways. Of each, the
 * part that only depends on the key is looked for.
 */
function base64Forms(key: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(key)]);
    const ofKey = bytes
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [ofKey, ofKey.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
