import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { wholeProperty } from '../fields/whole-number';
import { MAX_ATTEMPTS, MAX_ATTEMPTS_PER_NUMBER, VERIFIED_FIELDS } from '../otp/fields';
import { verifyCodes } from '../otp/verify-code';
import type { OperationDefinition } from '../run/definition';

const text = (name: keyof typeof VERIFIED_FIELDS, description: string): INodeProperties => {
  const { label, placeholder } = VERIFIED_FIELDS[name];
  return { displayName: label, name, type: 'string', default: '', required: true, placeholder, description };
};

export const verifyOtp: OperationDefinition = {
  resource: 'otp',
  operation: 'verify',
  name: 'Verify',
  action: 'Verify one-time password',
  description: 'Verify the one-time password that a person entered',
  effect: 'changes',
  properties: [
    text('challenge', 'The challenge from the output of the send'),
    text('phone', 'The number that the code was sent to'),
    text('code', 'The code as the person entered it. Blanks and dashes are fine.'),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [MAX_ATTEMPTS, MAX_ATTEMPTS_PER_NUMBER].map(wholeProperty),
    },
  ],
  outputSchema: z.object({
    valid: z.boolean(),
    reason: z.string(),
    attempts_left: z.number(),
    phone: z.number().optional(),
  }),
  run: verifyCodes,
};
