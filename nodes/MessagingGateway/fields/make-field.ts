import type { WireField } from '../../gateway/contract/wire-fields';
import { capitalised } from '../../gateway/errors/words';
import type { Field, FieldProperty, Get } from './field';
import { asBoolean, asLocated, asNumber, asText } from './values';

interface Basics {
  parameter: string;
  wire: WireField;
  displayName: string;
  description?: string;
  placeholder?: string;
}

/** Name of the methods that fill the "From list" of a resource locator; see `methods/list-search.ts`. */
type ListMethod =
  | 'searchSmsSenders'
  | 'searchViberSenders'
  | 'searchRcsSenders'
  | 'searchStageSenders'
  | 'searchSmsTemplates'
  | 'searchViberTemplates';

function single(
  { wire, parameter, displayName, description, placeholder }: Basics,
  rest: Partial<FieldProperty>,
  convert: (value: unknown, displayName: string) => unknown,
): Field {
  const property: FieldProperty = {
    displayName,
    name: parameter,
    type: 'string',
    default: '',
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
    ...rest,
  };
  return {
    wire,
    displayName,
    properties: () => [property],
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

export const numberField = (basics: Basics & { default: number; min: number; max?: number }): Field => {
  const { default: standard, min, max } = basics;
  const typeOptions = { minValue: min, ...(max !== undefined && { maxValue: max }) };
  return single(basics, { type: 'number', default: standard, typeOptions }, asNumber);
};

export const booleanField = (basics: Basics): Field =>
  single(basics, { type: 'boolean', default: false }, asBoolean);

interface Manual {
  mode: string;
  label: string;
  placeholder: string;
}

/** The part of a property that makes it a choice from a list that the gateway returns, or manual entry. */
const locator = (listMethod: ListMethod, { mode, label, placeholder }: Manual) => ({
  type: 'resourceLocator' as const,
  default: { mode: 'list', value: '' },
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list' as const,
      typeOptions: { searchListMethod: listMethod, searchable: true },
    },
    { displayName: label, name: mode, type: 'string' as const, placeholder },
  ],
});

/** A choice from a list that the gateway returns, or manual entry in a second mode. */
export const locatorField = (basics: Basics & { listMethod: ListMethod; manual: Manual }): Field =>
  single(basics, locator(basics.listMethod, basics.manual), asLocated);

/** The part of a property that makes it a sender: from the account's list, or by name. */
export const senderLocator = (listMethod: ListMethod) =>
  locator(listMethod, { mode: 'name', label: 'By Name', placeholder: 'e.g. TestSender' });

/** A sender: from the account's list, or by name. */
export const senderField = (basics: Basics & { listMethod: ListMethod }): Field =>
  single({ description: SENDER_DESCRIPTION, ...basics }, senderLocator(basics.listMethod), asLocated);

const SENDER_DESCRIPTION = 'Sender name that the recipient sees. It must be approved for your account.';

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
