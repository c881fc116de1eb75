import type {
  IExecuteFunctions,
  INode,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';

import type { Endpoint, Transport } from '../../gateway/client/transport';
import type { Connection } from '../../n8n/connection';
import { jsonTransport, readConnection, requireAddress } from '../../n8n/connection';
import { abortableSleep, cancelSignal } from '../../n8n/engine';
import type { OperationDescription } from './description';
import { MisnamedColumns } from '../parameters/misnamed-column';
import { Form } from './form';
import type { ItemResult, Hint } from './item-result';
import { Journal } from './journal';
import { TextTally } from './text-tally';

/** An operation of the node; each has a file in `operations/`, and a line in `operations/index.ts`. */
export interface OperationDefinition extends OperationDescription {
  /**
   * Runs the operation over all items of the run. Returns one result for each input item, in order.
   * @throws NodeOperationError or NodeApiError for what concerns the run as a whole
   */
  run(run: Run): Promise<ItemResult[]>;

  /** Set where all items have one result together, such as the answer to a question: no item is done before the others. */
  isOneForAll?: true;

  /** Answers calls to the execution while it sleeps. Undefined where the operation never sleeps. */
  whileWaiting?(context: IWebhookFunctions): Promise<IWebhookResponseData>;
}

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
  readonly columns = new MisnamedColumns();

  /** The sentences of the box above the output: any part of the run adds what it finds out. */
  readonly hints: Hint[] = [];

  private connecting: Promise<Connection> | undefined;

  constructor(context: IExecuteFunctions, definition: OperationDescription) {
    this.context = context;
    this.definition = definition;
    this.node = context.getNode();
    this.items = context.getInputData();
    this.form = new Form(context, definition.properties);
    this.journal = new Journal(context, `${definition.resource} ${definition.effect}`);
  }

  /** Whether the first error ends the run, by the node's setting On Error. */
  get stopsAtErrors(): boolean {
    return !this.context.continueOnFail();
  }

  /** Whether an earlier try, or another Retry, may have sent a row of which this try knows nothing. */
  get mayHaveSent(): boolean {
    const { isEmpty, past } = this.journal;
    return !isEmpty || (past.isRetry && this.definition.effect !== 'reads');
  }

  /** Returns how the credential reaches the gateway. The first call reads the credential, and tells the journal its account. */
  async connection(): Promise<Connection> {
    this.connecting ??= this.connect();
    return await this.connecting;
  }

  private async connect(): Promise<Connection> {
    const connection = await readConnection(this.context);
    this.journal.account = connection.account;
    return connection;
  }

  /**
   * Returns the transport to the JSON API, with the time limit for one request in milliseconds. The synchronous endpoint also
   * answers the questions about queued messages.
   * @throws NodeOperationError where the credential lacks a usable address
   */
  async transport(timeoutMs: number, endpoint: Endpoint = 'sync'): Promise<Transport> {
    const connection = await this.connection();
    for (const needed of ['sync', endpoint] as const) requireAddress(this.node, connection, needed);
    return jsonTransport(connection, timeoutMs);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now();
  }

  /** Whether a person stopped the execution. */
  get isStopped(): boolean {
    return cancelSignal(this.context)?.aborted === true;
  }

  /** Waits. Returns early when the execution is stopped. */
  async sleep(milliseconds: number): Promise<void> {
    await abortableSleep(milliseconds, cancelSignal(this.context)).catch(() => undefined);
  }
}
