import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { OPERATIONS } from './operations/index';
import type { OperationDefinition, Resource } from './run/definition';
import { RESOURCES } from './run/definition';

/** The form of the node, from the list of operations: the resource, the operation, and each operation's properties. */

const byName = <T extends { name: string }>(a: T, b: T) => a.name.localeCompare(b.name);

const resourceProperty: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: (Object.keys(RESOURCES) as Resource[])
    .map((value) => ({ name: RESOURCES[value], value }))
    .sort(byName),
  default: 'message',
};

function operationProperty(resource: Resource): INodeProperties {
  const options: INodePropertyOptions[] = OPERATIONS.filter((definition) => definition.resource === resource)
    .map(({ operation, name, action, description }) => ({ name, value: operation, action, description }))
    .sort(byName);
  const usual = resource === 'message' ? 'sendSms' : options[0].value;
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: usual,
  };
}

/** Adds where a property is shown: in this operation, and where the property itself says so. */
function placed({ resource, operation }: OperationDefinition, property: INodeProperties): INodeProperties {
  const show = { resource: [resource], operation: [operation], ...property.displayOptions?.show };
  return { ...property, displayOptions: { ...property.displayOptions, show } };
}

export const formProperties: INodeProperties[] = [
  resourceProperty,
  ...(Object.keys(RESOURCES) as Resource[]).map(operationProperty),
  ...OPERATIONS.flatMap((definition) =>
    definition.properties.map((property) => placed(definition, property)),
  ),
];
