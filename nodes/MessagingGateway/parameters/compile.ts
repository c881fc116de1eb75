import { randomUUID } from 'crypto';
import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import type { Flaw } from './placeholder';
import { Placeholder } from './placeholder';

/**
 * Returns what a parameter, or a part of one, holds for an item, and notes what is wrong with its placeholders.
 * @throws ExpressionError or another error of n8n's engine, for a refused expression; its context names the parameter
 */
export type ReadItem = (itemIndex: number) => unknown;

/** Takes what is wrong with a placeholder for an item. */
export type Note = (itemIndex: number, flaw: Flaw) => void;

const NOT_SET = Symbol('not set');

/**
 * Compiles a parameter, once for all items of a run; undefined where it is not set. Each item gets the value that `getNodeParameter`
 * gives, but faster: n8n's engine takes half a millisecond for each evaluation. A text with nothing but plain paths such as `$json.name`
 * is read from the item directly, after one item for which the engine and a direct reading gave the same; any other text takes one
 * evaluation for an item, with all of its placeholders. All items share the value of a collection without expressions: nobody may
 * change such a value.
 */
export function compileParameter(context: IExecuteFunctions, name: string, note: Note): ReadItem | undefined {
  const given: unknown = context.getNodeParameter(name, 0, NOT_SET, { rawExpressions: true });
  if (given === NOT_SET) return undefined;
  const raw = name === 'options' && isObject(given) ? withoutTable(given) : given;
  // A part whose key can't stand in a path can't be read alone.
  if (isCollection(raw) && hasExpression(raw) && !hasPaths(raw))
    return (itemIndex) => askEngine(context, name, itemIndex);
  return compilePart({ context, note, whole: name }, raw, { path: name, parameter: name });
}

/**
 * Leaves out the Stop List, a table of any size that is the same for all items: n8n would copy the table for each item. `readStopList`
 * reads the table by its own path, `options.stopList`.
 */
const withoutTable = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'stopList'));

const isCollection = (raw: unknown): raw is object => typeof raw === 'object' && raw !== null;

const isExpression = (raw: unknown): raw is string => typeof raw === 'string' && raw.startsWith('=');

const hasExpression = (raw: unknown): boolean =>
  isCollection(raw) ? Object.values(raw).some(hasExpression) : isExpression(raw);

/**
 * A key that can stand in a path. Not every key can: in the collection of arguments for a tool of the assistant connector, the keys are
 * the names of the arguments, which may have points.
 */
const KEY = /^(?!__proto__$)\w+$/;

/** Whether each part of a collection has a path, by which n8n can read the part alone. */
const hasPaths = (raw: unknown): boolean =>
  !isCollection(raw) || Object.entries(raw).every(([key, value]) => KEY.test(key) && hasPaths(value));

/** Whether an expression may take another part of its collection, as in `$parameter["&name"]`. */
const namesSiblings = (text: string): boolean => /parameter/i.test(text) && text.includes('&');

/** The means by which all parts of a parameter are read. */
interface Reader {
  context: IExecuteFunctions;
  note: Note;

  /** The name of the parameter. */
  whole: string;
}

/**
 * Where a value stands: its path for n8n, and the parameter that flaws of the value name. The two differ for the parts of a resource
 * locator, such as `tool.value`: people see one field, `tool`.
 */
interface Place {
  path: string;
  parameter: string;
}

function compilePart(reader: Reader, raw: unknown, place: Place): ReadItem {
  if (isCollection(raw)) return compileCollection(reader, raw, place);
  return isExpression(raw) ? compileExpression(reader, raw.slice(1), place) : () => raw;
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
      // n8n makes a text of a date in a collection, and not of a date in a list.
      built[key] = !isList && DateTime.isDateTime(value) ? value.toString() : value;
    }
    return isList ? Object.values(built) : built;
  };
  if (hasExpression(raw)) return build;
  const constant = build(0);
  return () => constant;
}

/** Code between double braces. */
const PLACEHOLDER = /\{\{([^]*?)\}\}/;

/** Braces behind a backslash, which n8n takes as text or, within a placeholder, as a part of the code. */
const ESCAPED_BRACES = /\\(?:\{\{|\}\})/;

/** Compiles an expression without its "=". */
function compileExpression(reader: Reader, text: string, { path, parameter }: Place): ReadItem {
  const { context, whole } = reader;
  // n8n finds the other parts of a collection only where it reads the collection as a whole.
  if (path !== whole && namesSiblings(text)) {
    const keys = path.slice(whole.length + 1).split('.');
    return (itemIndex) =>
      keys.reduce<unknown>(
        (at, key) => (at as Record<string, unknown>)[key],
        askEngine(context, whole, itemIndex),
      );
  }
  const ask: ReadItem = (itemIndex) => askEngine(context, path, itemIndex);
  const pieces = ESCAPED_BRACES.test(text) ? [text] : text.split(PLACEHOLDER);
  // n8n alone knows what an expression without placeholders, or with escaped braces, comes to.
  if (pieces.length === 1) return ask;
  const placeholders = everySecond(pieces).map((code) => new Placeholder(parameter, code));
  const evaluate = compileEvaluation(reader, { pieces, placeholders }, ask);
  // The engine has rules of its own for backslashes, and for braces that nothing closes. Those can only be in the last piece.
  const isSimple = !text.includes('\\') && !pieces[pieces.length - 1].includes('{{');
  if (!isSimple || placeholders.some((one) => one.path === undefined)) return evaluate;
  return readDirectlyOnceProven(reader, { pieces, placeholders }, evaluate);
}

/** An expression in pieces: every second one is the code of a placeholder, and the others are text. */
interface Pieces {
  pieces: readonly string[];
  placeholders: readonly Placeholder[];
}

const everySecond = <T>(pieces: readonly T[]): T[] => pieces.filter((_, i) => i % 2 === 1);

/** Whether the expression is one placeholder, whose value keeps its type: anything around the braces, even a blank, makes it text. */
const isAlone = ({ pieces }: Pieces): boolean => pieces.length === 3 && pieces[0] === '' && pieces[2] === '';

/** An expression for one item: its result, and the values of its placeholders. */
interface Reading {
  result: unknown;
  values: readonly unknown[];
}

/** Has n8n's engine evaluate an expression. */
function compileEvaluation({ context, note }: Reader, expression: Pieces, ask: ReadItem): ReadItem {
  const { pieces, placeholders } = expression;
  const items = context.getInputData();
  const firstWithData = placeholders.find(({ takesData }) => takesData);
  const noteFlaws = (itemIndex: number, values: readonly unknown[]) => {
    for (const [i, placeholder] of placeholders.entries()) {
      const evaluateAlone = () => context.evaluateExpression(`{{${placeholder.code}}}`, itemIndex) as unknown;
      const flaw = placeholder.flawOfResult(values[i], items[itemIndex]?.json, evaluateAlone);
      if (flaw !== undefined) note(itemIndex, flaw);
    }
    const isOwnWords = placeholders.every((one, i) => !one.takesData || one.hasOnlyOwnWords(values[i]));
    if (firstWithData !== undefined && isOwnWords) note(itemIndex, firstWithData.flawOfOwnWords);
  };
  if (isAlone(expression))
    return (itemIndex) => {
      const value = ask(itemIndex);
      noteFlaws(itemIndex, [value]);
      return value;
    };
  const marked = pieces.map((piece, i) => (i % 2 === 1 ? `${MARK}{{${piece}}}${MARK}` : piece)).join('');
  return (itemIndex) => {
    const parts = evaluatedText(context, marked, itemIndex)?.split(MARK);
    // n8n says by itself what it refuses, with the name of the parameter.
    if (parts?.length !== pieces.length) return ask(itemIndex);
    noteFlaws(itemIndex, everySecond(parts));
    return parts.join('');
  };
}

/**
 * Stands around each placeholder of a text that n8n evaluates, and shows where the value of each begins and ends. The mark is random, so
 * that no data has it. All runs share one mark: n8n compiles each new text, in five milliseconds, and keeps the result until the process
 * ends, so that a mark for each run would cost this time and memory in each run.
 */
const MARK = `\u0001${randomUUID()}\u0001`;

/** Returns an evaluated text; undefined where n8n refuses it. */
function evaluatedText(context: IExecuteFunctions, text: string, itemIndex: number): string | undefined {
  try {
    return String(context.evaluateExpression(text, itemIndex));
  } catch {
    return undefined;
  }
}

/**
 * Reads an expression of plain paths. The first item that can be read directly is read directly and by n8n. Where both results are the
 * same, all later such items are read directly. Where the two differ, n8n evaluates the expression for all later items: in an
 * agent's tool, n8n evaluates expressions on the items of the agent. Where n8n refuses the expression, n8n gets the next item, too.
 */
function readDirectlyOnceProven({ context, note }: Reader, expression: Pieces, evaluate: ReadItem): ReadItem {
  const items = context.getInputData();
  let proof: 'none' | 'same' | 'different' = 'none';
  return (itemIndex) => {
    // Undefined: n8n has to evaluate this item, after a difference, or because n8n would copy or convert one of its values.
    const reading = proof === 'different' ? undefined : readDirectly(expression, items[itemIndex]?.json);
    if (reading === undefined) return evaluate(itemIndex);
    if (proof === 'none') {
      const evaluated = evaluate(itemIndex);
      proof = Object.is(reading.result, evaluated) ? 'same' : 'different';
      return evaluated;
    }
    for (const [i, placeholder] of expression.placeholders.entries()) {
      const flaw = placeholder.flawOfData(reading.values[i]);
      if (flaw !== undefined) note(itemIndex, flaw);
    }
    return reading.result;
  };
}

/** Reads an expression of plain paths from the json of an item; undefined where n8n would copy or convert a value. */
function readDirectly(expression: Pieces, json: unknown): Reading | undefined {
  const values: unknown[] = [];
  for (const { path = [] } of expression.placeholders) {
    const found = plainValueAt(json, path);
    if (found === undefined) return undefined;
    values.push(found.value);
  }
  return { values, result: isAlone(expression) ? values[0] : joined(expression.pieces, values) };
}

function plainValueAt(json: unknown, path: readonly string[]): { value: unknown } | undefined {
  let value = json;
  for (const name of path) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isPlainObject(value)) return undefined;
    value = value[name];
  }
  return isSame(value) ? { value } : undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value comes out of n8n's engine as it went in. */
const isSame = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value);

/** Puts the values in the places of the code, which is every second piece. */
const joined = (pieces: readonly string[], values: readonly unknown[]): string =>
  pieces.map((piece, i) => (i % 2 === 1 ? asText(values[(i - 1) / 2]) : piece)).join('');

const asText = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''));

function askEngine(context: IExecuteFunctions, path: string, itemIndex: number): unknown {
  try {
    return context.getNodeParameter(path, itemIndex);
  } catch (thrown) {
    const error = naming(thrown, path);
    throw error;
  }
}

/** Adds the parameter to the context of an engine error that has none; n8n adds it only to an existing context. */
function naming(thrown: unknown, parameter: string): unknown {
  const hasNoContext = thrown instanceof Error && !('context' in thrown);
  return hasNoContext ? Object.assign(thrown, { context: { parameter } }) : thrown;
}
