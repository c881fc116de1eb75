import type { INodeProperties } from 'n8n-workflow';

import type { Country } from '../../gateway/numbers/countries';
import { findCountry } from '../../gateway/numbers/countries';
import { InvalidParameter, quoted } from './field';
import { optionsOf, property } from './property';
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
export function readCountry({ country }: Record<string, unknown>): Country | undefined {
  const text = asText(country, COUNTRY_LABEL);
  if (text === undefined) return undefined;
  const found = findCountry(text);
  if (found !== undefined) return found;
  throw new InvalidParameter(
    quoted(COUNTRY_LABEL),
    'an ISO code of a country such as UA, or a calling code such as +380',
    country,
  );
}
