import { telegramMessage } from '../fields/channels';
import { messageOperation } from '../sending/wire-operation';

export const sendOtpTelegram = messageOperation({
  resource: 'otp',
  operation: 'sendTelegram',
  name: 'Send by Telegram',
  action: 'Send one-time password via Telegram',
  description: 'Send a one-time password that you provide to a Telegram account',
  wireType: 'telegram',
  fields: [telegramMessage],
});
