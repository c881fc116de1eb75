import type { IExecuteFunctions } from 'n8n-workflow';

/** Reads the parameters of items; `fallback` is for a parameter that is not set. */
export interface ItemReader {
  read(name: string, itemIndex: number, fallback: unknown): unknown;
}

export function createItemReader(context: IExecuteFunctions): ItemReader {
  return {
    read: (name, itemIndex, fallback) => context.getNodeParameter(name, itemIndex, fallback),
  };
}
