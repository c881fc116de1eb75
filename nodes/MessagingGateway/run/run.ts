import type { IExecuteFunctions, INode, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Endpoint, Transport } from '../../gateway/client/transport';
import { isObject } from '../../gateway/text/json';
import type { Connection } from '../../n8n/connection';
import { readConnection, requireAddress } from '../../n8n/connection';
import { abortableSleep, cancelSignal } from '../../n8n/engine';
import { jsonTransport } from '../../n8n/transports';
import type { MarkedAbout } from '../parameters/item-reader';
import { ItemReader } from '../parameters/item-reader';
import type { MarkedText } from '../parameters/marked-text';
import type { OperationDescription } from './description';
import { isMessage } from './description';
import { invalidItem, toNodeError } from './item-errors';
import type { FailedItem } from './item-result';
import { firstIdOf, Journal, mayHaveSentBefore, runIndexOf } from './journal';
import type { Settings } from './settings';
import { readSettings } from './settings';
import { TextTally } from './text-tally';

/**
 * One run of the node: the operation, the items, and the parts of n8n that an operation needs to process them. Values
 * that are the same for all items are read once, on first use.
 */
export class Run {
  readonly context: IExecuteFunctions;
  readonly definition: OperationDescription;
  readonly node: INode;
  readonly items: INodeExecutionData[];
  readonly inputCount: number;
  readonly index: number;

  /** Whether a saved execution is repeated in which this run may have sent its items. */
  readonly mayHaveSentBefore: boolean;
  readonly journal: Journal;
  readonly texts = new TextTally();
  private readonly reader: ItemReader;
  private readonly signal: AbortSignal | undefined;
  private knownSettings: Settings | undefined;
  private knownConnection: Promise<Connection> | undefined;
  private firstId: number | undefined;

  /** The input item that each of `items` stands for, by its index; undefined where each stands for itself. */
  private readonly sources: readonly number[] | undefined;

  /**
   * Takes the input items for which something is sent, by their indices, where these aren't all of them, each once. An item
   * that is named several times sends several messages, each with an id and an entry in the journal.
   */
  constructor(context: IExecuteFunctions, definition: OperationDescription, sources?: readonly number[]) {
    const inputs = context.getInputData();
    this.context = context;
    this.definition = definition;
    this.node = context.getNode();
    this.sources = sources;
    this.items = sources ? sources.map((source) => inputs[source]) : inputs;
    this.inputCount = inputs.length;
    this.index = runIndexOf(context);
    this.mayHaveSentBefore = mayHaveSentBefore(context, this.index);
    this.journal = new Journal(context, this.index);
    this.reader = new ItemReader(context, isMessage(definition) ? this.texts.placeholders : undefined);
    this.signal = cancelSignal(context);
  }

  /** Whether the first error ends the run, by the node's setting On Error. */
  get stopsAtErrors(): boolean {
    return !this.context.continueOnFail();
  }

  /**
   * Returns a parameter of an item; `fallback` where it is not set.
   * @throws ExpressionError, or any other error of n8n's engine, for an expression that fails
   */
  read(name: string, itemIndex: number, fallback?: unknown): unknown {
    return this.reader.read(name, this.inputOf(itemIndex), fallback);
  }

  /** Returns a text parameter of an item with the places of its marks; see `ItemReader.readMarked`. */
  readMarked(name: string, itemIndex: number, about: MarkedAbout): MarkedText | undefined {
    return this.reader.readMarked(name, this.inputOf(itemIndex), about);
  }

  options(itemIndex: number): Record<string, unknown> {
    return (this.read('options', itemIndex, {}) ?? {}) as Record<string, unknown>;
  }

  /**
   * Whether any item may have an option: whether it is added in the form. What isn't, costs a run nothing.
   */
  hasOption(name: string): boolean {
    const options: unknown = this.context.getNodeParameter('options', 0, {}, { rawExpressions: true });
    return !isObject(options) || name in options;
  }

  /** Whether any item may have a switch on: whether it is on, or has an expression, in the form. */
  mayBeOn(name: string): boolean {
    return this.context.getNodeParameter(name, 0, false, { rawExpressions: true }) !== false;
  }

  /** Returns the index of the input item that an entry of `items` stands for. */
  inputOf(itemIndex: number): number {
    return this.sources?.[itemIndex] ?? itemIndex;
  }

  /** Whether the option Check Only is on, by the first item; not where that can't be read. */
  get onlyChecks(): boolean {
    try {
      return [true, 'true'].includes(this.options(0).checkOnly as boolean);
    } catch {
      // The error that is being explained is that of the options, or of one like it.
      return false;
    }
  }

  /** Returns the label of a parameter in the form of this operation; undefined where the form doesn't have it. */
  readonly label = (parameter: string): string | undefined =>
    findLabel(this.definition.properties, parameter);

  /** Whether all that the run sends is for one input item. */
  private get isOfOneItem(): boolean {
    return this.sources?.every((source) => source === this.sources?.[0]) ?? false;
  }

  /** Returns the result of an invalid item; `endsRun`: whether it keeps all others from being processed. */
  invalid(thrown: unknown, endsRun = this.stopsAtErrors || this.isOfOneItem): FailedItem {
    return invalidItem(thrown, this, endsRun);
  }

  /**
   * The settings of the run, from the options of its first item.
   * @throws NodeOperationError for one out of its range
   */
  get settings(): Settings {
    return (this.knownSettings ??= this.reading(0, () => readSettings(this.options(0))));
  }

  /**
   * Returns what `work` reads for the whole run.
   * @throws NodeOperationError in place of any error that `work` throws
   */
  reading<T>(itemIndex: number, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      const error = toNodeError(this, itemIndex, this.invalid(thrown, true).error);
      throw error;
    }
  }

  async connection(): Promise<Connection> {
    return await (this.knownConnection ??= readConnection(this.context));
  }

  /**
   * Returns the transport to the JSON API.
   * @throws NodeOperationError where the credential lacks a usable address
   */
  async transport(endpoints: Iterable<Endpoint> = ['sync']): Promise<Transport> {
    const connection = await this.connection();
    for (const endpoint of endpoints) requireAddress(this.node, connection, endpoint);
    return jsonTransport(connection, this.settings.timeoutMs);
  }

  /** Returns the id that the node creates for an item: the same when n8n repeats the node in the same execution. */
  madeId(itemIndex: number): number {
    return (this.firstId ??= firstIdOf(this.context, this.index)) + itemIndex;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => Date.now();
  readonly isStopped = (): boolean => this.signal?.aborted === true;

  /** Waits. Returns early when the execution is stopped. */
  readonly sleep = async (milliseconds: number): Promise<void> => {
    await abortableSleep(milliseconds, this.signal).catch(() => undefined);
  };
}

/** Returns the display name of a parameter among form properties and those nested in them. */
export function findLabel(properties: INodeProperties[], parameter: string): string | undefined {
  const [name] = parameter.split('.');
  const nested = properties.flatMap(({ options = [] }) =>
    options.flatMap((option) =>
      'values' in option ? option.values : 'displayName' in option ? [option] : [],
    ),
  );
  const found = properties.find((property) => property.name === name);
  return found?.displayName ?? (nested.length > 0 ? findLabel(nested, parameter) : undefined);
}
