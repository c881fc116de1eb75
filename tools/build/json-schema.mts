import type { z } from 'zod/v3';

/** The part of JSON Schema that n8n's editor reads for a preview. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
}

/** zod's own description of a schema; by name, since schema and converter may load zod from different places. */
interface Definition {
  typeName: string;
  innerType?: z.ZodTypeAny;
  schema?: z.ZodTypeAny;
  type?: z.ZodTypeAny;
  options?: z.ZodTypeAny[];
  shape?: () => Record<string, z.ZodTypeAny>;
  values?: unknown[];
  value?: unknown;
}

/**
 * A zod schema as JSON Schema, for the kinds that describe output items: objects, arrays, text, numbers, booleans,
 * fixed values, unions of plain values, and optional or nullable ones of them.
 * @throws Error for any other kind, so that no preview is silently wrong
 */
export function toJsonSchema(schema: z.ZodTypeAny): JsonSchema {
  const definition = schema._def as Definition;
  switch (definition.typeName) {
    case 'ZodObject':
      return objectSchema(definition);
    case 'ZodArray':
      return { type: 'array', items: toJsonSchema(definition.type!) };
    case 'ZodString':
      return { type: 'string' };
    case 'ZodNumber':
      return { type: 'number' };
    case 'ZodBoolean':
      return { type: 'boolean' };
    case 'ZodNull':
      return { type: 'null' };
    case 'ZodUnknown':
    case 'ZodAny':
      return {};
    case 'ZodEnum':
      return { type: 'string', enum: definition.values };
    case 'ZodLiteral':
      return { type: typeof definition.value, enum: [definition.value] };
    case 'ZodRecord':
      return { type: 'object' };
    case 'ZodUnion':
      return unionSchema(definition.options!);
    case 'ZodNullable':
      return withNull(toJsonSchema(definition.innerType!));
    case 'ZodOptional':
    case 'ZodDefault':
      return toJsonSchema(definition.innerType!);
    case 'ZodEffects':
      return toJsonSchema(definition.schema!);
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

/** The editor shows the first type of a list of types, so the first option of a union is the one to expect. */
function unionSchema(options: z.ZodTypeAny[]): JsonSchema {
  const schemas = options.map(toJsonSchema);
  if (schemas.some(({ type }) => type === 'object' || type === 'array' || type === undefined)) {
    throw new Error('No JSON Schema for a union of anything but plain values');
  }
  const types = [...new Set(schemas.flatMap(({ type }) => type!))];
  const values = schemas.every((schema) => schema.enum !== undefined)
    ? { enum: schemas.flatMap((schema) => schema.enum!) }
    : {};
  return { type: types.length === 1 ? types[0] : types, ...values };
}

function withNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return schema;
  return {
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}
