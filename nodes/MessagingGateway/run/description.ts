import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';

/** In the order of the form, which n8n's list of actions follows: what people look for first, first. */
export const RESOURCES = {
  message: 'Message',
  approval: 'Approval',
  otp: 'One-Time Password',
  number: 'Number',
  account: 'Account',
  smsTemplate: 'SMS Template',
  viberTemplate: 'Viber Template',
  assistant: 'Assistant',
} as const;

export type Resource = keyof typeof RESOURCES;

/**
 * The effect of an operation outside n8n, which decides how an AI agent may use it (agent/locks.ts).
 * - `reads`: it only reads. An agent may call it freely.
 * - `changes`: it changes the account but sends nothing. An agent may call it freely, except deletions.
 * - `sends`: it sends something to a person. An agent may call it with both locks open.
 * - `ownSwitch`: it decides itself how an agent may use it: a call of the connector by its tool, a question not at all.
 */
export type Effect = 'reads' | 'changes' | 'sends' | 'ownSwitch';

export interface OperationNames {
  resource: Resource;
  operation: string;
  name: string;

  /** Title of the operation in the node panel, in sentence case. */
  action: string;
  description: string;
}

/** Whether an operation sends a message that a user writes. */
export const isMessage = ({ resource, effect }: { resource: Resource; effect: Effect }): boolean =>
  resource === 'message' && effect === 'sends';

/** The names, effect, form and output of an operation, without its code. */
export interface OperationDescription extends OperationNames {
  effect: Effect;

  /** The operation's part of the form, in order, without the condition that shows it for this operation only. */
  properties: INodeProperties[];

  /** Shape of one output item, for the preview in the editor and for tests. */
  outputSchema: z.ZodTypeAny;
}
