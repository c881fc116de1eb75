/** Markup that is ready to be sent: everything in it that came from outside is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters other than tab and line breaks, which HTML doesn't allow. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}/gu;

/** Returns text as it may stand between tags and in quoted attributes. */
const escapeMarkup = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (character) => ENTITIES[character]);

type MarkupPart = string | Markup | undefined | readonly MarkupPart[];

function markupOf(part: MarkupPart): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  return typeof part === 'string' ? escapeMarkup(part) : part.map(markupOf).join('');
}

/** A template of markup. Its values are escaped, unless they are `Markup`; undefined stands for nothing. */
export const markup = (literals: TemplateStringsArray, ...parts: MarkupPart[]): Markup =>
  new Markup(literals.map((literal, i) => (i === 0 ? literal : markupOf(parts[i - 1]) + literal)).join(''));
