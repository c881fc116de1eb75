import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { runIndexOf } from '../run/message-ids';

/** What became of a confirmed call: what it gave, or nothing while that is not known. */
interface Entry {
  json?: IDataObject;
}

const CONTEXT_KEY = 'messagingGatewayToolCalls';

/**
 * The confirmed calls of one run of the node, kept in the run data of the execution. n8n's Retry On Fail runs the
 * whole node again; a call that may have sent something must not be made again by that.
 */
export class CallLog {
  private readonly runs: Record<string, Record<string, Entry>>;

  private readonly runKey: string;

  constructor(context: IExecuteFunctions) {
    const memory = context.getContext('node');
    this.runs = (memory[CONTEXT_KEY] ??= {}) as Record<string, Record<string, Entry>>;
    this.runKey = String(runIndexOf(context));
  }

  find(itemIndex: number): Entry | undefined {
    return this.runs[this.runKey]?.[itemIndex];
  }

  /** Notes a call before it is made. */
  begin(itemIndex: number): void {
    (this.runs[this.runKey] ??= {})[itemIndex] = {};
  }

  /** Notes what a call gave. */
  done(itemIndex: number, json: IDataObject): void {
    (this.runs[this.runKey] ??= {})[itemIndex] = { json };
  }

  /** Forgets a call that certainly did nothing, so that it may be made again. */
  undone(itemIndex: number): void {
    delete this.runs[this.runKey]?.[itemIndex];
  }

  /** Forgets the run, when its results have left the node. */
  close(): void {
    delete this.runs[this.runKey];
  }
}
