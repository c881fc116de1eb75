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
};

export const parametersOf = ({ operation, options }: NodePlan): Record<string, unknown> => ({
  operation,
  ...FORMS[operation],
  phone: '={{ $json.phone }}',
  messageId: '={{ $json.messageId }}',
  delivery: '={{ $json.delivery }}',
  options,
});
