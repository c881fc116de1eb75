import { getBalance } from './account/get-balance';
import { getSenders } from './account/get-senders';
import { callConnectorTool } from './assistant/call-tool';
import { getHealth } from './assistant/get-health';
import { listConnectorTools } from './assistant/list-tools';
import type { OperationDefinition } from './definition';
import { getStatus } from './message/get-status';
import { sendPipeline } from './message/send-pipeline';
import { sendRcs } from './message/send-rcs';
import { sendRcsSms } from './message/send-rcs-sms';
import { sendRcsViberSms } from './message/send-rcs-viber-sms';
import { sendSms } from './message/send-sms';
import { sendViber } from './message/send-viber';
import { sendViberSms } from './message/send-viber-sms';
import { sendVoice } from './message/send-voice';
import { lookup } from './number/lookup';
import { call } from './otp/call';
import { sendTelegram } from './otp/send-telegram';
import { createSmsTemplate } from './smsTemplate/create';
import { deleteSmsTemplate } from './smsTemplate/delete';
import { getAllSmsTemplates } from './smsTemplate/get-all';
import { createViberTemplate } from './viberTemplate/create';
import { deleteViberTemplate } from './viberTemplate/delete';
import { getAllViberTemplates } from './viberTemplate/get-all';

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
