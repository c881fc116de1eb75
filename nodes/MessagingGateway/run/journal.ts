import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../n8n/engine';
import { afterDeparture } from '../../gateway/client/doubt';
import type { Departures, NotAccepted, Row } from '../../gateway/client/row';
import { UNDER_WAY } from '../../gateway/client/row';
import type { Endpoint } from '../../gateway/client/transport';
import {
  agentRun,
  executionToken,
  mayAgentBeCutOff,
  mayBeCutOff,
  sharedByRetries,
} from '../../n8n/undocumented';
import type { DoneItem } from './item-result';
import { MessageIds, randomId } from './message-ids';

/**
 * Returns a record of this node in the run data of its execution, which is begun where there is none. n8n keeps the record through Retry
 * On Fail, which runs the whole node again, and copies it into a Retry, which is a new execution.
 */
const memoryOf = <T>(context: IExecuteFunctions, key: string): Record<string, T> =>
  (context.getContext('node')[key] ??= {}) as Record<string, T>;

/** The record of entries: by place (see `Journal.place`), then by index of the item. */
const JOURNAL_KEY = 'messagingGatewayJournal';

/** The record of the text from which all ids of the node's messages are made. */
const ROOTS_KEY = 'messagingGatewayRoots';

/** The record of the runs that have begun, by place. */
const BEGUN_KEY = 'messagingGatewayBegun';

/** The record of the Retry that found its execution cut off. */
const LOST_KEY = 'messagingGatewayLost';

/** The record of the messages that an agent's tool was called for, by phone number. */
const CALLS_KEY = 'messagingGatewayCalls';

export interface JournalEntry {
  /** The output of an accepted item; undefined for any other. */
  jsons?: IDataObject[];

  /** Of an item that repeats another one: the item whose result it shares. */
  repeats?: DoneItem['repeats'];

  /** Identifies the operation of an item that may have left and has no output: the gateway didn't accept it, or its code is lost. */
  sent?: IDataObject & { id?: number | string };

  /** Where the operation went. */
  endpoint?: Endpoint;

  /** The account to which the operation went: what another account says of it is no evidence. */
  account?: string;

  /** The state from which a later try goes on; nothing secret is left in it. */
  state?: NotAccepted;
  departures?: Departures;

  /** Set where the gateway accepted a call whose one-time password is lost: a later try, or a Retry, says so again. */
  isCodeLost?: true;
}

/** A row with the index of its message, under which the journal keeps it. */
export interface IndexedRow extends Row {
  index: number;
}

/** A run that has begun: the kind of its operation, and the execution that began it. */
interface BegunRun {
  kind: string;
  execution: string;

  /** Set where the execution that began the run is a Retry, and the retried execution may have been cut off in this run. */
  isCutOff?: true;
}

/** A call of an agent's tool for a message. */
interface Call {
  /** The execution that called, and its run of the node. */
  execution: string;
  runIndex: number;

  /** Stands for the run of the agent that called (`AgentRun.ended`). */
  ended: number;

  /** Stands for the words of the call. */
  digest: string;
}

/** A message that an agent's tool was called for, with the last calls for it. */
interface CalledMessage {
  /** The execution that called for the message first. */
  execution: string;

  /** Stands for the words with which the message left last, or was called for first. */
  digest: string;
  calls: Call[];
}

/** What earlier tries and executions may have done of this run. */
export interface Past {
  /**
   * Whether this execution is a Retry of another, the retried execution. n8n copied into the journal the rows that the retried execution
   * had sent. n8n copied nothing of other Retries of that execution, of which there may be none or many.
   */
  isRetry: boolean;

  /** Whether the retried execution had begun this run, or may have: its rows may have left. */
  wasBegun: boolean;

  /** Whether the retried execution may have been cut off in this run: n8n saved nothing of the rows that the run had sent. */
  isLost: boolean;

  /** Whether the entries are those of an operation that does something else, which stood in the form before a Retry. */
  isOfOtherKind: boolean;
}

/**
 * Record of the items that one run of the node has sent: outputs and states, never payloads. Accepted items aren't sent again but
 * output again, and nothing that has left is sent again without a question. A run in which every item succeeded leaves no entry
 * behind, unless an agent called the node: the agent may repeat its call.
 */
export class Journal {
  /** The index of the run among those of the node in its execution, from 0. */
  readonly runIndex: number;
  readonly past: Past;

  /** Stands for the account to which this run sends, once the credential was read. */
  account: string | undefined;
  private readonly context: IExecuteFunctions;
  private readonly runs: Record<string, Record<string, JournalEntry>>;
  private readonly ids: MessageIds;

  /** Whether an agent calls the node. */
  private readonly isTool: boolean;

  /**
   * The key of the entries of this run: the index of the run; for an agent's tool the index and a digest of the call, until `takePlaceOf`
   * finds the place of the message.
   */
  private place: string;

  /** The message of an agent's call, once `takePlaceOf` has found it, and the words of the call. */
  private called: { message: CalledMessage; digest: string } | undefined;

  /** `kind`: resource and effect of the operation in the form. Operations of one kind go on with each other's entries. */
  constructor(context: IExecuteFunctions, kind: string) {
    this.context = context;
    this.runs = memoryOf(context, JOURNAL_KEY);
    this.runIndex = runIndexOf(context);
    this.isTool = isAgentTool(context);
    // In a Retry, an agent may call in another order, so that the index of the run names no call: its arguments do.
    const call = this.isTool
      ? ` ${digestOf(JSON.stringify(context.getInputData().map(({ json }) => json)))}`
      : '';
    this.place = `${this.runIndex}${call}`;
    // Made here, before anything can throw, so that n8n saves the root of every failed run.
    const root = (memoryOf<string>(context, ROOTS_KEY).root ??=
      sharedByRetries(context) ?? String(randomId()));
    this.ids = new MessageIds(root, context.getNode().name);
    this.past = this.readPast(kind);
  }

  /** Finds out what was done before, and notes that this run has begun. */
  private readPast(kind: string): Past {
    const { context, place } = this;
    const isRetry = context.getMode() === 'retry';
    const begunRuns = memoryOf<BegunRun>(context, BEGUN_KEY);
    const begun = begunRuns[place];
    const execution = context.getExecutionId();
    const lost = memoryOf<string>(context, LOST_KEY);
    // A run that was begun before has a note, which goes on counting: that of an earlier try of this Retry, or of the retried execution, which
    // may be a Retry itself.
    const isCutOff =
      isRetry && (begun ? begun.isCutOff === true : lost.execution !== undefined || this.mayBeCutOff());
    // From n8n 2.41 on, an execution and its Retries make the same ids, so that an agent's call can ask what the cut-off execution sent,
    // and doesn't count as lost.
    const isLost = isCutOff && !(this.isTool && executionToken(context) !== undefined);
    // n8n saves the run data of this Retry as if its execution had ended by itself. A Retry of this Retry can't see the cut in these data,
    // and goes by this note.
    if (isLost) lost.execution ??= execution;
    const isOfOtherKind = !this.isEmpty && !isLost && begun !== undefined && begun.kind !== kind;
    // A lost run is not noted, so that Retry On Fail and a Retry of the Retry find it lost as well. A run of another kind that left no entry
    // is noted under the new kind, of which all entries will be.
    if (!isLost && !isOfOtherKind) {
      const mark = isCutOff ? { isCutOff: true as const } : {};
      begunRuns[place] = { kind, execution: begun?.execution ?? execution, ...mark };
    }
    // An earlier try of this execution, by Retry On Fail, is no run of the retried execution.
    const isNotedBefore = begun !== undefined && begun.execution !== execution;
    return { isRetry, wasBegun: isRetry && (isNotedBefore || isCutOff), isLost, isOfOtherKind };
  }

  /** Whether the retried execution may have been cut off in this run, of which n8n then saved nothing. */
  private mayBeCutOff(): boolean {
    return this.isTool ? mayAgentBeCutOff(this.context) : mayBeCutOff(this.context);
  }

  /**
   * Finds the place of the message that an agent's tool is called for, under which the journal keeps its entry from now on: its phone
   * number, and its position among the messages to that number. In a Retry, the model may call in another order and in other words.
   * The position is, in this order,
   * - that of the same call in this run, which n8n repeats;
   * - that of a call in these words in this run of the agent, where a model has failed: n8n may have run the agent again, by Retry On
   *   Fail of the agent;
   * - that of a message that has these words now, unless a call of this execution in these words has taken it;
   * - that of a message, in any words, for which no call of this execution has asked: the model may have said the same in other words,
   *   and nobody knows. The message keeps its own words, so that a later call in these finds it;
   * - a new one.
   *
   * The place of a message that no agent's tool was called for is that of its run.
   */
  takePlaceOf(phone: number, content: unknown): void {
    if (!this.isTool) return;
    const { context, runIndex } = this;
    const execution = context.getExecutionId();
    const { ended, hasModelFailed } = agentRun(context);
    const digest = digestOf(JSON.stringify(content));
    const messages = (memoryOf<CalledMessage[]>(context, CALLS_KEY)[phone] ??= []);
    const isHere = (call: Call): boolean => call.execution === execution;
    const isSame = (one: { digest: string }): boolean => one.digest === digest;
    const isRepeated = (call: Call): boolean =>
      isHere(call) &&
      isSame(call) &&
      (call.runIndex === runIndex || (hasModelFailed && call.ended === ended));
    const positions = [
      messages.findIndex(({ calls }) => calls.some(isRepeated)),
      messages.findIndex((one) => isSame(one) && !one.calls.some((call) => isHere(call) && isSame(call))),
      messages.findIndex(({ calls }) => !calls.some(isHere)),
    ];
    const at = positions.find((position) => position !== -1) ?? messages.length;
    const { calls, execution: first } = (messages[at] ??= { execution, digest, calls: [] });
    // An execution that this Retry repeats has called for the message, perhaps in other words.
    if (this.past.isRetry && first !== execution) this.past.wasBegun = true;
    const others = calls.filter((call) => isHere(call) && !isRepeated(call));
    messages[at].calls = [...others, { execution, runIndex, ended, digest }];
    this.place = `${phone} ${at}`;
    this.called = { message: messages[at], digest };
  }

  /** Whether an agent's tool was called in other words than those in which the message left. */
  get isInOtherWords(): boolean {
    return this.called !== undefined && this.called.message.digest !== this.called.digest;
  }

  /** Returns the entry of an item that may have left, or was asked about before; undefined for any other. */
  find(itemIndex: number): JournalEntry | undefined {
    return this.runs[this.place]?.[itemIndex];
  }

  /** Whether no try of this execution, or of the retried one, has an entry: either certainly no row left, or all succeeded. */
  get isEmpty(): boolean {
    return this.runs[this.place] === undefined;
  }

  /** Records rows that are about to leave: from now on, the gateway may have them. */
  leave(rows: readonly IndexedRow[], departure: Departures): void {
    if (this.called) this.called.message.digest = this.called.digest;
    for (const row of rows) this.note(row, UNDER_WAY, afterDeparture(row.departures, departure));
  }

  /** Records the state from which a later try goes on with a row. Nothing secret may be in it. */
  note(row: IndexedRow, state: NotAccepted, departures = row.departures): void {
    const { index, endpoint, operation } = row;
    const { id, type, phone } = operation;
    const { account } = this;
    this.record(index, { sent: { id, type, phone }, endpoint, account, state, departures });
  }

  /** Records a row that ended without being accepted; forgets it where neither this execution nor another Retry can have sent it. */
  noteEnd(row: IndexedRow, state: NotAccepted): void {
    if (row.departures || row.mayHaveBeenSent) this.note(row, state);
    else this.forget(row.index);
  }

  /** Whether a row left in this execution, in this try or in an earlier one by Retry On Fail. */
  leftHere({ departures }: Pick<JournalEntry, 'departures'>): boolean {
    return departures?.execution === this.context.getExecutionId();
  }

  /** Records an item as soon as anything is known about it. */
  record(itemIndex: number, entry: JournalEntry): void {
    (this.runs[this.place] ??= {})[itemIndex] = entry;
  }

  /** Removes an item of which nothing has to be remembered, and with the last item the run. */
  forget(itemIndex: number): void {
    const entries = this.runs[this.place];
    if (entries === undefined) return;
    delete entries[itemIndex];
    if (!hasAny(entries)) this.removeEntries();
  }

  /** Removes the entries of the run, all of whose items have succeeded; those of an agent's call stay. */
  close(): void {
    if (!this.isTool) this.removeEntries();
  }

  private removeEntries(): void {
    delete this.runs[this.place];
  }

  /**
   * Returns the id that the node makes for the message of an item to a number: the same in every try and in every Retry of the
   * execution, and another one for a corrected number, which is another message.
   */
  madeId(itemIndex: number, phone: number): number {
    return this.ids.make(this.place, itemIndex, phone);
  }

  /** Returns two ids that nobody has sent, the first one just below those of the run. */
  unusedIds(): readonly [number, number] {
    return this.ids.unused();
  }
}

/** Looks at the first key alone: a list of all keys, made for each of 100,000 items, would take minutes. */
function hasAny(entries: Record<string, unknown>): boolean {
  for (const _ in entries) return true;
  return false;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

function runIndexOf(context: IExecuteFunctions): number {
  const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
  return typeof runIndex === 'number' ? runIndex : 0;
}
