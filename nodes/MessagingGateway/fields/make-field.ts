import { typedIdentifier } from '../../gateway/contract/envelope';
import type { Field, FieldProperty } from './field';
import { checked } from './field';
import { property } from './property';
import { asBoolean, asLink, asLocated, asMessage, asNumber, asText } from './values';

/** Name of the methods that fill the "From list" of a resource locator; see `methods/`. */
export type ListMethod =
  | 'searchSmsSenders'
  | 'searchViberSenders'
  | 'searchRcsSenders'
  | 'searchStageSenders'
  | 'searchSmsTemplates'
  | 'searchViberTemplates'
  | 'searchTools';

/** A field with one parameter, whose label errors quote. */
export interface LabelledField<Wire extends string = string> extends Field<Wire> {
  displayName: string;
}

/** Makes fields read with `convert`. The parameter is the wire field in camel case: a string unless `usual` or `rest` differs. */
const fieldMaker =
  (convert: (value: unknown, displayName: string) => unknown, usual: Partial<FieldProperty> = {}) =>
  <Wire extends string>(
    displayName: string,
    wire: Wire,
    description?: string,
    rest: Partial<FieldProperty> = {},
  ): LabelledField<Wire> => {
    const camelCase = wire.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const parameter = property(displayName, camelCase, description, { ...usual, ...rest });
    return {
      wire,
      displayName,
      properties: () => [parameter],
      fill(operation, get, rules) {
        const value = checked(displayName, convert(get(parameter.name), displayName), rules[wire]);
        if (value !== undefined) operation[wire] = value;
      },
    };
  };

/** A text, or a choice among texts. */
export const textField = fieldMaker(asText);

/** A text for a recipient. */
export const messageField = fieldMaker(asMessage);

/** A link; surrounding blanks from pasting are removed. */
export const linkField = fieldMaker(asLink);
export const numberField = fieldMaker(asNumber);
export const booleanField = fieldMaker(asBoolean, { type: 'boolean', default: false });
export const locatorField = fieldMaker(asLocated);

/** A choice whose value is a number on the wire. */
export const numberedField = fieldMaker((value, displayName) =>
  typedIdentifier(asLocated(value, displayName)),
);

/** Makes a property a choice from a list that the gateway returns, or manual entry in a second mode. */
export const fromList = (
  searchListMethod: ListMethod,
  displayName: string,
  name: string,
  placeholder: string,
): Partial<FieldProperty> => ({
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod, searchable: true },
    },
    { displayName, name, type: 'string', placeholder },
  ],
});

/** A sender: from the account's list, or by name. */
export const senderField = <Wire extends string>(
  displayName: string,
  wire: Wire,
  listMethod: ListMethod,
  description = 'Sender name that the recipient sees. It must be approved for your account.',
): LabelledField<Wire> =>
  locatorField(displayName, wire, description, fromList(listMethod, 'Name', 'name', 'e.g. TestSender'));

/** Text, picture, button and link of a channel with rich messages, such as `rcs_message`; `title` is its name, `hint` stands below the picture. */
export const richFields = <Prefix extends 'rcs' | 'viber'>(prefix: Prefix, title: string, hint?: string) => [
  messageField(`${title} Text`, `${prefix}_message`, `Text of the ${title} message`, {
    placeholder: 'e.g. Your order is ready',
    typeOptions: { rows: 3 },
  }),
  linkField(
    `${title} Image URL`,
    `${prefix}_image`,
    'Address of the picture, which the gateway must be able to open',
    { placeholder: 'e.g. https://example.com/picture.png', ...(hint !== undefined && { hint }) },
  ),
  messageField(`${title} Button Caption`, `${prefix}_button`, 'Text on the button', {
    placeholder: 'e.g. Open',
  }),
  linkField(`${title} Button Link`, `${prefix}_link`, 'Address that the button opens', {
    placeholder: 'e.g. https://example.com/order',
  }),
];
