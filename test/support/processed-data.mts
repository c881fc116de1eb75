/** n8n's store for processed data in memory, which keeps names for each workflow and node. */
import type { DeduplicationScope, ICheckProcessedContextData } from 'n8n-workflow';

import { core } from './engine-parts.mts';

type Value = string | number;

/** What a test sees of the store and does to it. */
export interface ProcessedData {
  /** Names that nodes recorded, as they came. */
  names: string[];
  clear(): void;
}

/** Gives the store to n8n's engine; once in each test file. */
export async function processedData(): Promise<ProcessedData> {
  const known = new Set<string>();
  const store: ProcessedData = {
    names: [],
    clear() {
      store.names = [];
      known.clear();
    },
  };
  const unused = (): never => {
    throw new Error('The package does not use this');
  };
  await core.DataDeduplicationService.init({
    async checkProcessedAndRecord(
      items: Value[],
      _: DeduplicationScope,
      context: ICheckProcessedContextData,
    ) {
      const { workflow, node } = context;
      const keyOf = (item: Value) => JSON.stringify([workflow.id, node?.id, item]);
      const processed = items.filter((item) => known.has(keyOf(item)));
      for (const item of items) known.add(keyOf(item));
      store.names.push(...items.map(String));
      return await Promise.resolve({ new: items.filter((item) => !processed.includes(item)), processed });
    },
    removeProcessed: unused,
    clearAllProcessedItems: unused,
    getProcessedDataCount: unused,
  });
  return store;
}
