import type { INodeProperties } from 'n8n-workflow';

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

/** Options for lists, which an agent's tool doesn't offer: an agent writes one message to one person. */
const FOR_LISTS = [
  'checkOnly',
  'delivery',
  'emptyPlaceholders',
  'messageId',
  'senders',
  'shortenSms',
  'speed',
  'unsubscribeLink',
];

/** Returns the properties of a form; an agent's tool doesn't offer its options for lists. */
const withToolOptions = (properties: INodeProperties[]): INodeProperties[] =>
  properties.map((one) =>
    one.name === 'options'
      ? { ...one, options: (one.options as INodeProperties[]).map(hiddenFromTools) }
      : one,
  );

const hiddenFromTools = (option: INodeProperties): INodeProperties =>
  FOR_LISTS.includes(option.name)
    ? {
        ...option,
        displayOptions: {
          ...option.displayOptions,
          hide: { ...option.displayOptions?.hide, '@tool': [true] },
        },
      }
    : option;

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
  properties: withToolOptions(withCountry(definition.properties)),
}));
