import type { Pattern } from './automaton';
import { replacer } from './automaton';

/** What stands where the key stood. */
const MASK = '[API key]';

/** A shorter key would be found in ordinary words and numbers, and mask them. */
const SHORTEST_KEY = 6;

/**
 * Returns a function that masks the API key in any text that came back from a server: a server, or a proxy on the
 * way, may repeat the request, which carries the key (gateway-api.md, "Authentication").
 *
 * The key is found as it is, and as JSON, URLs, forms and web pages write it, character by character and also inside
 * one another, and in base64 (at any place of a longer text) and hexadecimal. Keys under 6 characters are not looked
 * for. The time grows with the length of the text, whatever it holds.
 */
export function keyRedactor(apiKey: string): (text: string) => string {
  const key = apiKey.trim();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const mayContain = quickCheck(key);
  let redact: ((text: string) => string) | undefined;
  return (text) => (mayContain(text) ? (redact ??= replacer(keyPattern(key), MASK))(text) : text);
}

/**
 * Returns a function that tells whether text may contain the key in any form: without a character that begins an
 * escape, it can only stand there literally. Almost every answer of the gateway is cleared by this, at little cost.
 */
function quickCheck(key: string): (text: string) => boolean {
  const escapes = key.includes(' ') ? /[\\%&+]/ : /[\\%&]/;
  const literals = [key, ...base64Forms(key)];
  const hex = new RegExp(Buffer.from(key).toString('hex'), 'i');
  return (text) =>
    escapes.test(text) || literals.some((literal) => text.includes(literal)) || hex.test(text);
}

const keyPattern = (key: string): Pattern =>
  choice(
    sequence(...(key.match(/\\+|[^\\]/gu) ?? []).map(anyForms)),
    anyCase(Buffer.from(key).toString('hex')),
    ...base64Forms(key).map(exactly),
  );

const JSON_LETTERS: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** All forms of one character, or of a run of backslashes, whose number JSON changes. */
function anyForms(part: string): Pattern {
  if (!part.startsWith('\\')) return anyForm(part);
  const backslash = anyForm('\\');
  return sequence(backslash, repeat(backslash));
}

/** All forms of one character. */
function anyForm(character: string): Pattern {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const point = character.codePointAt(0) ?? 0;
  const bytes = Array.from(Buffer.from(character));
  const forms = [
    plainForm(character),
    sequence(...units.map((unit) => sequence(BACKSLASHES, exactly('u'), anyCase(hexOf(unit, 4))))),
    sequence(...bytes.map((byte) => sequence(PERCENT, anyCase(hexOf(byte, 2))))),
    sequence(exactly('&#'), ZEROS, exactly(`${point};`)),
    sequence(exactly('&#'), unit('xX'), ZEROS, anyCase(point.toString(16)), exactly(';')),
  ];
  if (character in JSON_LETTERS) forms.push(sequence(BACKSLASHES, exactly(JSON_LETTERS[character])));
  if (character in HTML_NAMES) forms.push(exactly(`&${HTML_NAMES[character]};`));
  if (character === ' ') forms.push(exactly('+'));
  return choice(...forms);
}

/** JSON may put backslashes in front, and JSON inside JSON more of them. */
function plainForm(character: string): Pattern {
  const plain = exactly(character);
  return character === '"' || character === '/' ? sequence(repeat(exactly('\\')), plain) : plain;
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

const unit = (of: string): Pattern => ({ kind: 'unit', of });
const sequence = (...of: Pattern[]): Pattern => ({ kind: 'sequence', of });
const choice = (...of: Pattern[]): Pattern => ({ kind: 'choice', of });
const repeat = (of: Pattern): Pattern => ({ kind: 'repeat', of });

const exactly = (text: string): Pattern =>
  sequence(...Array.from({ length: text.length }, (_, i) => unit(text[i])));

const anyCase = (hex: string): Pattern =>
  sequence(...Array.from(hex, (digit) => unit(/[a-f]/.test(digit) ? digit + digit.toUpperCase() : digit)));

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

const BACKSLASHES = sequence(exactly('\\'), repeat(exactly('\\')));
/** A percent sign that URLs inside URLs have encoded any number of times. */
const PERCENT = sequence(exactly('%'), repeat(exactly('25')));
const ZEROS = repeat(exactly('0'));
