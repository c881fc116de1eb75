import type { z } from 'zod/v3';

/** The part of JSON Schema that n8n's editor reads for a preview. */
export interface JsonSchema {
  type: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
}

/** zod's own description of a schema; by name, since schema and converter may load zod from different places. */
interface Definition {
  typeName: string;
  innerType?: z.ZodTypeAny;
  type?: z.ZodTypeAny;
  options?: z.ZodTypeAny[];
  shape?: () => Record<string, z.ZodTypeAny>;
  values?: unknown[];
}

const PLAIN = { ZodRecord: 'object', ZodString: 'string', ZodNumber: 'number', ZodBoolean: 'boolean' };

/**
 * A zod schema as JSON Schema, for the kinds that output items are described with: objects, arrays, records, text,
 * numbers, booleans, choices, unions of plain values, and optional or nullable ones of them.
 * @throws Error for any other kind, so that no preview is silently wrong
 */
export function toJsonSchema(schema: z.ZodTypeAny): JsonSchema {
  const definition = schema._def as Definition;
  switch (definition.typeName) {
    case 'ZodObject':
      return objectSchema(definition);
    case 'ZodArray':
      return { type: 'array', items: toJsonSchema(definition.type!) };
    case 'ZodRecord':
    case 'ZodString':
    case 'ZodNumber':
    case 'ZodBoolean':
      return { type: PLAIN[definition.typeName] };
    case 'ZodEnum':
      return { type: 'string', enum: definition.values };
    case 'ZodUnion':
      return { type: definition.options!.flatMap(plainTypes) };
    case 'ZodNullable':
      return { type: [...plainTypes(definition.innerType!), 'null'] };
    case 'ZodOptional':
      return toJsonSchema(definition.innerType!);
    default:
      throw new Error(`No JSON Schema for ${definition.typeName}`);
  }
}

function objectSchema({ shape }: Definition): JsonSchema {
  const fields = Object.entries(shape!());
  const required = fields.filter(([, field]) => !field.isOptional()).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

/** Types of plain values. The editor shows the first one, so the first option of a union is the one to expect. */
function plainTypes(schema: z.ZodTypeAny): string[] {
  const { type, enum: values } = toJsonSchema(schema);
  const types = [type].flat();
  if (values || types.includes('object') || types.includes('array')) {
    throw new Error('No JSON Schema for a union of anything but plain values');
  }
  return types;
}
