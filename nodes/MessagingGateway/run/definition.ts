import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import type { WireOperation, WireType } from '../../gateway/contract/operations';
import type { Recovery } from '../../gateway/client/outcome';
import type { Field } from '../fields/field';

/** The resources of the node, in the order in which the form lists them. */
export const RESOURCES = {
  account: 'Account',
  assistant: 'Assistant',
  message: 'Message',
  number: 'Number',
  otp: 'One-Time Password',
  smsTemplate: 'SMS Template',
  viberTemplate: 'Viber Template',
} as const;

export type Resource = keyof typeof RESOURCES;

/** What an accepted operation came to; `payload` is the `data` of its result item, with extra properties. */
export interface Accepted {
  operation: WireOperation;
  payload: unknown;
  requestId?: string;
}

/** Settings of one item that change how its result is given. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

interface OperationBase {
  resource: Resource;
  operation: string;
  /** Title of the operation in the form. */
  name: string;
  /** Title of the operation in the node list, in sentence case. */
  action: string;
  description: string;
  /** Whether this operation sends something to a person: an agent then needs two locks open (agent/locks.ts). */
  sends?: boolean;
  /** Form properties that are no wire field, such as `returnAll`. */
  extra?: INodeProperties[];
  /** Shape of one output item, for the preview in the editor and for tests. */
  outputSchema: z.ZodTypeAny;
}

/** An operation that is one operation object of the JSON API for each item. */
export interface WireOperationDefinition extends OperationBase {
  wireType: WireType;
  /** The fields of the form, in order. Fields that the contract makes optional go into "Options" or carry their own hint. */
  fields: Field[];
  /** Whether this operation sends something to a person, so that `delivery` and the sending options apply. */
  sends: boolean;
  recovery: Recovery;
  /** Checks across fields, after each field has been read. Throws InvalidParameter. */
  check?(operation: Record<string, unknown>): void;
  /** The output items of one accepted operation; most give one. */
  output(accepted: Accepted, read: ReadParameter): IDataObject[];
}

/** An operation that does more than one exchange with the JSON API, or talks to something else. */
export interface CustomOperationDefinition extends OperationBase {
  /** Runs the operation over all items of the node and returns the output items, paired. */
  run(context: IExecuteFunctions): Promise<INodeExecutionData[]>;
}

/**
 * One operation of the node: what the form shows, what is sent and what comes out.
 * A new operation is a file that exports one of these, and a line in `operations/index.ts`.
 */
export type OperationDefinition = WireOperationDefinition | CustomOperationDefinition;

export const isWireOperation = (definition: OperationDefinition): definition is WireOperationDefinition =>
  'wireType' in definition;
