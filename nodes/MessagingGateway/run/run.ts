import type { IExecuteFunctions, INode, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import type { Endpoint, Transport } from '../../gateway/client/transport';
import type { Connection } from '../../n8n/connection';
import { readConnection } from '../../n8n/connection';
import { jsonTransport } from '../../n8n/transports';
import type { ItemReader } from '../parameters/item-reader';
import { createItemReader } from '../parameters/item-reader';
import type { OperationDefinition } from './definition';
import { invalidItem, toNodeError } from './item-errors';
import type { FailedItem } from './item-result';
import { Journal } from './journal';
import { makeMessageIds, runIndexOf } from './message-ids';
import type { Settings } from './settings';
import { readSettings } from './settings';

/**
 * One run of the node: the operation, the items, and what an operation needs of n8n to work on them. Each thing that
 * is the same for all items is read once, when it is first asked for.
 */
export class Run {
  readonly context: IExecuteFunctions;

  readonly definition: OperationDefinition;

  readonly node: INode;

  readonly items: INodeExecutionData[];

  /** Which run of the node this is in its execution, from 0. */
  readonly index: number;

  readonly journal: Journal;

  private readonly reader: ItemReader;

  private readonly signal: AbortSignal | undefined;

  private knownSettings: Settings | undefined;

  private knownConnection: Promise<Connection> | undefined;

  private idMaker: ((itemIndex: number) => number) | undefined;

  constructor(context: IExecuteFunctions, definition: OperationDefinition) {
    this.context = context;
    this.definition = definition;
    this.node = context.getNode();
    this.items = context.getInputData();
    this.index = runIndexOf(context);
    this.journal = new Journal(context, this.index);
    this.reader = createItemReader(context);
    this.signal = context.getExecutionCancelSignal();
  }

  /** Whether the first error ends the run, by the node's setting On Error. */
  get stopsAtErrors(): boolean {
    return !this.context.continueOnFail();
  }

  /**
   * A parameter of an item; `fallback` where it is not set.
   * @throws ExpressionError, or what else n8n's engine throws for an expression that fails
   */
  read(name: string, itemIndex: number, fallback?: unknown): unknown {
    return this.reader.read(name, itemIndex, fallback);
  }

  /** The collection "Options" of an item. */
  options(itemIndex: number): Record<string, unknown> {
    return (this.read('options', itemIndex, {}) ?? {}) as Record<string, unknown>;
  }

  /** The label of a parameter in the form of this operation; undefined where the form doesn't show it. */
  readonly label = (parameter: string): string | undefined =>
    findLabel(this.definition.properties, parameter);

  /** The result of an item whose parameters can't be used; takes what reading them threw. */
  invalid(itemIndex: number, thrown: unknown): FailedItem {
    return invalidItem(itemIndex, thrown, this.label);
  }

  /**
   * The settings of the whole run, from the options of its first item.
   * @throws NodeOperationError for a setting out of its range
   */
  get settings(): Settings {
    return (this.knownSettings ??= this.reading(0, () => readSettings(this.options(0))));
  }

  /**
   * Does work that reads parameters.
   * @throws NodeOperationError in place of what reading them threw
   */
  reading<T>(itemIndex: number, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      const error = toNodeError(this.node, itemIndex, this.invalid(itemIndex, thrown).error);
      throw error;
    }
  }

  /**
   * The way to the JSON API.
   * @throws NodeOperationError where the credential lacks a usable address for one of the endpoints
   */
  async transport(endpoints: Iterable<Endpoint> = ['sync']): Promise<Transport> {
    const connection = await (this.knownConnection ??= readConnection(this.context));
    for (const endpoint of endpoints) {
      const address = connection.addresses[endpoint];
      if (address.ok) continue;
      throw new NodeOperationError(this.node, address.message, { description: address.description });
    }
    return jsonTransport(connection, this.settings.timeout);
  }

  /** The id that the node makes for an item: the same again when n8n repeats the node in the same execution. */
  madeId(itemIndex: number): number {
    return (this.idMaker ??= makeMessageIds(this.context, this.index))(itemIndex);
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => Date.now();

  /** Whether the execution has been stopped. */
  readonly isStopped = (): boolean => this.signal?.aborted === true;

  /** Waits. Returns early when the execution is stopped. */
  readonly sleep = async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds, this.signal).catch(() => undefined);
  };
}

/** The display name of a parameter among form properties and what is nested in them. */
function findLabel(properties: INodeProperties[], parameter: string): string | undefined {
  const [name] = parameter.split('.');
  const found = properties.find((property) => property.name === name);
  if (found) return found.displayName;
  for (const { options = [] } of properties) {
    const nested = options.flatMap((option) =>
      'values' in option ? option.values : 'displayName' in option ? [option] : [],
    );
    const label = nested.length > 0 ? findLabel(nested, parameter) : undefined;
    if (label !== undefined) return label;
  }
  return undefined;
}
