import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import type { Endpoint, Transport } from '../../gateway/client/transport';
import type { Connection } from '../../n8n/connection';
import { readConnection, requireAddress } from '../../n8n/connection';
import { abortableSleep, cancelSignal } from '../../n8n/engine';
import { jsonTransport } from '../../n8n/transports';
import type { OperationDescription } from './description';
import { Form } from './form';
import { invalidItem, toNodeError } from './item-errors';
import type { FailedItem, Note } from './item-result';
import { Journal } from './journal';
import type { Settings } from './settings';
import { readSettings } from './settings';
import { TextTally } from './text-tally';

/**
 * One run of the node: what n8n gives it (its items and what the user filled in), what it keeps from one try to the next (the
 * journal), and how it reaches the gateway.
 */
export class Run {
  readonly context: IExecuteFunctions;
  readonly definition: OperationDescription;
  readonly node: INode;
  readonly items: INodeExecutionData[];
  readonly form: Form;
  readonly journal: Journal;
  readonly texts = new TextTally();

  /** For the box above the output, from wherever the run finds out. */
  readonly notes: Note[] = [];
  private knownConnection: Promise<Connection> | undefined;

  constructor(context: IExecuteFunctions, definition: OperationDescription) {
    this.context = context;
    this.definition = definition;
    this.node = context.getNode();
    this.items = context.getInputData();
    this.form = new Form(context, definition.properties);
    this.journal = new Journal(context);
  }

  /** Whether the first error ends the run, by the node's setting On Error. */
  get stopsAtErrors(): boolean {
    return !this.context.continueOnFail();
  }

  /** Returns the result of an invalid item, by its index; `endsRun`: whether it keeps all others from being processed. */
  invalid(thrown: unknown, index: number, endsRun = this.stopsAtErrors): FailedItem {
    return invalidItem(thrown, this, { endsRun, json: this.items[index]?.json });
  }

  /**
   * Returns what `work` reads for the whole run.
   * @throws NodeOperationError in place of any error that `work` throws
   */
  reading<T>(itemIndex: number, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      const error = toNodeError(this, itemIndex, this.invalid(thrown, itemIndex, true).error);
      throw error;
    }
  }

  /**
   * The settings of the run, from the options of its first item.
   * @throws NodeOperationError for one out of its range
   */
  get settings(): Settings {
    return this.reading(0, () => readSettings(this.form.options(0)));
  }

  /** Returns how the credential reaches the gateway, read on first use. */
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

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now();
  }

  get isStopped(): boolean {
    return cancelSignal(this.context)?.aborted === true;
  }

  /** Waits. Returns early when the execution is stopped. */
  async sleep(milliseconds: number): Promise<void> {
    await abortableSleep(milliseconds, cancelSignal(this.context)).catch(() => undefined);
  }
}
