import type { INodeProperties } from 'n8n-workflow';

import { FIELD_SCHEMAS } from '../../gateway/contract/wire-fields';
import type { Country } from '../../gateway/numbers/countries';
import { findCountry } from '../../gateway/numbers/countries';
import { parsePhone } from '../../gateway/numbers/phone';
import { isEmpty } from '../../gateway/text/json';
import type { Field } from './field';
import { checked, InvalidParameter, quoted } from './field';
import { NOT_FOR_AGENTS, optionsOf, property, readOnce } from './property';
import { asText } from './values';

export const COUNTRY_LABEL = 'Default Country';

const COUNTRY = property(
  COUNTRY_LABEL,
  'country',
  'Country of numbers written without a country code: an ISO code such as UA, or a calling code such as +380',
  { placeholder: 'e.g. UA' },
);

/** Returns form properties of an operation; those of one that takes a number offer the option Default Country. */
export const withCountry = (properties: INodeProperties[]): INodeProperties[] =>
  properties.every(({ name }) => name !== 'phone')
    ? properties
    : properties.map((one) =>
        one.name === 'options' ? optionsOf([COUNTRY, ...(one.options as INodeProperties[])]) : one,
      );

/**
 * Reads the option Default Country; undefined where it is empty.
 * @throws InvalidParameter for anything but a country
 */
export const readCountry = readOnce(({ country }): Country | undefined => {
  const text = asText(country, COUNTRY_LABEL);
  if (text === undefined) return undefined;
  const found = findCountry(text);
  if (found !== undefined) return found;
  throw new InvalidParameter(
    quoted(COUNTRY_LABEL),
    'an ISO code of a country such as UA, or a calling code such as +380',
    country,
  );
});

export const PHONE_LABEL = 'Phone Number';

/** `phone`, in any common notation. */
export const phone: Field = {
  wire: 'phone',
  properties: () => [
    property(
      PHONE_LABEL,
      'phone',
      'Number in international format. Spaces, dashes, brackets, and a leading plus sign or 00 are fine.',
      {
        placeholder: 'e.g. +44 7700 900001',
        hint: 'With country code, e.g. +44 7700 900001, or with the option Default Country',
      },
    ),
  ],
  fill(operation, get, _rules, options = {}) {
    const value = get('phone');
    const result = parsePhone(value, readCountry(options));
    if (!result.ok) throw notPhone(value, result.reason);
    operation.phone = result.phone;
  },
};

const notPhone = (value: unknown, reason: string): InvalidParameter =>
  new InvalidParameter(
    quoted(PHONE_LABEL),
    'a phone number in international format, such as +44 7700 900001',
    value,
    reason,
  );

/** The number in the form of an operation without a wire type, which would say that the number is required. */
export const requiredPhone: INodeProperties[] = phone
  .properties('sms')
  .map((one) => ({ ...one, required: true }));

export const MESSAGE_ID_LABEL = 'Message ID';

/**
 * Takes the value of Message ID; returns undefined where it is empty.
 * @throws InvalidParameter for all but a whole number, with the advice
 */
export function readMessageId(value: unknown, advice?: string): number | undefined {
  const given = typeof value === 'string' ? value.trim() : value;
  if (isEmpty(given)) return undefined;
  const number = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given;
  const { id } = FIELD_SCHEMAS;
  if (id.accepts(number)) return number as number;
  const reason = Number.isInteger(number) ? undefined : 'is not a whole number';
  throw new InvalidParameter(quoted(MESSAGE_ID_LABEL), id.phrase, value, { reason, advice });
}

/** The option by which users give a message an ID of their own. */
export const MESSAGE_ID = property(
  MESSAGE_ID_LABEL,
  'messageId',
  'Whole number of your own by which Get Status and callbacks name this message. Without it, the node makes one.',
  { placeholder: 'e.g. 1001', ...NOT_FOR_AGENTS },
);

/** `id` of a message that has been sent. */
export const sentMessageId: Field = {
  wire: 'id',
  properties: () => [
    property(
      MESSAGE_ID_LABEL,
      MESSAGE_ID.name,
      'Number of the message, from the output of the node that sent it',
      {
        placeholder: 'e.g. 1001',
        hint: 'The field <code>id</code> of the output, not <code>msg_id</code>',
      },
    ),
  ],
  fill(operation, get, rules) {
    const advice = 'Take "id" from the output of the node that sent the message';
    operation.id = checked(MESSAGE_ID_LABEL, readMessageId(get(MESSAGE_ID.name), advice), rules.id);
  },
};
