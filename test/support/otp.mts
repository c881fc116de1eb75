/** Parameters of the two nodes of one-time passwords, and the code that only the recipient sees. */
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/server.mts';
import { SENDERS_FORM } from './contract-samples.mts';

/** The parameters of a node that sends a code to the `phone` of each item; `overrides` replace and add parameters. */
export const sendForm = (overrides: IDataObject = {}): IDataObject => ({
  resource: 'otp',
  operation: 'send',
  phone: '={{ $json.phone }}',
  channels: ['sms'],
  message: 'Code {code}, good for {minutes} minutes',
  ...SENDERS_FORM,
  voiceLanguage: 'en-US',
  voiceName: 'en-US-A',
  ...overrides,
});

/** The parameters of a node that verifies `challenge`, `phone` and `code` of each item. */
export const verifyForm: IDataObject = {
  resource: 'otp',
  operation: 'verify',
  challenge: '={{ $json.challenge }}',
  phone: '={{ $json.phone }}',
  code: '={{ $json.code }}',
};

/** The code in the newest message that a number got from the sandbox. */
export function codeIn(sandbox: Sandbox, phone: number | string): string {
  const message = sandbox.messages
    .list()
    .filter((one) => one.phone === Number(phone))
    .at(-1);
  const operation = (message?.operation ?? {}) as IDataObject;
  const called = (message as unknown as { code?: unknown } | undefined)?.code;
  if (typeof called === 'string') return called;
  const text = JSON.stringify({ ...operation, phone: '', id: '' });
  const code =
    /\d(?:, \d){3,7}/.exec(text)?.[0].replaceAll(', ', '') ?? /(?<![\d])\d{4,8}(?!\d)/.exec(text)?.[0];
  if (code === undefined) throw new Error(`No code went to ${phone}: ${text}`);
  return code;
}

/** A code of the same length that isn't this one; another one for each `n`. */
export const wrongFor = (code: string, n = 0): string =>
  String((Number(code) + 1 + n) % 10 ** code.length).padStart(code.length, '0');
