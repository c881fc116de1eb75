/** How each entry of the error catalogue is brought about in a real n8n. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { FaultPlan } from '../../sandbox/server.mts';
import { REFUSALS } from '../../test/support/gateway-refusals.mts';
import { senderNamed } from '../../test/support/sends.mts';
import { ROOT } from '../paths.mts';

export interface ErrorCase {
  /** The entry of the catalogue, and what tells it from others of the same entry. */
  id: string;
  /** What brings it about, in a few words. */
  cause: string;
  /** What the gateway does; it does it to every request, questions about the status included. */
  fault?: FaultPlan;
  /** Fields of the credential that differ. */
  credential?: IDataObject;
  /** The form, in place of an SMS. */
  parameters?: IDataObject;
  /** Options that are added to the form. */
  options?: IDataObject;
  /** Settings of the node. */
  settings?: IDataObject;
  /** What comes in, in place of one item. */
  rows?: IDataObject[];
}

/** The numbers are reserved for fiction. */
const PHONE = '447700900123';

export const SMS: IDataObject = {
  resource: 'message',
  operation: 'sendSms',
  phone: PHONE,
  smsSignature: senderNamed('TestSender'),
  smsMessage: 'Your order is ready',
  messageId: '1001',
};

const FORMS: Record<string, IDataObject> = {
  sms: SMS,
  'call/otp': { resource: 'otp', operation: 'call', phone: PHONE, messageId: '1001' },
  'template/create': {
    resource: 'smsTemplate',
    operation: 'create',
    template: 'Order %s is ready',
    name: 'Order',
  },
  status: { resource: 'message', operation: 'getStatus', messageId: '1001' },
};

const compiled = createRequire(join(ROOT, 'package.json'));
const built = <T,>(file: string): T => compiled(join(ROOT, 'dist', 'nodes', 'gateway', 'errors', file)) as T;

/** The entries for the words of a gateway, each with a wording that is seen or documented. */
export function refusalCases(): ErrorCase[] {
  const { TEXT_ENTRIES } = built<{ TEXT_ENTRIES: Array<{ code: string }> }>('text-entries.js');
  const codes = [...new Set(TEXT_ENTRIES.map(({ code }) => code))];
  const known = codes.map((code): ErrorCase => {
    const found = REFUSALS.find(([, of]) => of === code);
    if (found === undefined) throw new Error(`No refusal is known for the entry ${code}`);
    const [error, , wireType] = found;
    const kind = wireType === undefined ? 'refuse' : 'refuse-items';
    return {
      id: code,
      cause: `the gateway says "${error}"`,
      fault: { kind, error },
      parameters: FORMS[wireType ?? 'sms'],
    };
  });
  const other = 'Zorble 17: unknown reason';
  const fault: FaultPlan = { kind: 'refuse-items', error: other };
  return [...known, { id: 'refused', cause: `the gateway says "${other}"`, fault }];
}

/** The entries for HTTP codes. */
export function httpCases(): ErrorCase[] {
  const { STATUS_ENTRIES, statusEntry } = built<{
    STATUS_ENTRIES: Record<string, unknown>;
    statusEntry(status: number): { code: string };
  }>('http-statuses.js');
  const statuses = [...Object.keys(STATUS_ENTRIES).map(Number), 302, 418, 500].sort((a, b) => a - b);
  return statuses.map((status) => ({
    id: `${statusEntry(status).code} (HTTP ${status})`,
    cause: `a server answers with HTTP ${status}`,
    fault: status === 429 ? { kind: 'rate-limit', retryAfter: 60 } : { kind: 'status-before', status },
  }));
}

export interface Addresses {
  /** HTTPS with a certificate that nobody signed. */
  untrusted: string;
  /** HTTPS with a trusted certificate whose time is up. */
  expired: string;
  /** HTTPS with a trusted certificate for another name. */
  otherName: string;
  /** Plain HTTP. */
  plain: string;
}

/** The entries for connections and answers that can't be used. */
export function connectionCases({ untrusted, expired, otherName, plain }: Addresses): ErrorCase[] {
  const at = (id: string, cause: string, baseUrl: string): ErrorCase => ({
    id,
    cause,
    credential: { baseUrl },
  });
  return [
    at('connection-refused', 'no server at the port', 'http://127.0.0.1:9'),
    at('host-not-found', 'a name that does not exist', 'http://enotfound.invalid'),
    at('name-lookup-failed', 'the name server is silent', 'http://eai-again.invalid'),
    at('connect-timeout', 'a firewall drops the connection', 'http://etimedout.invalid'),
    at('unreachable', 'no way to the network', 'http://ehostunreach.invalid'),
    at('address-not-valid', 'an address without https://', 'gateway.example'),
    at('address-not-valid (empty)', 'no address', ''),
    at('tls (not trusted)', 'a certificate of an unknown authority', untrusted),
    at('tls (not valid at this time)', 'a certificate whose time is up', expired),
    at('tls (for another address)', 'a certificate for another name', otherName),
    at('tls (no secure connection)', 'https:// to a port without it', plain.replace('http:', 'https:')),
    at('blocked', "n8n's own protection", 'http://10.0.0.1'),
    { id: 'timeout', cause: 'no answer in time', fault: { kind: 'hang-before' }, options: { timeout: 1 } },
    { id: 'connection-lost', cause: 'the connection breaks', fault: { kind: 'drop-before' } },
    { id: 'not-gateway', cause: 'a web page comes back', fault: { kind: 'html-before' } },
    { id: 'length-mismatch', cause: 'an answer lacks results', fault: { kind: 'short-data' } },
    { id: 'id-mismatch', cause: 'an answer for other messages', fault: { kind: 'foreign-ids' } },
    {
      id: 'unknown-outcome',
      cause: 'no answer in time, and Retry On Fail',
      fault: { kind: 'hang-before' },
      options: { timeout: 1 },
      settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
    },
  ];
}

const three = (...texts: string[]): IDataObject[] =>
  texts.map((text, i) => ({ phone: `44770090010${i}`, text }));
const PER_ROW = { ...SMS, phone: '={{ $json.phone }}', smsMessage: '={{ $json.text }}', messageId: '' };

/** What isn't in the catalogue: fields that can't be sent, several items, and operations that have words of their own. */
export function fieldCases(): ErrorCase[] {
  return [
    {
      id: 'Phone Number',
      cause: 'no country code',
      parameters: { ...SMS, phone: '0501234567' },
    },
    { id: 'SMS Text', cause: 'an empty text', parameters: { ...SMS, smsMessage: '={{ "" }}' } },
    {
      id: 'one of three rows',
      cause: 'an empty text in the second row',
      parameters: PER_ROW,
      rows: three('Hello', '', 'Hello'),
    },
    {
      id: 'two of three rows',
      cause: 'two rows without text',
      parameters: PER_ROW,
      rows: three('Hello', '', ''),
    },
    {
      id: 'a refused row of three',
      cause: 'the gateway refuses one',
      parameters: {
        ...PER_ROW,
        smsSignature: senderNamed('={{ $json.text === "B" ? "Nobody" : "TestSender" }}'),
      },
      rows: three('A', 'B', 'C'),
    },
    {
      id: 'Allowed Number Prefixes',
      cause: 'a number with another prefix',
      credential: { allowedPrefixes: '380, 48' },
    },
    {
      id: 'pipeline, sender',
      cause: 'an unknown sender in a channel',
      parameters: {
        resource: 'message',
        operation: 'sendPipeline',
        phone: PHONE,
        pipeline: {
          stages: [
            { channel: 'viber', message: 'Hello', signature: 'TestSender', viberType: 'text' },
            { channel: 'sms', message: 'Hello', signature: 'NoSuchSender' },
          ],
        },
      },
    },
    {
      id: 'Viber Carousel',
      cause: 'a single slide',
      parameters: {
        resource: 'message',
        operation: 'sendViber',
        phone: PHONE,
        viberSignature: senderNamed('TestSender'),
        viberType: 'carousel',
        viberMessage: 'Which pair?',
        viberCarousel: {
          slides: [
            {
              caption: 'Shoes',
              image: 'https://example.com/1.png',
              url: 'https://example.com',
              button: 'Buy',
            },
          ],
        },
      },
    },
    {
      id: 'Callback to This Workflow',
      cause: 'no trigger in the workflow',
      options: { hookFromTrigger: true },
    },
    {
      id: 'Tool Arguments',
      cause: 'a sending tool without Confirm',
      parameters: {
        resource: 'assistant',
        operation: 'callTool',
        tool: { __rl: true, mode: 'name', value: 'send_sms' },
        arguments: '{ "phone": "447700900123", "text": "Hello" }',
      },
    },
  ];
}
