import type { INodePropertyOptions } from 'n8n-workflow';

import { capitalised } from '../../gateway/errors/words';
import type { Field, FieldProperty, Get } from './field';
import { asBoolean, asLocated, asNumber, asText, asTrimmed } from './values';

interface Basics<Wire extends string> {
  parameter: string;
  wire: Wire;
  displayName: string;
  description?: string;
  placeholder?: string;
}

/** Name of the methods that fill the "From list" of a resource locator; see `methods/list-search.ts`. */
export type ListMethod =
  | 'searchSmsSenders'
  | 'searchViberSenders'
  | 'searchRcsSenders'
  | 'searchStageSenders'
  | 'searchSmsTemplates'
  | 'searchViberTemplates';

function single<Wire extends string>(
  { wire, parameter: name, displayName, description, placeholder }: Basics<Wire>,
  rest: Partial<FieldProperty>,
  convert: (value: unknown, displayName: string) => unknown,
): Field<Wire> {
  const texts = { ...(description !== undefined && { description }), ...(placeholder && { placeholder }) };
  const property: FieldProperty = { displayName, name, type: 'string', default: '', ...texts, ...rest };
  return {
    wire,
    displayName,
    properties: () => [property],
    read(get: Get) {
      const value = convert(get(name), displayName);
      return (value === undefined ? {} : { [wire]: value }) as Partial<Record<Wire, unknown>>;
    },
  };
}

/** A text field with one line, or `rows` lines. */
export const textField = <Wire extends string>(basics: Basics<Wire> & { rows?: number }): Field<Wire> =>
  single(basics, basics.rows === undefined ? {} : { typeOptions: { rows: basics.rows } }, asText);

/** A link field; surrounding blanks from pasting are removed. */
export const linkField = <Wire extends string>(basics: Basics<Wire>): Field<Wire> =>
  single(basics, {}, asTrimmed);

export const numberField = <Wire extends string>(
  basics: Basics<Wire> & { default: number; min: number; max?: number },
): Field<Wire> => {
  const { default: standard, min, max } = basics;
  const typeOptions = { minValue: min, ...(max !== undefined && { maxValue: max }) };
  return single(basics, { type: 'number', default: standard, typeOptions }, asNumber);
};

export const booleanField = <Wire extends string>(basics: Basics<Wire>): Field<Wire> =>
  single(basics, { type: 'boolean', default: false }, asBoolean);

/** A choice from a list. */
export const choiceField = <Wire extends string>(
  basics: Basics<Wire> & { options: INodePropertyOptions[]; default: string },
): Field<Wire> =>
  single(basics, { type: 'options', options: basics.options, default: basics.default }, asText);

interface Manual {
  mode: string;
  label: string;
  placeholder: string;
}

/** A choice from a list that the gateway returns, or manual entry in a second mode. */
export const locatorField = <Wire extends string>(
  basics: Basics<Wire> & { listMethod: ListMethod; manual: Manual },
): Field<Wire> => {
  const { listMethod, manual } = basics;
  const modes = [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list' as const,
      typeOptions: { searchListMethod: listMethod, searchable: true },
    },
    {
      displayName: manual.label,
      name: manual.mode,
      type: 'string' as const,
      placeholder: manual.placeholder,
    },
  ];
  return single(basics, { type: 'resourceLocator', default: { mode: 'list', value: '' }, modes }, asLocated);
};

/** A sender: from the account's list, or by name. */
export const senderField = <Wire extends string>(
  basics: Basics<Wire> & { listMethod: ListMethod },
): Field<Wire> =>
  locatorField({
    description: 'Sender name that the recipient sees. It must be approved for your account.',
    ...basics,
    manual: { mode: 'name', label: 'By Name', placeholder: 'e.g. TestSender' },
  });

/** Text, picture, button and link of a channel with rich messages, such as `rcs_message`; `title` is its name. */
export function richFields<Prefix extends 'rcs' | 'viber'>(prefix: Prefix, title: string) {
  const basics = <Part extends 'message' | 'image' | 'button' | 'link'>(part: Part, label: string) => ({
    parameter: `${prefix}${capitalised(part)}`,
    wire: `${prefix}_${part}` as const,
    displayName: `${title} ${label}`,
  });
  return {
    message: textField({
      ...basics('message', 'Text'),
      rows: 3,
      placeholder: 'e.g. Your order is ready',
      description: `Text of the ${title} message`,
    }),
    image: linkField({
      ...basics('image', 'Image URL'),
      placeholder: 'e.g. https://example.com/picture.png',
      description: 'Address of the picture, which the gateway must be able to open',
    }),
    button: textField({
      ...basics('button', 'Button Caption'),
      placeholder: 'e.g. Open',
      description: 'Text on the button',
    }),
    link: linkField({
      ...basics('link', 'Button Link'),
      placeholder: 'e.g. https://example.com/order',
      description: 'Address that the button opens',
    }),
  };
}
