import { z } from 'zod/v3';

import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';
import { toJsonSchema } from '../../../tools/build/json-schema.mts';
import type { JsonSchema } from '../../../tools/build/json-schema.mts';
import { outputSchemas } from '../../../tools/build/output-schemas.mts';

describe('toJsonSchema', () => {
  it.each([
    [z.string().min(1), { type: 'string' }],
    [z.number().int().optional(), { type: 'number' }],
    [z.boolean().default(false), { type: 'boolean' }],
    [z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [z.literal(true), { type: 'boolean', enum: [true] }],
    [z.union([z.number(), z.string()]), { type: ['number', 'string'] }],
    [z.union([z.literal('a'), z.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    [z.union([z.number(), z.number()]), { type: 'number' }],
    [z.string().nullable(), { type: ['string', 'null'] }],
    [z.enum(['a']).nullable(), { type: ['string', 'null'], enum: ['a', null] }],
    [z.unknown(), {}],
    [z.record(z.string()), { type: 'object' }],
    [z.string().refine((text) => text !== ''), { type: 'string' }],
    [z.array(z.object({ a: z.null() })), arrayOf({ type: 'null' })],
    [
      z.object({ a: z.string(), b: z.number().optional() }),
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    [z.object({ a: z.string().optional() }), { type: 'object', properties: { a: { type: 'string' } } }],
  ])('case %#', (schema, expected) => {
    expect(toJsonSchema(schema)).toEqual(expected);
  });

  function arrayOf(a: JsonSchema): JsonSchema {
    return { type: 'array', items: { type: 'object', properties: { a }, required: ['a'] } };
  }

  it.each([z.bigint(), z.date(), z.union([z.string(), z.object({})]), z.tuple([z.string()])])(
    'refuses what it has no schema for: %#',
    (schema) => {
      expect(() => toJsonSchema(schema)).toThrow('No JSON Schema');
    },
  );
});

describe('outputSchemas', () => {
  const files = outputSchemas(OPERATIONS, 1);

  it('has a file for each operation, where n8n looks for it', () => {
    expect(files.map(({ path }) => path).sort()).toEqual(
      OPERATIONS.map(
        ({ resource, operation }) => `nodes/MessagingGateway/__schema__/v1.0.0/${resource}/${operation}.json`,
      ).sort(),
    );
  });

  it.each(files)('describes an object with fields: $path', ({ text }) => {
    const { type, version, properties = {} } = JSON.parse(text) as JsonSchema & { version: number };
    expect([type, version]).toEqual(['object', 1]);
    expect(Object.keys(properties).length).toBeGreaterThan(0);
  });

  it('refuses two operations of one name', () => {
    const twice = { resource: 'a', operation: 'b', outputSchema: z.object({ c: z.string() }) };
    expect(() => outputSchemas([twice, twice], 1)).toThrow('same resource and name');
  });
});
