/** The previews of outputs that n8n's editor shows before a node has run, compared with what comes out. */
import { OPERATIONS } from '../../nodes/MessagingGateway/operations/index.ts';
import type { JsonSchema } from '../../tools/build/output-schemas.mts';
import { outputSchemas } from '../../tools/build/output-schemas.mts';

const SCHEMAS = new Map(outputSchemas(OPERATIONS, 1).map(({ path, text }) => [path, text]));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The differences of a value from its schema, by path. A schema that names no fields allows any. */
function differences(value: unknown, schema: JsonSchema, path = ''): string[] {
  const { properties, required = [], items } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((entry) => differences(entry, items, `${path}[]`)) : [];
  if (!isObject(value) || !properties) return [];
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return [
    ...names.filter((name) => !(name in properties)).map((name) => `${path}.${name} is not in the preview`),
    ...required.filter((name) => !names.includes(name)).map((name) => `${path}.${name} does not come out`),
    ...names
      .filter((name) => name in properties)
      .flatMap((name) => differences(value[name], properties[name], `${path}.${name}`)),
  ];
}

/** How items that an operation gave differ from its preview: fields that it lacks, and that never come. */
export function previewGaps(resource: string, operation: string, items: readonly unknown[]): string[] {
  const path = `nodes/MessagingGateway/__schema__/v1.0.0/${resource}/${operation}.json`;
  const schema = JSON.parse(SCHEMAS.get(path)!) as JsonSchema;
  return [...new Set(items.flatMap((item) => differences(item, schema)))];
}
