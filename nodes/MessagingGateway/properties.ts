import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { OPERATIONS } from './operations/index';
import type { Resource } from './run/description';
import { RESOURCES } from './run/description';
import { sharedProperties } from './shared-properties';

const resourceProperty: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: (Object.keys(RESOURCES) as Resource[]).map((value) => ({ name: RESOURCES[value], value })),
  default: 'message',
};

function operationProperty(resource: Resource): INodeProperties {
  const options: INodePropertyOptions[] = OPERATIONS.filter(
    (definition) => definition.resource === resource,
  ).map(({ operation, name, action, description }) => ({ name, value: operation, action, description }));
  const usual = options[0].value;
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

export const formProperties: INodeProperties[] = [
  resourceProperty,
  ...(Object.keys(RESOURCES) as Resource[]).map(operationProperty),
  ...sharedProperties(OPERATIONS),
];

/**
 * The line below the node on the canvas. n8n names a node after its operation, so this line says what that name leaves out: the
 * resource, or that nothing is sent.
 */
export const subtitle = `={{ $parameter["options"]?.["checkOnly"] === true ? "Check Only: sends nothing" : (${JSON.stringify(RESOURCES)})[$parameter["resource"]] }}`;
