import type { INodeProperties } from 'n8n-workflow';

import type { WireType } from '../../gateway/contract/operations';
import type { FieldRule, FieldRules, WireField } from '../../gateway/contract/wire-fields';
import { findIssue } from '../../gateway/contract/wire-fields';

/** Returns the value of a parameter for the current item; undefined where the parameter is not set. */
export type Get = (parameter: string) => unknown;

/** A form property that is not yet part of an operation, which adds where it is shown. */
export type FieldProperty = Omit<INodeProperties, 'required'>;

/**
 * A form field and the wire fields that its value becomes. A field knows no operation: the contract and the operation's list
 * of fields decide which operations have the field and whether it is required there.
 */
export interface Field<Wire extends string = WireField> {
  /** The wire field, or the key of an object in a wire field, that this field fills; the first of several. */
  wire: Wire;
  properties(type: WireType): FieldProperty[];

  /**
   * Reads the parameters of one item, whose collection "Options" is `options`, and writes their wire fields into `operation`,
   * which has those of the fields before it. An empty optional parameter writes none. `rules` are those of the object.
   * @throws InvalidParameter for a value that the contract doesn't accept
   */
  fill(
    operation: Record<string, unknown>,
    get: Get,
    rules: FieldRules,
    options?: Record<string, unknown>,
  ): void;
}

/** The fault of a value and its cure, in the words of `InvalidParameter`. */
type Why = Partial<Pick<InvalidParameter, 'reason' | 'advice' | 'entry'>>;

/** A value that can't be sent. Its message is "'Label' must be …". */
export class InvalidParameter extends Error {
  /** The label in single quotes, followed by its place where it is in a list. */
  readonly parameter: string;
  readonly accepted: string;
  readonly received: unknown;

  /** The fault, as a verb phrase behind the parameter; the cure may follow a semicolon. */
  readonly reason?: string;

  /** The advice, where correcting the value isn't it: a sentence without its full stop. */
  readonly advice?: string;

  /** The beginning of the path of a parameter in an entry of a list, such as `pipeline.stages.1.`; empty outside of lists. */
  readonly entry: string = '';

  constructor(parameter: string, accepted: string, received: unknown, why: string | Why = {}) {
    super(`${parameter} must be ${accepted}`);
    this.parameter = parameter;
    this.accepted = accepted;
    this.received = received;
    Object.assign(this, typeof why === 'string' ? { reason: why } : why);
  }
}

/** Quotes a label the way n8n's messages do. */
export const quoted = (displayName: string): string => `'${displayName}'`;

/**
 * Returns a converted value of a field, undefined for an empty one.
 * @throws InvalidParameter for a value that the contract doesn't accept, and for an empty one that it requires
 */
export function checked<T>(displayName: string, value: T, { schema, isRequired }: FieldRule): T {
  // Nearly all values are single ones without fault: these don't wait for zod.
  if (value === undefined ? !isRequired : schema.accepts?.(value)) return value;
  const issue = findIssue(schema, value);
  if (issue === undefined) return value;
  throw new InvalidParameter(quoted(displayName), issue.message, value, issue.reason);
}

/**
 * Reads an entry of a list. Takes where the entry stands, in words behind a parameter, and how the paths of its parameters begin.
 * @throws InvalidParameter
 */
export function readEntry(
  fields: ReadonlyArray<Field<string>>,
  entry: Record<string, unknown>,
  rules: FieldRules,
  [place, path]: [place: string, path: string],
): Record<string, unknown> {
  try {
    return readFields(fields, (name) => entry[name], rules);
  } catch (thrown) {
    throw inEntry(thrown, place, path);
  }
}

function inEntry(thrown: unknown, place: string, entry: string): unknown {
  if (!(thrown instanceof InvalidParameter)) return thrown;
  const { parameter, accepted, received, reason, advice } = thrown;
  return new InvalidParameter(`${parameter} ${place}`, accepted, received, { reason, advice, entry });
}

/**
 * Returns the wire fields that form fields make of the parameters of an item.
 * @throws InvalidParameter
 */
export function readFields(
  fields: ReadonlyArray<Field<string>>,
  get: Get,
  rules: FieldRules,
  options?: Record<string, unknown>,
): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const field of fields) field.fill(filled, get, rules, options);
  return filled;
}
