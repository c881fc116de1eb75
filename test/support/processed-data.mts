/** n8n's store for processed data in memory, which keeps names for each workflow, or for each node of it. */
import type { DeduplicationScope, ICheckProcessedContextData } from 'n8n-workflow';

import { core } from './engine-parts.mts';

type Value = string | number;

/** What a test sees of the store and does to it. */
interface ProcessedData {
  /** Names that nodes recorded, as they came. */
  names: string[];
  clear(): void;
}

const keysOf =
  (scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData) =>
  (item: Value): string =>
    JSON.stringify([workflow.id, scope === 'node' && node?.id, item]);

/** Gives the store to n8n's engine for the tests of a file; other files of the process have none. */
export function processedData(): ProcessedData {
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
  beforeAll(async () => {
    await core.DataDeduplicationService.init({
      async checkProcessedAndRecord(items, scope, context) {
        const keyOf = keysOf(scope, context);
        const processed = items.filter((item) => known.has(keyOf(item)));
        for (const item of items) known.add(keyOf(item));
        store.names.push(...items.map(String));
        return await Promise.resolve({ new: items.filter((item) => !processed.includes(item)), processed });
      },
      async removeProcessed(items, scope, context) {
        for (const item of items) known.delete(keysOf(scope, context)(item));
        return await Promise.resolve();
      },
      clearAllProcessedItems: unused,
      getProcessedDataCount: unused,
    });
  });
  // n8n has no way to take it back, and packages are loaded once for all files of a process.
  afterAll(() => Reflect.deleteProperty(core.DataDeduplicationService, 'instance'));
  return store;
}
