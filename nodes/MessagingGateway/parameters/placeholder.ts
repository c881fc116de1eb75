import { isUnseen } from '../../gateway/text/characters';

/** A fault of a placeholder such as `{{ $json.name }}`, for one item. */
export interface Flaw {
  /** The path of the parameter, such as `smsMessage` or `viberCarousel.slides.1.caption`. */
  parameter: string;

  /** The placeholder with its braces. */
  source: string;

  /**
   * `empty`: the placeholder has no value, and its code doesn't allow an empty one (`EMPTY_IS_MEANT`). `leftover`: the value is or holds
   * a word such as "undefined", which nobody means for a recipient. `ownWords`: all placeholders of the text together gave nothing but
   * words that stand in their code, or nothing at all, and so nothing from the item.
   */
  is: 'empty' | 'leftover' | 'ownWords';

  /** The leftover, such as "undefined". */
  leftover?: string;
}

/** A placeholder of a text: its code, and what is wrong with the values that the code gives. */
export class Placeholder {
  readonly code: string;

  /** The names along a path from `$json`, which can be followed without n8n's engine; undefined for any other code. */
  readonly path: readonly string[] | undefined;

  /** Whether the code takes anything from outside of itself. */
  readonly takesData: boolean;

  private readonly mayBeEmpty: boolean;
  private readonly ownWords: readonly string[];

  /** The flaw of a missing value. Nearly all flaws are missing values: all items share one object, to save memory. */
  private readonly empty: Flaw;

  /** Takes the path of the parameter in which the placeholder stands, and the code between its braces. */
  constructor(parameter: string, code: string) {
    this.code = code;
    this.path = pathIn(code);
    this.takesData = code.includes('$');
    this.mayBeEmpty = EMPTY_IS_MEANT.test(code);
    this.ownWords = this.path === undefined ? textsIn(code) : [];
    this.empty = { parameter, source: `{{ ${code.trim()} }}`, is: 'empty' };
  }

  /** Returns what is wrong with a value that the item has as it is. */
  flawOfData(value: unknown): Flaw | undefined {
    if (isNothing(value)) return this.flawOfNothing();
    return typeof value === 'string' ? this.flawOf(wholeLeftover(value)) : undefined;
  }

  /**
   * Returns what is wrong with a value that n8n's engine gave for an item with this json. In a mixed text, n8n has made the
   * value a text; `evaluateAlone` returns the value itself.
   */
  flawOfResult(value: unknown, json: unknown, evaluateAlone: () => unknown): Flaw | undefined {
    if (isNothing(value)) return this.flawOfNothing();
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return undefined;
    return this.flawOf(
      wholeLeftover(text) ?? leftoverOfNoText(text, evaluateAlone) ?? this.leftoverPart(text, json),
    );
  }

  /** Whether a value is nothing, or has nothing but words that stand in the code. */
  hasOnlyOwnWords(value: unknown): boolean {
    if (isNothing(value)) return true;
    if (typeof value !== 'string') return false;
    let rest = value;
    for (const word of this.ownWords) rest = rest.replaceAll(word, '');
    return rest !== value && ONLY_LEFTOVERS.test(rest);
  }

  /** Returns the flaw of a text in which each placeholder has only its own words. */
  get flawOfOwnWords(): Flaw {
    return { ...this.empty, is: 'ownWords' };
  }

  private flawOfNothing(): Flaw | undefined {
    return this.mayBeEmpty ? undefined : this.empty;
  }

  private flawOf(leftover: string | undefined): Flaw | undefined {
    return leftover === undefined ? undefined : { ...this.empty, is: 'leftover', leftover };
  }

  /**
   * Code that puts texts together makes a word such as "undefined" of a missing value. Returns such a word in a text; undefined where there
   * is none. A word that the author wrote in the code, or that a text of the item has, is no such word.
   */
  private leftoverPart(text: string, json: unknown): string | undefined {
    if (!PUTS_TOGETHER.test(this.code)) return undefined;
    const word = LEFTOVER_PART.exec(text)?.[0];
    return word === undefined || this.code.includes(word) || hasText(json, word) ? undefined : word;
  }
}

const PLAIN_PATH = /^\s*\$json((?:\.[A-Za-z_][A-Za-z0-9_]*|\['[^'\\]*'\]|\["[^"\\]*"\])+)\s*$/;
const NAMES = /\.(\w+)|\['([^']*)'\]|\["([^"]*)"\]/g;

function pathIn(code: string): string[] | undefined {
  const path = PLAIN_PATH.exec(code)?.[1];
  if (path === undefined) return undefined;
  return Array.from(path.matchAll(NAMES), ([, plain, single, double]) => plain ?? single ?? double);
}

/** An author who writes an empty text as the other choice says that the placeholder may be empty. */
const EMPTY_IS_MEANT = /(?:\|\||[?:])\s*(?:''|""|``)|\$if(?:Empty)?\([^]*,\s*(?:''|""|``)/;

/** Texts in code that name where a value is, as in `$json['name']` and `$('Node')`, and don't become a part of the value. */
const NAMES_OF_PLACES =
  /\[\s*(?:'[^']*'|"[^"]*")\s*\]|\$(?:items|jmespath|fromAI)?\(\s*(?:'[^']*'|"[^"]*")/gi;
const LITERALS = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** Returns the texts in code that may become a part of its value, the longest first. */
function textsIn(code: string): string[] {
  const texts = Array.from(
    code.replace(NAMES_OF_PLACES, '').matchAll(LITERALS),
    ([, single, double, template]) => (single ?? double ?? template).split(/\$\{[^{}]*\}/),
  );
  return texts
    .flat()
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length);
}

const ONLY_LEFTOVERS = /^(?:undefined|null|NaN|\s)*$/;

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isUnseen(value));

/** A whole value that nobody means for a recipient. */
const LEFTOVER = /^\s*(undefined|null|NaN|Invalid Date|Invalid DateTime|\[object \w+\])\s*$/;

const wholeLeftover = (text: string): string | undefined => LEFTOVER.exec(text)?.[1];

/**
 * Looks like an infinite number, or like the code of a function, which has "=>" or ends in "}". But the name of a shop may be Infinity,
 * and an ordinary text may end in "}".
 */
const LIKE_NO_TEXT = /^\s*-?Infinity\s*$|\}\s*$|=>/;

function leftoverOfNoText(text: string, evaluateAlone: () => unknown): string | undefined {
  if (!LIKE_NO_TEXT.test(text)) return undefined;
  try {
    const value = evaluateAlone();
    if (typeof value === 'function') return 'function';
    return typeof value === 'number' ? String(value) : undefined;
  } catch {
    // n8n refuses a function: "this is a function, please add ()".
    return 'function';
  }
}

const PUTS_TOGETHER = /\+|\$\{|\bconcat\b|\bjoin\b/;
const LEFTOVER_PART = /\b(?:undefined|null|NaN|Infinity|Invalid Date(?:Time)?)\b|\[object \w{1,40}\]/;

/** Whether any text of an item has a word. */
const hasText = (json: unknown, word: string): boolean =>
  typeof json === 'object' && json !== null
    ? Object.values(json).some((value) => hasText(value, word))
    : typeof json === 'string' && json.includes(word);
