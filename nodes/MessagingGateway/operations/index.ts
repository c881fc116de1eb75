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

export const OPERATIONS = [
  getBalance,
  getSenders,
  getMessageStatus,
  sendSms,
  sendViber,
  sendViberSms,
  sendRcs,
  sendRcsSms,
  sendRcsViberSms,
  sendVoice,
  sendWhatsApp,
  sendPipeline,
  sendAndWait,
  lookUpNumber,
  checkNumber,
  sendOtp,
  verifyOtp,
  sendOtpTelegram,
  sendOtpCall,
  createSmsTemplate,
  deleteSmsTemplate,
  getSmsTemplates,
  createViberTemplate,
  deleteViberTemplate,
  getViberTemplates,
  getConnectorHealth,
  listConnectorTools,
  callConnectorTool,
].map((definition: OperationDefinition) => ({
  ...definition,
  properties: withCountry(definition.properties),
}));
