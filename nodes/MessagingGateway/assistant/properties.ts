import type { INodeProperties } from 'n8n-workflow';

import { choice, optionsOf } from '../fields/property';
import { timeoutProperty } from '../run/settings';

/** Form properties of the operations that talk to the assistant connector. */

export const LABELS = {
  tool: 'Tool',
  arguments: 'Arguments',
  confirm: 'Confirm',
} as const;

export const toolProperty: INodeProperties = {
  displayName: LABELS.tool,
  name: 'tool',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'The tool of the assistant connector to call',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod: 'searchTools', searchable: true },
    },
    { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. balance' },
  ],
};

export const argumentProperties: INodeProperties[] = [
  {
    ...choice('Specify Arguments', 'specifyArguments', 'How to specify the arguments of the tool', [
      ['json', 'Using JSON', 'Write the arguments as one JSON object'],
      ['fields', 'Using Fields Below', 'Fill in a field for each argument that the tool takes'],
    ]),
    noDataExpression: true,
  },
  {
    displayName: LABELS.arguments,
    name: 'arguments',
    type: 'json',
    default: '{}',
    description: 'Arguments to pass to the tool. The operation List Tools shows the arguments of each tool.',
    displayOptions: { show: { specifyArguments: ['json'] } },
  },
  {
    displayName: LABELS.arguments,
    name: 'argumentFields',
    type: 'resourceMapper',
    noDataExpression: true,
    default: { mappingMode: 'defineBelow', value: null },
    typeOptions: {
      loadOptionsDependsOn: ['tool.value'],
      resourceMapper: {
        resourceMapperMethod: 'getToolArguments',
        mode: 'add',
        fieldWords: { singular: 'argument', plural: 'arguments' },
        addAllFields: false,
        supportAutoMap: false,
        noFieldsError: 'This tool takes no arguments',
      },
    },
    description: 'Arguments to pass to the tool',
    displayOptions: { show: { specifyArguments: ['fields'] } },
  },
];

export const confirmProperty: INodeProperties = {
  displayName: LABELS.confirm,
  name: 'confirm',
  type: 'boolean',
  noDataExpression: true,
  default: false,
  description:
    'Whether to let tools that send messages do so. Messages cost money, so the connector refuses these tools otherwise. Tools that only read do not need it.',
};

export const connectorOptions = optionsOf([timeoutProperty]);
