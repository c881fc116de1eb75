import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { OPERATIONS } from './operations/index';
import type { Resource } from './run/description';
import { RESOURCES } from './run/description';
import { sharedProperties } from './shared-properties';

const byName = <T extends { name: string }>(a: T, b: T) => a.name.localeCompare(b.name);

const resourceProperty: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: (Object.keys(RESOURCES) as Resource[]).map((value) => ({ name: RESOURCES[value], value })),
  default: 'message',
};

/** The operation that a resource begins with, if not the first by name. Saved workflows don't name it: never change it. */
const USUAL: Partial<Record<Resource, string>> = { message: 'sendSms', number: 'lookup' };

function operationProperty(resource: Resource): INodeProperties {
  const isUsual = ({ value }: INodePropertyOptions) => value === USUAL[resource];
  const options: INodePropertyOptions[] = OPERATIONS.filter((definition) => definition.resource === resource)
    .map(({ operation, name, action, description }) => ({ name, value: operation, action, description }))
    .sort((a, b) => Number(isUsual(b)) - Number(isUsual(a)) || byName(a, b));
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
