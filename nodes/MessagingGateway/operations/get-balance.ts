import { z } from 'zod/v3';

import { wireOperation } from '../sending/wire-operation';

export const getBalance = wireOperation({
  resource: 'account',
  operation: 'getBalance',
  name: 'Get Balance',
  action: 'Get account balance',
  description: 'Retrieve the balance of the account',
  wireType: 'balance',
  fields: [],
  effect: 'reads',
  outputSchema: z.object({ amount: z.number(), currency: z.string() }),
});
