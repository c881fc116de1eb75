import { withCountry } from '../fields/target';
import type { OperationDefinition } from '../run/run';
import { callConnectorTool } from './call-connector-tool';
import { checkNumber } from './check-number';
import { createSmsTemplate } from './create-sms-template';
import { createViberTemplate } from './create-viber-template';
import { deleteSmsTemplate } from './delete-sms-template';
import { deleteViberTemplate } from './delete-viber-template';
import { getBalance } from './get-balance';
import { getConnectorHealth } from './get-connector-health';
import { getMessageStatus } from './get-message-status';
import { getSenders } from './get-senders';
import { getSmsTemplates } from './get-sms-templates';
import { getViberTemplates } from './get-viber-templates';
import { listConnectorTools } from './list-connector-tools';
import { lookUpNumber } from './look-up-number';
import { sendAndWait } from './send-and-wait';
import { sendOtp } from './send-otp';
import { sendOtpCall } from './send-otp-call';
import { sendOtpTelegram } from './send-otp-telegram';
import { sendPipeline } from './send-pipeline';
import { sendRcs } from './send-rcs';
import { sendRcsSms } from './send-rcs-sms';
import { sendRcsViberSms } from './send-rcs-viber-sms';
import { sendSms } from './send-sms';
import { sendViber } from './send-viber';
import { sendViberSms } from './send-viber-sms';
import { sendVoice } from './send-voice';
import { sendWhatsApp } from './send-whatsapp';
import { verifyOtp } from './verify-otp';

/**
 * All operations, in the order in which people look for them, which the form and n8n's list of actions keep. The first operation of a
 * resource has to stay the first, since saved workflows don't name it.
 */
export const OPERATIONS = [
  sendSms,
  sendViberSms,
  sendViber,
  sendWhatsApp,
  sendRcs,
  sendRcsSms,
  sendRcsViberSms,
  sendPipeline,
  sendVoice,
  getMessageStatus,
  sendAndWait,
  sendOtp,
  verifyOtp,
  sendOtpTelegram,
  sendOtpCall,
  lookUpNumber,
  checkNumber,
  getBalance,
  getSenders,
  createSmsTemplate,
  getSmsTemplates,
  deleteSmsTemplate,
  createViberTemplate,
  getViberTemplates,
  deleteViberTemplate,
  callConnectorTool,
  listConnectorTools,
  getConnectorHealth,
].map((definition: OperationDefinition) => ({
  ...definition,
  properties: withCountry(definition.properties),
}));
