import type { IExecuteFunctions } from 'n8n-workflow';

import { isToolRun } from '../../n8n/engine';
import type { EmptyPlaceholders, Placeholder } from '../fields/placeholders';
import { DoubtfulText, isDoubtful, KEY_PARAMETER, TEXT_PARAMETERS } from '../fields/placeholders';
import { ASK_ENGINE, compileFill, hasExpression, isCodeAlone, isPlain, piecesOf } from './direct-read';
import type { ItemReader } from './item-reader';

/** Returns what a parameter, or an entry of a list, holds for an item; ASK_ENGINE where only the whole list can be read. */
type ReadItem = (itemIndex: number) => unknown;

/** The source of a placeholder, with its braces. */
interface Source {
  text: string;
  /** Whether it is one of a key. */
  isKey: boolean;
}

/** The parameters that hold lists with texts in them. */
const LISTS = new Set(['pipeline', 'viberCarousel']);
const NOT_SET = {};
/** Stands around each placeholder while n8n evaluates a text: code points that texts don't have. */
const MARK = '\uFDD0\uFDD1';

/**
 * Reads what another reader reads, but a text with placeholders that came to nothing, or to what isn't meant for a recipient,
 * as a DoubtfulText. What a placeholder came to is known where it only takes a value from the item (see direct-read.ts), and
 * otherwise from n8n, which evaluates the text with marks around its placeholders, in one call as without them. Where that
 * can't be done, the text is read as it is and looked at as a whole: with escaped braces, after an error of the engine, and
 * for an agent's tool.
 */
export class TextReader implements ItemReader {
  private readonly context: IExecuteFunctions;

  private readonly reader: ItemReader;

  private readonly empty: EmptyPlaceholders;

  private readonly compiled = new Map<string, ReadItem | undefined>();

  /** Takes the reader of everything else, and what notes the empty placeholders of the item that is being read. */
  constructor(context: IExecuteFunctions, reader: ItemReader, empty: EmptyPlaceholders) {
    this.context = context;
    this.reader = reader;
    this.empty = empty;
  }

  /** Throws what the other reader throws. */
  read(name: string, itemIndex: number, fallback: unknown): unknown {
    if (!this.compiled.has(name)) this.compiled.set(name, this.compile(name));
    const read = this.compiled.get(name);
    return read ? read(itemIndex) : this.reader.read(name, itemIndex, fallback);
  }

  /** Returns undefined for a parameter without texts. */
  private compile(name: string): ReadItem | undefined {
    if (!TEXT_PARAMETERS.has(name) && !LISTS.has(name) && name !== KEY_PARAMETER) return undefined;
    const raw: unknown = this.context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
    if (raw === NOT_SET) return undefined;
    const readWhole: ReadItem = (itemIndex) =>
      this.lookAt(name, this.reader.read(name, itemIndex, undefined));
    // What refers to the values beside it in a list can't be read apart from them.
    const isOneWhole = typeof raw !== 'string' && /parameter/i.test(JSON.stringify(raw));
    if (isToolRun(this.context) || isOneWhole) return readWhole;
    const read = this.compileEntry(raw, name);
    return (itemIndex) => {
      const value = read(itemIndex);
      return value === ASK_ENGINE ? readWhole(itemIndex) : value;
    };
  }

  /** Takes a raw value and its path, whose last name says whether it is a text. */
  private compileEntry(raw: unknown, path: string): ReadItem {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (!hasExpression(raw)) {
      const constant = this.lookAt(name, raw);
      return () => constant;
    }
    if (typeof raw !== 'string') return this.compileList(raw as object, path);
    const readLeaf: ReadItem = (itemIndex) => {
      const value = this.reader.read(path, itemIndex, undefined);
      // In lists, n8n converts some objects.
      return typeof value === 'object' && value !== null ? ASK_ENGINE : value;
    };
    const isKey = path === KEY_PARAMETER;
    return isKey || TEXT_PARAMETERS.has(name) ? this.compileText(raw.slice(1), readLeaf, isKey) : readLeaf;
  }

  private compileList(raw: object, path: string): ReadItem {
    const entries = Object.entries(raw).map(
      ([key, value]) => [key, this.compileEntry(value, `${path}.${key}`)] as const,
    );
    return (itemIndex) => {
      const built: Array<[key: string, value: unknown]> = [];
      for (const [key, read] of entries) {
        const value = read(itemIndex);
        if (value === ASK_ENGINE) return ASK_ENGINE;
        built.push([key, value]);
      }
      return Array.isArray(raw) ? built.map(([, value]) => value) : Object.fromEntries(built);
    };
  }

  /** Takes an expression without its "=". */
  private compileText(expression: string, readLeaf: ReadItem, isKey: boolean): ReadItem {
    const pieces = piecesOf(expression);
    const isSplit = !/\\(?:\{\{|\}\})/.test(expression) && !pieces[pieces.length - 1].includes('{{');
    if (!isSplit || pieces.length === 1) return (itemIndex) => this.doubting(readLeaf(itemIndex));
    const sources = pieces.map((piece) => ({ text: `{{ ${piece.trim()} }}`, isKey }));
    if (!isCodeAlone(pieces)) return this.compileTemplate(pieces, sources, readLeaf);
    return (itemIndex) => {
      const value = readLeaf(itemIndex);
      return value === ASK_ENGINE ? value : this.doubting(value, ['', String(value ?? '')], sources);
    };
  }

  private compileTemplate(pieces: string[], sources: Source[], readLeaf: ReadItem): ReadItem {
    const marked = pieces.map((piece, i) => (i % 2 === 0 ? piece : `${MARK}{{${piece}}}${MARK}`)).join('');
    const items = this.context.getInputData();
    let fill = compileFill(pieces);
    let isProven = false;
    return (itemIndex) => {
      const filled = fill?.(items[itemIndex]?.json);
      const text = filled?.join('');
      if (filled && isProven) return this.doubting(text, filled, sources);
      const evaluated = this.evaluate(marked, itemIndex);
      if (evaluated?.length !== pieces.length) return this.doubting(readLeaf(itemIndex));
      const right = evaluated.join('');
      isProven ||= text === right;
      if (filled && !isProven) fill = undefined;
      return this.doubting(right, evaluated, sources);
    };
  }

  /** Returns the pieces of a text as n8n evaluates it; undefined after an error, which the ordinary read meets again. */
  private evaluate(marked: string, itemIndex: number): string[] | undefined {
    try {
      const text: unknown = this.context.evaluateExpression(marked, itemIndex);
      return typeof text === 'string' ? text.split(MARK) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns a value in which every text whose placeholders aren't known has been looked at as a whole. */
  private lookAt(name: string, value: unknown): unknown {
    if (typeof value === 'string') return TEXT_PARAMETERS.has(name) ? this.doubting(value) : value;
    if (Array.isArray(value)) return value.map((entry) => this.lookAt(name, entry));
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.lookAt(key, entry)]));
  }

  /** Returns the text, as a DoubtfulText where a placeholder is doubtful; without any, all of it is looked at as one. */
  private doubting(text: unknown, pieces?: string[], sources: Source[] = []): unknown {
    let doubtful: Placeholder[] | undefined;
    if (pieces === undefined) {
      if (typeof text === 'string' && isDoubtful(text, undefined)) doubtful = [{ value: text }];
    } else {
      for (let i = 1; i < pieces.length; i += 2) {
        const [value, { text: source, isKey }] = [pieces[i], sources[i]];
        const isEmptyKey = isKey && value.trim() === '';
        if (isEmptyKey || isDoubtful(value, source)) (doubtful ??= []).push({ value, source });
      }
    }
    return doubtful ? new DoubtfulText(text, doubtful, this.empty) : text;
  }
}
