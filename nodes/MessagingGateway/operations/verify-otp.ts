import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { optionsOf, property, wholeProperty } from '../fields/property';
import { MAX_ATTEMPTS, MAX_ATTEMPTS_PER_NUMBER, PURPOSE_OPTION, VERIFIED_FIELDS } from '../otp/fields';
import { verifyCodes } from '../otp/verify-code';
import type { OperationDefinition } from '../run/run';

const input = (name: keyof typeof VERIFIED_FIELDS, description: string): INodeProperties => {
  const { label, placeholder } = VERIFIED_FIELDS[name];
  return property(label, name, description, { required: true, placeholder });
};

export const verifyOtp: OperationDefinition = {
  resource: 'otp',
  operation: 'verify',
  name: 'Verify',
  action: 'Verify one-time password',
  description: 'Verify the one-time password (verification code, 2FA) that a person entered',
  effect: 'changes',
  properties: [
    input('challenge', 'The challenge from the output of the send'),
    input('phone', 'The number that the code was sent to'),
    input('code', 'The code as the person entered or pasted it: only its digits count'),
    optionsOf([...[MAX_ATTEMPTS, MAX_ATTEMPTS_PER_NUMBER].map(wholeProperty), PURPOSE_OPTION]),
  ],
  outputSchema: z.object({
    valid: z.boolean(),
    reason: z.string(),
    attempts_left: z.number(),
    phone: z.number().optional(),
  }),
  run: verifyCodes,
};
