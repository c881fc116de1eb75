import type { Outcome } from '../../../nodes/gateway/delivery/statuses.ts';
import { classifyStatus } from '../../../nodes/gateway/delivery/statuses.ts';

/** Field notes section 4, in the words of the gateway. */
const TABLE: Array<[Outcome, boolean, string[]]> = [
  ['pending', false, ['ACCEPTED', 'QUEUED', 'ROUTING', 'SENT']],
  ['delivered', true, ['DELIVERED', 'PARTIALLY DELIVERED']],
  ['read', true, ['READ']],
  ['replied', true, ['REPLIED']],
  [
    'failed',
    true,
    [
      ...['EXPIRED', 'DELETED', 'FILTERED', 'REJECTED', 'UNDELIVERABLE', 'NO ROUTE', 'SIM FULL'],
      ...['INVALID DESTINATION ADDRESS', 'INVALID SOURCE ADDRESS'],
    ],
  ],
  ['unknown', false, ['UNKNOWN', '']],
];
const rows = TABLE.flatMap(([outcome, final, statuses]) =>
  statuses.map((status) => [status, outcome, final] as const),
);

describe.each(rows)('the status "%s"', (status, outcome, final) => {
  it(`means ${outcome}`, () => {
    expect(classifyStatus({ status })).toEqual({ outcome, final });
  });

  it('is also understood with underscores, in small letters and with spaces around', () => {
    expect(classifyStatus({ status: ` ${status.toLowerCase().replaceAll(' ', '_')} ` }).outcome).toBe(
      outcome,
    );
  });

  it('outweighs what `success` says, where it says anything', () => {
    if (outcome === 'unknown')
      return expect(classifyStatus({ status, success: true }).outcome).toBe('delivered');
    for (const success of [true, false]) expect(classifyStatus({ status, success }).outcome).toBe(outcome);
  });
});

it.each([
  ['an unknown word with success', { status: 'TELEPORTED', success: true }, 'delivered', true],
  ['an unknown word without success', { status: 'LOST AT SEA', success: false }, 'failed', true],
  ['an unknown word alone', { status: 'PERHAPS' }, 'unknown', false],
  ['UNKNOWN without success', { status: 'UNKNOWN', success: false }, 'unknown', false],
  ['no status, success', { success: true }, 'delivered', true],
  ['no status, no success', { success: false }, 'failed', true],
  ['replies beside DELIVERED', { status: 'DELIVERED', replies: [{}] }, 'replied', true],
  ['no replies beside DELIVERED', { status: 'DELIVERED', replies: [] }, 'delivered', true],
  ['replies beside a failure', { status: 'EXPIRED', replies: [{}] }, 'failed', true],
  ['the name of a property of objects', { status: 'constructor', success: false }, 'failed', true],
  ['a status of a wrong type', { status: 7 }, 'unknown', false],
] as const)('reads %s', (_, statement, outcome, final) => {
  expect(classifyStatus({ ...statement })).toEqual({ outcome, final });
});

describe('in a fallback send', () => {
  it.each([
    ['viber+sms', 'viber', 'pending'],
    ['viber+sms', 'Viber', 'pending'],
    ['viber+sms', 'sms', 'failed'],
    ['viber+sms', 'viber+sms', 'failed'],
    ['rcs+sms', 'rcs', 'pending'],
    ['rcs+viber+sms', 'rcs', 'pending'],
    ['rcs+viber+sms', 'viber', 'pending'],
    ['rcs+viber+sms', 'sms', 'failed'],
    ['sms', 'sms', 'failed'],
    ['viber', 'viber', 'failed'],
  ])('of %s a failure on %s is %s', (sentType, type, outcome) => {
    expect(classifyStatus({ status: 'EXPIRED', type }, sentType).outcome).toBe(outcome);
  });

  it('a delivery on the first channel is final', () => {
    expect(classifyStatus({ status: 'DELIVERED', type: 'viber' }, 'viber+sms').final).toBe(true);
  });

  it('a failure whose channel is not told is believed', () => {
    expect(classifyStatus({ status: 'EXPIRED' }, 'viber+sms').outcome).toBe('failed');
  });
});
