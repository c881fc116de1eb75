import { shortened } from '../../gateway/text/characters';
import { isObject } from '../../gateway/text/json';

/** A form as far as this looks at it: labels and names, at any depth. */
interface Labelled {
  name?: string;
  displayName?: string;
  options?: unknown[];
  values?: unknown[];
}

const LONGEST = 60;

/** The names of all parameters of a form that have a label, at any depth. */
function namesOf(properties: unknown[], label: string): string[] {
  return (properties as Labelled[]).flatMap(({ name, displayName, options = [], values = [] }) => [
    ...(displayName === label && name !== undefined ? [name] : []),
    ...namesOf([...options, ...values], label),
  ]);
}

/** All raw values under these names, at any depth; those of a resource locator as its value. */
function valuesOf(raw: unknown, names: ReadonlySet<string>): unknown[] {
  if (Array.isArray(raw)) return raw.flatMap((entry) => valuesOf(entry, names));
  if (!isObject(raw)) return [];
  return Object.entries(raw).flatMap(([name, value]) => [
    ...(names.has(name) ? [isObject(value) && value.__rl === true ? value.value : value] : []),
    ...valuesOf(value, names),
  ]);
}

/** The placeholders of a raw text that is made of nothing else; none otherwise. */
function placeholdersIn(raw: unknown): string[] {
  if (typeof raw !== 'string' || !raw.startsWith('=')) return [];
  const found = raw.match(/\{\{[^]*?\}\}/g) ?? [];
  const rest = found.reduce((text, placeholder) => text.replace(placeholder, ''), raw.slice(1));
  return rest.trim() === '' ? found : [];
}

/**
 * Returns the placeholders that an empty value came from, as an error shows them; undefined where the author left the
 * parameter empty, or where several parameters with the label come from different ones. Takes the raw parameters of the node,
 * the properties of its form, and the label.
 */
export function emptySources(parameters: unknown, properties: unknown[], label: string): string | undefined {
  const values = valuesOf(parameters, new Set(namesOf(properties, label)));
  const sources = new Set(values.map((raw) => placeholdersIn(raw).join(' and ')));
  const [only = '', ...others] = sources;
  if (only === '' || others.length > 0) return undefined;
  return shortened(only, LONGEST);
}
