/** What the gateway, or something between it and n8n, refuses or breaks. */
import type { FaultPlan } from '../../sandbox/server.mts';
import { CONTINUE, options, PHONE, rowsOf, sms, toRows } from './case.mts';
import type { SheetCase, SheetCases } from './case.mts';

const broken = (fault: FaultPlan): SheetCase => ({ form: sms(), faults: [fault] });

/** The gateway refuses the operation in these words. */
const refused = (error: string): SheetCase => broken({ kind: 'refuse-items', error });

/** The gateway refuses the whole request in these words. */
const refusedWhole = (error: string): SheetCase => broken({ kind: 'refuse', error });

/** HTTP codes that a gateway, or a proxy in front of it, answers. */
const CODES = [301, 400, 401, 402, 403, 404, 407, 413, 415, 418, 429, 500, 502, 503];

/** Of every request, as where a proxy stands in front of the gateway. */
const STATUSES: SheetCases = Object.fromEntries(
  CODES.map((status) => [`HTTP ${status}`, broken({ kind: 'status-before', status, sparesStatus: false })]),
);

const BALANCE = { resource: 'account', operation: 'getBalance' };
const LOOKUP = { resource: 'number', operation: 'lookup', phone: PHONE };
const STATUS = { resource: 'message', operation: 'getStatus', messageId: '424242' };
const CREATE = { resource: 'smsTemplate', operation: 'create', template: 'Code %w{1,8}', name: 'Code' };
const CALL = { resource: 'otp', operation: 'call', phone: '447700900404' };
const KNOWN_ID = { messageId: '5' };

/** Rows of which two have a sender that isn't approved. */
const TWO_BAD_SENDERS = {
  form: toRows({
    smsSignature: {
      __rl: true,
      mode: 'name',
      value: '={{ $itemIndex % 3 == 1 ? "Stranger" : "TestSender" }}',
    },
    smsMessage: '={{ $json.name }}',
  }),
  input: rowsOf(6),
};

export const GATEWAY_CASES: SheetCases = {
  'Wrong API key': { form: sms(), credential: { apiKey: 'another-key' } },
  'Sender that is not approved': {
    form: sms({ smsSignature: { __rl: true, mode: 'name', value: 'NoSuchSender' } }),
  },
  'Operator not supported': { form: CALL },
  'Type of message not allowed': refused('Invalid message type'),
  'No text left': refused('Please enter SMS text'),
  'The own ID a second time': {
    form: sms(KNOWN_ID),
    runs: 2,
    config: { rules: { duplicateIds: 'refuse' } },
  },
  'Duplicate of a message that nobody sent': refused('Duplicate message id'),
  'Too many operations': refusedWhole('Too many operations in one request: at most 100'),
  'Too many requests, in words': refusedWhole('Too many requests'),
  'No money left': { form: sms(), account: { prepaid: true, balance: { amount: 0, currency: 'EUR' } } },
  'IP address not allowed': refusedWhole('IP 192.0.2.1 is not allowed'),
  'Account blocked': refusedWhole('Account is blocked'),
  Maintenance: refusedWhole('Service unavailable, try again later'),
  'A fault of the gateway, in words': refusedWhole('Internal error'),
  'Words that nobody knows, of one message': refused('Flow 17 rejected by policy'),
  'Words that nobody knows, of the request': refusedWhole('Flow 17 rejected by policy'),
  ...STATUSES,
  'HTTP 403, and status is answered': broken({ kind: 'status-before', status: 403 }),
  'HTTP 503, and status is answered': broken({ kind: 'status-before', status: 503 }),
  'HTTP 429 with a time': broken({ kind: 'rate-limit', retryAfter: 20 }),
  'A web page in place of an answer': broken({ kind: 'html-before', sparesStatus: false }),
  'An answer that is no JSON': broken({ kind: 'garbage-before', sparesStatus: false }),
  'An empty answer after the message was taken': broken({ kind: 'empty-after' }),
  'Connection broken, nothing taken': broken({ kind: 'drop-before' }),
  'Connection broken, message taken': broken({ kind: 'drop-after' }),
  'Connection broken, and status unknown': {
    form: sms(),
    faults: [{ kind: 'drop-after', sparesStatus: false }],
  },
  'No answer in time': {
    form: sms(options({ timeout: 2 })),
    faults: [{ kind: 'hang-before', sparesStatus: false }],
  },
  'Fewer results than messages': { form: toRows(), input: rowsOf(3), faults: [{ kind: 'short-data' }] },
  'Results of other messages': { form: toRows(), input: rowsOf(2), faults: [{ kind: 'foreign-ids' }] },
  'Nothing listens at the address': { form: sms(), credential: { baseUrl: 'http://127.0.0.1:9' } },
  'A host that does not exist': { form: sms(), credential: { baseUrl: 'https://gateway.invalid' } },
  'https where http is spoken': { form: sms(), credential: { baseUrl: 'https://127.0.0.1:{port}' } },
  'A wrong path in the address': { form: sms(), credential: { baseUrl: 'http://127.0.0.1:{port}/nothing' } },
  'Two of six refused, the node stops': TWO_BAD_SENDERS,
  'Two of six refused, the node goes on': { ...TWO_BAD_SENDERS, settings: CONTINUE },
  'Six rows, and the gateway is down': {
    form: toRows({ smsMessage: '={{ $json.name }}' }),
    input: rowsOf(6),
    faults: [{ kind: 'status-before', status: 502, sparesStatus: false }],
  },
  'Status of an unknown message': { form: STATUS },
  'Status of three unknown messages, the node goes on': {
    form: { ...STATUS, messageId: '={{ $itemIndex + 424242 }}' },
    input: rowsOf(3),
    settings: CONTINUE,
  },
  'Status while the gateway is down': {
    form: STATUS,
    faults: [{ kind: 'status-before', status: 502, sparesStatus: false }],
  },
  'Balance with a wrong key': { form: BALANCE, credential: { apiKey: 'another-key' } },
  'Balance while the gateway is down': { form: BALANCE, faults: [{ kind: 'status-before', status: 502 }] },
  'Lookup whose answer is lost': { form: LOOKUP, faults: [{ kind: 'drop-after' }] },
  'Template whose answer is lost': { form: CREATE, faults: [{ kind: 'drop-after' }] },
  'Code by call whose answer is lost': {
    form: { ...CALL, phone: PHONE },
    faults: [{ kind: 'drop-after' }],
  },
  'Deleted template that is not there': {
    form: { resource: 'smsTemplate', operation: 'delete', template: 'Code %w{1,8}' },
  },
};
