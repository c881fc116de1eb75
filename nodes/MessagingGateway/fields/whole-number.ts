import type { INodeProperties } from 'n8n-workflow';

import type { Get } from './field';
import { InvalidParameter, quoted } from './field';
import { asNumber } from './values';

/** A setting of this node that is a whole number: its form property and its check follow from this. */
export interface WholeNumber {
  displayName: string;
  name: string;
  default: number;
  min: number;
  max: number;

  /** Set where the form doesn't stop at `max`. */
  isOpen?: true;
  description: string;
}

export const wholeProperty = ({ min, max, isOpen, ...rest }: WholeNumber): INodeProperties => ({
  ...rest,
  type: 'number',
  typeOptions: { minValue: min, ...(!isOpen && { maxValue: max }) },
});

/**
 * Reads a number; its default where it is empty.
 * @throws InvalidParameter for all but a whole number in its range
 */
export function readWhole({ name, displayName, default: standard, min, max }: WholeNumber, get: Get): number {
  const given = get(name);
  const value = asNumber(given, displayName) ?? standard;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InvalidParameter(quoted(displayName), `a whole number from ${min} to ${max}`, given);
}
