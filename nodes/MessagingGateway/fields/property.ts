import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { isEmpty, isObject } from '../../gateway/text/json';
import { joined } from '../../gateway/text/phrases';
import type { Get } from './field';
import { InvalidParameter, quoted } from './field';
import { asNumber } from './values';

/** Returns a property, which is a text unless `rest` says otherwise. */
export const property = (
  displayName: string,
  name: string,
  description: string | undefined,
  rest: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type: 'string', default: '', description, ...rest });

/** Returns a property that is chosen from a list, whose first entry is the usual one. */
export const choice = (
  displayName: string,
  name: string,
  description: string,
  entries: ReadonlyArray<readonly [value: string, name: string, description?: string]>,
): INodeProperties =>
  property(displayName, name, description, {
    type: 'options',
    default: entries[0][0],
    options: entries.map(([value, label, more]) => ({
      name: label,
      value,
      ...(more && { description: more }),
    })),
  });

/**
 * Returns the function that reads a choice among options; the usual entry where none is set. The function throws InvalidParameter for
 * a value that the list doesn't have.
 */
export const choiceReader = ({ displayName, name, default: usual, options: list = [] }: INodeProperties) =>
  readOnce(({ [name]: given }): unknown => {
    if (given === undefined) return usual;
    if (list.some((option) => 'value' in option && option.value === given)) return given;
    const values = list.map((option) => ('value' in option ? String(option.value) : ''));
    throw new InvalidParameter(quoted(displayName), joined(values, 'or'), given);
  });

/** Returns the options of a property whose fields n8n wraps in "values". */
export const inValues = (values: INodeProperties[]): INodePropertyCollection[] => [
  { displayName: 'Values', name: 'values', values },
];

/** Returns the fields of a property made with `inValues`. */
export const valuesIn = (given: unknown): Record<string, unknown> =>
  (given as { values?: Record<string, unknown> } | null | undefined)?.values ?? {};

/**
 * Groups of options, each shown as one option. n8n fills in all of a group as soon as the group is added, and saves it; an option
 * with rows vanishes from the form while it has no row.
 */
const GROUPS = ['avoidDoubles', 'deliveryReport', 'pageTexts', 'replyWords', 'senders', 'speed'] as const;

/** Returns the option that shows a group of options as one. */
export const groupOf = (
  displayName: string,
  name: (typeof GROUPS)[number],
  description: string,
  options: INodeProperties[],
): INodeProperties =>
  property(displayName, name, description, {
    type: 'fixedCollection',
    default: { values: {} },
    options: inValues(options),
  });

/** Returns the values of a collection "Options", with those in groups, each under its own name. */
export const ungrouped = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.assign({}, options, ...GROUPS.map((group) => valuesIn(options[group])));

/** Returns the path of an option in raw options: in its group, if that has it. */
export function pathOfOption(options: Record<string, unknown>, name: string): string {
  const group = GROUPS.find((one) => name in valuesIn(options[one]));
  return group === undefined ? `options.${name}` : `options.${group}.values.${name}`;
}

/** Whether raw options have the option `name`: added by itself, or not empty in its group. */
export const isAdded = (options: Record<string, unknown>, name: string): boolean =>
  name in options || GROUPS.some((group) => !isEmpty(valuesIn(options[group])[name]));

/**
 * Returns the entries of a collection with multiple values, which n8n wraps in `name`, or that an expression gives bare. An entry
 * that is no object has no values.
 * @throws InvalidParameter for anything but `accepted`, a list
 */
export function entriesIn(
  given: unknown,
  name: string,
  displayName: string,
  accepted: string,
): Array<Record<string, unknown>> {
  const entries: unknown = isObject(given) ? (given[name] ?? []) : given;
  if (!Array.isArray(entries)) throw new InvalidParameter(quoted(displayName), accepted, entries);
  return entries.map((entry) => (isObject(entry) ? entry : {}));
}

/** The options of an item, without their groups. */
export type Options = Record<string, unknown>;

/**
 * Returns `read` as a function that returns its last result again for the same options: n8n gives a collection without expressions
 * as the same object for all items. There is no other cache of options. The function throws what `read` throws. Nothing that it
 * returns may come into an output as it is: the next node could change it there for all rows.
 */
export function readOnce<T, Given = Options>(read: (given: Given) => T): (given: Given) => T {
  let hasRead = false;
  let last: Given;
  let value: T;
  return (given) => {
    if (hasRead && given === last) return value;
    value = read(given);
    last = given;
    hasRead = true;
    return value;
  };
}

/** Returns the part of a property that shows the property only for these values of others. */
export const shownFor = (show: Record<string, Array<string | boolean | number>>) => ({
  displayOptions: { show },
});

/**
 * The part of a property that hides the property from agents' tools: an agent writes one message to one person, and has no use
 * for options for lists.
 */
export const NOT_FOR_AGENTS = { displayOptions: { hide: { '@tool': [true] } } };

/** Returns the collection "Options" of an operation, in the order in which people need them. */
export const optionsOf = (options: INodeProperties[]): INodeProperties => ({
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options,
});

export const byLabel = (a: INodeProperties, b: INodeProperties): number =>
  a.displayName.localeCompare(b.displayName);

/** A setting of this node that is a whole number: its form property and its check follow from this. */
export interface WholeNumber {
  displayName: string;
  name: string;
  default: number;
  min: number;
  max?: number;
  description: string;
}

export const wholeProperty = ({ min, max, ...rest }: WholeNumber): INodeProperties => ({
  ...rest,
  type: 'number',
  typeOptions: { minValue: min, ...(max !== undefined && { maxValue: max }) },
});

/**
 * Reads a number; its default where it is empty.
 * @throws InvalidParameter for all but a whole number in its range
 */
export function readWhole({ name, displayName, default: standard, min, max }: WholeNumber, get: Get): number {
  const given = get(name);
  const value = asNumber(given, displayName) ?? standard;
  if (Number.isInteger(value) && value >= min && value <= (max ?? Infinity)) return value;
  const range = `from ${min} ${max === undefined ? 'on' : `to ${max}`}`;
  throw new InvalidParameter(quoted(displayName), `a whole number ${range}`, given);
}
