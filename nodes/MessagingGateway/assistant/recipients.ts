import type { Tool } from '../../gateway/connector/tools';
import { argumentSchemas } from '../../gateway/connector/tools';
import type { AllowedNumbers } from '../agent/allowed-numbers';
import { requireAllowed } from '../agent/allowed-numbers';
import { InvalidParameter, quoted } from '../fields/field';
import { LABELS } from './properties';

/** Names of arguments that hold phone numbers: the contract shows none of the connector's own. */
const NAME = /^(?:to|(?:phone|recipient|number)s?)$/i;

/** A number as the contract has it (gateway-api.md, "Fields"). Other notations could mean another number to a connector. */
const NUMBER = /^\+?([1-9]\d{6,14})$/;

/**
 * Compares the phone numbers in a tool's arguments with the lists that allow numbers.
 * @throws InvalidParameter for a number that is not allowed, and for a value that is no number
 */
export function requireAllowedArguments(
  lists: readonly AllowedNumbers[],
  args: Record<string, unknown>,
): void {
  if (lists.length === 0) return;
  for (const [name, value] of Object.entries(args).filter(([name]) => NAME.test(name))) {
    const place = `"${name}" in ${quoted(LABELS.arguments)}`;
    for (const entry of [value].flat()) {
      const [, digits] = NUMBER.exec(String(entry)) ?? [];
      if (digits === undefined) {
        const accepted =
          'a phone number of digits only with its country code, such as 447700900001, or a list';
        throw new InvalidParameter(place, accepted, entry);
      }
      requireAllowed(lists, digits, place);
    }
  }
}

/** Whether both the schema of a tool and its arguments have a recipient, with which the lists could be compared. */
export const hasRecipient = (tool: Tool | undefined, args: Record<string, unknown>): boolean =>
  tool !== undefined &&
  Object.keys(argumentSchemas(tool)).some((name) => NAME.test(name) && [args[name] ?? []].flat().length > 0);
