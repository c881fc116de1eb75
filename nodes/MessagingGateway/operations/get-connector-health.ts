import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { hintAtSwitch, withConnector, sendingSwitchedOff } from '../assistant/connector';
import { failedCall } from '../assistant/errors';
import { connectorOptions } from '../assistant/properties';
import type { OperationDefinition } from '../run/run';

export const getConnectorHealth: OperationDefinition = {
  resource: 'assistant',
  operation: 'getHealth',
  name: 'Get Health',
  action: 'Get connector health',
  description: 'Check whether the assistant connector works and whether it may send for its domain',
  effect: 'reads',
  properties: [connectorOptions],
  outputSchema: z.object({ ok: z.boolean(), domain: z.string(), send_enabled: z.boolean() }),
  async run(run) {
    return await withConnector(run, async (connector, item) => {
      const health = await connector.health();
      if (!health.ok) return failedCall(health);
      if (item === 0) hintAtSwitch(run, sendingSwitchedOff(health));
      return { jsons: [{ ...health.value } as IDataObject] };
    });
  },
};
