import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

/** Parts of the form that recur, and how they are read. */

/** Returns the property of a text. */
export const text = (
  displayName: string,
  name: string,
  description: string,
  value = '',
): INodeProperties => ({ displayName, name, type: 'string', default: value, description });

/** Returns the options of a property whose fields n8n wraps in "values". */
export const inValues = (values: INodeProperties[]): INodePropertyCollection[] => [
  { displayName: 'Values', name: 'values', values },
];

/** Returns the fields of such a property. */
export const valuesIn = (given: unknown): Record<string, unknown> =>
  (given as { values?: Record<string, unknown> } | null | undefined)?.values ?? {};
