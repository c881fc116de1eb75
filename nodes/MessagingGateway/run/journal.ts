import { randomInt } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Departures, RowState } from '../../gateway/client/row';
import type { Endpoint } from '../../gateway/client/transport';
import { mayBeCutOff } from '../../n8n/undocumented';
import type { DoneItem } from './item-result';

/**
 * The memory of a run of the node in the run data of its execution, by the index of the run: n8n's Retry On Fail runs
 * the whole node again, and a Retry begins a new execution with the data of the old one.
 */
const memoryOf = <T>(context: IExecuteFunctions, key: string): Record<string, T> =>
  (context.getContext('node')[key] ??= {}) as Record<string, T>;

const JOURNAL_KEY = 'messagingGatewayJournal';
const IDS_KEY = 'messagingGatewayIds';
const OWNERS_KEY = 'messagingGatewayOwners';

export interface JournalEntry {
  /** The output of an accepted item; undefined for any other. */
  jsons?: IDataObject[];

  /** The item of the run whose result it took. */
  repeats?: DoneItem['repeats'];

  /** Identifies the operation of an item that was not accepted, and has left or may have. */
  sent?: IDataObject & { id?: number | string };

  /** Where the operation went. */
  endpoint?: Endpoint;

  /** The state of its row as it is, in which nothing secret is left: a repeated run goes on from there. */
  state?: RowState;

  departures?: Departures;

  /** Set where the one-time password of a call that was made is lost: a repeated run says so again. */
  lacking?: true;
}

/**
 * Record of the items that one run of the node has sent: outputs and states, never payloads. Accepted items aren't sent
 * again but output again, and nothing that has left is sent again blindly. A run without errors leaves no entry behind.
 */
export class Journal {
  /** The index of the run among those of the node in its execution, from 0. */
  readonly runIndex: number;

  /**
   * Whether n8n repeats a saved execution in which this run had begun. The journal has the rows that were sent by then; the rows
   * that another repetition sent are saved nowhere, and this may be the first repetition or the tenth.
   */
  readonly mayHaveSentBefore: boolean;

  /** Whether a Retry repeats a run that may have been cut off: what was sent is saved nowhere, nor are its ids. */
  readonly isLost: boolean;
  private readonly context: IExecuteFunctions;
  private readonly runs: Record<string, Record<string, JournalEntry>>;
  private firstId: number | undefined;

  constructor(context: IExecuteFunctions) {
    const execution = context.getExecutionId();
    this.context = context;
    this.runs = memoryOf(context, JOURNAL_KEY);
    this.runIndex = runIndexOf(context);
    const isRetry = context.getMode() === 'retry';
    const owners = memoryOf<string>(context, OWNERS_KEY);
    this.isLost = isRetry && owners[this.runIndex] === undefined && mayBeCutOff(context);
    // A lost run never gets an owner: Retry On Fail and a Retry of the Retry know no more of it.
    if (!this.isLost) owners[this.runIndex] ??= execution;
    this.mayHaveSentBefore = isRetry && owners[this.runIndex] !== execution;
  }

  /** Returns the entry of an item that may have left, or was asked about before; undefined for any other. */
  find(itemIndex: number): JournalEntry | undefined {
    return this.runs[this.runIndex]?.[itemIndex];
  }

  /** Whether no try of this execution, or of the one that it repeats, has an entry: no row may have left. */
  get isEmpty(): boolean {
    return this.runs[this.runIndex] === undefined;
  }

  /** Records an item as soon as anything is known about it. */
  record(itemIndex: number, entry: JournalEntry): void {
    (this.runs[this.runIndex] ??= {})[itemIndex] = entry;
  }

  /** Removes an item of which nothing has to be remembered. */
  forget(itemIndex: number): void {
    delete this.runs[this.runIndex]?.[itemIndex];
  }

  /** Removes the entries of the run, when its results leave the node. */
  close(): void {
    delete this.runs[this.runIndex];
  }

  /**
   * Returns the id that the node makes for an item, the same in every try (gateway-api.md, "Fields": `id` is a number): that
   * of the first item is a random whole number from 2^51 to 2^53 - 2^33, and the items after it have the next numbers,
   * which stay below 2^53. Two runs share an id if one begins within the other's ids; docs/internals/scale.md says how likely that is.
   * Numbers that people assign themselves lie below the range: rows, and timestamps down to microseconds.
   */
  madeId(itemIndex: number): number {
    this.firstId ??= memoryOf<number>(this.context, IDS_KEY)[this.runIndex] ??= randomId();
    return this.firstId + itemIndex;
  }

  /** Returns two ids that nobody has sent: the one just below those of the run, and one like no other. */
  unusedIds(): readonly [number, number] {
    return [this.madeId(-1), randomId()];
  }
}

const randomId = (): number => randomInt(2 ** 19, 2 ** 21 - 2) * 2 ** 32 + randomInt(2 ** 32);

function runIndexOf(context: IExecuteFunctions): number {
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return typeof runIndex === 'number' ? runIndex : 0;
}
