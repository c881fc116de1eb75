import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Doubt } from '../../gateway/client/send-result';

/** A run's record of one item that it sent. */
export interface JournalEntry {
  /** The item's output; undefined while it is unknown whether the item was accepted. */
  jsons?: IDataObject[];
  /** Identifies the operation of an item that may have been accepted. */
  sent?: IDataObject;
  /** Why the outcome is unknown, and what was tried: a repeated run continues from there. */
  doubt?: Doubt;
  /** What was lost with the answer to an operation that was carried out: a repeated run says the same again. */
  lacking?: string;
}

type Entries = Record<string, JournalEntry>;

const CONTEXT_KEY = 'messagingGatewayJournal';

/**
 * Record of the items that one run of the node has sent, kept in the run data of the execution: outputs, never payloads.
 *
 * n8n's Retry On Fail runs the whole node again. The journal persists, so accepted items aren't sent again but output
 * again, and items that may have been accepted aren't sent blindly. A run without errors leaves nothing behind.
 */
export class Journal {
  private readonly runs: Record<string, Entries>;

  private readonly runKey: string;

  constructor(context: IExecuteFunctions, runIndex: number) {
    const memory = context.getContext('node');
    this.runs = (memory[CONTEXT_KEY] ??= {}) as Record<string, Entries>;
    this.runKey = String(runIndex);
  }

  /** Returns the entry of an item that was or may have been accepted; undefined if it certainly wasn't. */
  find(itemIndex: number): JournalEntry | undefined {
    return this.runs[this.runKey]?.[itemIndex];
  }

  /** Records an item as soon as anything is known about it. */
  record(itemIndex: number, entry: JournalEntry): void {
    (this.runs[this.runKey] ??= {})[itemIndex] = entry;
  }

  /** Removes an item that certainly wasn't accepted, so that it may be sent again. */
  forget(itemIndex: number): void {
    delete this.runs[this.runKey]?.[itemIndex];
  }

  /** Removes the run, when its results leave the node. */
  close(): void {
    delete this.runs[this.runKey];
  }
}
