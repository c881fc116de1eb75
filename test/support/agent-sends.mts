/** What an agent's tools send in tests, and to whom they must not. */
import type { IDataObject } from 'n8n-workflow';

import { viberForm } from './operation-cases.mts';
import { sendForm } from './otp.mts';
import { RCS_FORM, smsForm } from './sends.mts';

const PHONE = { phone: "={{ $fromAI('phone', 'Number to send to', 'string') }}" };
/** Send SMS to a number that the agent fills in. */
export const AGENT_SMS = smsForm(PHONE);
const VOICE = { voiceGender: 'male', voiceLanguage: 'en-US', voiceName: 'en-US-A' };
/** Look Up of a number that the agent fills in. */
export const AGENT_LOOKUP = { resource: 'number', operation: 'lookup', ...PHONE };
/** The forms of all operations that send, by their names, with a number that the agent fills in. */
export const AGENT_SENDS: Record<string, IDataObject> = {
  sendSms: AGENT_SMS,
  sendViber: { ...AGENT_SMS, operation: 'sendViber', ...viberForm('text') },
  sendViberSms: { ...AGENT_SMS, operation: 'sendViberSms', ...viberForm('text') },
  sendRcs: { ...AGENT_SMS, operation: 'sendRcs', ...RCS_FORM },
  sendRcsSms: { ...AGENT_SMS, operation: 'sendRcsSms', ...RCS_FORM },
  sendRcsViberSms: { ...AGENT_SMS, operation: 'sendRcsViberSms', ...RCS_FORM, ...viberForm('text') },
  sendVoice: { ...AGENT_SMS, operation: 'sendVoice', message: 'Hello', ...VOICE },
  sendWhatsApp: { ...AGENT_SMS, operation: 'sendWhatsApp', whatsappSignature: 'Any', whatsappMessage: 'Hi' },
  sendPipeline: {
    ...AGENT_SMS,
    operation: 'sendPipeline',
    pipeline: { stages: [{ channel: 'sms', message: 'Hi', signature: 'TestSender' }] },
  },
  sendTelegram: { resource: 'otp', operation: 'sendTelegram', ...PHONE, message: '482913' },
  call: { resource: 'otp', operation: 'call', ...PHONE },
  send: { ...sendForm(PHONE) },
};

/** Other people's numbers, and one's own in disguise. */
export const FOREIGN = [
  '+447700900002',
  '44 7700 900002',
  '0044-7700-900002',
  '４４７７００９００００２',
  'tel:+380501234567',
];
