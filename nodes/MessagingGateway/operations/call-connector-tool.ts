import { z } from 'zod/v3';

import { recipientsProperties } from '../agent/allowed-numbers';
import { confirmationProperties } from '../agent/locks';
import { runToolCalls } from '../assistant/call';
import { argumentProperties, confirmProperty, connectorOptions, toolProperty } from '../assistant/properties';
import type { OperationDefinition } from '../run/run';

export const callConnectorTool: OperationDefinition = {
  resource: 'assistant',
  operation: 'callTool',
  name: 'Call Tool',
  action: 'Call connector tool',
  description: 'Call one of the tools that the assistant connector offers',
  effect: 'ownSwitch',
  properties: [
    toolProperty,
    ...argumentProperties,
    confirmProperty,
    ...recipientsProperties(),
    ...confirmationProperties(confirmProperty.name),
    connectorOptions,
  ],
  // Each tool defines its own result; these are the fields that the contract documents.
  outputSchema: z.object({
    amount: z.number().optional(),
    currency: z.string().optional(),
    request_id: z.string().optional(),
  }),
  run: runToolCalls,
};
