import { hasOtherArguments, takesConfirmation } from '../../../nodes/gateway/connector/tools.ts';
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
  ['a number elsewhere in the schema', { $ref: '#/$defs/Count' }, { type: 'number' }],
  ['a number behind two references', { $ref: '#/$defs/Amount' }, { type: 'number' }],
  ['a number in allOf', { allOf: [{ $ref: '#/$defs/Count' }] }, { type: 'number' }],
  ['a number elsewhere or null', { anyOf: [{ $ref: '#/$defs/Count' }, NONE] }, { type: 'number' }],
  [
    'one of several texts elsewhere',
    { $ref: '#/$defs/Channel' },
    { type: 'options', options: ['sms', 'viber'].map((value) => ({ name: value, value })) },
  ],
  [
    'one of several constants',
    { oneOf: [{ const: 'sms', title: 'SMS' }, { const: 'viber' }] },
    { type: 'options', options: ['sms', 'viber'].map((value) => ({ name: value, value })) },
  ],
  ['nothing that is known', { $ref: '#/x' }, { type: 'string' }],
  ['a reference in a circle', { $ref: '#/$defs/Circle' }, { type: 'string' }],
])("a tool's argument that is %s is a field of that type", (_, schema, field) => {
  const inputSchema = {
    $defs: {
      Count: { type: 'integer' },
      Amount: { title: 'Sum', $ref: '#/$defs/Count' },
      Channel: { enum: ['sms', 'viber'] },
      Circle: { $ref: '#/$defs/Circle' },
    },
    properties: { a: { title: 'A', ...schema }, confirm: { type: 'boolean' } },
    required: ['a'],
  };
  expect(fieldsOf({ name: 'tool', inputSchema })).toMatchObject([
    { id: 'a', displayName: 'A', required: true, ...field },
  ]);
});

it('finds the arguments of a tool behind a reference of the whole schema, and the confirmation among them', () => {
  const properties = { phone: { type: 'string' }, confirm: { type: 'boolean' } };
  const tool = {
    name: 'tool',
    inputSchema: {
      $ref: '#/$defs/Arguments',
      $defs: { Arguments: { properties, required: ['phone'], additionalProperties: false } },
    },
  };
  expect(fieldsOf(tool)).toMatchObject([{ id: 'phone', required: true }]);
  expect([takesConfirmation(tool), hasOtherArguments(tool)]).toEqual([true, false]);
  const without = {
    ...tool,
    inputSchema: { ...tool.inputSchema, $defs: { Arguments: { additionalProperties: false } } },
  };
  expect(takesConfirmation(without)).toBe(false);
});

it.each<[string, schema: object, expected: boolean]>([
  ['names none', {}, false],
  ['names all', { type: 'object', properties: { a: {} } }, false],
  ['offers several lists', { anyOf: [{ properties: { a: {} } }] }, true],
])(
  'knows whether a schema may have arguments beside those that the form can show: one that %s',
  (_, inputSchema, expected) =>
    expect(hasOtherArguments({ name: 'tool', inputSchema: { ...inputSchema } })).toBe(expected),
);
