import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import type { DirectRead } from './direct-read';
import { ASK_ENGINE, compileDirectRead, hasExpression, piecesOf } from './direct-read';

/**
 * Returns what a parameter, or a part of one, holds for an item; ASK_ENGINE where only the whole can be read.
 * @throws ExpressionError or another error of n8n's engine, for a refused expression; its context names the parameter
 */
export type ReadItem = (itemIndex: number) => unknown;

const NOT_SET = Symbol('not set');

/** An option as large as a table, the same for all items: n8n would make it anew for each, so it is read by its own path. */
const READ_APART = 'stopList';

/**
 * Compiles a parameter, once for all items of a run; undefined where it is not set. It is read as `getNodeParameter` reads it, but
 * n8n's expression engine is asked only where an expression does more than take values from the item (see direct-read.ts),
 * and once for each expression, since it refuses some: only what it evaluates in the same way is read directly. The items
 * share the values of collections without expressions: these must not be changed.
 */
export function compileParameter(context: IExecuteFunctions, name: string): ReadItem | undefined {
  const given: unknown = context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
  if (given === NOT_SET) return undefined;
  const raw = name === 'options' && isObject(given) ? withoutApart(given) : given;
  const ask: ReadItem = (itemIndex) => askEngine(context, name, itemIndex);
  // The entries of a collection may refer to each other, by `$parameter`.
  if (typeof raw !== 'string' && hasExpression(raw) && /parameter/i.test(JSON.stringify(raw))) return ask;
  const read = compilePart(context, raw, name);
  return (itemIndex) => {
    const value = read(itemIndex);
    return value === ASK_ENGINE ? ask(itemIndex) : value;
  };
}

const withoutApart = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== READ_APART));

/** Takes a raw value and its path. */
function compilePart(context: IExecuteFunctions, raw: unknown, path: string): ReadItem {
  if (typeof raw === 'object' && raw !== null) return compileCollection(context, raw, path);
  if (typeof raw !== 'string' || !raw.startsWith('=')) return () => raw;
  return proven(context, compileDirectRead(piecesOf(raw.slice(1))), (itemIndex) => {
    const value = askEngine(context, path, itemIndex);
    // In collections, n8n converts some objects.
    return path.includes('.') && typeof value === 'object' && value !== null ? ASK_ENGINE : value;
  });
}

/** A key by which n8n finds a part; all others are left to the engine. */
const KEY = /^(?!__proto__$)\w+$/;

function compileCollection(context: IExecuteFunctions, raw: object, path: string): ReadItem {
  const parts = Object.entries(raw).map(([key, value]) => ({
    key,
    read: KEY.test(key) ? compilePart(context, value, `${path}.${key}`) : () => ASK_ENGINE,
  }));
  const build: ReadItem = (itemIndex) => {
    const built: Record<string, unknown> = {};
    for (const { key, read } of parts) {
      const value = read(itemIndex);
      if (value === ASK_ENGINE) return ASK_ENGINE;
      built[key] = value;
    }
    return Array.isArray(raw) ? Object.values(built) : built;
  };
  if (hasExpression(raw)) return build;
  const constant = build(0);
  return () => constant;
}

/** Returns the function that reads directly, once that has given what the engine gives, and asks it otherwise. */
function proven(context: IExecuteFunctions, direct: DirectRead | undefined, ask: ReadItem): ReadItem {
  if (direct === undefined) return ask;
  const items = context.getInputData();
  let isProven: boolean | undefined;
  return (itemIndex) => {
    if (isProven === false) return ask(itemIndex);
    const value = direct(items[itemIndex]?.json);
    if (isProven && value !== ASK_ENGINE) return value;
    const evaluated = ask(itemIndex);
    if (value !== ASK_ENGINE) isProven = JSON.stringify(value) === JSON.stringify(evaluated);
    return evaluated;
  };
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
