import { OTP_DIGITS } from '../../gateway/contract/limits';
import { textField } from './make-field';

export const telegramMessage = textField({
  parameter: 'message',
  wire: 'message',
  displayName: 'One-Time Password',
  placeholder: 'e.g. 482913',
  description: `The password to send: ${OTP_DIGITS.min} to ${OTP_DIGITS.max} digits, without other text`,
});
