import type { INodeProperties } from 'n8n-workflow';

import type { Country } from '../../gateway/contract/countries';
import { findCountry } from '../../gateway/contract/countries';
import { InvalidParameter, quoted } from './field';
import { byLabel } from './property';
import { asText } from './values';

export const COUNTRY_LABEL = 'Default Country';

const COUNTRY: INodeProperties = {
  displayName: COUNTRY_LABEL,
  name: 'country',
  type: 'string',
  default: '',
  placeholder: 'e.g. UA',
  description:
    'Country of numbers written without a country code: an ISO code such as UA, or a calling code such as +380',
};

/** Returns form properties of an operation; those of one that takes a number offer the option Default Country. */
export const withCountry = (properties: INodeProperties[]): INodeProperties[] =>
  properties.every(({ name }) => name !== 'phone')
    ? properties
    : properties.map((property) => {
        if (property.name !== 'options') return property;
        const options = [...((property.options ?? []) as INodeProperties[]), COUNTRY];
        return { ...property, options: options.sort(byLabel) };
      });

/**
 * Reads the option Default Country; undefined where it is empty.
 * @throws InvalidParameter for anything but a country
 */
export function readCountry({ country }: Record<string, unknown>): Country | undefined {
  if (country === undefined) return undefined;
  const text = asText(country, COUNTRY_LABEL);
  const found = text === undefined ? undefined : findCountry(text);
  if (found !== undefined || text === undefined) return found;
  throw new InvalidParameter(
    quoted(COUNTRY_LABEL),
    'an ISO code of a country such as UA, or a calling code such as +380',
    country,
  );
}
