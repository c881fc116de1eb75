/**
 * Phone numbers as people, sheets and other programs write them. `input.value` goes into 'Phone Number', `input.country` into
 * the option 'Default Country'. Right is the number in international format, or a pattern of the reason for which it is
 * refused: a wrong number costs a message, so what may be two numbers is refused.
 */
import type { Case } from './case.mts';

interface NumberInput {
  value: unknown;
  country?: string;
}

type NumberCase = Case<NumberInput, number | RegExp>;

const at = (country: string, value: unknown): NumberInput => ({ value, country });
const as = (value: unknown): NumberInput => ({ value });

export const NUMBERS: readonly NumberCase[] = [
  // What is dialled between the country code and the number.
  { input: as('+54 9 11 1234-5678'), right: 5491112345678, source: 'vanshg395/intl_phone_field#445' },
  {
    input: at('AR', '0351-15-230-3473'),
    right: 5493512303473,
    why: 'the 15 of mobile phones at home is a 9 from abroad',
    source: 'giggsey/libphonenumber-for-php#4',
  },
  { input: at('AR', '351 152303473'), right: 5493512303473 },
  { input: as('+44 (0) 7911 123456'), right: 447911123456 },
  { input: as('0044 (0)7911 123456'), right: 447911123456 },
  { input: as('+49 (0)170/1234567'), right: 491701234567 },
  { input: as('+44 07911 123456'), right: /has a 0 after country code \+44/ },
  { input: as('+90 0532 123 45 67'), right: /has a 0 after country code \+90/ },
  { input: as('+39 06 6982 1234'), right: 390669821234, why: 'Italy keeps its 0' },
  { input: at('IT', '06 6982 1234'), right: 390669821234 },
  { input: at('RU', '8 916 123-45-67'), right: 79161234567 },
  { input: at('KZ', '8 (777) 123-45-67'), right: 77771234567 },
  { input: at('BY', '8 (029) 123-45-67'), right: 375291234567 },

  {
    input: as('375 (8) 029 123-45-67'),
    right: /has an 80 after country code \+375 .* leave it out/,
    why: '8 and 0 are dialled inside Belarus',
  },
  { input: as('+375 8 029 123 45 67'), right: /has an 80 after country code \+375/ },
  { input: as('+7 8 916 123-45-67'), right: /has an 8 after country code \+7/ },
  { input: as('+370 8 612 34567'), right: /has an 8 after country code \+370/ },
  { input: as('+36 06 30 123 4567'), right: /has a 06 after country code \+36/ },
  { input: as('+1 1 416 555 0100'), right: /has a 1 after country code \+1/ },
  { input: as('+7 800 555 35 35'), right: 78005553535, why: 'the 8 is one of the number' },
  { input: as('+375 801 1000000'), right: 3758011000000 },

  // What is dialled in front of other countries' codes.
  { input: as('00 380 50 123 45 67'), right: 380501234567 },
  { input: at('US', '00 380 50 123 45 67'), right: 380501234567, why: 'everybody writes 00' },
  ...[
    ['US', '011'],
    ['RU', '810'],
    ['JP', '010'],
    ['UA', '011'],
  ].map(([country, prefix]) => ({
    input: at(country, `${prefix} 380 50 123 45 67`),
    right: new RegExp(`isn't a number of ${country}; if it is one of another country, write \\+`),
  })),
  { input: at('AU', '0011 380 50 123 45 67'), right: /dial-out prefix other than 00; write \+/ },
  { input: as('011 380 50 123 45 67'), right: /needs its country code/ },

  // Plans that changed.
  { input: as('+225 07 12 34 56'), right: /short/, source: 'google/libphonenumber#1194' },
  { input: as('+225 07 07 12 34 56'), right: 2250707123456, source: 'google/libphonenumber#1194' },

  {
    input: as('+52 1 55 1234 5678'),
    right: /has a 1 after country code \+52 that isn't dialled from abroad; leave it out/,
    why: 'how messengers and old address books write Mexican mobile phones',
    source: 'libPhoneNumber-iOS#276',
  },
  { input: as(5215512345678), right: /has a 1 after country code \+52/ },
  { input: at('MX', '521 55 1234 5678'), right: /has a 1 after country code \+52/ },
  { input: as('+52 55 1234 5678'), right: 525512345678 },

  // What people type for a country.
  ...['GB', 'gb', '+44', '0044'].map((country) => ({
    input: at(country, '07911 123456'),
    right: 447911123456,
  })),
  ...['UA', 'ua ', '380'].map((country) => ({ input: at(country, '050 123 45 67'), right: 380501234567 })),
  { input: at('US', '(416) 555-0100'), right: 14165550100 },
  { input: at('CI', '07 07 12 34 56'), right: 2250707123456 },
  { input: at('TR', '0532 123 45 67'), right: 905321234567 },

  // What a sheet, or its export, makes of a number.
  { input: as('="+380501234567"'), right: 380501234567, source: 'iris-client#443' },
  { input: as('="380501234567"'), right: 380501234567 },
  { input: as('"+380501234567"'), right: 380501234567, why: 'quotes that the import left' },
  { input: as('\u2019+380501234567'), right: 380501234567, why: 'a curly apostrophe marks text' },
  { input: as('\u201e+380501234567\u201c'), right: 380501234567 },
  { input: as('\u00ab380 50 123 45 67\u00bb'), right: 380501234567 },
  { input: as("'+380 (50) 123-45-67'"), right: 380501234567 },
  { input: as('"'), right: /is empty/ },
  { input: as('=A1'), right: /not a phone number|holds|too short/, why: 'a formula that nobody calculated' },
  {
    input: as("'+380501234567"),
    right: 380501234567,
    why: 'a sheet marks text',
    source: 'camptix#40',
  },
  { input: as('380501234567.0'), right: 380501234567, source: 'mautic#890' },
  { input: as('380501234567,00'), right: 380501234567 },
  { input: as('3.80501E+11'), right: /shortened by a spreadsheet/, source: 'camptix#40' },
  { input: as('3,80501E+11'), right: /shortened by a spreadsheet/ },
  { input: as(' 380501234567'), right: 380501234567, why: 'a blank in place of the plus' },
  { input: as('\ufeff+380501234567'), right: 380501234567 },
  { input: as('380\u00a050\u00a0123\u00a045\u00a067'), right: 380501234567 },
  { input: as('\u202a+380501234567\u202c'), right: 380501234567, why: 'copied from a contact card' },

  // What other programs put in front.
  { input: as('tel:+380-50-123-45-67'), right: 380501234567 },
  { input: as('callto:+380501234567'), right: 380501234567 },
  { input: as('whatsapp:+14165550100'), right: 14165550100 },
  { input: as('%2B380501234567'), right: 380501234567, why: 'a plus in an address' },

  // Digits of other scripts.
  {
    input: as('+\u096f\u0967 \u096f\u096e\u0967\u0966\u0967 \u0968\u0969\u096a\u096b\u096c'),
    right: 919810123456,
    why: 'Devanagari',
    source: 'google/libphonenumber#954',
  },
  {
    input: as('+\u09ee\u09ee\u09e6 \u09e7\u09ed\u09e7\u09e8-\u09e9\u09ea\u09eb\u09ec\u09ed\u09ee'),
    right: 8801712345678,
    why: 'Bengali',
    source: 'iziz/libPhoneNumber-iOS#160',
  },
  { input: as('+\u0e56\u0e56 \u0e58\u0e51 234 5678'), right: 66812345678, why: 'Thai beside others' },

  // What isn't one number.
  { input: as('+1 416 555 0100 ext. 5'), right: /extension/ },
  { input: as('+380501234567;380671234567'), right: /more than one number/ },
  { input: as('0501234567'), right: /needs its country code/ },
];
