import { OPERATIONS } from '../../../nodes/MessagingGateway/operations/index.ts';
import type { JsonSchema } from '../../../tools/build/output-schemas.mts';
import { outputSchemas } from '../../../tools/build/output-schemas.mts';

/** The types of a schema and of all that is in it; undefined where it has none, which n8n's editor can't show. */
const typesIn = ({ type, properties = {}, items }: JsonSchema): unknown[] => [
  type,
  ...[...Object.values(properties), ...(items ? [items] : [])].flatMap(typesIn),
];

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
    const schema = JSON.parse(text) as JsonSchema & { version: number };
    expect(schema).toMatchObject({ type: 'object', version: 1 });
    expect(typesIn(schema).length).toBeGreaterThan(1);
    expect(typesIn(schema)).not.toContain(undefined);
  });

  it('refuses two operations of one name', () => {
    expect(() => outputSchemas([...OPERATIONS, OPERATIONS[0]], 1)).toThrow('same resource and name');
  });
});
