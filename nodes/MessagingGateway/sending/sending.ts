import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../gateway/client/row';
import type { Recovery } from '../../gateway/client/doubt';
import type { Endpoint } from '../../gateway/client/transport';
import type { WireOperation } from '../../gateway/contract/operations';
import type { Report } from '../../gateway/delivery/reports';
import type { Item } from '../run/item';
import type { FailedItem } from '../run/item-result';
import type { SkipRule } from './skipped-rows';

export interface Outgoing {
  operation: WireOperation;
  endpoint: Endpoint;

  /** Whether it is only shown, not sent. */
  checkOnly: boolean;

  /** Whether its `id` stands for a Send Once Key, so that any run may have sent it. */
  hasKey?: boolean;

  /** What the user set for its callbacks: it tells messages apart, while the node's own addresses don't. */
  callbacks?: { hook?: unknown; callbackFields?: unknown };

  /** The text of its SMS, where that was shortened. */
  unshortened?: string;

  /** Texts in the operation that only its recipient may see: they are masked in everything that is shown or kept. */
  secrets?: readonly string[];

  /**
   * Decides just before anything is sent whether this may be sent now; returns the failure of its item where it may not. With On
   * Error set to stop, one failure keeps the whole run from being sent.
   */
  reserve?(): Promise<FailedItem | undefined>;
}

/** The operation of an item of the run. */
export interface Numbered extends Outgoing {
  index: number;
}

/** An operation to send, with the details of its item that the client needs. */
export interface Pending extends Numbered, Row {}

/** The fields of a sent operation that the output of its item needs. */
export interface SentOperation extends IDataObject {
  id?: number | string;
  type: string;
  phone?: number;
}

/** An accepted operation; `payload` is the `data` of its result item, with extra properties. */
export interface Accepted {
  sent: SentOperation;
  payload: unknown;

  /** Set for a queued operation. */
  requestId?: string;

  /** What `status` says, where it was asked whether the gateway took it; there is no other payload then. */
  report?: Report;
}

/** How an operation of the node sends: the parts that differ between operations. */
export interface Sending {
  recovery: Recovery;

  /** Whether rows of the same content are one message (repeated-messages.ts). */
  findsRepeats?: boolean;

  /**
   * Builds the operation of one item, which may differ in wire type from others of the run. Must build the same operation
   * again in a repeated run, where `item.id` stays the same.
   * @throws InvalidParameter for an invalid parameter
   */
  build(item: Item): Outgoing;

  /** Returns the output of an accepted item. The journal keeps it, so it must not contain codes that stay hidden. */
  result(accepted: Accepted, item: Item): IDataObject[];

  /** Decides which rows are left out; undefined where none may be. */
  skip?: SkipRule;

  /** Whether the payload of an operation lacks its one-time password, which only the answer to a call contains. */
  lacksCode?(payload: unknown, sent: SentOperation): boolean;
}
