import { createHash, randomInt } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { afterDeparture } from '../../gateway/client/doubt';
import type { Departures, Row, RowState } from '../../gateway/client/row';
import { UNDER_WAY } from '../../gateway/client/row';
import type { Endpoint } from '../../gateway/client/transport';
import { mayBeCutOff, sharedByRetries } from '../../n8n/undocumented';
import type { DoneItem } from './item-result';

/**
 * The memory of a run of the node in the run data of its execution, by the index of the run: n8n's Retry On Fail runs
 * the whole node again, and a Retry begins a new execution with the data of the old one.
 */
const memoryOf = <T>(context: IExecuteFunctions, key: string): Record<string, T> =>
  (context.getContext('node')[key] ??= {}) as Record<string, T>;

const JOURNAL_KEY = 'messagingGatewayJournal';
const ROOTS_KEY = 'messagingGatewayRoots';
const KINDS_KEY = 'messagingGatewayKinds';
const CALLS_KEY = 'messagingGatewayCalls';

export interface JournalEntry {
  /** The output of an accepted item; undefined for any other. */
  jsons?: IDataObject[];

  /** The item of the run whose result it took. */
  repeats?: DoneItem['repeats'];

  /** Identifies the operation of an item that was not accepted, and has left or may have. */
  sent?: IDataObject & { id?: number | string };

  /** Where the operation went. */
  endpoint?: Endpoint;

  /** The account to which the operation went: what another account says of it is no evidence. */
  account?: string;

  /** The state of its row as it is, in which nothing secret is left: a repeated run goes on from there. */
  state?: RowState;

  departures?: Departures;

  /** Set where the gateway accepted a call whose one-time password is lost: a repeated run says so again. */
  isCodeLost?: true;
}

/** A row with the index of its message, by which the journal finds it. */
export interface IndexedRow extends Row {
  index: number;
}

/** A message that an agent's tool was called for. */
interface CalledMessage {
  /** The execution that called, and its run of the node. */
  execution: string;
  runIndex: number;

  /** Stands for the content of the message. */
  digest: string;
}

/**
 * Record of the items that one run of the node has sent: outputs and states, never payloads. Accepted items aren't sent
 * again but output again, and nothing that has left is sent again blindly. A run without errors leaves no entry behind.
 */
export class Journal {
  /** The index of the run among those of the node in its execution, from 0. */
  readonly runIndex: number;

  /**
   * Whether n8n repeats an execution. The journal has the rows that the repeated execution had sent when n8n saved that; the rows
   * that another Retry sent are saved nowhere, and this may be the first Retry or the tenth.
   */
  readonly mayHaveSentBefore: boolean;

  /** Whether the execution that n8n repeats had begun this run, or may have: its rows may have left. */
  readonly wasBegun: boolean;

  /** Whether a Retry repeats a run that may have been cut off: n8n saved nothing of the rows that it had sent. */
  readonly isLost: boolean;

  /** Whether the entries are those of an operation that does something else, which stood in the form before a Retry. */
  readonly isOfOtherKind: boolean;

  /** Stands for the account to which this run sends, once the credential was read. */
  account: string | undefined;
  private readonly context: IExecuteFunctions;
  private readonly runs: Record<string, Record<string, JournalEntry>>;
  private readonly execution: string;

  /** Whether an agent calls the node. */
  private readonly isTool: boolean;

  /** Stands for the node in this execution and in all its Retries. */
  private readonly root: string;
  private readonly firstIds = new Map<string, bigint>();

  /** The id that the first item would have with the number for which the last id was made. */
  private firstOfLast: number | undefined;
  private place: string;

  /** Takes what the operation of the form does, as text. */
  constructor(context: IExecuteFunctions, kind: string) {
    this.execution = context.getExecutionId();
    this.context = context;
    this.runs = memoryOf(context, JOURNAL_KEY);
    this.runIndex = runIndexOf(context);
    this.isTool = isAgentTool(context);
    // In a Retry, an agent may call in another order: each call has its own arguments.
    const call = this.isTool
      ? ` ${digestOf(JSON.stringify(context.getInputData().map(({ json }) => json)))}`
      : '';
    this.place = `${this.runIndex}${call}`;
    const isRetry = context.getMode() === 'retry';
    const shared = sharedByRetries(context);
    // n8n saves the root at once, when something throws before any row was read, too.
    this.root = memoryOf<string>(context, ROOTS_KEY).root ??= shared ?? String(randomId());
    const kinds = memoryOf<string>(context, KINDS_KEY);
    // The run data of an agent that is at work aren't there yet, so that its Retry looks cut off: its ids tell what was sent.
    const isKnown = kinds[this.place] !== undefined || (this.isTool && shared !== undefined);
    this.isLost = isRetry && !isKnown && mayBeCutOff(context);
    this.wasBegun = isRetry && (kinds[this.place] !== undefined || this.isLost);
    // A lost run never gets a kind: Retry On Fail and a Retry of the Retry know no more of it.
    if (!this.isLost) kinds[this.place] ??= kind;
    this.isOfOtherKind = !this.isEmpty && !this.isLost && kinds[this.place] !== kind;
    this.mayHaveSentBefore = isRetry;
  }

  /**
   * Finds the place of a message that an agent's tool is called for; the place of any other message is that of its run. In a Retry,
   * the model may call in another order and in other words, so a message has its place by its number and by how many
   * messages that number got before. The same content has the same place within a run; in a Retry, a call takes the place of a
   * message to its number that no call of this execution has taken yet, with the same content if there is such a message.
   */
  findPlaceOf(phone: number, content: unknown): void {
    if (!this.isTool) return;
    const { execution, runIndex } = this;
    const digest = digestOf(JSON.stringify(content));
    const sent = (memoryOf<CalledMessage[]>(this.context, CALLS_KEY)[phone] ??= []);
    const isSame = (one: CalledMessage): boolean => one.digest === digest;
    const isFree = (one: CalledMessage): boolean => one.execution !== execution;
    const places = [
      sent.findIndex((one) => isSame(one) && one.execution === execution && one.runIndex === runIndex),
      sent.findIndex((one) => isSame(one) && isFree(one)),
      sent.findIndex(isFree),
    ];
    const at = places.find((place) => place !== -1) ?? sent.length;
    sent[at] = { execution, runIndex, digest };
    this.place = `${phone} ${at}`;
  }

  /** Returns the entry of an item that may have left, or was asked about before; undefined for any other. */
  find(itemIndex: number): JournalEntry | undefined {
    return this.runs[this.place]?.[itemIndex];
  }

  /** Whether no try of this execution, or of the one that it repeats, has an entry: no row may have left. */
  get isEmpty(): boolean {
    return this.runs[this.place] === undefined;
  }

  /** Records rows that are about to leave: from now on, the gateway may have them. */
  leave(rows: readonly IndexedRow[], departure: Departures): void {
    for (const row of rows) this.note(row, UNDER_WAY, afterDeparture(row.departures, departure));
  }

  /** Records the state of a row, from which a later try goes on. Nothing secret may be in the state. */
  note(row: IndexedRow, state: RowState, departures = row.departures): void {
    const { index, endpoint, operation } = row;
    const { id, type, phone } = operation;
    const { account } = this;
    this.record(index, { sent: { id, type, phone }, endpoint, account, state, departures });
  }

  /** Records the last state of a row that was not accepted; removes the entry of a row that certainly never left. */
  noteUnsent(row: IndexedRow, state: RowState): void {
    if (!row.departures && !row.mayBeSent) this.forget(row.index);
    // A row that would have left again was certainly not taken.
    else this.note(row, state.is === 'ready' ? { is: 'notSent', problem: { kind: 'cancelled' } } : state);
  }

  /** Records an item as soon as anything is known about it. */
  record(itemIndex: number, entry: JournalEntry): void {
    (this.runs[this.place] ??= {})[itemIndex] = entry;
  }

  /** Removes an item of which nothing has to be remembered. */
  forget(itemIndex: number): void {
    delete this.runs[this.place]?.[itemIndex];
  }

  /** Removes the entries of the run, when its results leave the node. */
  close(): void {
    delete this.runs[this.place];
  }

  /**
   * Returns the id that the node makes for the message of an item to a number (gateway-api.md, "Fields": `id` is a number), from
   * 2^51 to 2^53: the same in every try and in every Retry of the execution, and another one for a corrected number, which is
   * another message. docs/internals/scale.md says how likely two messages share an id. Numbers that people assign themselves lie below
   * the range: rows, and timestamps down to microseconds.
   */
  madeId(itemIndex: number, phone: number): number {
    const { place } = this;
    const firstId = this.firstIds.get(place) ?? numberOf([this.root, this.context.getNode().name, place]);
    this.firstIds.set(place, firstId);
    // Sums of such numbers are beyond what a number holds exactly: two rows would have one id.
    const id = Number(LEAST_ID + ((firstId + BigInt(itemIndex) + BigInt(phone) * SPREAD) % IDS));
    this.firstOfLast = id - itemIndex;
    return id;
  }

  /** Returns two ids that nobody has sent: the one just below those that the rows to a number of the run may have, and one like no other. */
  unusedIds(): readonly [number, number] {
    return [(this.firstOfLast ?? randomId()) - 1, randomId()];
  }
}

/** The ids that the node makes: their least, and their number. */
const LEAST_ID = 2n ** 51n;
const IDS = 2n ** 53n - LEAST_ID;

/** Spreads the ids of neighbouring numbers by the golden section of IDS: more ids lie between any two than a list has rows. */
const SPREAD = 4_175_066_462_154_491n;

/** Returns a number below 2^64 that stands for texts. */
const numberOf = (parts: readonly string[]): bigint =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readBigUInt64BE();

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const randomId = (): number => randomInt(2 ** 19, 2 ** 21 - 2) * 2 ** 32 + randomInt(2 ** 32);

function runIndexOf(context: IExecuteFunctions): number {
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return typeof runIndex === 'number' ? runIndex : 0;
}
