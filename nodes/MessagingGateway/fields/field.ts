import type { INodeProperties } from 'n8n-workflow';

import type { WireField } from '../../gateway/contract/wire-fields';
import type { WireType } from '../../gateway/contract/operations';

/** Gives the value of a parameter of the current item; undefined where the parameter is not set. */
export type Get = (parameter: string) => unknown;

/** A form property before it is placed in an operation: the operation adds where it is shown. */
export type FieldProperty = Omit<INodeProperties, 'required'>;

/**
 * One thing a user fills in, and the wire fields it becomes.
 *
 * A field knows no operation: which operations have it, and whether it is required there, is said by the
 * contract and by the operation's list of fields.
 */
export interface Field {
  /** The wire field that this field fills; a field that fills several names the first. */
  wire: WireField;
  /** Label of the (first) parameter, as it is quoted in error messages. */
  displayName: string;
  properties(type: WireType): FieldProperty[];
  /**
   * Reads the parameters of one item and returns the wire fields; an empty optional parameter gives none.
   * @throws InvalidParameter when a value can't be brought into the type of the contract
   */
  read(get: Get, type: WireType): Partial<Record<WireField, unknown>>;
  /** Names the place of a check that failed below the wire field, for error messages. */
  describe?(path: Array<string | number>): string | undefined;
}

/** A value that can't be sent; the texts complete "'Label' must be …". */
export class InvalidParameter extends Error {
  /** Label of the parameter in single quotes, with its place where it is inside a list. */
  readonly parameter: string;

  /** What the parameter accepts. */
  readonly accepted: string;

  /** The value that was received; shown shortened. */
  readonly received: unknown;

  /** Why the value was not accepted, where more can be said. */
  readonly reason?: string;

  constructor(parameter: string, accepted: string, received: unknown, reason?: string) {
    super(`${parameter} must be ${accepted}`);
    this.parameter = parameter;
    this.accepted = accepted;
    this.received = received;
    this.reason = reason;
  }
}

/** Quotes a label the way n8n's messages do. */
export const quoted = (displayName: string): string => `'${displayName}'`;
