import { UNSEEN_CHARACTER } from '../text/characters';

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

/** Returns a character as its code, such as `[U+202E]`; U+FE0F, which only colours the emoji before it, as it is. */
const writtenOut = (character: string): string =>
  character === '\ufe0f'
    ? character
    : `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;

/** Controls, and characters that turn the text behind them around: they make a text look like another one. */
const MISLEADING = /(?!\n|\t)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns text for people, with misleading characters written out; other unseen characters, which honest texts of many languages
 * need, stay.
 */
export const readable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(MISLEADING, writtenOut);

/** Returns text with all unseen characters written out, so that the text can't look like another one. */
export const visible = (text: string): string => readable(text).replace(UNSEEN_CHARACTER, writtenOut);
