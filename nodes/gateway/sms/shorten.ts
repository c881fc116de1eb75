import { CYRILLIC, GREEK, LATIN, SIGNS, UKRAINIAN, UKRAINIAN_INITIAL } from './letters';
import { isInGsm, measureSms } from './segments';

/** Ways to write characters that the GSM alphabet lacks. */
export const SHORTENING_WAYS = ['punctuation', 'transliterate', 'accents'] as const;

export type ShorteningWay = (typeof SHORTENING_WAYS)[number];

/** Characters of the longest text that is shortened: NFC takes the square of the number of marks on one letter. */
const LONGEST_TEXT = 10_000;

/** All between two blanks; a placeholder in braces is a part of its word, with the blanks of its name. */
const WORD = /(?:\{[^{}]{1,100}\}|\S)+/g;

/**
 * Marks of words that somebody clicks or types, or a gateway fills in: links, addresses of e-mail, bare domains, `{name}`, `%name%`,
 * and codes, which have a digit behind a letter or before a capital; "100грн" is none.
 * A capital and a small letter behind a dot begin a sentence or a name, as in "вул.Шевченка".
 */
const EXACT =
  /:\/\/|@|\{[^{}]+\}|%[^\s%]+%|[\p{L}\p{M}\p{N}]\.(?!\p{Lu}\p{Ll})\p{L}[\p{L}\p{M}]|[\p{L}\p{M}]-?\p{Nd}|\p{Nd}-?\p{Lu}/u;

/** Takes the place of a word that stays to the letter. No text that is sent has this character, and no way of writing changes it. */
const STAND_IN = '\0';

/**
 * Returns an SMS with its costly characters written in these ways, if it is billed as fewer parts then; otherwise the SMS as it is. Of
 * combinations that save as many parts, the one that changes less is taken. Words that somebody clicks or types, or a gateway fills
 * in, stay to the letter.
 */
export function shortenSms(text: string, ways: readonly ShorteningWay[]): string {
  if (ways.length === 0 || text.length > LONGEST_TEXT || text.includes(STAND_IN)) return text;
  const { segments } = measureSms(text);
  if (segments < 2) return text;
  const exact: string[] = [];
  const free = text.replace(WORD, (word) => (EXACT.test(word) && exact.push(word) ? STAND_IN : word));
  const composed = free.normalize('NFC');
  let best = { text, segments };
  for (const several of COMBINATIONS) {
    if (!several.every((way) => ways.includes(way))) continue;
    const [first, ...others] = several
      .reduce((changed, way) => WRITERS[way](changed), composed)
      .split(STAND_IN);
    const candidate = others.reduce((whole, part, i) => whole + exact[i] + part, first);
    const measure = measureSms(candidate);
    if (measure.segments > 0 && measure.segments < best.segments) {
      best = { text: candidate, segments: measure.segments };
    }
  }
  return best.text;
}

/** Combinations of ways in the order in which they are applied, those that change less first. */
const COMBINATIONS: ReadonlyArray<readonly ShorteningWay[]> = [
  ['punctuation'],
  ['accents'],
  ['transliterate'],
  ['accents', 'punctuation'],
  // Letters before punctuation: with them go the apostrophes within Cyrillic words.
  ['transliterate', 'punctuation'],
  ['transliterate', 'accents'],
  ['transliterate', 'accents', 'punctuation'],
];

const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** A fraction, and the last digit of the number before it: "1½" becomes "1 1/2". */
const FRACTION = /(\d?)([¼½¾⅓⅔⅛⅜⅝⅞])/g;
const LIGATURE = /[\uFB00-\uFB06]/g;
const LINE_END = /[\u2028\u2029]/g;
const BLANK = /[\t\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

/** A joiner behind a Latin letter, which does nothing there. In other scripts, and in emoji, a joiner changes what is seen. */
const IDLE_JOINER = /(?<![^\0-\u024F])[\u200C\u200D]/g;

const withPlainPunctuation = (text: string): string =>
  text
    .replace(FULL_WIDTH, (wide) => wide.normalize('NFKC'))
    .replace(FRACTION, (_, whole: string, part: string) => (whole && `${whole} `) + part.normalize('NFKD'))
    .replace(LIGATURE, (ligature) => ligature.normalize('NFKD'))
    .replace(/`|\P{ASCII}/gu, (sign) => SIGNS[sign] ?? sign)
    .replace(LINE_END, '\n')
    .replace(BLANK, ' ')
    .replace(INVISIBLE, '')
    .replace(IDLE_JOINER, '');

/** Signs that people type as an apostrophe within a word, for the class of a pattern. */
const APOSTROPHES = [
  "'", // apostrophe
  '`', // grave accent
  '\u00B4', // ´ acute accent
  '\u02BC', // ʼ modifier letter apostrophe
  '\u2018', // ‘ left single quotation mark
  '\u2019', // ’ right single quotation mark
  '\u2032', // ′ prime
].join('');

/** Stress marks, and apostrophes within a word: no Latin letter is written for them. */
const UNWRITTEN = new RegExp(
  `(?<=\\p{Script=Cyrillic})(?:\\u0301|[${APOSTROPHES}](?=\\p{Script=Cyrillic}))`,
  'gu',
);
const ONLY_UKRAINIAN = /[іїєґ]/i;
const NOT_UKRAINIAN = /(?![абвгґдеєжзиіїйклмнопрстуфхцчшщьюя])\p{Script=Cyrillic}/iu;

/**
 * Writes Cyrillic letters in Latin ones: by the table for Ukrainian, unless the text has letters that Ukrainian lacks and
 * none of those that tell it from other languages. Letters that the tables lack stay.
 */
function transliterate(text: string): string {
  const isUkrainian = ONLY_UKRAINIAN.test(text) || !NOT_UKRAINIAN.test(text);
  return text.replace(UNWRITTEN, '').replace(/\p{Script=Cyrillic}/gu, (letter, at: number, whole: string) => {
    const lower = letter.toLowerCase();
    const [before, after] = [whole.charAt(at - 1), whole.charAt(at + 1)];
    const latin = (isUkrainian ? ukrainian(lower, before) : undefined) ?? CYRILLIC[lower];
    if (latin === undefined || letter === lower) return latin ?? letter;
    const isInCapitals = isLetter(after) ? isCapital(after) : isLetter(before) && isCapital(before);
    return isInCapitals ? latin.toUpperCase() : latin.charAt(0).toUpperCase() + latin.slice(1);
  });
}

function ukrainian(letter: string, before: string): string | undefined {
  // "zh" would be read as another letter.
  if (letter === 'г' && before.toLowerCase() === 'з') return 'gh';
  return (isLetter(before) ? undefined : UKRAINIAN_INITIAL[letter]) ?? UKRAINIAN[letter];
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isCapital = (character: string): boolean => character !== character.toLowerCase();

const WRITERS: Record<ShorteningWay, (text: string) => string> = {
  punctuation: withPlainPunctuation,
  transliterate,
  accents: withoutAccents,
};

/** A letter with its marks: nine at most, more than any language has, since NFKD takes the square of their number. */
const LETTER = /(?:\p{Script=Latin}|\p{Script=Greek})\p{M}{0,9}/gu;

/**
 * Writes Latin letters with marks, and Greek ones, with the nearest letters of the GSM alphabet. It has some of them, such as
 * ä and é; others lose their marks ("Łódź" becomes "Lodz"), and Greek becomes capitals, as people write it in SMS. What has no
 * near letter stays.
 */
export function withoutAccents(text: string): string {
  return text.replace(LETTER, (letter, at: number) => {
    if (isInGsm(letter)) return letter;
    const near = nearest(letter.toLowerCase());
    if (near === undefined || letter === letter.toLowerCase()) return near ?? letter;
    // "Œ" becomes "OE" within capitals, and "Oe" before a small letter.
    const next = text.charAt(at + letter.length);
    const isInCapitals = next !== next.toLowerCase();
    const capital = isInCapitals ? near.toUpperCase() : near.charAt(0).toUpperCase() + near.slice(1);
    return isInGsm(capital) ? capital : letter;
  });
}

function nearest(letter: string): string | undefined {
  const base = LATIN[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
  const near = Array.from(base, (one) => {
    if (isInGsm(one)) return one;
    const capital = one.toUpperCase();
    return LATIN[one] ?? GREEK[capital] ?? capital;
  }).join('');
  return isInGsm(near) ? near : undefined;
}
