import { PHONE_DIGITS } from '../contract/wire-fields';
import { comparedWord } from '../text/characters';
import { asEntries } from '../text/json';
import { quote } from '../text/phrases';
import { IDENTIFIER_FIELDS } from '../text/secrets';
import { parsePrefixes } from './allowed-prefixes';
import { parsePhone } from './phone';

/** A person whom a list of recipients names. */
export interface Person {
  name: string;
  phone: number;
}

/** The recipients that an author allows an agent: whole numbers, beginnings of numbers, and people by `comparedName`. */
export interface Recipients {
  numbers: ReadonlySet<string>;
  prefixes: readonly string[];
  people: ReadonlyMap<string, Person>;
}

/** Digits of the longest beginning of numbers: an entry with one digit more may be a whole number (gateway-api.md, "Fields"). */
const LONGEST_BEGINNING = PHONE_DIGITS.min - 1;

/** Returns a name as it is compared: the same in any case and notation; undefined for a text that can't be a name. */
export function comparedName(name: string): string | undefined {
  const word = comparedWord(name);
  // In capitals first: there, the two small sigmas are one letter, and so are ß and ss.
  return word !== undefined && /\p{L}/u.test(word) ? word.toUpperCase().toLowerCase() : undefined;
}

/**
 * Reads a list, or a text with commas. An entry that may be a phone number allows that number alone; with a name and a colon in front,
 * a person. An entry of fewer digits than any phone number allows all numbers that begin with it. Returns what is wrong with the list,
 * as a verb phrase, where an entry is none of these, or two people have the same name. Never quotes the number of a person.
 */
export function recipientsIn(given: unknown): Recipients | string {
  const numbers = new Set<string>();
  const prefixes: string[] = [];
  const people = new Map<string, Person>();
  for (const entry of asEntries(given)) {
    const text = typeof entry === 'string' || typeof entry === 'number' ? String(entry).trim() : '';
    const number = parsePhone(text);
    if (number.ok) {
      numbers.add(String(number.phone));
      continue;
    }
    const colon = Math.max(text.lastIndexOf(':'), text.lastIndexOf('：'));
    if (colon !== -1) {
      const wrong = addPerson(people, text.slice(0, colon).trim(), text.slice(colon + 1));
      if (wrong !== undefined) return wrong;
      continue;
    }
    const read = parsePrefixes(text);
    const [beginning = '', ...others] = read.ok ? read.prefixes : [];
    // A longer beginning is a number that lacks a digit, and would allow ten numbers.
    const isBeginning = beginning !== '' && beginning.length <= LONGEST_BEGINNING && others.length === 0;
    if (!isBeginning)
      return `has an entry that is neither a whole number nor a beginning of ${LONGEST_BEGINNING} digits at most: ${text || JSON.stringify(entry)}`;
    prefixes.push(beginning);
  }
  for (const { phone } of people.values()) numbers.add(String(phone));
  return { numbers, prefixes, people };
}

/** Adds a person; returns what is wrong with the entry instead, where it can't be one. */
function addPerson(people: Map<string, Person>, name: string, rest: string): string | undefined {
  const key = comparedName(name);
  if (key === undefined) return `has an entry whose name has no letter, or too many: ${quote(name)}`;
  const number = parsePhone(rest);
  if (!number.ok) return `has no whole number behind the name ${quote(name)}`;
  if (people.has(key)) return `has the name ${quote(name)} twice`;
  people.set(key, { name, phone: number.phone });
  return undefined;
}

/** Returns the person whom a value names; undefined where it names nobody. */
export const personNamed = ({ people }: Recipients, value: unknown): Person | undefined =>
  typeof value === 'string' && people.size > 0 ? people.get(comparedName(value) ?? '') : undefined;

/** Returns the names of a list, for a person or a model to choose from. */
export const namesOfPeople = ({ people }: Recipients): string =>
  [...people.values()].map(({ name }) => name).join(', ');

/** All digits of a number, with or without a plus sign. */
const WHOLE_NUMBER = /(?<!\d)\+?(\d+)(?!\d)/g;

/** Returns a copy of plain data with the name of a person in place of their number, in all numbers and texts. */
export function withNames<T>({ people }: Recipients, plain: T): T {
  const names = new Map<string, string>();
  for (const { name, phone } of people.values())
    if (!names.has(String(phone))) names.set(String(phone), name);
  const named = (value: unknown, field = ''): unknown => {
    if (typeof value === 'number')
      return IDENTIFIER_FIELDS.includes(field) ? value : (names.get(`${value}`) ?? value);
    if (typeof value === 'string')
      return value.replace(WHOLE_NUMBER, (all, digits: string) => names.get(digits) ?? all);
    if (Array.isArray(value)) return value.map((one) => named(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner, key)]));
  };
  return names.size === 0 ? plain : (named(plain) as T);
}
