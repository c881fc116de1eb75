/** Full-width forms of ASCII. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Decimal digits of all scripts. */
const DIGIT = /\p{Nd}/u;
const DIGITS = /\p{Nd}/gu;

/** Marks that come along when a number is copied from a contact card or a web page. */
const INVISIBLE = /\p{Cf}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Returns text with full-width characters and the decimal digits of all scripts as ASCII, without invisible marks. */
export function asciiForms(text: string): string {
  if (ASCII.test(text)) return text;
  const narrow = text.replace(FULL_WIDTH, (character) =>
    String.fromCharCode(character.charCodeAt(0) - 0xfee0),
  );
  return narrow.replace(DIGITS, valueOf).replace(INVISIBLE, '');
}

/** Unicode has decimal digits in unbroken runs of ten, from zero to nine; several runs may follow each other. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
