import type { WireField } from '../../gateway/contract/wire-fields';
import type { Field, FieldProperty, Get } from './field';
import { asBoolean, asLocated, asNumber, asText } from './values';

interface Basics {
  parameter: string;
  wire: WireField;
  displayName: string;
  description?: string;
  placeholder?: string;
  hint?: string;
  displayOptions?: FieldProperty['displayOptions'];
}

/** Name of the methods that fill the "From list" of a resource locator; see `methods/list-search.ts`. */
export type ListMethod =
  | 'searchSmsSenders'
  | 'searchViberSenders'
  | 'searchRcsSenders'
  | 'searchSmsTemplates'
  | 'searchViberTemplates';

const property = (basics: Basics, rest: Partial<FieldProperty>): FieldProperty => {
  const { parameter, displayName, description, placeholder, hint, displayOptions } = basics;
  const texts = Object.fromEntries(
    Object.entries({ description, placeholder, hint, displayOptions }).filter(([, value]) => value !== undefined),
  );
  return { displayName, name: parameter, type: 'string', default: '', ...texts, ...rest };
};

function single(
  basics: Basics,
  rest: Partial<FieldProperty>,
  convert: (value: unknown, displayName: string) => unknown,
): Field {
  const { wire, parameter, displayName } = basics;
  return {
    wire,
    displayName,
    properties: () => [property(basics, rest)],
    read(get: Get) {
      const value = convert(get(parameter), displayName);
      return value === undefined ? {} : { [wire]: value };
    },
  };
}

/** A text field with one line, or `rows` lines. */
export const textField = (basics: Basics & { rows?: number }): Field =>
  single(basics, basics.rows === undefined ? {} : { typeOptions: { rows: basics.rows } }, asText);

/** A link field; surrounding blanks from pasting are removed. */
export const linkField = (basics: Basics): Field =>
  single(basics, {}, (value, displayName) => asText(value, displayName)?.trim());

export const numberField = (basics: Basics & { default: number; min?: number; max?: number }): Field => {
  const { min, max } = basics;
  const typeOptions = { ...(min !== undefined && { minValue: min }), ...(max !== undefined && { maxValue: max }) };
  return single(basics, { type: 'number', default: basics.default, typeOptions }, asNumber);
};

export const booleanField = (basics: Basics & { default?: boolean }): Field =>
  single(basics, { type: 'boolean', default: basics.default ?? false }, asBoolean);

/** A choice from a list that the gateway returns, or manual entry in a second mode. */
export function locatorField(
  basics: Basics & { listMethod: ListMethod; manual: { mode: string; label: string; placeholder: string } },
): Field {
  const { listMethod, manual } = basics;
  return single(
    basics,
    {
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          typeOptions: { searchListMethod: listMethod, searchable: true },
        },
        { displayName: manual.label, name: manual.mode, type: 'string', placeholder: manual.placeholder },
      ],
    },
    asLocated,
  );
}

/** A sender: from the account's list, or by name. */
export const senderField = (basics: Basics & { listMethod: ListMethod }): Field =>
  locatorField({
    ...basics,
    manual: { mode: 'name', label: 'By Name', placeholder: 'e.g. TestSender' },
  });
