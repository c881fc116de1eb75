/**
 * Reads parameters without n8n's expression engine, where an expression only takes values from the item: the engine
 * spends about half a millisecond on each evaluation, whatever the expression.
 *
 * The result must equal the engine's. So any other expression is left to the engine: at compile time by returning
 * undefined, for single items by returning ASK_ENGINE.
 */

/** Stands for a value that only the engine can compute, such as a date or an object. */
export const ASK_ENGINE = Symbol('ask the engine');

/** Takes the json of an item; returns the value of the parameter, or ASK_ENGINE. */
export type DirectRead = (json: unknown) => unknown;

/**
 * Takes a raw parameter value (as `getNodeParameter` returns it with `rawExpressions`) and returns its reader, or
 * undefined when the engine has to evaluate it for every item. A value without expressions is built once and
 * shared by all items.
 */
export function compileDirectRead(raw: unknown): DirectRead | undefined {
  if (typeof raw === 'string') return raw.startsWith('=') ? compileExpression(raw.slice(1)) : () => raw;
  if (raw === null || typeof raw === 'boolean' || typeof raw === 'number') return () => raw;
  if (typeof raw !== 'object') return undefined;
  return compileNested(raw);
}

/** A collection, a list or a resource locator: built from its leaves, in their order. */
function compileNested(raw: object): DirectRead | undefined {
  const isList = Array.isArray(raw);
  if (!isList && !isPlain(raw)) return undefined;
  const entries: Array<[key: string, read: DirectRead]> = [];
  for (const [key, value] of Object.entries(raw)) {
    const read = key === '__proto__' ? undefined : compileDirectRead(value);
    if (!read) return undefined;
    entries.push([key, read]);
  }
  return hasExpression(raw)
    ? (json) => build(isList, entries, json)
    : constant(build(isList, entries, undefined));
}

const constant =
  (value: unknown): DirectRead =>
  () =>
    value;

const hasExpression = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null
    ? Object.values(raw).some(hasExpression)
    : typeof raw === 'string' && raw.startsWith('=');

function build(isList: boolean, entries: Array<[string, DirectRead]>, json: unknown): unknown {
  const built = (isList ? [] : {}) as Record<string, unknown>;
  for (const [key, read] of entries) {
    const value = read(json);
    if (value === ASK_ENGINE) return ASK_ENGINE;
    built[key] = value;
  }
  return built;
}

/** n8n refuses an expression that contains this anywhere, even in its literal text. */
const REFUSED_ANYWHERE = /\.\s*constructor/;

/** An expression without its "=": text with references in double braces. */
function compileExpression(text: string): DirectRead | undefined {
  // Backslashes escape braces and each other, by the engine's rules.
  if (text.includes('\\') || REFUSED_ANYWHERE.test(text)) return undefined;
  const parts: Array<string | DirectRead> = [];
  let position = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', position)) {
    const close = text.indexOf('}}', open + 2);
    const read = close === -1 ? undefined : compileReference(text.slice(open + 2, close));
    if (!read) return undefined;
    if (open > position) parts.push(text.slice(position, open));
    parts.push(read);
    position = close + 2;
  }
  if (position < text.length) parts.push(text.slice(position));
  const [first] = parts;
  // A reference alone keeps its type; with anything around it, even a blank, it becomes text.
  if (parts.length === 1 && typeof first === 'function') return first;
  return parts.some((part) => typeof part === 'function') ? (json) => join(parts, json) : constant(text);
}

function join(parts: Array<string | DirectRead>, json: unknown): string | typeof ASK_ENGINE {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = part(json);
    if (value === ASK_ENGINE) return ASK_ENGINE;
    if (value === false || value === 0) text += String(value);
    // undefined, null, an empty string and NaN add nothing.
    else if (value) text += String(value as string | number | true);
  }
  return text;
}

interface Key {
  name: string;
  /** The key as an index, where it can be one. */
  index?: number;
}

const START = /[ \t\r\n]*\$json/y;
const END = /[ \t\r\n]*$/y;
/** `.name`, `['any name']`, `["any name"]` or `[0]`, without blanks. */
const KEY =
  /\.([A-Za-z_][A-Za-z0-9_]*)|\['([^'{}\p{Cc}\u2028\u2029]*)'\]|\["([^"{}\p{Cc}\u2028\u2029]*)"\]|\[(0|[1-9][0-9]{0,8})\]/uy;
const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;
/** A name that looks like a call inside a key would make n8n rewrite the expression first. */
const CALL = /[.$].*\(/;

/** Names that n8n refuses to read, in addition to the properties of every object. */
const REFUSED_NAMES = new Set([
  'prototype',
  'getPrototypeOf',
  'setPrototypeOf',
  'getOwnPropertyDescriptor',
  'getOwnPropertyDescriptors',
  'defineProperty',
  'defineProperties',
  'mainModule',
  'binding',
  '_linkedBinding',
  '_load',
  'prepareStackTrace',
  'caller',
  'callee',
  'arguments',
  'getBuiltinModule',
  'dlopen',
  'execve',
  'loadEnvFile',
]);

/** The code between the braces: `$json` and a path. */
function compileReference(code: string): DirectRead | undefined {
  START.lastIndex = 0;
  if (!START.test(code)) return undefined;
  const path: Key[] = [];
  let position = START.lastIndex;
  for (;;) {
    KEY.lastIndex = position;
    const match = KEY.exec(code);
    if (!match) break;
    const name = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (name in {} || REFUSED_NAMES.has(name) || CALL.test(name)) return undefined;
    path.push(INDEX.test(name) ? { name, index: Number(name) } : { name });
    position = KEY.lastIndex;
  }
  END.lastIndex = position;
  return path.length > 0 && END.test(code) ? (json) => follow(json, path) : undefined;
}

function follow(json: unknown, path: Key[]): unknown {
  let value = json;
  for (const key of path) {
    if (value === undefined || value === null) return undefined;
    value = valueAt(value, key);
    if (value === ASK_ENGINE) return ASK_ENGINE;
  }
  return isDirect(value) ? value : ASK_ENGINE;
}

function valueAt(holder: unknown, { name, index }: Key): unknown {
  if (typeof holder === 'string') return name === 'length' ? holder.length : ASK_ENGINE;
  if (Array.isArray(holder)) {
    if (name === 'length') return holder.length;
    return index === undefined ? ASK_ENGINE : (holder[index] as unknown);
  }
  return isPlain(holder) ? holder[name] : ASK_ENGINE;
}

/** Whether the engine returns the value unchanged; it copies or converts all others by its own rules. */
const isDirect = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean';

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
