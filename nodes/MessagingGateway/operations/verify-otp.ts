import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { phone } from '../fields/target';
import { MAX_ATTEMPTS, numberOption } from '../otp/fields';
import { verifyCodes } from '../otp/verify-code';
import type { OperationDefinition } from '../run/definition';

const text = (
  displayName: string,
  name: string,
  rest: Pick<INodeProperties, 'placeholder' | 'description'>,
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...rest });

export const verifyOtp: OperationDefinition = {
  resource: 'otp',
  operation: 'verify',
  name: 'Verify',
  action: 'Verify one-time password',
  description: 'Verify the one-time password that a person entered',
  effect: 'changes',
  properties: [
    text('Challenge', 'challenge', {
      placeholder: 'e.g. {{ $json.challenge }}',
      description: 'The challenge from the output of the send',
    }),
    ...phone.properties('sms').map((property) => ({
      ...property,
      description: 'The number that the code was sent to',
    })),
    text('Code', 'code', {
      placeholder: 'e.g. {{ $json.code }}',
      description: 'The code as the person entered it. Blanks and dashes are fine.',
    }),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [numberOption(MAX_ATTEMPTS)],
    },
  ],
  outputSchema: z.object({ valid: z.boolean(), reason: z.string(), attempts_left: z.number() }),
  run: verifyCodes,
};
