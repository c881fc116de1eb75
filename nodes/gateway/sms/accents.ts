import { isInGsm } from './segments';

/** Letters that stand for themselves, or nearer to another than to the one without its mark; each with what it becomes. */
const LETTERS: Record<string, string | undefined> = {
  // Readers of Hungarian know these for those.
  ő: 'ö',
  ű: 'ü',
  ...{ đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ĸ: 'k', ł: 'l', ŋ: 'n', ŧ: 't', ə: 'e', ɓ: 'b', ɗ: 'd', ƙ: 'k' },
  ...{ œ: 'oe', þ: 'th', ƒ: 'f' },
};

/** Greek capitals that the GSM alphabet lacks look like these. */
const GREEK: Record<string, string | undefined> = {
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N' },
  ...{ Ο: 'O', Ρ: 'P', Τ: 'T', Υ: 'Y', Χ: 'X' },
};

/** No language has more marks on a letter; to order them, NFKD takes the square of their number. */
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
    // "Œ" begins a word, or stands in capitals.
    const next = text.charAt(at + letter.length);
    const isInCapitals = next !== next.toLowerCase();
    const capital = isInCapitals ? near.toUpperCase() : near.charAt(0).toUpperCase() + near.slice(1);
    return isInGsm(capital) ? capital : letter;
  });
}

function nearest(letter: string): string | undefined {
  const base = LETTERS[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
  const near = Array.from(base, (one) => {
    if (isInGsm(one)) return one;
    const capital = one.toUpperCase();
    return LETTERS[one] ?? GREEK[capital] ?? capital;
  }).join('');
  return isInGsm(near) ? near : undefined;
}
