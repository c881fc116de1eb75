/** Parameters that a test's 'Send SMS' starts from, and what a sandbox got. */
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';

/** The value of a sender parameter entered by name, as n8n stores it; `name` may be an expression. */
export const senderNamed = (name = 'TestSender') => ({ __rl: true, mode: 'name', value: name });

/** The parameters of a node that sends an SMS to the `phone` of each item; `overrides` replace and add parameters. */
export const smsForm = (overrides: IDataObject = {}): IDataObject => ({
  resource: 'message',
  operation: 'sendSms',
  phone: '={{ $json.phone }}',
  smsSignature: senderNamed(),
  smsMessage: 'Hello',
  ...overrides,
});

/** The parameters of an RCS message, beside those that each send has. */
export const RCS_FORM = {
  rcsSignature: senderNamed('RcsSender'),
  rcsMessage: 'Hi',
  rcsImage: 'https://example.com/a.png',
  rcsButton: 'Open',
  rcsLink: 'https://example.com/a',
};

/** The operations that a sandbox got, without questions about their status. */
export const sentTo = (sandbox: Sandbox): IDataObject[] =>
  sandbox.requests
    .flatMap(({ body }) => (body as { data: IDataObject[] }).data)
    .filter(({ type }) => type !== 'status');
