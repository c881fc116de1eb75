import type { INodeProperties } from 'n8n-workflow';

import type { OperationDefinition } from './run/run';

/** A property, and the operations that have it. */
interface Shared {
  /** The property as JSON: properties with equal keys are the same property. */
  key: string;
  property: INodeProperties;
  shownBy: OperationDefinition[];
}

/**
 * Returns the form properties of all operations, each with the condition that shows it. Operations share a property
 * that is the same in all of them, and one collection of options, of which each shows its own: that more than halves
 * what every editor session downloads. Each operation shows its properties, and its options, in its own order.
 */
export function sharedProperties(definitions: OperationDefinition[]): INodeProperties[] {
  const all: Shared[] = [];
  const options: Shared[] = [];
  // Operations with many properties come first, so that the others find more of their properties there.
  for (const definition of [...definitions].sort((a, b) => b.properties.length - a.properties.length)) {
    const { properties } = definition;
    const others = properties.filter((one) => !isOptions(one));
    addProperties(all, definition, others);
    addProperties(options, definition, (properties.find(isOptions)?.options ?? []) as INodeProperties[]);
  }
  const withOptions = definitions.filter(({ properties }) => properties.some(isOptions));
  const collection = withOptions.at(0)?.properties.find(isOptions);
  return [
    ...conditioned(all, definitions, ''),
    ...(collection ? [{ ...collection, options: conditioned(options, withOptions, '/') }] : []),
  ];
}

/** Whether a property is the collection that every operation shows last, with options of its own. */
const isOptions = ({ name, type }: INodeProperties): boolean => name === 'options' && type === 'collection';

/** Returns the properties with their conditions; `root` leads from their place in the form to resource and operation. */
const conditioned = (all: Shared[], definitions: OperationDefinition[], root: '' | '/'): INodeProperties[] =>
  all.flatMap(({ property, shownBy }) =>
    exactGroups(
      definitions.filter((one) => shownBy.includes(one)),
      definitions,
    ).map((group) => shown(property, group, definitions, root)),
  );

/** Adds the properties of an operation, which stay in their order, whether they are shared or new. */
function addProperties(all: Shared[], definition: OperationDefinition, properties: INodeProperties[]): void {
  let next = 0;
  for (const property of properties) {
    const key = JSON.stringify(property);
    let at = all.findIndex((shared, position) => position >= next && shared.key === key);
    if (at === -1) {
      at = next;
      all.splice(at, 0, { key, property, shownBy: [] });
    }
    all[at].shownBy.push(definition);
    next = at + 1;
  }
}

/**
 * Splits operations into groups that a list of resources and a list of operation values describe. Values such as
 * "create" belong to several resources, so the two lists may describe more than was meant: then each resource is a
 * group of its own.
 */
function exactGroups(wanted: OperationDefinition[], all: OperationDefinition[]): OperationDefinition[][] {
  const resources = new Set(wanted.map(({ resource }) => resource));
  const operations = new Set(wanted.map(({ operation }) => operation));
  const described = all.filter((one) => resources.has(one.resource) && operations.has(one.operation));
  if (described.length === wanted.length) return [wanted];
  return [...resources].map((resource) => wanted.filter((one) => one.resource === resource));
}

/** Returns a property that is shown in the operations of a group, as `exactGroups` returns it. */
function shown(
  property: INodeProperties,
  group: OperationDefinition[],
  all: OperationDefinition[],
  root: '' | '/',
): INodeProperties {
  const resources = [...new Set(group.map(({ resource }) => resource))];
  const operations = [...new Set(group.map(({ operation }) => operation))];
  const isAll = all.every((one) => !resources.includes(one.resource) || group.includes(one));
  const show = {
    [`${root}resource`]: resources,
    ...(!isAll && { [`${root}operation`]: operations }),
    ...property.displayOptions?.show,
  };
  return { ...property, displayOptions: { ...property.displayOptions, show } };
}
