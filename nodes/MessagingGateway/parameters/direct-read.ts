/**
 * Reads parameters without n8n's expression engine, where an expression only takes texts, numbers and the like from
 * objects of the item: the engine spends about half a millisecond on each evaluation, whatever the expression. All else
 * is left to the engine: at compile time by returning undefined, for single items by returning ASK_ENGINE.
 *
 * What the engine refuses to evaluate isn't known here. The reader of items asks it once for each parameter.
 */

/** Stands for a value that only the engine can compute, such as a date or an object. */
export const ASK_ENGINE = Symbol('ask the engine');

/** Takes the json of an item; returns the value of the parameter, or ASK_ENGINE. */
export type DirectRead = (json: unknown) => unknown;

/** Whether the engine has something to evaluate in a raw parameter value. */
export const hasExpression = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null
    ? Object.values(raw).some(hasExpression)
    : typeof raw === 'string' && raw.startsWith('=');

/**
 * Takes a raw parameter value (as `getNodeParameter` returns it with `rawExpressions`) and returns its reader, or
 * undefined when the engine has to evaluate it for every item. A value without expressions is built once and
 * shared by all items.
 */
export function compileDirectRead(raw: unknown): DirectRead | undefined {
  if (typeof raw === 'string') return raw.startsWith('=') ? compileExpression(raw.slice(1)) : () => raw;
  if (raw === null || typeof raw === 'boolean' || typeof raw === 'number') return () => raw;
  if (!Array.isArray(raw) && !isPlain(raw)) return undefined;
  const entries: Array<[key: string, read: DirectRead]> = [];
  for (const [key, value] of Object.entries(raw)) {
    const read = key === '__proto__' ? undefined : compileDirectRead(value);
    if (!read) return undefined;
    entries.push([key, read]);
  }
  const build: DirectRead = (json) => {
    const built = (Array.isArray(raw) ? [] : {}) as Record<string, unknown>;
    for (const [key, read] of entries) {
      const value = read(json);
      if (value === ASK_ENGINE) return ASK_ENGINE;
      built[key] = value;
    }
    return built;
  };
  if (hasExpression(raw)) return build;
  const constant = build(undefined);
  return () => constant;
}

/** An expression without its "=": text with references in double braces. */
function compileExpression(text: string): DirectRead | undefined {
  // Backslashes escape braces and each other, by the engine's rules.
  if (text.includes('\\')) return undefined;
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
  const [first = ''] = parts;
  // A reference alone keeps its type; with anything around it, even a blank, it becomes text.
  if (parts.length < 2) return typeof first === 'string' ? () => first : first;
  return (json) => {
    let joined = '';
    for (const part of parts) {
      const value = typeof part === 'string' ? part : part(json);
      if (value === ASK_ENGINE) return ASK_ENGINE;
      joined += (value ?? '') as string | number | boolean;
    }
    return joined;
  };
}

const REFERENCE = /^\s*\$json((?:\.[A-Za-z_][A-Za-z0-9_]*|\['[^']*'\]|\["[^"]*"\])+)\s*$/;
const NAMES = /\.(\w+)|\['([^']*)'\]|\["([^"]*)"\]/g;

/** The code between the braces: `$json` and a path of names and quoted names. */
function compileReference(code: string): DirectRead | undefined {
  const path = REFERENCE.exec(code)?.[1];
  if (path === undefined) return undefined;
  const names = Array.from(path.matchAll(NAMES), ([, plain, single, double]) => plain ?? single ?? double);
  return (json) => {
    let value = json;
    for (const name of names) {
      if (value === undefined || value === null) return undefined;
      if (!isPlain(value)) return ASK_ENGINE;
      value = value[name];
    }
    return isDirect(value) ? value : ASK_ENGINE;
  };
}

/** Whether the engine returns the value unchanged; it copies or converts all others by its own rules. */
const isDirect = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value);

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
