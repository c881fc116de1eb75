import type { INodeProperties } from 'n8n-workflow';

import { fromList } from '../fields/make-field';
import { choice, optionsOf, property, shownFor } from '../fields/property';
import { timeoutProperty } from '../run/settings';

export const LABELS = {
  tool: 'Tool',
  arguments: 'Arguments',
  confirm: 'Confirm',
} as const;

export const toolProperty = property(LABELS.tool, 'tool', 'The tool of the assistant connector to call', {
  ...fromList('searchTools', 'Name', 'name', 'e.g. balance'),
  required: true,
});

export const argumentProperties: INodeProperties[] = [
  {
    ...choice('Specify Arguments', 'specifyArguments', 'How to specify the arguments of the tool', [
      ['json', 'Using JSON', 'Write the arguments as one JSON object'],
      ['fields', 'Using Fields Below', 'Fill in a field for each argument that the tool takes'],
    ]),
    noDataExpression: true,
  },
  property(
    LABELS.arguments,
    'arguments',
    'Arguments to pass to the tool. The operation List Tools shows the arguments of each tool.',
    { type: 'json', default: '{}', ...shownFor({ specifyArguments: ['json'] }) },
  ),
  property(LABELS.arguments, 'argumentFields', 'Arguments to pass to the tool', {
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
    ...shownFor({ specifyArguments: ['fields'] }),
  }),
];

export const confirmProperty = property(
  LABELS.confirm,
  'confirm',
  'Whether to let tools that send messages do so. Messages cost money, so the connector refuses these tools otherwise. Tools that only read do not need it.',
  { type: 'boolean', noDataExpression: true, default: false },
);

export const connectorOptions = optionsOf([timeoutProperty]);
