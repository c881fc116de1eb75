import { meaningOf, reportsToHook, withReport } from '../../../nodes/gateway/delivery/reports.ts';
import { WIRE_TYPES } from '../../../nodes/gateway/contract/operations.ts';

const SENT = { id: 1, msg_id: 7, type: 'viber+sms', phone: 380501234567, parts: 1 };

it('knows the sends whose status goes to their hook (gateway-api.md, "Callbacks")', () => {
  expect(WIRE_TYPES.filter(reportsToHook).sort()).toEqual(
    ['sms', 'viber', 'viber+sms', 'rcs', 'rcs+sms', 'rcs+viber+sms', 'telegram'].sort(),
  );
});

it('joins the send and its outcome, with the channel that reports beside the operation type', () => {
  const report = {
    success: true,
    id: '1',
    msg_id: '7',
    type: 'sms',
    status: 'DELIVERED',
    updated: '2026-07-01T00:00:00Z',
    error: null,
    request_id: 'r',
    extra: { kept: true },
  };
  expect(withReport(SENT, report)).toEqual({
    ...SENT,
    channel: 'sms',
    success: true,
    status: 'DELIVERED',
    updated: '2026-07-01T00:00:00Z',
    extra: { kept: true },
    outcome: 'delivered',
    final: true,
    arrived: true,
  });
});

it.each([
  ['DELIVERED', true],
  ['READ', true],
  ['REPLIED', true],
  ['EXPIRED', false],
  ['ROUTING', false],
  ['nonsense', false],
])(
  'says alike of a status %s from a callback and from `status` whether the message arrived',
  (status, arrived) => {
    const fields = { success: arrived, arrived };
    expect(meaningOf({ status, success: arrived })).toMatchObject(fields);
    expect(meaningOf({ status })).toMatchObject(fields);
  },
);

it('holds the error of a final failure only', () => {
  const failed = { success: false, type: 'viber', status: 'EXPIRED', error: 'Not on Viber' };
  expect(withReport(SENT, failed)).toMatchObject({ outcome: 'pending', final: false });
  expect(withReport(SENT, failed)).not.toHaveProperty('error');
  expect(withReport(SENT, { ...failed, type: 'sms' })).toMatchObject({
    outcome: 'failed',
    final: true,
    error: 'Not on Viber',
  });
});

it('takes msg_id from the report where the send, being queued, had none', () => {
  const queued = { id: 1, type: 'sms', phone: 380501234567, request_id: 'r' };
  expect(withReport(queued, { msg_id: '9', status: 'DELIVERED' })).toMatchObject({
    msg_id: 9,
    request_id: 'r',
  });
  expect(withReport(queued, { msg_id: {}, status: 'DELIVERED' })).not.toHaveProperty('msg_id');
});

it('has what was answered last as reply, a digit or words', () => {
  const status = 'REPLIED';
  const replies = [{ message: 'Yes' }, { message: 'No' }];
  expect(withReport(SENT, { status, replies })).toMatchObject({ reply: 'No', replies });
  expect(withReport(SENT, { status, replies, reply: '5' })).toMatchObject({ reply: '5' });
  for (const none of [[], [{ media: {} }], [null], 'Yes'])
    expect(withReport(SENT, { status, replies: none })).not.toHaveProperty('reply');
});

it('lets no report set its own outcome', () => {
  expect(
    withReport(SENT, { status: 'SENT', outcome: 'delivered', final: true, arrived: true }),
  ).toMatchObject({
    outcome: 'pending',
    final: false,
    arrived: false,
  });
  expect(withReport(SENT, {})).toEqual({
    ...SENT,
    outcome: 'unknown',
    final: false,
    success: false,
    arrived: false,
  });
});
