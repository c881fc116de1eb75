import type { Outcome } from '../../../nodes/gateway/delivery/outcomes.ts';
import { meaningOf, reportOfStatus } from '../../../nodes/gateway/delivery/reports.ts';

/** The statuses of gateways in the wild. */
const TABLE: Array<[Outcome, boolean, ...statuses: string[]]> = [
  ['pending', false, 'ACCEPTED', 'QUEUED', 'ROUTING', 'SENT', 'SUBMITTED', 'WAITING', 'IN PROGRESS'],
  ['pending', false, 'ENROUTE', 'EN ROUTE', 'BUFFERED', 'PENDING', 'SENDING', 'PROCESSING', 'SCHEDULED'],
  // The short words of SMPP.
  ['pending', false, 'ACCEPTD'],
  ['delivered', true, 'DELIVRD'],
  ['failed', true, 'UNDELIV', 'REJECTD'],
  ['delivered', true, 'DELIVERED', 'PARTIALLY DELIVERED'],
  ['read', true, 'READ', 'SEEN'],
  ['replied', true, 'REPLIED'],
  ['failed', true, 'EXPIRED', 'DELETED', 'FILTERED', 'REJECTED', 'UNDELIVERABLE', 'NO ROUTE', 'SIM FULL'],
  ['failed', true, 'FAILED', 'UNDELIVERED', 'INVALID DESTINATION ADDRESS', 'INVALID SOURCE ADDRESS'],
  ['unknown', false, 'UNKNOWN', ''],
];

it.each(TABLE)('%s (final: %p) is what %j means, in whatever letters', (outcome, final, ...statuses) => {
  for (const status of statuses) {
    expect([status, meaningOf({ status })]).toMatchObject([status, { outcome, final }]);
    expect(meaningOf({ status: ` ${status.toLowerCase().replaceAll(' ', '_')} ` })).toMatchObject({
      outcome,
      final,
    });
    // With success it names how far the message got; without, it is on its way or failed.
    const arrived = ['delivered', 'read', 'replied'].includes(outcome) ? outcome : 'delivered';
    expect(meaningOf({ status, success: true })).toMatchObject({ outcome: arrived, final: true });
    const failed = outcome === 'pending' ? { outcome, final } : { outcome: 'failed', final: true };
    expect(meaningOf({ status, success: false })).toMatchObject(failed);
  }
});

it.each([
  ['an unlisted status with success', { status: 'TELEPORTED', success: true }, 'delivered', true],
  ['an unlisted status without success', { status: 'LOST AT SEA', success: false }, 'failed', true],
  ['an unlisted status alone', { status: 'PERHAPS' }, 'unknown', false],
  ['replies beside DELIVERED', { status: 'DELIVERED', replies: [{}] }, 'replied', true],
  ['replies without success', { success: false, replies: [{}] }, 'replied', true],
  ['no replies beside DELIVERED', { status: 'DELIVERED', replies: [] }, 'delivered', true],
  ['replies beside a failure', { status: 'EXPIRED', replies: [{}] }, 'failed', true],
  ['the name of a property of objects', { status: 'constructor', success: false }, 'failed', true],
  ['a status of the wrong type', { status: 7 }, 'unknown', false],
  ['replies keyed by index', { status: 'DELIVERED', replies: { 1: { message: 'Yes' } } }, 'replied', true],
  ['what holds no reply', { status: 'DELIVERED', replies: [null, ''] }, 'delivered', true],
  ['replies without a status', { replies: [{}] }, 'replied', true],
  ['`success` of the wrong type', { success: 1 }, 'unknown', false],
] as const)('an outcome is read from %s', (_, report, outcome, final) => {
  expect(meaningOf({ ...report })).toMatchObject({ outcome, final });
});

it('takes no `success` from an answer of status, whose words decide', () => {
  expect(reportOfStatus({ id: 1, success: true, status: 'SENT' })).toEqual({ id: 1, status: 'SENT' });
  expect(reportOfStatus({ replies: { 1: { message: 'Yes' } } })).toEqual({ replies: [{ message: 'Yes' }] });
});

describe('with the operation type of the send', () => {
  it.each<[outcome: Outcome, type: string, ...sentTypes: unknown[]]>([
    ['pending', 'viber', 'viber+sms', 'rcs+viber+sms'],
    ['pending', 'Viber', 'viber+sms'],
    ['pending', 'telegram', 'rcs+viber+sms'],
    ['failed', 'sms', 'viber+sms', 'rcs+viber+sms', 'sms'],
    ['failed', 'viber+sms', 'viber+sms'],
    ['failed', 'viber', 'viber', 'pipeline', 'constructor', ['viber+sms'], undefined],
    ['failed', 'pigeon', 'pigeon+sms'],
  ])('it is %s after a failure on %s of %j', (outcome, type, ...sentTypes) => {
    for (const sent of sentTypes)
      expect([sent, meaningOf({ success: false, status: 'EXPIRED', type }, sent).outcome]).toEqual([
        sent,
        outcome,
      ]);
  });

  it.each(['EXPIRED', 'PERHAPS', undefined])(
    'a callback of %p on the first channel is not final, with msg_id or without, which callbacks need not have',
    (status) => {
      const failed = { success: false, type: 'viber', status };
      for (const ids of [{}, { msg_id: 7 }, { msg_id: 0 }, { request_id: 'r' }])
        expect(meaningOf({ ...failed, ...ids }, 'viber+sms')).toMatchObject({
          outcome: 'pending',
          final: false,
        });
    },
  );

  it('a callback of REJECTED on the first channel is final where nothing was sent', () => {
    const failed = { success: false, type: 'viber', status: 'REJECTED' };
    for (const ids of [{}, { request_id: 'r' }, { msg_id: 0 }])
      expect(meaningOf({ ...failed, ...ids }, 'viber+sms')).toMatchObject({ outcome: 'failed', final: true });
    for (const ids of [{ msg_id: 7 }, { msg_id: 7, request_id: 'r' }])
      expect(meaningOf({ ...failed, ...ids }, 'viber+sms')).toMatchObject({
        outcome: 'pending',
        final: false,
      });
  });

  it.each([
    ['REJECTED, where nothing was sent', { type: 'viber', status: 'REJECTED' }, 'failed'],
    ['REJECTED of a message of the gateway', { type: 'viber', status: 'REJECTED', msg_id: 7 }, 'pending'],
    ['EXPIRED', { type: 'viber', status: 'EXPIRED' }, 'pending'],
    ['EXPIRED on a channel that is not known', { status: 'EXPIRED' }, 'pending'],
    ['EXPIRED on the last channel', { type: 'sms', status: 'EXPIRED' }, 'failed'],
  ])('an answer of status of %s in a send with fallback', (_, report, outcome) => {
    expect(meaningOf(report, 'viber+sms').outcome).toBe(outcome);
  });
});
