import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import type { DirectRead } from './direct-read';
import { ASK_ENGINE, compileDirectRead, hasExpression, piecesOf } from './direct-read';

/** Returns what a parameter, or a part of one, holds for an item; ASK_ENGINE where only the whole can be read. */
type ReadItem = (itemIndex: number) => unknown;

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

/**
 * Reads parameters as `getNodeParameter` does, but asks n8n's expression engine only where an expression does more than take
 * values from the item (see direct-read.ts), and once for each expression, since it refuses some: only what it evaluates
 * in the same way is read directly. Each parameter is compiled once for all items. The items share the values of
 * collections without expressions: these must not be changed.
 */
export class ItemReader {
  private readonly context: IExecuteFunctions;
  private readonly compiled = new Map<string, ReadItem>();

  constructor(context: IExecuteFunctions) {
    this.context = context;
  }

  /**
   * Returns a parameter of an item; `fallback` where it is not set.
   * @throws ExpressionError or another error of n8n's engine, for a refused expression; its context names the parameter
   */
  read(name: string, itemIndex: number, fallback: unknown): unknown {
    let read = this.compiled.get(name);
    if (!read) this.compiled.set(name, (read = this.compile(name)));
    return read === NOT_SET ? fallback : read(itemIndex);
  }

  private compile(name: string): ReadItem {
    const raw = withoutApart(name, this.context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true }));
    if (raw === NOT_SET) return NOT_SET;
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
    if (typeof raw !== 'string' || !raw.startsWith('=')) return () => raw;
    return this.proven(compileDirectRead(piecesOf(raw.slice(1))), (itemIndex) => {
      const value = this.askEngine(path, itemIndex);
      // In collections, n8n converts some objects.
      return path.includes('.') && typeof value === 'object' && value !== null ? ASK_ENGINE : value;
    });
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

  /** Returns the function that reads directly, once that has given what the engine gives, and asks it otherwise. */
  private proven(direct: DirectRead | undefined, ask: ReadItem): ReadItem {
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
}

/** Adds the parameter to the context of an engine error that has none; n8n adds it only to an existing context. */
function naming(thrown: unknown, parameter: string): unknown {
  const bare = thrown instanceof Error && !('context' in thrown);
  return bare ? Object.assign(thrown, { context: { parameter } }) : thrown;
}
