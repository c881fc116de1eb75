import { messageId, phone } from '../fields/target';
import { telegramMessage } from '../fields/telegram';
import type { WireOperationDefinition } from '../run/definition';
import { sendOutput, sendOutputSchema } from '../../gateway/payloads/lists';

export const sendTelegram: WireOperationDefinition = {
  resource: 'otp',
  operation: 'sendTelegram',
  name: 'Send Telegram',
  action: 'Send a one-time password by Telegram',
  description: 'Send a one-time password that you made to a Telegram account',
  wireType: 'telegram',
  fields: [phone, telegramMessage, messageId],
  sends: true,
  recovery: 'status',
  output: sendOutput,
  outputSchema: sendOutputSchema,
};
