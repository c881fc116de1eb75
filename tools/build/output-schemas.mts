import type { OperationDefinition } from '../../nodes/MessagingGateway/run/definition.ts';
import type { GeneratedFile } from './generated-file.mts';
import { jsonFile } from './generated-file.mts';
import { toJsonSchema } from './json-schema.mts';

const FOLDER = 'nodes/MessagingGateway/__schema__';

/**
 * The files from which n8n's editor previews the output of each operation before it has run:
 * `__schema__/v<version>/<resource>/<operation>.json` beside the node.
 *
 * @param operations the operations of the node, whose own declaration of their output is taken
 * @param versions versions of the node; n8n looks for each with three numbers, and for no other in its place
 * @throws Error when two operations have one name, or an output has no JSON Schema
 */
export function outputSchemas(
  operations: readonly OperationDefinition[],
  versions: readonly number[],
): GeneratedFile[] {
  const files = versions.flatMap((version) =>
    operations.map(({ resource, operation, outputSchema }) =>
      jsonFile(`${FOLDER}/v${version.toFixed(1)}.0/${resource}/${operation}.json`, {
        ...toJsonSchema(outputSchema),
        version: 1,
      }),
    ),
  );
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw new Error('Two operations have the same resource and name');
  }
  return files;
}
