import type { INodeProperties } from 'n8n-workflow';

import type { CallbackFields } from '../../gateway/callback/message-facts';
import { deriveCallbackKey, withFacts } from '../../gateway/callback/message-facts';
import type { WireOperation } from '../../gateway/contract/operations';
import { isEmpty, UNSAFE_NAMES } from '../../gateway/text/json';
import type { Connection } from '../../n8n/connection';
import { requireKeys } from '../../n8n/connection';
import { WAIT_LABEL } from '../delivery-wait/settings';
import { InvalidParameter, quoted } from '../fields/field';
import { HOOK_LABEL } from '../fields/options';
import { entriesIn } from '../fields/property';
import type { Item } from '../run/item';
import type { Run } from '../run/run';

const NAME_LABEL = 'Name';
const VALUE_LABEL = 'Value';

export const CALLBACK_FIELDS: INodeProperties = {
  displayName: 'Callback Fields',
  name: 'callbackFields',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Field',
  default: {},
  description:
    'Your own values, which every callback and reply of the message brings back in fields, and in the trigger also as columns. They travel in the callback address, encrypted; the trigger needs the same credential.',
  options: [
    {
      displayName: 'Field',
      name: 'values',
      values: [
        { displayName: NAME_LABEL, name: 'name', type: 'string', default: '', placeholder: 'e.g. order_id' },
        { displayName: VALUE_LABEL, name: 'value', type: 'string', default: '' },
      ],
    },
  ],
};

const LABEL = CALLBACK_FIELDS.displayName;

const UNSEALED = 'Nothing was sent: the API key is needed to encrypt what a callback brings back';

/** Characters of the longest callback address: some gateways keep addresses in columns of this length. */
const LONGEST_ADDRESS = 900;

/**
 * Returns the function that writes the facts about a message into the callback address of its operation: number, type and fields.
 * The connection derives the keys of the account. The function throws
 * - InvalidParameter for an address that the fields make too long,
 * - NodeOperationError without a usable API key.
 */
export function factsWriter(run: Run, connection: Connection) {
  let key: Buffer | undefined;
  return (operation: WireOperation, fields?: CallbackFields): void => {
    key ??= requireKeys(run.node, connection, deriveCallbackKey, UNSEALED);
    const { id, type, phone, hook } = operation;
    // Each type that has a `hook` requires `id` and `phone`.
    const facts = { phone: phone!, sentAs: type, fields: fields ?? {} };
    const address = withFacts(String(hook), key, id!, facts);
    if (fields && address.length > LONGEST_ADDRESS) {
      throw new InvalidParameter(
        quoted(LABEL),
        `so short that the callback address has at most ${LONGEST_ADDRESS} characters`,
        Object.keys(fields),
        `would make it ${address.length}, of ${LONGEST_ADDRESS} at most; keep what is long in a table of yours, and attach its key`,
      );
    }
    operation.hook = address;
  };
}

/**
 * Reads the fields; undefined where there are none. Values keep their types.
 * @throws InvalidParameter for a field without a name, with the name of another, or with a value that is a list or an object
 */
export function readCallbackFields({
  [CALLBACK_FIELDS.name]: given,
}: Item['options']): CallbackFields | undefined {
  if (given === undefined) return undefined;
  const fields = new Map<string, string | number | boolean>();
  const entries = entriesIn(given, 'values', LABEL, 'a list of names and values');
  for (const [index, { name, value }] of entries.entries()) {
    const place = `of field ${index + 1} in ${quoted(LABEL)}`;
    const key = typeof name === 'string' || typeof name === 'number' ? String(name).trim() : '';
    if (key === '' || UNSAFE_NAMES.has(key))
      throw new InvalidParameter(`${quoted(NAME_LABEL)} ${place}`, 'the name of a field', name);
    if (fields.has(key))
      throw new InvalidParameter(`${quoted(NAME_LABEL)} ${place}`, 'different from the names before it', key);
    fields.set(key, readValue(value, place));
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

/** Reads a value; an empty one becomes an empty text, so that the callbacks of all rows have the same fields. */
function readValue(value: unknown, place: string): string | number | boolean {
  if (isEmpty(value)) return '';
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
    return value as string | number | boolean;
  throw new InvalidParameter(`${quoted(VALUE_LABEL)} ${place}`, 'text, a number, or true or false', value);
}

/** Returns the error of Callback Fields without a callback address to travel in. */
export const withoutAddress = (fields: CallbackFields): InvalidParameter =>
  new InvalidParameter(
    quoted(LABEL),
    `used with 'To This Workflow', ${quoted(HOOK_LABEL)} or ${quoted(WAIT_LABEL)}, which take them back`,
    Object.keys(fields),
    'has no callback address to travel in',
  );
