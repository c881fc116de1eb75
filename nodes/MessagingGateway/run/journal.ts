import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Doubt } from '../../gateway/client/send-result';

/** What a run of the node knows of one item that it sent. */
export interface JournalEntry {
  /** The item's output; left out while it is unknown whether the item was accepted. */
  jsons?: IDataObject[];
  /** What identifies the operation of an item that may have been accepted. */
  sent?: IDataObject;
  /** Why it is unknown, and what was tried: a repeated run goes on from there. */
  doubt?: Doubt;
}

type Entries = Record<string, JournalEntry>;

const CONTEXT_KEY = 'messagingGatewayJournal';

/**
 * What one run of the node has sent, kept in the run data of the execution: outputs of items, never payloads.
 *
 * n8n's Retry On Fail runs the whole node again; the journal outlasts that, so that what was accepted is not
 * sent again and comes out again, and what may have been accepted is not sent blindly. A run that ends well leaves
 * nothing behind.
 */
export class Journal {
  private readonly runs: Record<string, Entries>;

  private readonly runKey: string;

  constructor(context: IExecuteFunctions, runIndex: number) {
    const memory = context.getContext('node');
    this.runs = (memory[CONTEXT_KEY] ??= {}) as Record<string, Entries>;
    this.runKey = String(runIndex);
  }

  /** The entry of an item that was accepted or may have been; undefined for one that certainly wasn't. */
  find(itemIndex: number): JournalEntry | undefined {
    return this.runs[this.runKey]?.[itemIndex];
  }

  /** Records what is known of an item, as soon as it is known. */
  record(itemIndex: number, entry: JournalEntry): void {
    (this.runs[this.runKey] ??= {})[itemIndex] = entry;
  }

  /** Forgets an item that certainly was not accepted, so that it may be sent again. */
  forget(itemIndex: number): void {
    delete this.runs[this.runKey]?.[itemIndex];
  }

  /** Forgets the run, when its results leave the node. */
  close(): void {
    delete this.runs[this.runKey];
  }
}
