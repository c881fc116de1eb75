/** What stands where the key stood. */
const MASK = '[API key]';

/** A shorter key would be found in ordinary words and numbers, and mask them. */
const SHORTEST_KEY = 6;

/**
 * Returns a function that masks the API key in any text that came back from a server: a server, or a proxy on the
 * way, may repeat the request, which carries the key (gateway-api.md, "Authentication").
 *
 * The key is found as it is, as JSON, URLs, forms and web pages write it, JSON and URLs also inside their like, and in
 * base64 (at any place of a longer text) and hexadecimal. Keys under 6 characters are not looked for.
 */
export function keyRedactor(apiKey: string): (text: string) => string {
  // Half a character can't be sent.
  const key = Buffer.from(apiKey.trim()).toString();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const forms = [...new Set(formsOf(key))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

function formsOf(key: string): string[] {
  const hex = Buffer.from(key).toString('hex');
  const json = jsonForms(key);
  const url = urlForms(key);
  return [
    key,
    ...json,
    ...json.flatMap(jsonForms),
    ...url,
    ...url.map(encodeURIComponent),
    ...htmlForms(key),
    hex,
    hex.toUpperCase(),
    ...base64Forms(key),
  ];
}

/** With and without what PHP and others escape too: slashes, and all but ASCII. */
function jsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${hexOf(unit.charCodeAt(0), 4)}`);
  return [json, ascii].flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

/** The marks that some leave as they are in a URL: all of them, RFC 3986 one, a browser's form another, PHP none. */
const MARKS = ['', "!'()*", "!'()~", "!'()*~"];

/** With spaces as `%20` or `+`, and in both cases of letters. */
function urlForms(text: string): string[] {
  const percent = (mark: string) => `%${hexOf(mark.charCodeAt(0), 2).toUpperCase()}`;
  const url = Array.from(encodeURIComponent(text));
  const written = MARKS.map((marks) =>
    url.map((unit) => (marks.includes(unit) ? percent(unit) : unit)).join(''),
  );
  return written
    .flatMap((form) => [form, form.replaceAll('%20', '+')])
    .flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function htmlForms(text: string): string[] {
  const html = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [html, html.replaceAll("'", '&#39;'), html.replaceAll("'", '&#039;')];
}

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

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
