import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../gateway/text/json';
import { quoted } from '../fields/field';
import { isAdded, readOnce, ungrouped } from '../fields/property';
import type { FindGaps, Gap } from '../parameters/gaps';
import { compileGaps } from '../parameters/gaps';
import type { ReadItem } from '../parameters/compile';
import { compileParameter } from '../parameters/compile';

/** The form of an operation, as it is filled in for the items of a run. */
export class Form {
  private readonly context: IExecuteFunctions;
  private readonly properties: INodeProperties[];
  private readonly compiled = new Map<string, ReadItem | undefined>();
  private findGaps: FindGaps | undefined;
  private knownFields: FormField[] | undefined;
  private readonly ungroup = readOnce((given) => ungrouped((given ?? {}) as Record<string, unknown>));

  constructor(context: IExecuteFunctions, properties: INodeProperties[]) {
    this.context = context;
    this.properties = properties;
  }

  /**
   * Returns a parameter of an item; `fallback` where it is not set.
   * @throws ExpressionError, or any other error of n8n's engine, for an expression that fails
   */
  read(name: string, itemIndex: number, fallback?: unknown): unknown {
    let read = this.compiled.get(name);
    if (read === undefined && !this.compiled.has(name)) {
      read = compileParameter(this.context, name);
      this.compiled.set(name, read);
    }
    return read === undefined ? fallback : read(itemIndex);
  }

  /** Returns the options of an item, without their groups. Options without expressions are the same object for all items. */
  options(itemIndex: number): Record<string, unknown> {
    return this.ungroup(this.read('options', itemIndex));
  }

  /** Returns the parameters with placeholders that come to nothing for an item, by its `json`. */
  gaps(json: unknown): readonly Gap[] {
    this.findGaps ??= compileGaps(this.context.getNode().parameters);
    return this.findGaps(json);
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

  /** Returns where a parameter stands in the form, for errors: its label, or the entry of a list, such as `Slide 2 in 'Viber Carousel'`. */
  place(parameter: string): string {
    const [name, , index] = parameter.split('.');
    const place = quoted(this.label(name) ?? name);
    const [entry] = this.properties.find((property) => property.name === name)?.options ?? [];
    const number = Number(index) + 1;
    return entry && 'values' in entry && number > 0 ? `${entry.displayName} ${number} in ${place}` : place;
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

/** A field as the form shows it; `group`: the label of the field that holds it among others. */
interface FormField {
  name: string;
  label: string;
  group?: string;
}

/** Returns the fields of form properties, then those nested in them. */
export function shownFieldsOf(properties: INodeProperties[]): FormField[] {
  const nested = properties.flatMap(({ displayName: group, options = [] }) =>
    options.flatMap((option) => {
      if ('values' in option) return shownFieldsOf(option.values).map((field) => ({ group, ...field }));
      return 'displayName' in option ? shownFieldsOf([option]) : [];
    }),
  );
  return [...properties.map(({ name, displayName: label }) => ({ name, label })), ...nested];
}
