import type { z } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';

import type { OperationDefinition } from '../../nodes/MessagingGateway/run/run.ts';
import type { GeneratedFile } from './generated-file.mts';
import { jsonFile } from './generated-file.mts';

const FOLDER = 'nodes/MessagingGateway/__schema__';

/** The part of JSON Schema that n8n's editor reads for a preview. */
export interface JsonSchema {
  type: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
}

/** Returns a zod schema as JSON Schema, which doesn't say whether there may be further properties. */
export function toJsonSchema(schema: z.ZodTypeAny): JsonSchema {
  const { $schema: _, ...rest } = zodToJsonSchema(schema, {
    $refStrategy: 'none',
    allowedAdditionalProperties: undefined,
    rejectedAdditionalProperties: undefined,
  });
  return rest as JsonSchema;
}

/**
 * The files from which n8n's editor previews the output of each operation before it has run:
 * `__schema__/v<version>/<resource>/<operation>.json` beside the node.
 *
 * @param operations the operations of the node, whose own declaration of their output is taken
 * @param version version of the node, for which n8n looks with three numbers
 * @throws Error when two operations have one name
 */
export function outputSchemas(operations: readonly OperationDefinition[], version: number): GeneratedFile[] {
  const files = operations.map(({ resource, operation, outputSchema }) =>
    jsonFile(`${FOLDER}/v${version.toFixed(1)}.0/${resource}/${operation}.json`, {
      ...toJsonSchema(outputSchema),
      version: 1,
    }),
  );
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw new Error('Two operations have the same resource and name');
  }
  return files;
}
