/**
 * n8n's store for processed data in memory, with the behaviour of its own (n8n/dist/deduplication): a list of hashes
 * for each workflow and node, read and written without a lock.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DeduplicationScope, ICheckProcessedContextData, ICheckProcessedOptions } from 'n8n-workflow';

import { core } from './engine-parts.mts';

type Value = string | number;
type Context = ICheckProcessedContextData;

/** What a test sees of the store and does to it. */
export interface ProcessedData {
  /** Names that nodes recorded, as they came. */
  names: string[];
  /** Milliseconds between reading and writing. */
  delayMs: number;
  clear(): void;
}

let installed: Promise<ProcessedData> | undefined;

/** Gives the store to n8n's engine, once for each test file. */
export const processedData = async (): Promise<ProcessedData> => await (installed ??= install());

async function install(): Promise<ProcessedData> {
  /** Hashes by `workflow/node`, oldest first. */
  const rows = new Map<string, string[]>();
  const store: ProcessedData = {
    names: [],
    delayMs: 0,
    clear() {
      Object.assign(store, { names: [], delayMs: 0 });
      rows.clear();
    },
  };
  const keyOf = (_: DeduplicationScope, { workflow, node }: Context) => `${workflow.id}/${node?.id ?? ''}`;
  const unused = (): never => {
    throw new Error('The package does not use this');
  };
  await core.DataDeduplicationService.init({
    async checkProcessedAndRecord(
      items: Value[],
      scope: DeduplicationScope,
      context: Context,
      options: ICheckProcessedOptions,
    ) {
      const key = keyOf(scope, context);
      const before = [...(rows.get(key) ?? [])];
      await sleep(store.delayMs);
      const hash = (item: Value) => createHash('md5').update(String(item)).digest('base64');
      const isKnown = (item: Value) => before.includes(hash(item));
      const fresh = items.filter((item) => !isKnown(item));
      const after = [...before, ...fresh.map(hash)];
      if (options.maxEntries) after.splice(0, after.length - options.maxEntries);
      rows.set(key, after);
      store.names.push(...items.map(String));
      return { new: fresh, processed: items.filter(isKnown) };
    },
    removeProcessed: unused,
    clearAllProcessedItems: unused,
    getProcessedDataCount: unused,
  });
  return store;
}
