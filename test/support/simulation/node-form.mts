/** What a user entered into the node, and the items that come to it. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { ItemPlan, NodePlan, Operation } from './scenario.mts';

export const inputOf = ({
  text,
  phone,
  signature,
  messageId,
  key = '',
  delivery,
}: ItemPlan): INodeExecutionData => ({
  json: { text, phone, signature, messageId: messageId ?? '', key, delivery },
});

const SMS = { smsSignature: '={{ $json.signature }}', smsMessage: '={{ $json.text }}' };

const FORMS: Record<Operation, Record<string, unknown>> = {
  sendSms: { resource: 'message', ...SMS },
  sendViberSms: {
    resource: 'message',
    ...SMS,
    viberSignature: 'Shop',
    viberType: 'text',
    viberMessage: '={{ $json.text }}',
  },
  sendPipeline: {
    resource: 'message',
    pipeline: {
      stages: [{ channel: 'sms', message: '={{ $json.text }}', signature: '={{ $json.signature }}' }],
    },
  },
  call: { resource: 'otp' },
  send: {
    resource: 'otp',
    channels: ['sms'],
    smsSignature: SMS.smsSignature,
    message: 'Your code is {code}',
    codeLength: 8,
    expiresIn: 300,
  },
  sendAndWait: {
    resource: 'approval',
    channels: ['sms'],
    smsSignature: SMS.smsSignature,
    text: '={{ $json.text }}',
    responseType: 'approval',
  },
};

/** Limits of codes are no matter of this simulation. */
const WITHOUT_LIMITS = { cooldown: 0, perNumberLimit: 100 };

export const parametersOf = ({
  operation,
  waits,
  options,
  isTelegram,
}: NodePlan): Record<string, unknown> => ({
  operation,
  ...FORMS[operation],
  ...(isTelegram && { channels: ['telegram'] }),
  ...(waits && { waitForDelivery: true, waitAmount: 10, waitUnit: 'minutes' }),
  phone: '={{ $json.phone }}',
  messageId: '={{ $json.messageId }}',
  delivery: '={{ $json.delivery }}',
  options: operation === 'send' ? { ...options, ...WITHOUT_LIMITS } : options,
});
