import { fieldsOf } from '../../../nodes/MessagingGateway/methods/connector-tools.ts';

const NONE = { type: 'null' };

it.each<[string, schema: object, field: object]>([
  ['a number', { type: 'number' }, { type: 'number' }],
  ['a whole number or null', { type: ['integer', 'null'] }, { type: 'number' }],
  ['a whole number or null, as two schemas', { anyOf: [{ type: 'integer' }, NONE] }, { type: 'number' }],
  ['a switch or null, as two schemas', { anyOf: [NONE, { type: 'boolean' }] }, { type: 'boolean' }],
  ['a list or null, as two schemas', { anyOf: [{ type: 'array' }, NONE] }, { type: 'array' }],
  ['a text or a number', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'string' }],
  [
    'one of several texts or null',
    { enum: ['sms', 'viber', null] },
    { type: 'options', options: ['sms', 'viber'].map((value) => ({ name: value, value })) },
  ],
  ['a time', { type: 'string', format: 'date-time' }, { type: 'dateTime' }],
  ['nothing that is known', { $ref: '#/x' }, { type: 'string' }],
])("a tool's argument that is %s is a field of that type", (_, schema, field) => {
  const inputSchema = {
    properties: { a: { title: 'A', ...schema }, confirm: { type: 'boolean' } },
    required: ['a'],
  };
  expect(fieldsOf({ name: 'tool', inputSchema })).toMatchObject([
    { id: 'a', displayName: 'A', required: true, ...field },
  ]);
});
