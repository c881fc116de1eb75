import { z } from 'zod/v3';

import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';
import { toJsonSchema } from '../../../tools/build/json-schema.mts';
import type { JsonSchema } from '../../../tools/build/json-schema.mts';
import { outputSchemas } from '../../../tools/build/output-schemas.mts';

describe('toJsonSchema', () => {
  it.each([
    [z.string().min(1), { type: 'string' }],
    [z.number().int().optional(), { type: 'number' }],
    [z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [z.union([z.number(), z.string()]), { type: ['number', 'string'] }],
    [z.string().nullable(), { type: ['string', 'null'] }],
    [z.record(z.string()), { type: 'object' }],
    [z.array(z.object({ a: z.boolean() })), arrayOf({ type: 'boolean' })],
    [
      z.object({ a: z.string(), b: z.number().optional() }),
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    [z.object({ a: z.string().optional() }), { type: 'object', properties: { a: { type: 'string' } } }],
  ])('makes a JSON Schema of what may come out: %#', (schema, expected) => {
    expect(toJsonSchema(schema)).toEqual(expected);
  });

  function arrayOf(a: JsonSchema): JsonSchema {
    return { type: 'array', items: { type: 'object', properties: { a }, required: ['a'] } };
  }

  it.each([
    z.date(),
    z.union([z.string(), z.object({})]),
    z.enum(['a']).nullable(),
    z.object({ a: z.unknown() }),
  ])('refuses what it has no schema for: %#', (schema) => {
    expect(() => toJsonSchema(schema)).toThrow('No JSON Schema');
  });
});

describe('outputSchemas', () => {
  const files = outputSchemas(OPERATIONS, [1, 1.1]);

  it('has a file for each operation, where n8n looks for it', () => {
    expect(files.map(({ path }) => path).sort()).toEqual(
      ['v1.0.0', 'v1.1.0'].flatMap((version) =>
        OPERATIONS.map(
          ({ resource, operation }) =>
            `nodes/MessagingGateway/__schema__/${version}/${resource}/${operation}.json`,
        ).sort(),
      ),
    );
  });

  it.each(files)('describes an object with fields: $path', ({ text }) => {
    const { type, version, properties = {} } = JSON.parse(text) as JsonSchema & { version: number };
    expect([type, version]).toEqual(['object', 1]);
    expect(Object.keys(properties).length).toBeGreaterThan(0);
  });

  it('refuses two operations of one name', () => {
    expect(() => outputSchemas([...OPERATIONS, OPERATIONS[0]], [1])).toThrow('same resource and name');
  });
});
