import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { GROUPS } from './sends.mts';

/** The form of a node as the editor would show it, by n8n's own rules. */
export interface ShownField {
  name: string;
  displayName: string;
  required: boolean;
  property: INodeProperties;
}

const asField = (property: INodeProperties): ShownField => ({
  name: property.name,
  displayName: property.displayName,
  required: property.required === true,
  property,
});

/** The parameters of a node as n8n has them: those that are shown, with or without the usual values. */
const parametersOf =
  (withUsual: boolean) =>
  (description: INodeTypeDescription, parameters: INodeParameters): INodeParameters =>
    NodeHelpers.getNodeParameters(
      description.properties,
      parameters,
      withUsual,
      false,
      { typeVersion: 1 } as never,
      description,
    ) as INodeParameters;

/** The parameters of a node with the values that weren't entered. */
export const filledIn = parametersOf(true);

/** The parameters of a node as the editor saves them. */
export const savedByEditor = parametersOf(false);

/** The properties that are shown for these parameter values, in order. */
export function shownFields(description: INodeTypeDescription, parameters: INodeParameters): ShownField[] {
  const node = { typeVersion: 1 } as never;
  const values = filledIn(description, parameters);
  return description.properties
    .filter((property) => NodeHelpers.displayParameter(values, property, node, description))
    .map((property) => {
      if (property.type !== 'collection') return property;
      const inside = (values[property.name] ?? {}) as INodeParameters;
      const options = ((property.options ?? []) as INodeProperties[]).filter((option) =>
        NodeHelpers.displayParameter(inside, option, node, description, values),
      );
      return { ...property, options };
    })
    .map(asField);
}

/** The values of a fixed collection's entry that are shown for the values of that entry. */
export function shownEntryFields(
  collection: INodeProperties,
  group: string,
  entry: INodeParameters,
): ShownField[] {
  const found = (collection.options ?? []).find((option) => option.name === group);
  if (!found || !('values' in found)) throw new Error(`${collection.name} has no group ${group}`);
  return found.values
    .filter(({ type }) => type !== 'hidden')
    .filter((property) => NodeHelpers.displayParameter(entry, property, null, null, entry))
    .map(asField);
}

/** The names in the collection "Options"; those that others hold stand behind a dot. */
export function optionNames(fields: ShownField[]): string[] {
  const options = (fields.find(({ name }) => name === 'options')?.property.options ??
    []) as INodeProperties[];
  return options.flatMap(({ name, options: inside = [] }) => {
    const [held] = inside;
    if (!(name in GROUPS) || !('values' in held)) return [name];
    return held.values.map((value) => `${name}.${value.name}`);
  });
}
