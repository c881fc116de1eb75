/** Whether a cell or a field is empty. */
export const isEmpty = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

/** Returns the entries of a list, or of text with commas, semicolons or line breaks; without empty ones. */
export function asEntries(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(asEntries);
  const entries = typeof value === 'string' ? value.split(/[,;\n]/).map((entry) => entry.trim()) : [value];
  return entries.filter((entry) => !isEmpty(entry));
}
