import { receiveAnswer } from '../approval/answer';
import { askAndWait } from '../approval/ask';
import { approvalOutputSchema } from '../approval/output';
import { approvalProperties } from '../approval/properties';
import type { OperationDefinition } from '../run/run';

/**
 * Asks a person by a message with a link. n8n gives this operation value a meaning of its own: the addresses of the
 * execution are signed one by one, and agents can use the node as a human review of their tools.
 */
export const sendAndWait: OperationDefinition = {
  resource: 'approval',
  operation: 'sendAndWait',
  name: 'Send and Wait for Response',
  action: 'Send message and wait for response',
  description: 'Send a message with a link to a person and wait for the approval or another answer',
  effect: 'ownSwitch',
  properties: approvalProperties,
  outputSchema: approvalOutputSchema,
  isOneForAll: true,
  run: askAndWait,
  whileWaiting: receiveAnswer,
};
