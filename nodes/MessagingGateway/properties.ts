import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { fieldsOf } from '../gateway/contract/operations';
import { lockProperties } from './agent/lock-properties';
import { takesHook } from './sending/callback-address';
import type { Field, FieldProperty } from './fields/field';
import { ADDITIONAL_PROPERTIES_LABEL, optionFieldsOf } from './sending/build';
import type { OperationDefinition, Resource, WireOperationDefinition } from './run/definition';
import { isWireOperation, RESOURCES } from './run/definition';
import { OPERATIONS } from './operations/index';
import { sendingProperties, sendingOptions, waitProperties } from './sending/properties';

/**
 * The form of the node, from the list of operations: the resource, the operation, and for each operation its
 * fields, required where the contract requires them.
 */

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
  const own = OPERATIONS.filter((definition) => definition.resource === resource);
  const options: INodePropertyOptions[] = own
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
function placed(definition: OperationDefinition, property: INodeProperties): INodeProperties {
  const { resource, operation } = definition;
  const show = { resource: [resource], operation: [operation], ...property.displayOptions?.show };
  return { ...property, displayOptions: { ...property.displayOptions, show } };
}

function fieldProperties({ wireType }: WireOperationDefinition, field: Field): INodeProperties[] {
  const always = fieldsOf(wireType).required.includes(field.wire);
  // A field that is shown for some values of another field only is required wherever it is shown.
  const required = ({ displayOptions, name }: FieldProperty) =>
    (always || displayOptions?.show !== undefined) && !OPTIONAL_PARAMETERS.has(name);
  return field
    .properties(wireType)
    .map((property) => ({ ...property, ...(required(property) && { required: true }) }));
}

/** Required on the wire, but not in the form: the node makes an `id` where none is given. */
const OPTIONAL_PARAMETERS = new Set(['messageId']);

function optionsProperty(definition: WireOperationDefinition): INodeProperties[] {
  const { wireType, sends } = definition;
  const fields = optionFieldsOf(definition).flatMap((field) => field.properties(wireType));
  const options: INodeProperties[] = [
    ...fields,
    {
      displayName: ADDITIONAL_PROPERTIES_LABEL,
      name: 'additionalProperties',
      type: 'json',
      default: '{}',
      description: 'JSON object with properties that are sent to the gateway beside the fields of this form',
    },
    ...sendingOptions(sends, takesHook(definition)),
  ];
  return [
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
    },
  ];
}

function operationProperties(definition: OperationDefinition): INodeProperties[] {
  const { extra = [] } = definition;
  const properties = isWireOperation(definition)
    ? [
        ...definition.fields.flatMap((field) => fieldProperties(definition, field)),
        ...extra,
        ...(definition.sends ? sendingProperties : []),
        ...(takesHook(definition) ? waitProperties : []),
        ...(definition.sends ? lockProperties : []),
        ...optionsProperty(definition),
      ]
    : [...extra, ...(definition.sends ? lockProperties : [])];
  return properties.map((property) => placed(definition, property));
}

export const properties: INodeProperties[] = [
  resourceProperty,
  ...(Object.keys(RESOURCES) as Resource[]).map(operationProperty),
  ...OPERATIONS.flatMap(operationProperties),
];

/** Label of a parameter in the form of an operation; its name where the form has no such parameter. */
export function labelOf(definition: OperationDefinition, parameter: string): string {
  const found = operationProperties(definition).find(({ name }) => name === parameter);
  return found?.displayName ?? parameter;
}
