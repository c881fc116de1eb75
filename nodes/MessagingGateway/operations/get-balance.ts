import { z } from 'zod';

import type { WireOperationDefinition } from '../run/definition';
import { plainOutput } from '../../gateway/payloads/lists';

export const getBalance: WireOperationDefinition = {
  resource: 'account',
  operation: 'getBalance',
  name: 'Get Balance',
  action: 'Get the account balance',
  description: 'Ask how much money is left on the account',
  wireType: 'balance',
  fields: [],
  sends: false,
  recovery: 'repeat',
  output: plainOutput,
  outputSchema: z.object({ amount: z.number(), currency: z.string() }),
};
