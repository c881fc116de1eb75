/** Full-width forms of ASCII. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Decimal digits of all scripts. */
const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;

/** Controls, format characters, fillers, and the empty cell of Braille. */
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

/** What programs leave in a text and no language has as a word; "undefined" and "null" are words. */
const LEFTOVER = /\{\{[^]*?\}\}|\[object \w{1,40}\]|Invalid DateTime|\bNaN\b/;

/** How each of them begins: nearly all texts are done with this. */
const MAY_BE_LEFTOVER = /\{\{|\[object |Invalid DateTime|NaN/;

/** Stands for braces that nothing closes. */
const UNCLOSED = '\0';

/**
 * Returns what a program, such as an earlier node, left in a text and nobody writes: "[object Object]", or a placeholder that
 * nothing filled in.
 */
export function leftoverIn(text: string): string | undefined {
  if (!MAY_BE_LEFTOVER.test(text)) return undefined;
  // Behind the last closing braces, the pattern would look for others from each opening brace anew: the square of the length.
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

/** Unicode has decimal digits in unbroken runs of ten, from zero to nine; several runs may follow each other. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Divides a text into characters as a person sees them: a family of emoji, or a letter with its marks, is one. */
const SEEN = new Intl.Segmenter();

/** Returns the beginning of a text: whole characters as a person sees them, of at most so many UTF-16 units. */
export function beginningOf(text: string, most: number): string {
  // Two units more than fit: the first character that doesn't fit may begin with a pair.
  const end = SEEN.segment(text.slice(0, most + 2)).containing(most)?.index;
  return text.slice(0, end);
}

/** Returns a text, or its beginning with an ellipsis where it has more than so many UTF-16 units. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${beginningOf(text, most)}…` : text;

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

/** A word without blanks, invisible characters, punctuation, quotes and pictures at both ends. */
const INNER = /[^\p{Z}\p{C}\p{P}\p{So}\p{Sk}](?:.*[^\p{Z}\p{C}\p{P}\p{So}\p{Sk}])?/su;

/**
 * Returns a short text as it is compared with others that people type: without case, differences of notation and of blanks,
 * and punctuation around the text, unless the text is nothing else; undefined for a text that shows nothing, or is too long for a word.
 */
export function comparedWord(text: string): string | undefined {
  if (text.length > LONGEST_WORD) return undefined;
  // NFKC makes up to 18 characters of one.
  const word = withoutUnseen(text.normalize('NFKC')).toLowerCase();
  if (word.length > LONGEST_WORD) return undefined;
  const [inner] = INNER.exec(word) ?? [word];
  return inner.replace(/[\p{Z}\p{C}]+/gu, ' ').trim() || undefined;
}

/** Returns the decoder of an encoding by its name; of UTF-8, which JSON is by its standard, for none and for an unknown name. */
export function decoderOf(encoding?: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    // No such encoding.
    return new TextDecoder();
  }
}
