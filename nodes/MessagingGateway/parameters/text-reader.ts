import type { IExecuteFunctions } from 'n8n-workflow';

import type { EmptyPlaceholders, Placeholder } from '../fields/placeholders';
import { DoubtfulText, isDoubtful, KEY_PARAMETER, TEXT_PARAMETERS } from '../fields/placeholders';
import { ASK_ENGINE, compileFill, isCodeAlone, piecesOf } from './direct-read';
import type { ItemReader } from './item-reader';

/** Returns what a parameter, or an entry of a list, holds for an item; ASK_ENGINE where only the whole list can be read. */
type ReadItem = (itemIndex: number) => unknown;

/** The parameters that hold lists with texts in them. */
const LISTS = new Set(['pipeline', 'viberCarousel']);
const NOT_SET = {};
/** Stands around each placeholder while n8n evaluates a text: code points that texts don't have. */
const MARK = '\uFDD0\uFDD1';

/**
 * Reads what another reader reads, but a text with placeholders that came to nothing, or to what isn't meant for a recipient,
 * as a DoubtfulText. What a placeholder came to is known where it only takes a value from the item (see direct-read.ts), and
 * otherwise from n8n, which evaluates the text with marks around its placeholders, in one call as without them. Where that
 * can't be done, with escaped braces or after an error of the engine, the text is read as it is and looked at as a whole.
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

  /** Returns undefined for a parameter without texts, and for a list whose entries refer to each other. */
  private compile(name: string): ReadItem | undefined {
    if (!isText(name) && !LISTS.has(name)) return undefined;
    const raw: unknown = this.context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
    if (raw === NOT_SET || (typeof raw !== 'string' && /parameter/i.test(JSON.stringify(raw))))
      return undefined;
    const read = this.compileEntry(raw, name);
    return (itemIndex) => {
      const value = read(itemIndex);
      return value === ASK_ENGINE ? this.reader.read(name, itemIndex, undefined) : value;
    };
  }

  /** Takes a raw value and its path. */
  private compileEntry(raw: unknown, path: string): ReadItem {
    if (typeof raw === 'object' && raw !== null) return this.compileList(raw, path);
    if (typeof raw !== 'string' || !raw.startsWith('=')) {
      const constant = isText(path) ? this.asOne(raw) : raw;
      return () => constant;
    }
    const readLeaf: ReadItem = (itemIndex) => {
      const value = this.reader.read(path, itemIndex, undefined);
      // In lists, n8n converts some objects.
      return typeof value === 'object' && value !== null ? ASK_ENGINE : value;
    };
    return isText(path) ? this.compileText(raw.slice(1), readLeaf) : readLeaf;
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
  private compileText(expression: string, readLeaf: ReadItem): ReadItem {
    const pieces = piecesOf(expression);
    const sources = pieces.map((piece) => `{{ ${piece.trim()} }}`);
    if (isCodeAlone(pieces)) return (itemIndex) => this.asOne(readLeaf(itemIndex), sources[1]);
    const isSplit = !/\\(?:\{\{|\}\})/.test(expression) && !pieces[pieces.length - 1].includes('{{');
    return isSplit && pieces.length > 1
      ? this.compileTemplate(pieces, sources, readLeaf)
      : (itemIndex) => this.asOne(readLeaf(itemIndex));
  }

  private compileTemplate(pieces: string[], sources: string[], readLeaf: ReadItem): ReadItem {
    const marked = pieces.map((piece, i) => (i % 2 === 0 ? piece : `${MARK}{{${piece}}}${MARK}`)).join('');
    const items = this.context.getInputData();
    let fill = compileFill(pieces);
    let isProven = false;
    return (itemIndex) => {
      const filled = fill?.(items[itemIndex]?.json);
      const text = filled?.join('');
      if (filled && isProven) return this.doubting(text, filled, sources);
      const evaluated = this.evaluate(marked, itemIndex);
      if (evaluated?.length !== pieces.length) return this.asOne(readLeaf(itemIndex));
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

  /** Takes a value that is what one placeholder came to, or a text whose placeholders aren't known. */
  private asOne(value: unknown, source?: string): unknown {
    return value === ASK_ENGINE ? value : this.doubting(value, ['', String(value ?? '')], ['', source]);
  }

  /** Returns the text, as a DoubtfulText where one of its pieces at odd indices is doubtful. */
  private doubting(text: unknown, pieces: string[], sources: Array<string | undefined>): unknown {
    let doubtful: Placeholder[] | undefined;
    for (let i = 1; i < pieces.length; i += 2) {
      if (isDoubtful(pieces[i])) (doubtful ??= []).push({ source: sources[i], value: pieces[i] });
    }
    return doubtful ? new DoubtfulText(text, doubtful, this.empty) : text;
  }
}

const isText = (path: string): boolean =>
  path === KEY_PARAMETER || TEXT_PARAMETERS.has(path.slice(path.lastIndexOf('.') + 1));
