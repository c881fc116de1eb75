import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Recipients } from '../../gateway/numbers/recipients';
import { excessIn, LONGEST_VALUE } from '../../gateway/text/gate';
import { isObject } from '../../gateway/text/json';
import { InvalidParameter, quoted } from '../fields/field';
import type { Options } from '../fields/property';
import { isAdded, pathOfOption, readOnce, ungrouped } from '../fields/property';
import type { Note, ReadItem } from '../parameters/compile';
import { compileParameter } from '../parameters/compile';
import type { Flaw } from '../parameters/placeholder';
import { numberNamed, readRecipients, RECIPIENTS } from './recipients';

/** A text that a reviewer wrote in place of the model's. */
export interface EditedText {
  parameter: string;
  label: string;
  proposed: string;
  approved: string;
}

/** Nearly all items have none: 10,000 empty lists would be made for nothing. */
const NO_FLAWS: readonly Flaw[] = [];

/** The form of an operation, as it is filled in for the items of a run. */
export class Form {
  private readonly context: IExecuteFunctions;
  private readonly properties: INodeProperties[];
  private readonly compiled = new Map<string, ReadItem | undefined>();
  private readonly found = new Map<number, Flaw[]>();
  private edited: readonly EditedText[] = [];
  private knownFields: FormField[] | undefined;
  private knownRecipients: { list: Recipients | undefined } | undefined;
  private readonly lastAdmitted = new Map<string, unknown>();
  private readonly ungroup = readOnce((given: unknown) => ungrouped((given ?? {}) as Options));

  constructor(context: IExecuteFunctions, properties: INodeProperties[]) {
    this.context = context;
    this.properties = properties;
  }

  /**
   * Returns a parameter of an item; `fallback` where it is not set. Keeps what is wrong with its placeholders. No other way leads from
   * the form to the rest of the node: the number of a recipient whom an agent names comes from here alone.
   * @throws ExpressionError, or any other error of n8n's engine, for an expression that fails; InvalidParameter for a text that is
   *   longer than the field takes, and for the name of nobody on the list of an agent's tool
   */
  read(name: string, itemIndex: number, fallback?: unknown): unknown {
    for (const { parameter, approved } of this.edited) if (parameter === name) return approved;
    let read = this.compiled.get(name);
    if (read === undefined && !this.compiled.has(name)) {
      read = compileParameter(this.context, name, this.note);
      this.compiled.set(name, read);
    }
    if (read === undefined) return fallback;
    const value = this.admitted(name, read(itemIndex));
    return name === 'phone' && this.recipients !== undefined ? this.numberOf(value, this.place(name)) : value;
  }

  /**
   * Returns a parameter as `getNodeParameter` converts it for its type, in place of its bare value; `fallback` where it is not set.
   * @throws what `read` throws
   */
  converted(path: string, itemIndex: number, fallback: unknown): unknown {
    const [name] = path.split('.');
    return this.admitted(name, this.context.getNodeParameter(path, itemIndex, fallback));
  }

  /** Returns a value that came in, whose texts are no longer than their fields take. */
  private admitted(name: string, value: unknown): unknown {
    // Nearly all values are short texts, and collections without expressions are the same for all items.
    if (typeof value === 'string' ? value.length <= SHORT : !isCollection(value)) return value;
    if (this.lastAdmitted.get(name) === value) return value;
    const excess = excessIn(
      value,
      lastName(name),
      (inner) => this.fields.find((one) => one.name === inner)?.maxLength,
    );
    if (excess !== undefined) {
      const { name: field, length, max } = excess;
      const count = (characters: number) => characters.toLocaleString('en');
      throw new InvalidParameter(
        quoted(this.label(field) ?? field),
        `text of at most ${count(max)} characters`,
        undefined,
        `has ${count(length)} characters`,
      );
    }
    this.lastAdmitted.set(name, value);
    return value;
  }

  /** Returns the options of an item, without their groups. Options without expressions are the same object for all items. */
  options(itemIndex: number): Options {
    return this.ungroup(this.read('options', itemIndex));
  }

  /** Returns an option that holds for all items alike, by the form of the first. No other option is evaluated for it. */
  option(name: string): unknown {
    const options = this.raw('options');
    return isObject(options) ? this.read(pathOfOption(options, name), 0) : this.options(0)[name];
  }

  /** Returns what is wrong with the placeholders of an item, in the parameters that were read so far. */
  flaws(itemIndex: number): readonly Flaw[] {
    return this.found.get(itemIndex) ?? NO_FLAWS;
  }

  private readonly note: Note = (itemIndex, flaw) => {
    const known = this.found.get(itemIndex);
    if (known === undefined) this.found.set(itemIndex, [flaw]);
    else if (!known.some((one) => isSameFlaw(one, flaw))) known.push(flaw);
  };

  /** Takes the texts that a reviewer wrote in place of those of the model, for the one call of the run. */
  replaceTexts(edited: readonly EditedText[]): void {
    this.edited = edited;
  }

  /** The texts that a reviewer wrote. */
  get editedTexts(): readonly EditedText[] {
    return this.edited;
  }

  /**
   * The recipients that the author allows the tool of an agent; undefined where there is no list, and where no agent calls.
   * @throws InvalidParameter for a list that can't be read
   */
  get recipients(): Recipients | undefined {
    this.knownRecipients ??= { list: readRecipients(this.context, this.raw(RECIPIENTS.name, '')) };
    return this.knownRecipients.list;
  }

  /**
   * Returns the number of the recipient whom a value of an agent names; any other value as it is.
   * @throws InvalidParameter for the name of nobody, and for a list that can't be read
   */
  numberOf(value: unknown, parameter: string): unknown {
    const { recipients } = this;
    return recipients === undefined ? value : numberNamed(recipients, value, parameter);
  }

  /** Returns a parameter as it is filled in, with its expressions; `fallback` where it is not set. */
  raw(name: string, fallback: unknown = {}): unknown {
    return this.context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
  }

  /**
   * Whether any item may have an option: whether it is added in the form, or filled in within a group. The run skips the work for
   * all other options.
   */
  hasOption(name: string): boolean {
    if (this.label(name) === undefined) return false;
    const options = this.raw('options');
    return !isObject(options) || isAdded(options, name);
  }

  /** Whether any item may have a switch on: whether it is on, or has an expression, in the form. */
  mayBeOn(name: string): boolean {
    return this.raw(name, false) !== false;
  }

  /** Returns the label of a parameter; undefined where the form doesn't have it. */
  label(name: string): string | undefined {
    return this.fields.find((field) => field.name === name)?.label;
  }

  /**
   * Returns where a parameter stands in the form, for errors: its label, that of a field in an entry of a list, such as
   * `'Caption' of slide 2 in 'Viber Carousel'`, or the entry, such as `Slide 2 in 'Viber Carousel'`.
   */
  place(parameter: string): string {
    const [name, list, index, field] = parameter.split('.');
    const option = name === 'options' ? parameter.slice(parameter.lastIndexOf('.') + 1) : name;
    const place = quoted(this.label(option) ?? option);
    const [entry] = this.properties.find((property) => property.name === name)?.options ?? [];
    const number = Number(index) + 1;
    if (!entry || !('values' in entry) || !(number > 0)) return place;
    // Fields of several channels share a name.
    const channel = this.raw(`${name}.${list}.${index}.channel`, '');
    const label = entry.values.find(
      ({ name: one, displayOptions }) =>
        one === field && (displayOptions?.show?.channel?.includes(channel as string) ?? true),
    )?.displayName;
    return label === undefined
      ? `${entry.displayName} ${number} in ${place}`
      : `${quoted(label)} of ${entry.displayName.toLowerCase()} ${number} in ${place}`;
  }

  /** Returns the label of the field that holds the one with this label; undefined for a field that stands by itself. */
  groupOf(label: string): string | undefined {
    return this.fields.find((field) => field.label === label)?.group;
  }

  /** Whether the last name in the path of a parameter has this label. */
  isLabelled(parameter: string, label: string): boolean {
    const name = parameter.slice(parameter.lastIndexOf('.') + 1);
    return this.fields.some((field) => field.name === name && field.label === label);
  }

  private get fields(): FormField[] {
    return (this.knownFields ??= shownFieldsOf(this.properties));
  }
}

const isSameFlaw = (one: Flaw, other: Flaw): boolean =>
  one.parameter === other.parameter && one.source === other.source && one.is === other.is;

/** Every field takes a text of so many characters. */
const SHORT = 20;

const isCollection = (value: unknown): boolean => typeof value === 'object' && value !== null;
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** A field as the form shows it; `group`: the label of the field that holds it among others; `maxLength`: the characters that it takes. */
interface FormField {
  name: string;
  label: string;
  group?: string;
  maxLength: number;
}

/** Returns how many characters a field takes; one with other fields in it has no text of its own. */
function longestOf({ name, type, typeOptions }: INodeProperties): number {
  if (name === 'country') return SHORT;
  if (type !== 'string' && type !== 'resourceLocator') return LONGEST_VALUE.list;
  // A table of the author's, of any length, or a text that the reader of the list bounds (MAX_STOPPED).
  if (name === 'stopList') return Infinity;
  return typeOptions?.rows === undefined ? LONGEST_VALUE.word : LONGEST_VALUE.text;
}

/** Returns the fields of form properties, then those nested in them. */
export function shownFieldsOf(properties: INodeProperties[]): FormField[] {
  const nested = properties.flatMap(({ displayName: group, options = [] }) =>
    options.flatMap((option) => {
      if ('values' in option) return shownFieldsOf(option.values).map((field) => ({ group, ...field }));
      return 'displayName' in option ? shownFieldsOf([option]) : [];
    }),
  );
  const own = properties.map((property) => ({
    name: property.name,
    label: property.displayName,
    maxLength: longestOf(property),
  }));
  return [...own, ...nested];
}
