import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Tool } from '../../gateway/connector/tools';
import { takesConfirmation } from '../../gateway/connector/tools';
import { hintAtSwitch, offeredTools, withConnector } from '../assistant/connector';
import { failedCall } from '../assistant/errors';
import { connectorOptions } from '../assistant/properties';
import type { OperationDefinition } from '../run/run';

const toolItem = (tool: Tool): IDataObject => {
  const { name, title, description, inputSchema } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    sends: takesConfirmation(tool),
    inputSchema: (inputSchema ?? {}) as IDataObject,
  };
};

export const listConnectorTools: OperationDefinition = {
  resource: 'assistant',
  operation: 'listTools',
  name: 'List Tools',
  action: 'List connector tools',
  description: 'Retrieve a list of the tools that the assistant connector offers, with the arguments of each',
  effect: 'reads',
  properties: [connectorOptions],
  outputSchema: z.object({
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    sends: z.boolean(),
    inputSchema: z.record(z.unknown()),
  }),
  async run(run) {
    return await withConnector(run, async (connector, item) => {
      const offered = await offeredTools(connector);
      if (!offered.ok) return failedCall(offered);
      const { tools, why } = offered.value;
      if (item === 0) hintAtSwitch(run, why);
      return { jsons: tools.map(toolItem) };
    });
  },
};
