import { z } from 'zod';

import { plainOutput } from '../sending/output';
import { wireOperation } from '../sending/wire-operation';

export const getBalance = wireOperation({
  resource: 'account',
  operation: 'getBalance',
  name: 'Get Balance',
  action: 'Get the account balance',
  description: 'Ask how much money is left on the account',
  wireType: 'balance',
  fields: [],
  effect: 'reads',
  recovery: 'repeat',
  result: plainOutput,
  outputSchema: z.object({ amount: z.number(), currency: z.string() }),
});
