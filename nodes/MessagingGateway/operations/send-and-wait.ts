import { askAndWait } from '../approval/ask';
import { receiveAnswer } from '../approval/answer';
import { approvalOutputSchema } from '../approval/output';
import { approvalProperties } from '../approval/properties';
import type { OperationDefinition } from '../run/definition';

/**
 * Asks a person by a message with a link. n8n gives this operation value a meaning of its own: the addresses of the
 * execution are signed one by one, and agents can use the node as a human review of their tools.
 */
export const sendAndWait: OperationDefinition = {
  resource: 'approval',
  operation: 'sendAndWait',
  name: 'Send and Wait for Response',
  action: 'Send a message and wait for a response',
  description: 'Ask a person by a message with a link, and go on with the answer',
  effect: 'ownSwitch',
  properties: approvalProperties,
  outputSchema: approvalOutputSchema,
  run: askAndWait,
  whileWaiting: receiveAnswer,
};
