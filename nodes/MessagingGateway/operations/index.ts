import { getBalance } from './get-balance';
import { getSenders } from './get-senders';
import { callConnectorTool } from './call-connector-tool';
import { getHealth } from './get-connector-health';
import { listConnectorTools } from './list-connector-tools';
import type { OperationDefinition } from '../run/definition';
import { getStatus } from './get-message-status';
import { sendPipeline } from './send-pipeline';
import { sendRcs } from './send-rcs';
import { sendRcsSms } from './send-rcs-sms';
import { sendRcsViberSms } from './send-rcs-viber-sms';
import { sendSms } from './send-sms';
import { sendViber } from './send-viber';
import { sendViberSms } from './send-viber-sms';
import { sendVoice } from './send-voice';
import { lookup } from './look-up-number';
import { call } from './send-otp-call';
import { sendTelegram } from './send-otp-telegram';
import { createSmsTemplate } from './create-sms-template';
import { deleteSmsTemplate } from './delete-sms-template';
import { getAllSmsTemplates } from './get-sms-templates';
import { createViberTemplate } from './create-viber-template';
import { deleteViberTemplate } from './delete-viber-template';
import { getAllViberTemplates } from './get-viber-templates';

/** Every operation of the node. */
export const OPERATIONS: OperationDefinition[] = [
  getBalance,
  getSenders,
  getStatus,
  sendSms,
  sendViber,
  sendViberSms,
  sendRcs,
  sendRcsSms,
  sendRcsViberSms,
  sendVoice,
  sendPipeline,
  lookup,
  sendTelegram,
  call,
  createSmsTemplate,
  deleteSmsTemplate,
  getAllSmsTemplates,
  createViberTemplate,
  deleteViberTemplate,
  getAllViberTemplates,
  getHealth,
  listConnectorTools,
  callConnectorTool,
];
