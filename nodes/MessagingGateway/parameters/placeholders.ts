import { randomUUID } from 'crypto';
import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isUnseen } from '../../gateway/text/characters';
import { isObject } from '../../gateway/text/json';

/** A fault of a placeholder such as `{{ $json.name }}`, for one item. */
export interface Flaw {
  /** The path of the parameter, such as `smsMessage` or `viberCarousel.slides.1.caption`. */
  parameter: string;

  /** The placeholder with its braces. */
  source: string;

  /**
   * `empty`: the placeholder has no value, which its author didn't mean. `leftover`: it came to what no author means. `ownWords`:
   * of all placeholders of the text, nothing came but words that their own code has, whatever the item.
   */
  is: 'empty' | 'leftover' | 'ownWords';

  /** The leftover, such as "undefined". */
  leftover?: string;
}

/** Takes what is wrong with a placeholder for an item. */
export type Note = (itemIndex: number, flaw: Flaw) => void;

/**
 * Returns what a parameter, or a part of one, holds for an item, and notes what is wrong with its placeholders.
 * @throws ExpressionError or another error of n8n's engine, for a refused expression; its context names the parameter
 */
export type ReadItem = (itemIndex: number) => unknown;

const NOT_SET = Symbol('not set');

/** Stands for a value that only n8n's engine can compute. */
const ASK_ENGINE = Symbol('ask the engine');

/** An option as large as a table, the same for all items: n8n would make it anew for each, so it is read by its own path. */
const READ_APART = 'stopList';

/** Code between double braces. */
const PLACEHOLDER = /\{\{([^]*?)\}\}/;

/** n8n takes such braces as text, or as a part of the code. */
const ESCAPED_BRACES = /\\(?:\{\{|\}\})/;

/**
 * Stands around each placeholder of a text that n8n evaluates. No data has this mark, which is random. All runs have the same, since
 * n8n compiles a text that it has not seen before, in five milliseconds, and keeps what it made of the text until the process ends.
 */
const MARK = `\u0001${randomUUID()}\u0001`;

/** A path of names from `$json`, which needs no engine. */
const PLAIN_PATH = /^\s*\$json((?:\.[A-Za-z_][A-Za-z0-9_]*|\['[^'\\]*'\]|\["[^"\\]*"\])+)\s*$/;
const NAMES = /\.(\w+)|\['([^']*)'\]|\["([^"]*)"\]/g;

/** An author who writes an empty text as the other choice says that the placeholder may be empty. */
const MAY_BE_EMPTY = /(?:\|\||[?:])\s*(?:''|""|``)|\$if(?:Empty)?\([^]*(?:''|""|``)/;

/** The whole value of a placeholder that nobody means for a recipient. */
const LEFTOVER = /^\s*(undefined|null|NaN|Invalid Date|Invalid DateTime|\[object \w+\])\s*$/;

/** Values that are a leftover only where n8n made the text of a number or of a function: the name of a shop may be Infinity. */
const MADE_OF_NO_TEXT = /^\s*-?Infinity\s*$|\}\s*$|=>/;

/** Code that puts texts together, and what it may make of a missing value. */
const PUTS_TOGETHER = /\+|\$\{|\bconcat\b|\bjoin\b/;
const LEFTOVER_WORD = /\b(?:undefined|null|NaN|Infinity|Invalid Date(?:Time)?)\b|\[object \w{1,40}\]/;

/** Texts of code which name where a value is, and don't become a part of it. */
const NAMED_PLACES = /\[\s*(?:'[^']*'|"[^"]*")\s*\]|\$(?:items|jmespath|fromAI)?\(\s*(?:'[^']*'|"[^"]*")/gi;
const LITERALS = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const NOTHING_BUT_LEFTOVERS = /^(?:undefined|null|NaN|\s)*$/;

/**
 * Compiles a parameter, once for all items of a run; undefined where it is not set. It is read as `getNodeParameter` reads it.
 * Random marks around the placeholders of a text, which n8n evaluates with the text, give the value of each one, whatever its
 * spelling. n8n's engine spends half a millisecond on an evaluation: texts that only take plain values from the item are read
 * without it, once the engine has given the same for one item. The items share the values of collections without expressions:
 * these must not be changed.
 */
export function compileParameter(context: IExecuteFunctions, name: string, note: Note): ReadItem | undefined {
  const given: unknown = context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
  if (given === NOT_SET) return undefined;
  const raw = name === 'options' && isObject(given) ? withoutApart(given) : given;
  if (typeof raw !== 'string' && hasExpression(raw) && (namesSiblings(JSON.stringify(raw)) || !hasPaths(raw)))
    return (itemIndex) => askEngine(context, name, itemIndex);
  return compilePart({ context, note }, raw, { path: name, parameter: name });
}

const withoutApart = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== READ_APART));

const hasExpression = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null
    ? Object.values(raw).some(hasExpression)
    : typeof raw === 'string' && raw.startsWith('=');

/** Whether the entries of a collection may refer to each other, as in `$parameter["&name"]`: only the whole can be read then. */
const namesSiblings = (raw: string): boolean => /parameter/i.test(raw) && raw.includes('&');

/** A key by which n8n finds a part of a collection: the name of a tool's argument may have points. */
const KEY = /^(?!__proto__$)\w+$/;

/** Whether n8n finds each part of a collection by its path. */
const hasPaths = (raw: unknown): boolean =>
  typeof raw !== 'object' ||
  raw === null ||
  Object.entries(raw).every(([key, value]) => KEY.test(key) && hasPaths(value));

/** The parts with which the placeholders of a run are read. */
interface Reader {
  context: IExecuteFunctions;
  note: Note;
}

/** Where a value stands: its path for n8n, and the parameter of its flaws. */
interface Place {
  path: string;
  parameter: string;
}

function compilePart(reader: Reader, raw: unknown, place: Place): ReadItem {
  if (typeof raw === 'object' && raw !== null) return compileCollection(reader, raw, place);
  if (typeof raw !== 'string' || !raw.startsWith('=')) return () => raw;
  return compileText(reader, raw.slice(1), place);
}

function compileCollection(reader: Reader, raw: object, { path, parameter }: Place): ReadItem {
  const isList = Array.isArray(raw);
  const isLocator = isObject(raw) && raw.__rl === true;
  const parts = Object.entries(raw).map(([key, value]) => ({
    key,
    read: compilePart(reader, value, {
      path: `${path}.${key}`,
      parameter: isLocator ? parameter : `${parameter}.${key}`,
    }),
  }));
  const build: ReadItem = (itemIndex) => {
    const built: Record<string, unknown> = {};
    for (const { key, read } of parts) {
      const value = read(itemIndex);
      // As n8n does in a collection.
      built[key] = !isList && DateTime.isDateTime(value) ? value.toString() : value;
    }
    return isList ? Object.values(built) : built;
  };
  if (hasExpression(raw)) return build;
  const constant = build(0);
  return () => constant;
}

/** Compiles an expression without its "=". */
function compileText(reader: Reader, text: string, { path, parameter }: Place): ReadItem {
  const { context } = reader;
  const ask: ReadItem = (itemIndex) => askEngine(context, path, itemIndex);
  if (ESCAPED_BRACES.test(text)) return ask;
  const pieces = text.split(PLACEHOLDER);
  if (pieces.length === 1) return ask;
  const placeholders = pieces.flatMap((code, i) =>
    i % 2 === 1 ? [new Placeholder(reader, parameter, code)] : [],
  );
  // Code alone keeps its type; anything around it, even a blank, makes it text.
  const isAlone = pieces.length === 3 && pieces[0] === '' && pieces[2] === '';
  const evaluate = isAlone
    ? evaluateAlone(placeholders[0], ask)
    : evaluateMarked(reader, placeholders, { pieces, ask });
  // A backslash escapes another one, and an open brace may be an error, by the engine's rules.
  const isPlain = !text.includes('\\') && !pieces[pieces.length - 1].includes('{{');
  if (!isPlain || placeholders.some(({ names }) => names === undefined)) return evaluate;
  const direct: Direct = isAlone
    ? (json, noteFor) => placeholders[0].take(json, noteFor)
    : (json, noteFor) => joinedText(pieces, placeholders, { json, noteFor });
  return proven(reader, direct, evaluate);
}

function evaluateAlone(placeholder: Placeholder, ask: ReadItem): ReadItem {
  return (itemIndex) => {
    const value = ask(itemIndex);
    placeholder.judge(value, itemIndex);
    noteOwnWords([placeholder], [value], itemIndex);
    return value;
  };
}

function evaluateMarked(
  { context }: Reader,
  placeholders: readonly Placeholder[],
  { pieces, ask }: { pieces: readonly string[]; ask: ReadItem },
): ReadItem {
  const marked = pieces.map((piece, i) => (i % 2 === 1 ? `${MARK}{{${piece}}}${MARK}` : piece)).join('');
  return (itemIndex) => {
    const parts = evaluatedOrRefused(context, marked, itemIndex)?.split(MARK);
    // n8n tells by itself what it refuses, with the name of the parameter.
    if (parts?.length !== pieces.length) return ask(itemIndex);
    const values = parts.filter((_, i) => i % 2 === 1);
    for (const [i, placeholder] of placeholders.entries()) placeholder.judge(values[i], itemIndex);
    noteOwnWords(placeholders, values, itemIndex);
    return parts.join('');
  };
}

/** Returns an evaluated text; undefined where n8n refuses it. */
function evaluatedOrRefused(context: IExecuteFunctions, text: string, itemIndex: number): string | undefined {
  try {
    return String(context.evaluateExpression(text, itemIndex));
  } catch {
    return undefined;
  }
}

function noteOwnWords(
  placeholders: readonly Placeholder[],
  values: readonly unknown[],
  itemIndex: number,
): void {
  const taking = placeholders.filter(({ takesData }) => takesData);
  const [first] = taking;
  if (first === undefined) return;
  if (taking.every((one) => one.hasOnlyOwnWords(values[placeholders.indexOf(one)])))
    first.noteOwnWords(itemIndex);
}

/** Takes the json of an item; returns the value for it, or ASK_ENGINE. Where `noteFor`, the index of the item, is left out, nothing is noted. */
type Direct = (json: unknown, noteFor?: number) => unknown;

function joinedText(
  pieces: readonly string[],
  placeholders: readonly Placeholder[],
  { json, noteFor }: { json: unknown; noteFor?: number },
): unknown {
  let text = pieces[0];
  for (const [i, placeholder] of placeholders.entries()) {
    const value = placeholder.take(json, noteFor);
    if (value === ASK_ENGINE) return ASK_ENGINE;
    text += (typeof value === 'string' ? value : String(value ?? '')) + pieces[2 * i + 2];
  }
  return text;
}

/**
 * Returns the function that reads directly, once that has given what n8n gives, and evaluates otherwise: n8n refuses some
 * expressions, and for the tool of an agent it may evaluate them on other items than the node's.
 */
function proven({ context }: Reader, direct: Direct, evaluate: ReadItem): ReadItem {
  const items = context.getInputData();
  let proof: 'untested' | 'same' | 'different' = 'untested';
  return (itemIndex) => {
    if (proof === 'different') return evaluate(itemIndex);
    const json = items[itemIndex]?.json;
    if (proof === 'same') {
      const value = direct(json, itemIndex);
      return value === ASK_ENGINE ? evaluate(itemIndex) : value;
    }
    const value = direct(json);
    const evaluated = evaluate(itemIndex);
    if (value !== ASK_ENGINE) proof = Object.is(value, evaluated) ? 'same' : 'different';
    return evaluated;
  };
}

/** A placeholder of a text. */
class Placeholder {
  /** The names of code that is a plain path; undefined for any other code. */
  readonly names: readonly string[] | undefined;

  /** Whether the code takes anything from outside of itself. */
  readonly takesData: boolean;
  private readonly reader: Reader;
  private readonly code: string;
  private readonly isMeantEmpty: boolean;
  private readonly literals: readonly string[];

  /** Nearly all flaws are of this kind: all items share one object. */
  private readonly empty: Flaw;

  constructor(reader: Reader, parameter: string, code: string) {
    this.reader = reader;
    this.code = code;
    this.names = plainNamesIn(code);
    this.takesData = code.includes('$');
    this.isMeantEmpty = MAY_BE_EMPTY.test(code);
    this.literals = this.names === undefined ? literalsIn(code) : [];
    this.empty = { parameter, source: `{{ ${code.trim()} }}`, is: 'empty' };
  }

  /** Returns the value at the plain path of an item, or ASK_ENGINE where n8n would copy or convert it; notes what is wrong with it. */
  take(json: unknown, noteFor?: number): unknown {
    let value = json;
    for (const name of this.names ?? []) {
      if (value === undefined || value === null) {
        value = undefined;
        break;
      }
      if (!isPlain(value)) return ASK_ENGINE;
      value = value[name];
    }
    const isSame =
      value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean';
    if (!isSame && !Number.isFinite(value)) return ASK_ENGINE;
    if (noteFor !== undefined) this.judge(value, noteFor, true);
    return value;
  }

  /** Notes what is wrong with the value for an item; `isData`: whether the item has the value as it is. */
  judge(value: unknown, itemIndex: number, isData = false): void {
    if (isNothing(value)) {
      if (!this.isMeantEmpty) this.reader.note(itemIndex, this.empty);
      return;
    }
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string') return;
    const leftover = isData ? wholeLeftover(text) : this.leftoverIn(text, itemIndex);
    if (leftover !== undefined) this.reader.note(itemIndex, { ...this.empty, is: 'leftover', leftover });
  }

  hasOnlyOwnWords(value: unknown): boolean {
    if (isNothing(value)) return true;
    if (typeof value !== 'string') return false;
    let rest = value;
    for (const literal of this.literals) rest = rest.replaceAll(literal, '');
    return rest !== value && NOTHING_BUT_LEFTOVERS.test(rest);
  }

  noteOwnWords(itemIndex: number): void {
    this.reader.note(itemIndex, { ...this.empty, is: 'ownWords' });
  }

  private leftoverIn(text: string, itemIndex: number): string | undefined {
    const whole =
      wholeLeftover(text) ?? (MADE_OF_NO_TEXT.test(text) ? this.leftoverOfNoText(itemIndex) : undefined);
    if (whole !== undefined) return whole;
    if (!PUTS_TOGETHER.test(this.code)) return undefined;
    const word = LEFTOVER_WORD.exec(text)?.[0];
    // Neither the author nor the item has the word: the code made it of a missing value.
    const json = this.reader.context.getInputData()[itemIndex]?.json;
    return word === undefined || this.code.includes(word) || hasText(json, word) ? undefined : word;
  }

  /** Asks n8n for the value alone, with its type. */
  private leftoverOfNoText(itemIndex: number): string | undefined {
    try {
      const value: unknown = this.reader.context.evaluateExpression(`{{${this.code}}}`, itemIndex);
      // A list of texts may look like a function, and is none.
      if (typeof value === 'function') return 'function';
      return typeof value === 'number' ? String(value) : undefined;
    } catch {
      // "this is a function, please add ()"
      return 'function';
    }
  }
}

const wholeLeftover = (text: string): string | undefined => LEFTOVER.exec(text)?.[1];

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isUnseen(value));

function plainNamesIn(code: string): string[] | undefined {
  const path = PLAIN_PATH.exec(code)?.[1];
  if (path === undefined) return undefined;
  return Array.from(path.matchAll(NAMES), ([, plain, single, double]) => plain ?? single ?? double);
}

/** Returns the texts that code has and that may become a part of its value, the longest first. */
function literalsIn(code: string): string[] {
  const written = code.replace(NAMED_PLACES, '');
  const texts = Array.from(written.matchAll(LITERALS), ([, single, double, template]) =>
    (single ?? double ?? template).split(/\$\{[^{}]*\}/),
  );
  return texts
    .flat()
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length);
}

/** Whether any text of an item has a word. */
const hasText = (json: unknown, word: string): boolean =>
  typeof json === 'object' && json !== null
    ? Object.values(json).some((value) => hasText(value, word))
    : typeof json === 'string' && json.includes(word);

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function askEngine(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
  try {
    return context.getNodeParameter(name, itemIndex);
  } catch (thrown) {
    const error = naming(thrown, name);
    throw error;
  }
}

/** Adds the parameter to the context of an engine error that has none; n8n adds it only to an existing context. */
function naming(thrown: unknown, parameter: string): unknown {
  const bare = thrown instanceof Error && !('context' in thrown);
  return bare ? Object.assign(thrown, { context: { parameter } }) : thrown;
}
