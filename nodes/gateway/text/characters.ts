/** Full-width forms of ASCII. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Decimal digits of all scripts. */
const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;

/** Controls, format characters, fillers, and the empty cell of Braille, for the class of a pattern. */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800';

/** A character that nobody sees. Tabs and line breaks are blanks. */
export const UNSEEN_CHARACTER = new RegExp(`(?![\\t-\\r])[${UNSEEN}]`, 'gu');
const SEEN_CHARACTER = new RegExp(`[^\\s${UNSEEN}]`, 'u');
const ASCII = /^[\0-\x7f]*$/;

/** Returns text without unseen characters, which come along when text is copied from a contact card, a web page or a file. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN_CHARACTER, '');

/** Whether a text shows nothing at all. Most texts begin with a letter or a digit, which no pattern has to find. */
export const isUnseen = (text: string): boolean =>
  !isAsciiSeen(text.charCodeAt(0)) && !SEEN_CHARACTER.test(text);

const isAsciiSeen = (code: number): boolean => code > 0x20 && code < 0x7f;

/** Quotation marks of all kinds, and signs that people type for them, for the class of a pattern. */
export const QUOTATION_MARKS = [
  "'", // apostrophe
  '"', // quotation mark
  '`', // grave accent
  '\u00B4', // ´ acute accent
  '\u2018', // ‘ left single quotation mark
  '\u2019', // ’ right single quotation mark
  '\u201A', // ‚ single low-9 quotation mark
  '\u201B', // ‛ single high-reversed-9 quotation mark
  '\u201C', // “ left double quotation mark
  '\u201D', // ” right double quotation mark
  '\u201E', // „ double low-9 quotation mark
  '\u201F', // ‟ double high-reversed-9 quotation mark
  '\u00AB', // « left-pointing double angle quotation mark
  '\u00BB', // » right-pointing double angle quotation mark
  '\u2039', // ‹ single left-pointing angle quotation mark
  '\u203A', // › single right-pointing angle quotation mark
].join('');

/** What programs leave in a text and no language has as a word; "undefined" and "null" are words. */
const LEFTOVER = /\{\{[^]*?\}\}|\[object \w{1,40}\]|Invalid DateTime|\bNaN\b/;

/** How each of them begins: nearly all texts are done with this. */
const MAY_BE_LEFTOVER = /\{\{|\[object |Invalid DateTime|NaN/;

/** Takes the place of opening braces that nothing closes; no text that is sent has this character. */
const UNCLOSED = '\0';

/**
 * Returns what a program, such as an earlier node, left in a text and nobody writes: "[object Object]", or a placeholder that
 * nothing filled in.
 */
export function leftoverIn(text: string): string | undefined {
  if (!MAY_BE_LEFTOVER.test(text)) return undefined;
  // From each pair of opening braces, the pattern looks for closing ones up to the end of the text. Where none follow, thousands of
  // pairs would take the square of the length.
  const end = text.lastIndexOf('}}') + 2;
  const closed = text.slice(0, end) + text.slice(end).replaceAll('{{', UNCLOSED);
  return LEFTOVER.exec(closed)?.[0].trim();
}

/** Returns text with full-width characters and the decimal digits of all scripts as ASCII, without invisible marks. */
export function asciiForms(text: string): string {
  if (ASCII.test(text)) return text;
  const narrow = text.replace(FULL_WIDTH, (character) =>
    String.fromCharCode(character.charCodeAt(0) - 0xfee0),
  );
  return withoutUnseen(narrow.replace(DIGITS, valueOf));
}

/** Returns the value of a digit. Unicode has the digits of a script in a row, from zero to nine; rows may follow each other. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Divides a text into characters as a person sees them: a family of emoji, or a letter with its marks, is one. */
const SEEN_CHARACTERS = new Intl.Segmenter();

/** Returns the longest beginning of a text that has at most `max` UTF-16 units, and no part of a character that a person sees. */
export function beginningOf(text: string, max: number): string {
  // Two more units, a surrogate pair perhaps, show whether the character before them goes on.
  const end = SEEN_CHARACTERS.segment(text.slice(0, max + 2)).containing(max)?.index;
  return text.slice(0, end);
}

/** Returns a text, or its beginning with an ellipsis where the text has more than `max` UTF-16 units. */
export const shortened = (text: string, max: number): string =>
  text.length > max ? `${beginningOf(text, max)}…` : text;

/** Halves of pairs, and control characters other than tabs and line breaks; some programs use noncharacters as such. */
const BROKEN = /(?![\t\n\r])[\p{Cs}\p{Noncharacter_Code_Point}\p{Cc}]/u;

/** Returns, as a verb phrase, what keeps a text from being sent as it is, and at which character; undefined where nothing does. */
export function whyNotWhole(text: string): string | undefined {
  const found = BROKEN.exec(text);
  if (found === null) return undefined;
  const code = (text.codePointAt(found.index) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const what = /\p{Cs}/u.test(found[0])
    ? 'half of a character, as a cut within an emoji leaves it,'
    : `the control character U+${code}`;
  return `contains ${what} at position ${Array.from(text.slice(0, found.index)).length + 1}`;
}

/** Characters of a text that is compared as one word; a longer text is no word. */
export const LONGEST_WORD = 100;

/** All from the first to the last character that is no blank, invisible character, punctuation, sign or picture. */
const INNER = /[^\p{Z}\p{C}\p{P}\p{So}\p{Sk}](?:.*[^\p{Z}\p{C}\p{P}\p{So}\p{Sk}])?/su;

/**
 * Returns a short text as it is compared with others that people type: without case, differences of notation and of blanks,
 * and punctuation around the text, unless the text is nothing else; undefined for a text that shows nothing, or is too long for a word.
 */
export function comparedWord(text: string): string | undefined {
  if (text.length > LONGEST_WORD) return undefined;
  // The length is checked once more, since NFKC makes up to 18 characters of one.
  const word = withoutUnseen(text.normalize('NFKC')).toLowerCase();
  if (word.length > LONGEST_WORD) return undefined;
  const [inner] = INNER.exec(word) ?? [word];
  return inner.replace(/[\p{Z}\p{C}]+/gu, ' ').trim() || undefined;
}

/** Returns the decoder of an encoding by its name; without a name, or for an unknown one, that of UTF-8, the encoding of all JSON. */
export function decoderOf(encoding?: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    // No such encoding.
    return new TextDecoder();
  }
}
