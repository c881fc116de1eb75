/**
 * Reads expressions without n8n's expression engine, where they only take texts, numbers and the like from objects of
 * the item: the engine spends about half a millisecond on each evaluation, whatever the expression. All else is left to
 * the engine: at compile time by returning undefined, for single items by returning ASK_ENGINE.
 *
 * Expressions that the engine refuses aren't known here. The reader of items asks it once for each expression.
 */

/** Stands for a value that only the engine can compute, such as a date or an object. */
export const ASK_ENGINE = Symbol('ask the engine');

/** Takes the json of an item; returns the value for it, or ASK_ENGINE. */
export type DirectRead = (json: unknown) => unknown;

/** Whether the engine has something to evaluate in a raw parameter value. */
export const hasExpression = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null
    ? Object.values(raw).some(hasExpression)
    : typeof raw === 'string' && raw.startsWith('=');

/** Splits an expression without its "=" into text and, at odd indices, the code between double braces. */
export const piecesOf = (expression: string): string[] => expression.split(/\{\{([^]*?)\}\}/);

/** Whether the pieces are one piece of code, which keeps its type; anything around it, even a blank, makes it text. */
const isCodeAlone = (pieces: readonly string[]): boolean =>
  pieces.length === 3 && pieces[0] === '' && pieces[2] === '';

/** Returns the reader of an expression; undefined where only the engine can read it. */
export function compileDirectRead(pieces: readonly string[]): DirectRead | undefined {
  if (isCodeAlone(pieces)) return compileReference(pieces[1]);
  // Backslashes escape braces and each other, by the engine's rules.
  if (pieces.some((piece) => piece.includes('\\')) || pieces[pieces.length - 1].includes('{{'))
    return undefined;
  const parts: Array<string | DirectRead> = [];
  for (const [i, piece] of pieces.entries()) {
    const part = i % 2 === 0 ? piece : compileReference(piece);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return (json) => {
    let text = '';
    for (const part of parts) {
      const value = typeof part === 'string' ? part : part(json);
      if (value === ASK_ENGINE) return ASK_ENGINE;
      text += typeof value === 'string' ? value : String(value ?? '');
    }
    return text;
  };
}

const REFERENCE = /^\s*\$json((?:\.[A-Za-z_][A-Za-z0-9_]*|\['[^'\\]*'\]|\["[^"\\]*"\])+)\s*$/;
const NAMES = /\.(\w+)|\['([^']*)'\]|\["([^"]*)"\]/g;

/** Returns the names behind `$json` in the code between the braces; undefined for anything but a path of names and quoted names. */
export function namesIn(code: string): string[] | undefined {
  const path = REFERENCE.exec(code)?.[1];
  if (path === undefined) return undefined;
  return Array.from(path.matchAll(NAMES), ([, plain, single, double]) => plain ?? single ?? double);
}

/** Returns the reader of the code between the braces; undefined where it isn't a path that `namesIn` reads. */
export function compileReference(code: string): DirectRead | undefined {
  const names = namesIn(code);
  if (names === undefined) return undefined;
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
