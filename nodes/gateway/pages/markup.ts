/** Markup that is ready to be sent: everything in it that came from outside is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

/** Control characters other than tab and line breaks, which HTML doesn't allow. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}/gu;

type MarkupPart = string | Markup | false | undefined | readonly MarkupPart[];

function markupOf(part: MarkupPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part !== 'string') return part.map(markupOf).join('');
  return part.replace(FORBIDDEN, '').replace(/[&<>"']/g, (character) => `&${ENTITIES[character]};`);
}

/** A template of markup. Its values are escaped, unless they are `Markup`; undefined and false stand for nothing. */
export const markup = (literals: TemplateStringsArray, ...parts: MarkupPart[]): Markup =>
  new Markup(literals.map((literal, i) => (i === 0 ? literal : markupOf(parts[i - 1]) + literal)).join(''));

/**
 * Characters that change how others are shown, or that are not shown at all: controls, marks of direction, blanks of no
 * width, separators of lines. A line feed and a tab are what they look like; U+FE0F only colours the emoji before it.
 */
const INVISIBLE = /(?!\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A character as a person can read it, e.g. `[U+202E]`. */
const writtenOut = (character: string): string =>
  `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;

/** Returns text with such characters written out, so that it can't look like another text. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(INVISIBLE, writtenOut);

/** A letter of a script that joins its letters, or has signs for how they join; of Latin, Greek and Cyrillic there are none. */
const JOINING = '(?!\\p{Script=Latin}|\\p{Script=Greek}|\\p{Script=Cyrillic})[\\p{L}\\p{M}]';
const PICTOGRAPH = '\\p{Extended_Pictographic}';

/** What honest texts have of such characters, where it does what it is there for and can hide or turn around nothing. */
const HONEST = [
  // Hebrew and Arabic texts with numbers and brackets in them.
  '[\\u200e\\u200f\\u061c]',
  // Between the letters of a Persian or an Indian word.
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
  // At the end of a Malayalam word.
  `(?<=${JOINING}\\p{M})\\u200d`,
  // Where a word may be divided at the end of a line.
  '(?<=\\p{L})\\u00ad(?=\\p{L})',
  // Families, professions and skin colours; plain and coloured pictures; the flags of England, Scotland and Wales.
  `(?<=${PICTOGRAPH}|\\ufe0f|[\\u{1f3fb}-\\u{1f3ff}])\\u200d(?=${PICTOGRAPH})`,
  `(?<=${PICTOGRAPH})\\ufe0e`,
  '\\u{1f3f4}\\u{e0067}\\u{e0062}[\\u{e0061}-\\u{e007a}]{3}\\u{e007f}',
  // Forms of a Chinese character.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
].join('|');
const HONEST_OR_INVISIBLE = new RegExp(`(${HONEST})|${INVISIBLE.source}`, 'gu');

/**
 * Returns text for people as `visible` does, but with the characters that honest texts of any language need: what it shows is
 * what is written, and from right to left it stays readable.
 */
export const readable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(HONEST_OR_INVISIBLE, (character, honest?: string) => honest ?? writtenOut(character));
