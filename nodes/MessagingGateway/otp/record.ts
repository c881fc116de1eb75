import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/**
 * A record that outlives the process: n8n's store for recognizing processed data, which writes to the database at once
 * and belongs to the workflow and the node. It can only add names and tell which were there. It reads, changes and
 * writes without a lock, so this process writes one after the other; another worker's write at the same moment can
 * still get lost (docs/one-time-passwords.md says what follows from that).
 */

/** The most names that the store keeps for a node; the oldest go first. */
const MOST_NAMES = 10_000;
const TRIES = 5;
const PAUSE_MS = 20;

/** Names that are written together. */
interface Batch {
  names: Set<string>;
  isOpen: boolean;

  /** Returns those that were recorded before. */
  written: Promise<Set<string>>;
}

/** The newest batch, by workflow and node. */
const batches = new Map<string, Batch>();

/** Records names, and returns those recorded before; none where n8n has no store. Throws the error of n8n's database. */
export async function recordNames(
  context: IExecuteFunctions,
  names: readonly string[],
): Promise<Set<string>> {
  const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
  const newest = batches.get(key);
  const batch = newest?.isOpen ? newest : openBatch(context, newest?.written);
  batches.set(key, batch);
  // Of two requests for the same name, the second one finds it.
  const earlier = new Set(batch.names);
  for (const name of names) batch.names.add(name);
  const known = await batch.written;
  return new Set(names.filter((name) => known.has(name) || earlier.has(name)));
}

/** Returns a batch that is written as soon as the one before it has been. */
function openBatch(context: IExecuteFunctions, before: Promise<unknown> = Promise.resolve()): Batch {
  const batch: Batch = { names: new Set(), isOpen: true, written: Promise.resolve(new Set()) };
  const writeAll = async () => {
    batch.isOpen = false;
    return await write(context, [...batch.names]);
  };
  batch.written = before.then(writeAll, writeAll);
  return batch;
}

async function write(context: IExecuteFunctions, names: string[]): Promise<Set<string>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const options = { mode: 'entries', maxEntries: MOST_NAMES } as const;
      const { processed } = await context.helpers.checkProcessedAndRecord(names, 'node', options);
      return new Set(processed as string[]);
    } catch (thrown) {
      const error = thrown as Error & { code?: unknown };
      // n8n asserts that its store is there and that the workflow has been saved.
      if (error.code === 'ERR_ASSERTION') return new Set();
      // Another worker may have made the first entry at the same moment.
      if (tries === TRIES) throw error;
      await sleep(PAUSE_MS * tries);
    }
  }
}
