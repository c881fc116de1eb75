import { meaningOf, withReport } from '../../../nodes/gateway/delivery/reports.ts';

const SENT = { id: 1, msg_id: 7, type: 'viber+sms', phone: 380501234567, parts: 1 };

it('joins the send and its outcome, with the channel that reports beside the operation type', () => {
  const kept = { success: true, status: 'DELIVERED', updated: '2026-07-01T00:00:00Z', extra: { kept: true } };
  const report = { ...kept, id: '1', msg_id: '7', type: 'sms', error: null, request_id: 'r' };
  const meaning = { outcome: 'delivered', final: true, arrived: true };
  expect(withReport(SENT, report)).toEqual({ ...SENT, ...kept, ...meaning, channel: 'sms' });
});

it('says alike of a callback and of an answer of `status` whether the message arrived', () => {
  const arrived = ['DELIVERED', 'READ', 'REPLIED'];
  for (const status of [...arrived, 'EXPIRED', 'ROUTING', 'nonsense']) {
    const success = arrived.includes(status);
    for (const report of [{ status }, { status, success }])
      expect([report, meaningOf(report)]).toMatchObject([report, { success, arrived: success }]);
  }
});

it('keeps what the send itself said of its status until the first report', () => {
  const sent = { ...SENT, status: 'ACCEPTED' };
  const asked = withReport(sent, {});
  expect(asked).toMatchObject({ outcome: 'unknown', status: 'ACCEPTED' });
  expect(withReport({ ...asked }, { replies: [] })).not.toHaveProperty('status');
});

it('holds the error of a final failure only', () => {
  const failed = { success: false, type: 'viber', status: 'EXPIRED', error: 'Not on Viber' };
  expect(withReport(SENT, failed)).toMatchObject({ outcome: 'pending', final: false });
  expect(withReport(SENT, failed)).not.toHaveProperty('error');
  const last = { outcome: 'failed', final: true, error: 'Not on Viber' };
  expect(withReport(SENT, { ...failed, type: 'sms' })).toMatchObject(last);
});

it('takes msg_id from the report where the send, being queued, had none', () => {
  const queued = { id: 1, type: 'sms', phone: 380501234567, request_id: 'r' };
  const report = { msg_id: '9', status: 'DELIVERED' };
  expect(withReport(queued, report)).toMatchObject({ msg_id: 9, request_id: 'r' });
  expect(withReport(queued, { msg_id: {}, status: 'DELIVERED' })).not.toHaveProperty('msg_id');
});

it('has what was answered last as reply, a digit or words', () => {
  const status = 'REPLIED';
  const replies = [{ message: 'Yes' }, { message: 'No' }];
  expect(withReport(SENT, { status, replies })).toMatchObject({ reply: 'No', replies });
  expect(withReport(SENT, { status, reply: '5' })).toMatchObject({ reply: '5' });
  const earlier = withReport(SENT, { status, replies: [{ message: 'Yes' }] });
  expect(withReport({ ...earlier }, { status, replies })).toMatchObject({ reply: 'No' });
  for (const none of [[], [{ media: {} }], [null], 'Yes'])
    expect(withReport(SENT, { status, replies: none })).not.toHaveProperty('reply');
});

it('lets no report set its own outcome', () => {
  const report = { status: 'SENT', outcome: 'delivered', final: true, arrived: true };
  const nothing = { final: false, success: false, arrived: false };
  expect(withReport(SENT, report)).toMatchObject({ outcome: 'pending', ...nothing });
  expect(withReport(SENT, {})).toEqual({ ...SENT, outcome: 'unknown', ...nothing });
});

it('lets nothing of an earlier report stand beside a later one that says less', () => {
  const failing = withReport(SENT, { type: 'viber', status: 'UNDELIVERABLE', updated: 'x' });
  expect(failing).toMatchObject({ outcome: 'pending', status: 'UNDELIVERABLE', channel: 'viber' });
  const arrived = withReport({ ...failing }, { success: true });
  expect(arrived).toEqual({ ...SENT, ...meaningOf({ success: true }) });
});
