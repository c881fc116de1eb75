import type { IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../../gateway/client/outcome';
import type { WireOperation } from '../../gateway/contract/operations';

type Accepted = Extract<Outcome, { state: 'accepted' }>;

/** What an output item needs to know of an operation that was sent. */
export type SentOperation = Pick<WireOperation, 'id' | 'type' | 'phone'>;

interface Entry {
  operation: SentOperation;
  /** Missing while it is not known whether the gateway took the operation. */
  accepted?: Accepted;
}

type RunEntries = Record<string, Entry>;

const CONTEXT_KEY = 'messagingGatewayJournal';

/**
 * What one run of the node has sent, kept in the run data of the execution.
 *
 * n8n's Retry On Fail runs the whole node again; the journal outlasts that, so that what was accepted is not
 * sent again and its result is given again, and what may have been accepted is asked about first. A run that
 * ends well leaves nothing behind.
 */
export class Journal {
  private readonly runs: Record<string, RunEntries>;

  private readonly runKey: string;

  constructor(context: IExecuteFunctions, runIndex: number) {
    const memory = context.getContext('node');
    this.runs = (memory[CONTEXT_KEY] ??= {}) as Record<string, RunEntries>;
    this.runKey = String(runIndex);
  }

  private get entries(): RunEntries {
    return (this.runs[this.runKey] ??= {});
  }

  /** The entry of an item: accepted before, or with an unknown outcome; undefined for what was never sent. */
  find(itemIndex: number): Entry | undefined {
    return this.runs[this.runKey]?.[itemIndex];
  }

  /** Notes what became of an item, as soon as it is known. */
  note(itemIndex: number, operation: SentOperation, outcome: Outcome): void {
    if (outcome.state === 'accepted') this.entries[itemIndex] = { operation, accepted: outcome };
    else if (outcome.state === 'unknown') this.entries[itemIndex] = { operation };
    else delete this.entries[itemIndex];
  }

  /** Forgets the run, when its results have left the node. */
  close(): void {
    delete this.runs[this.runKey];
  }
}
