import type { IDataObject } from 'n8n-workflow';

import type { Doubt, Recovery } from '../../gateway/client/send-result';
import type { Endpoint } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import type { Item } from '../run/item';

/** The operation of one item, ready to leave. */
export interface Outgoing {
  operation: WireOperation;
  endpoint: Endpoint;
  /** Whether it is only shown. */
  checkOnly: boolean;
}

/** An operation on its way, with what the client needs to know of its item. */
export interface Pending extends Outgoing {
  index: number;
  /** Whether the user chose its id. */
  hasOwnId: boolean;
  /** What an earlier try left unknown. */
  doubt?: Doubt;
}

/** What the output of an item needs to know of the operation that was sent. */
export interface SentOperation extends IDataObject {
  id?: number | string;
  type: string;
  phone?: number;
}

/** What the gateway accepted; `payload` is the `data` of its result item, with extra properties. */
export interface Accepted {
  sent: SentOperation;
  payload: unknown;
  /** Set for a queued operation. */
  requestId?: string;
}

/** Reads parameters of the item that a result belongs to. */
export type ResultReader = Pick<Item, 'read'>;

/** How an operation of the node sends: the three things that only it knows. */
export interface Sending {
  recovery: Recovery;
  /**
   * Builds the operation of one item. `item.id` is known before; a repeated run builds the same operation again.
   * Operations of several wire types may be built in one run.
   * @throws InvalidParameter for a parameter that can't be used
   */
  build(item: Item): Outgoing;
  /** Returns the output of an accepted item, which the journal keeps. One-time codes that stay hidden stay out. */
  result(accepted: Accepted, item: ResultReader): IDataObject[];
  /** Returns what a payload lacks without which the operation was in vain; undefined where nothing is missing. */
  lacking?(payload: unknown): string | undefined;
  /** Returns what Check Only shows of an operation; by default the whole of it (preview.ts). */
  preview?(operation: WireOperation): IDataObject;
}
