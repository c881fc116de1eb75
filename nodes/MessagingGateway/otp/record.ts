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

/** Names to record, and who waits for that. */
interface RecordRequest {
  names: readonly string[];
  done(known: Set<string>): void;
  failed(error: unknown): void;
}

/** What waits to be written, by workflow and node. */
const waiting = new Map<string, RecordRequest[]>();

/**
 * Records names, and returns those of them that were recorded before. Where n8n has no such store, none are.
 * @throws the error of n8n's database, when it can't be written to
 */
export async function recordNames(
  context: IExecuteFunctions,
  names: readonly string[],
): Promise<Set<string>> {
  return await new Promise((done, failed) => {
    const key = `${context.getWorkflow().id ?? ''}/${context.getNode().id}`;
    const entries = waiting.get(key);
    entries?.push({ names, done, failed });
    if (entries) return;
    const requests = [{ names, done, failed }];
    waiting.set(key, requests);
    void writeAll(context, key, requests);
  });
}

/** Writes what waits, together, until nothing does. Each entry gets its own answer; never rejects. */
async function writeAll(context: IExecuteFunctions, key: string, requests: RecordRequest[]): Promise<void> {
  while (requests.length > 0) {
    const entries = requests.splice(0);
    try {
      const known = await write(context, [...new Set(entries.flatMap(({ names }) => names))]);
      for (const { names, done } of entries) {
        done(new Set(names.filter((name) => known.has(name))));
        // Of two entries with the same name, the second one finds it.
        for (const name of names) known.add(name);
      }
    } catch (error) {
      for (const { failed } of entries) failed(error);
    }
  }
  waiting.delete(key);
}

async function write(context: IExecuteFunctions, names: string[]): Promise<Set<string>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const options = { mode: 'entries', maxEntries: MOST_NAMES } as const;
      const { processed } = await context.helpers.checkProcessedAndRecord(names, 'node', options);
      return new Set(processed as string[]);
    } catch (thrown) {
      if (isMissing(thrown)) return new Set();
      // Another worker may have made the first entry at the same moment.
      if (tries === TRIES) {
        const error = asError(thrown);
        throw error;
      }
      await sleep(PAUSE_MS * tries);
    }
  }
}

/** n8n asserts that its store is there and that the workflow has been saved. */
const isMissing = (thrown: unknown): boolean => (thrown as { code?: unknown }).code === 'ERR_ASSERTION';

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
