import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';

import type { OperationDescription, OperationNames } from '../run/description';
import type { Item } from '../run/item';
import type { BuildSpec } from './build';
import type { Accepted } from './row';

/** How it is found out whether the gateway took an operation, by its effect. */
export const RECOVERIES = { reads: 'repeat', changes: 'none', sends: 'status' } as const;

/**
 * An operation that sends one operation object of the JSON API for each item, always of the same wire type. Its output
 * is the payload of the answer, unless `result` makes another of it.
 */
export interface WireOperationSpec extends OperationNames, BuildSpec, Pick<OperationDescription, 'hints'> {
  effect: keyof typeof RECOVERIES;

  /** Returns the output of an accepted item; undefined where the answer lacks what the operation is for. */
  result?(accepted: Accepted, item: Item): IDataObject[] | undefined;

  /** Form properties that are not wire fields, such as `returnAll`. */
  extra?: INodeProperties[];

  /** Set where only the synchronous endpoint returns the result, so that the operation can't be queued. */
  syncOnly?: true;

  /** Set for what is billed, though it only reads: it isn't repeated when its outcome is unknown. */
  isBilled?: true;
  outputSchema: z.ZodTypeAny;
}
