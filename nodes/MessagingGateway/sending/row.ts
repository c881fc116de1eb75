import type { IDataObject } from 'n8n-workflow';

import type { CallbackFields } from '../../gateway/callback/sealed-fields';
import type { Row } from '../../gateway/client/row';
import type { Report } from '../../gateway/delivery/reports';
import type { Item } from '../run/item';
import type { DoneItem, ItemResult } from '../run/item-result';
import { addressSecrets } from '../../gateway/callback/address';

/** A row of a run, from its form to its result; the client takes it as its `Row`. */
export interface OutgoingRow extends Row {
  /** The index of its item. */
  index: number;

  /** Whether it is only shown, not sent. */
  checkOnly: boolean;

  /** The user's own settings for callbacks: they tell messages apart, while the node's own addresses don't. */
  callbacks?: { hook?: unknown; callbackFields?: unknown };

  /** The Callback Fields of a message that waits for delivery, whose output brings them back. */
  fields?: CallbackFields;

  /** The text of its SMS, where that was shortened. */
  unshortened?: string;

  /** Texts in the operation that only its recipient may see: they are masked in everything that is shown or kept. */
  secrets?: readonly string[];

  /** The row before it whose result it takes. */
  repeats?: DoneItem['repeats'];
}

/** An item of a run before anything leaves: a row, or the result of an item that sends nothing. */
export type RowOrResult = OutgoingRow | ItemResult;

export const isRow = (row: RowOrResult): row is OutgoingRow => 'operation' in row;

const NO_SECRETS: readonly string[] = [];

/** Returns the texts of a row that only its recipient, or the gateway, may see. */
export const secretsOf = ({ secrets = NO_SECRETS, operation: { hook } }: OutgoingRow): readonly string[] =>
  hook === undefined ? secrets : [...secrets, ...addressSecrets(hook)];

/**
 * A step on the way of a row, which changes the row or decides about it. Returns the result of a row that ends here, undefined
 * for one that goes on to the next step.
 * @throws InvalidParameter for a row that may not be sent
 */
export type Step = (row: OutgoingRow, item: Item) => ItemResult | undefined;

/** The fields of a sent operation that the output of its item needs. */
interface SentOperation extends IDataObject {
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

  /** The answer of `status`, where the gateway was asked whether it took the operation; there is no other payload then. */
  report?: Report;
}
