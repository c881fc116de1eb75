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

/** The options of a send that its form shows as one, by the name of their group. */
export const GROUPS = {
  avoidDoubles: ['repeatedMessages', 'sendOnceKey'],
  deliveryReport: ['hookFromTrigger', 'hook', 'callbackFields'],
  senders: ['senderByCountry'],
  speed: ['batchSize', 'batchInterval', 'timeout'],
};

/** Returns the options of a send as its form has them, in their groups. */
export function grouped(options: IDataObject): IDataObject {
  const groupOf = (name: string) => Object.entries(GROUPS).find(([, names]) => names.includes(name))?.[0];
  const result: IDataObject = {};
  for (const [name, value] of Object.entries(options)) {
    const group = groupOf(name);
    if (group === undefined) result[name] = value;
    else result[group] = { values: { ...(result[group] as { values: IDataObject })?.values, [name]: value } };
  }
  return result;
}

/** The operations that a sandbox got, without questions about their status. */
export const sentTo = (sandbox: Sandbox): IDataObject[] =>
  sandbox.requests
    .flatMap(({ body }) => (body as { data: IDataObject[] }).data)
    .filter(({ type }) => type !== 'status');
