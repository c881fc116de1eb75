import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import type { EmptyPlaceholders, Placeholder } from '../fields/placeholders';
import { DoubtfulText, isDoubtful, KEY_PARAMETER, TEXT_PARAMETERS } from '../fields/placeholders';
import type { DirectRead } from './direct-read';
import {
  ASK_ENGINE,
  compileDirectRead,
  compileFill,
  hasExpression,
  isCodeAlone,
  piecesOf,
} from './direct-read';

/** Returns what a parameter, or a part of one, holds for an item; ASK_ENGINE where only the whole can be read. */
type ReadItem<T = unknown> = (itemIndex: number) => T | typeof ASK_ENGINE;

/** Reads a parameter that is not set. */
const NOT_SET: ReadItem = () => undefined;

/**
 * Options that hold as much as a table and are the same for all items. They are read by their own path, once for a run, and
 * not with the other options: n8n would make the whole table anew for each item.
 */
const READ_APART = ['options.stopList'];

/** Returns a raw parameter without the parts that are read apart. */
function withoutApart(name: string, raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const apart = READ_APART.filter((path) => path.startsWith(`${name}.`)).map((path) => path.split('.')[1]);
  return apart.some((part) => part in raw)
    ? Object.fromEntries(Object.entries(raw).filter(([part]) => !apart.includes(part)))
    : raw;
}
/** Stands around each placeholder while n8n evaluates a text: code points that texts don't have. */
const MARK = '\uFDD0\uFDD1';

/**
 * Reads parameters as `getNodeParameter` does, but asks n8n's expression engine only where an expression does more than take
 * values from the item (see direct-read.ts), and once for each expression, since it refuses some: only what it evaluates
 * in the same way is read directly. Each parameter is compiled once for all items. The items share the values of
 * collections without expressions: these must not be changed.
 *
 * In messages, a text with placeholders that came to nothing, or to what isn't meant for a recipient, is read as a
 * DoubtfulText. What a placeholder came to is known where it only takes a value from the item, and otherwise from n8n, which
 * evaluates the text with marks around its placeholders, in one call as without them. Where that can't be done, with
 * escaped braces or after an error of the engine, the text is read as it is and looked at as a whole.
 */
export class ItemReader {
  private readonly context: IExecuteFunctions;
  private readonly empty: EmptyPlaceholders | undefined;
  private readonly compiled = new Map<string, ReadItem>();

  /** Takes, for messages, what notes the empty placeholders of the item that is being read. */
  constructor(context: IExecuteFunctions, empty?: EmptyPlaceholders) {
    this.context = context;
    this.empty = empty;
  }

  /**
   * Returns a parameter of an item; `fallback` where it is not set.
   * @throws ExpressionError or another error of n8n's engine, for a refused expression; its context names the parameter
   */
  read(name: string, itemIndex: number, fallback: unknown): unknown {
    const read = this.compiled.get(name) ?? this.compiledFor(name, this.compile(name));
    return read === NOT_SET ? fallback : read(itemIndex);
  }

  private compiledFor(key: string, read: ReadItem = NOT_SET): ReadItem {
    this.compiled.set(key, read);
    return read;
  }

  private rawOf(name: string): unknown {
    return withoutApart(name, this.context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true }));
  }

  private compile(name: string): ReadItem | undefined {
    const raw = this.rawOf(name);
    if (raw === NOT_SET) return undefined;
    const ask: ReadItem = (itemIndex) => this.askEngine(name, itemIndex);
    // The entries of a collection may refer to each other, by `$parameter`.
    if (typeof raw !== 'string' && hasExpression(raw) && /parameter/i.test(JSON.stringify(raw))) return ask;
    const read = this.compilePart(raw, name);
    return (itemIndex) => {
      const value = read(itemIndex);
      return value === ASK_ENGINE ? ask(itemIndex) : value;
    };
  }

  /** Takes a raw value and its path. */
  private compilePart(raw: unknown, path: string): ReadItem {
    if (typeof raw === 'object' && raw !== null) return this.compileCollection(raw, path);
    const isText =
      this.empty && (path === KEY_PARAMETER || TEXT_PARAMETERS.has(path.slice(path.lastIndexOf('.') + 1)));
    if (typeof raw !== 'string' || !raw.startsWith('=')) {
      const constant = isText ? this.asOne(raw) : raw;
      return () => constant;
    }
    const expression = raw.slice(1);
    const read = this.proven(compileDirectRead(piecesOf(expression)), (itemIndex) => {
      const value = this.askEngine(path, itemIndex);
      // In collections, n8n converts some objects.
      return path.includes('.') && typeof value === 'object' && value !== null ? ASK_ENGINE : value;
    });
    return isText ? this.compileText(expression, read) : read;
  }

  private compileCollection(raw: object, path: string): ReadItem {
    const entries = Object.entries(raw).map(([key, value]) => {
      // n8n finds no part by a path with other keys in it.
      const read = /^\w+$/.test(key) ? this.compilePart(value, `${path}.${key}`) : () => ASK_ENGINE;
      return [key, read] as const;
    });
    const build: ReadItem = (itemIndex) => {
      const built: Array<[key: string, value: unknown]> = [];
      for (const [key, read] of entries) {
        const value = read(itemIndex);
        if (value === ASK_ENGINE) return ASK_ENGINE;
        built.push([key, value]);
      }
      return Array.isArray(raw) ? built.map(([, value]) => value) : Object.fromEntries(built);
    };
    if (hasExpression(raw)) return build;
    const constant = build(0);
    return () => constant;
  }

  /** Takes an expression without its "=", and its reader. */
  private compileText(expression: string, read: ReadItem): ReadItem {
    const pieces = piecesOf(expression);
    const sources = pieces.map((piece) => `{{ ${piece.trim()} }}`);
    if (isCodeAlone(pieces)) return (itemIndex) => this.asOne(read(itemIndex), sources[1]);
    const isSplit = !/\\(?:\{\{|\}\})/.test(expression) && !pieces[pieces.length - 1].includes('{{');
    if (!isSplit || pieces.length === 1) return (itemIndex) => this.asOne(read(itemIndex));
    const marked = pieces.map((piece, i) => (i % 2 === 0 ? piece : `${MARK}{{${piece}}}${MARK}`)).join('');
    const readPieces = this.proven(compileFill(pieces), (itemIndex) => {
      const evaluated = this.evaluate(marked, itemIndex)?.split(MARK);
      return evaluated?.length === pieces.length ? evaluated : ASK_ENGINE;
    });
    return (itemIndex) => {
      const filled = readPieces(itemIndex);
      return filled === ASK_ENGINE
        ? this.asOne(read(itemIndex))
        : this.doubting(filled.join(''), filled, sources);
    };
  }

  /** Returns the function that reads directly, once that has given what the engine gives, and asks it otherwise. */
  private proven<T>(direct: DirectRead<T> | undefined, ask: ReadItem<T>): ReadItem<T> {
    const items = this.context.getInputData();
    let isProven = false;
    return (itemIndex) => {
      const value = direct ? direct(items[itemIndex]?.json) : ASK_ENGINE;
      if (isProven && value !== ASK_ENGINE) return value;
      const evaluated = ask(itemIndex);
      if (value !== ASK_ENGINE) {
        isProven = JSON.stringify(value) === JSON.stringify(evaluated);
        if (!isProven) direct = undefined;
      }
      return evaluated;
    };
  }

  private askEngine(name: string, itemIndex: number): unknown {
    try {
      return this.context.getNodeParameter(name, itemIndex);
    } catch (thrown) {
      const error = naming(thrown, name);
      throw error;
    }
  }

  /** Returns a text as n8n evaluates it; undefined after an error, which the ordinary read meets again. */
  private evaluate(marked: string, itemIndex: number): string | undefined {
    try {
      const text: unknown = this.context.evaluateExpression(marked, itemIndex);
      return typeof text === 'string' ? text : undefined;
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
    return doubtful && this.empty ? new DoubtfulText(text, doubtful, this.empty) : text;
  }
}

/** Adds the parameter to the context of an engine error that has none; n8n adds it only to an existing context. */
function naming(thrown: unknown, parameter: string): unknown {
  const bare = thrown instanceof Error && !('context' in thrown);
  return bare ? Object.assign(thrown, { context: { parameter } }) : thrown;
}
