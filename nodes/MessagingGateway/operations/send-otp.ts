import { z } from 'zod/v3';

import { withLocks } from '../agent/locks';
import { optionsOf, wholeProperty } from '../fields/property';
import { requiredPhone } from '../fields/target';
import { SENDERS_OPTION } from '../message-parts/sender-by-country';
import {
  codeProperties,
  COOLDOWN,
  PER_NUMBER_LIMIT,
  PURPOSE_OPTION,
  RESEND_OPTION,
  WORKFLOW_LIMIT,
} from '../otp/fields';
import { sendCodes } from '../otp/send-code';
import type { OperationDefinition } from '../run/run';
import { SPEED } from '../run/settings';
import { identifier } from '../sending/output';
import { CHECK_ONLY } from '../sending/check-only';

export const sendOtp: OperationDefinition = {
  resource: 'otp',
  operation: 'send',
  name: 'Send',
  action: 'Send one-time password',
  description: 'Create a one-time password (verification code, 2FA) and send it',
  effect: 'sends',
  properties: [
    ...withLocks({ effect: 'sends', operation: 'send' }, [...requiredPhone, ...codeProperties]),
    optionsOf([
      CHECK_ONLY,
      RESEND_OPTION,
      PURPOSE_OPTION,
      ...[COOLDOWN, PER_NUMBER_LIMIT, WORKFLOW_LIMIT].map(wholeProperty),
      SENDERS_OPTION,
      SPEED,
    ]),
  ],
  outputSchema: z.object({
    id: z.number(),
    type: z.string(),
    phone: z.number(),
    msg_id: identifier.optional(),
    parts: z.number().optional(),
    channel: z.string(),
    challenge: z.string(),
    expires_at: z.string(),
  }),
  run: sendCodes,
};
