import { InvalidParameter, quoted } from './field';
import { isUnseen } from '../../gateway/text/characters';
import { meansNothing, sheetErrorIn } from './sheet-words';

/** The parameters, and the fields of stages and slides, that hold what a recipient reads, sees or opens. */
export const TEXT_PARAMETERS: ReadonlySet<string> = new Set([
  ...['viber', 'rcs'].flatMap((channel) =>
    ['Message', 'Image', 'Button', 'Link'].map((part) => channel + part),
  ),
  ...['smsMessage', 'whatsappMessage', 'message', 'caption', 'image', 'button', 'url', 'button2', 'url2'],
]);

/** The text that needs a value in each of its placeholders, whatever their sources say. */
export const KEY_PARAMETER = 'options.sendOnceKey';

/** A placeholder of a text: its source with the braces, and what it came to for an item. */
export interface Placeholder {
  /** Undefined for a whole text whose placeholders aren't known. */
  source?: string;
  value: string;
}

/** How an item takes empty placeholders, and the sources of those that were met. */
export interface EmptyPlaceholders {
  refuse: boolean;
  found: Set<string>;
}

/** A text with placeholders that came to nothing, or to what isn't meant for a recipient. It is read with `asText`. */
export class DoubtfulText {
  private readonly text: unknown;
  private readonly doubtful: Placeholder[];
  private readonly empty: EmptyPlaceholders;

  constructor(text: unknown, doubtful: Placeholder[], empty: EmptyPlaceholders) {
    this.text = text;
    this.doubtful = doubtful;
    this.empty = empty;
  }

  /**
   * Returns the text as n8n evaluated it, and notes its empty placeholders. `key` says what a key has to be.
   * @throws InvalidParameter for what isn't meant for a recipient, and for an empty placeholder in a key or where these are
   *   refused
   */
  accept(displayName: string, key?: string): unknown {
    for (const { source, value } of this.doubtful) {
      const residue = residueIn(value);
      if (residue !== undefined) {
        const from = source === undefined ? '' : ` from ${source}`;
        const accepted = key ?? 'text without leftovers of expressions';
        throw this.refusal(displayName, accepted, `contains "${residue}"${from}`);
      }
      // What no placeholder is known to have come to may be the author's own text.
      if (source === undefined) continue;
      const sheetError = sheetErrorIn(value);
      if (sheetError !== undefined) {
        const accepted = key ?? 'text without what a spreadsheet shows for a broken formula';
        throw this.refusal(displayName, accepted, `contains "${sheetError}" from ${source}`);
      }
      const empty = isUnseen(value) ? source : `${source}, which is "${value.trim()}"`;
      if (key !== undefined) throw this.refusal(displayName, key, `has an empty ${empty}`);
      if (isMeant(source, value)) continue;
      if (this.empty.refuse) {
        const reason = `has an empty ${empty}; ${EMPTY_IS_MEANT}`;
        throw this.refusal(displayName, 'text without empty placeholders', reason);
      }
      this.empty.found.add(empty);
    }
    return this.text;
  }

  private refusal(displayName: string, accepted: string, reason: string): InvalidParameter {
    return new InvalidParameter(quoted(displayName), accepted, this.text, reason);
  }
}

const EMPTY_IS_MEANT = "where it may be empty, add an empty text to it, as in {{ $json.name || '' }}";

/** Whether a source has a literal of nothing, of blanks, or of a word for nothing, which is what it came to then. */
function isMeant(source: string, value: string): boolean {
  if (!isUnseen(value)) return [`'`, `"`, '`'].some((quote) => source.includes(quote + value + quote));
  return (value === '' ? /(?<!\\)(?:''|""|``)/ : /(?<!\\)(["'`])(?:\s|\\[nrt])*\1/).test(source);
}

/** Values that can't be doubtful by their first character and those that they lack: most, and each message has some. */
const ORDINARY = /^[0-9A-DF-HJKMO-Za-mo-tv-z][^#{[I]*$/;

/** Whether a text is to be looked at again because of what one of its placeholders came to. */
export const isDoubtful = (value: string): boolean => !ORDINARY.test(value) && looksDoubtful(value);

const looksDoubtful = (value: string): boolean =>
  isUnseen(value) ||
  meansNothing(value) ||
  residueIn(value) !== undefined ||
  sheetErrorIn(value) !== undefined;

const MISSING = new Set(['undefined', 'null', 'NaN']);
const UNREADABLE = ['[object Object]', 'Invalid DateTime'];

/** What an expression leaves in place of a missing value, or a placeholder that nothing filled in; undefined without one. */
function residueIn(value: string): string | undefined {
  if (value.length < 20 && MISSING.has(value.trim())) return value.trim();
  const open = value.indexOf('{{');
  const close = open === -1 ? -1 : value.indexOf('}}', open);
  return close === -1 ? UNREADABLE.find((text) => value.includes(text)) : value.slice(open, close + 2);
}
