import type { INodeProperties } from 'n8n-workflow';

import { InvalidParameter, quoted } from '../fields/field';
import { asBoolean } from '../fields/values';

export const CHECK_ONLY: INodeProperties = {
  displayName: 'Check Only',
  name: 'checkOnly',
  type: 'boolean',
  default: true,
  description: 'Whether to check every item and show what would be sent and billed, without sending anything',
};

/**
 * Returns whether the option is on, by the options of an item. Where it was added and comes to nothing, as an
 * expression with a misspelled column does, nobody said that the item may be sent.
 * @throws InvalidParameter for anything but on and off
 */
export function onlyChecks(options: Record<string, unknown>): boolean {
  if (!('checkOnly' in options)) return false;
  const isOn = asBoolean(options.checkOnly, CHECK_ONLY.displayName);
  if (isOn !== undefined) return isOn;
  throw new InvalidParameter(quoted(CHECK_ONLY.displayName), 'on or off (true or false)', undefined);
}
