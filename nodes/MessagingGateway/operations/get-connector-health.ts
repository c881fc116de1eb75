import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { hintAtSwitch, runWithConnector, sendingSwitchedOff } from '../assistant/connector';
import { failedError } from '../assistant/errors';
import { optionsProperty } from '../assistant/properties';
import type { CustomOperationDefinition } from '../run/definition';

export const getHealth: CustomOperationDefinition = {
  resource: 'assistant',
  operation: 'getHealth',
  name: 'Get Health',
  action: 'Get the health of the assistant connector',
  description: 'Ask whether the assistant connector works and whether it may send for its domain',
  extra: [optionsProperty],
  outputSchema: z.object({ ok: z.boolean(), domain: z.string(), send_enabled: z.boolean() }),
  async run(context) {
    return await runWithConnector(context, async (connector, item) => {
      const health = await connector.health();
      if (!health.ok) return { error: failedError(context.getNode(), item, health) };
      if (item === 0) hintAtSwitch(context, sendingSwitchedOff(health));
      return { jsons: [{ ...health.value } as IDataObject] };
    });
  },
};
