import type { z } from 'zod/v3';

const MARK = 'x-open: ';

/** Marks what the contract leaves open, with a sentence that says what; it becomes `x-open` in the JSON Schema. */
export const open = <S extends z.ZodTypeAny>(schema: S, sentence: string): S =>
  schema.describe(MARK + sentence);

/** Moves marks out of the descriptions of a JSON Schema, wherever they are in it. */
export function withMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMarks);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] =>
    name === 'description' && typeof inner === 'string' && inner.startsWith(MARK)
      ? ['x-open', inner.slice(MARK.length)]
      : [name, withMarks(inner)],
  );
  return Object.fromEntries(entries);
}
