/**
 * Bodies of callbacks as gateways, most of them written in PHP, send them. `input` is what n8n hands to the node: parsed JSON, a
 * form's fields, or text. Right is what starts the workflow: the fields that matter of each event, in order; or a pattern of
 * the reason for which the body is refused.
 */
import type { Case } from './case.mts';

type CallbackCase = Case<unknown, Array<Record<string, unknown>> | RegExp>;

const ONE = { success: true, id: 7, msg_id: 70, type: 'viber', status: 'DELIVERED' };
const FAILED = { ...ONE, success: false, status: 'UNDELIVERABLE' };
const PHP_DATE = { date: '2026-11-25 10:00:00.000000', timezone_type: 3, timezone: 'UTC' };
const DELIVERED = [{ id: 7, msg_id: 70, outcome: 'delivered', final: true }];
const PENDING = [{ id: 7, outcome: 'pending', final: false }];

/** A field in a form that nobody expected passes as it came. */
const passes = (name: string, value: unknown, source?: string): CallbackCase => ({
  input: { ...ONE, [name]: value },
  right: [{ id: 7, outcome: 'delivered', [name]: value }],
  ...(source !== undefined && { source }),
});

const onItsWay = (status: string): CallbackCase => ({
  input: { ...ONE, success: false, status },
  right: PENDING,
  source: 'RestComm/smscgateway#62',
});

export const CALLBACKS: readonly CallbackCase[] = [
  // Side fields.
  passes('updated', PHP_DATE, 'cakephp/cakephp#9818'),
  passes('duration', '00:00:12'),
  passes('duration', '12 sec'),
  passes('duration', '1,5'),
  { input: { ...ONE, duration: false }, right: [{ id: 7 }], why: 'false is none' },
  passes('error', { code: 13, text: 'no' }),
  passes('error', ['no', 'way']),
  passes('error', true),
  passes('error', 'x'.repeat(300)),
  passes('type', 3),
  passes('type', ['viber']),
  passes('reply', { digit: 1 }),
  passes('amount', '0.04'),
  { input: { ...ONE, status: 2 }, right: [{ id: 7, outcome: 'delivered', status: 2 }] },
  {
    input: { ...ONE, updated: 1764064800 },
    right: [{ id: 7, updated: '1764064800' }],
    why: 'a number as text',
  },
  { input: { ...ONE, duration: '12' }, right: [{ id: 7, duration: 12 }], why: 'as forms have it' },

  // Replies.
  ...[{ 0: { message: 'hi' } }, { 3: { message: 'hi' } }, [{ message: 'hi' }]].map(
    (replies): CallbackCase => ({
      input: { ...ONE, replies },
      right: [{ id: 7, outcome: 'replied', replies: [{ message: 'hi' }] }],
      source: 'edamov/pushok#82',
    }),
  ),
  { input: { ...ONE, replies: false }, right: [{ id: 7, outcome: 'delivered' }], why: 'none, in PHP' },
  { input: { ...ONE, replies: [] }, right: [{ id: 7, outcome: 'delivered' }] },
  ...[
    'https://x.test/a.jpg',
    [{ url: 'https://x.test/a.jpg' }],
    { url: 'https://x.test/a', filesize: '12 KB' },
  ].map(
    (media): CallbackCase => ({
      input: { ...ONE, replies: [{ message: '', media }] },
      right: [{ id: 7, outcome: 'replied', replies: [{ message: '', media }] }],
    }),
  ),

  // Shapes of the body.
  { input: [ONE], right: DELIVERED },
  { input: { data: [ONE] }, right: DELIVERED },
  { input: { data: { 0: ONE } }, right: DELIVERED, source: 'ghassani/surveymonkey-v3-api-php#20' },
  { input: { 1: ONE }, right: DELIVERED },
  ...['data', 'payload', 'json'].map(
    (field): CallbackCase => ({
      input: { [field]: JSON.stringify([ONE]), token: 'x' },
      right: DELIVERED,
      why: 'JSON in a field of a form',
    }),
  ),
  {
    input: { payload: '{"success":true,"id":9223372036854775807}' },
    right: [{ id: '9223372036854775807' }],
    why: 'JSON in a field keeps the last digits of its identifiers',
  },
  { input: { ...ONE, id: '7', msg_id: '70' }, right: DELIVERED },
  { input: { ...ONE, id: ' 7 ' }, right: DELIVERED },
  { input: [{ ...ONE, id: [1] }, ONE, 5], right: DELIVERED, why: 'bad entries lose no neighbour' },
  { input: [ONE, { ...ONE, id: 8, duration: 'x' }], right: [{ id: 7 }, { id: 8, duration: 'x' }] },

  // What success says.
  { input: { ...ONE, success: '1' }, right: DELIVERED },
  {
    input: { ...FAILED, success: '' },
    right: [{ id: 7, success: false, outcome: 'failed' }],
    why: 'false in a form of PHP',
  },
  { input: { ...ONE, success: null }, right: /^The field "success"/, why: 'nobody knows what this says' },
  { input: { ...ONE, success: 'yes' }, right: /^The field "success"/ },
  { input: { id: 7, status: 'DELIVERED' }, right: /^The field "success" is missing$/ },
  ...['ENROUTE', 'BUFFERED', 'PENDING', 'SENDING', 'PROCESSING', 'SCHEDULED', 'In_Progress'].map(onItsWay),

  // Identifiers.
  {
    input: { success: false, request_id: 123, status: 'REJECTED' },
    right: [{ request_id: '123', outcome: 'failed' }],
  },
  { input: { ...ONE, id: '12345678901234567890' }, right: [{ id: '12345678901234567890' }] },
  { input: { ...ONE, id: '7.0' }, right: [{ id: '7.0' }], why: 'nobody knows that this is 7' },
  { input: { ...ONE, id: null, msg_id: '' }, right: /identifies no message/ },
  { input: { ...ONE, id: [7] }, right: /^The field "id"/ },
  { input: { ...ONE, id: 7.5 }, right: /^The field "id"/ },
  ...[{}, [], '', null].map((input): CallbackCase => ({ input, right: /^The body/ })),
];
