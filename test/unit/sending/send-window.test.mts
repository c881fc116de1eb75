/** The option Send Window: how times, days and zones may be written, and what is refused by name. */
import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import { windowsAt, withoutZone } from '../../../nodes/MessagingGateway/sending/send-window.ts';

const UA = 380501234567;
/** A Wednesday, 12:30 in Kyiv. */
const NOW = Date.parse('2026-11-25T10:30:00Z');
const stateOf = (values: unknown, phone = UA) => windowsAt(NOW)({ sendWindow: { values } }, phone);
const isOpen = (values: unknown, phone = UA) => stateOf(values, phone)?.open;

it('lets everything pass without a window', () => {
  expect(windowsAt(NOW)({}, UA)).toBeUndefined();
  expect(windowsAt(NOW)({}, 12025550100)).toBeUndefined();
});

it.each<[values: object, open: boolean]>([
  [{}, true],
  [{ from: '09:00', until: '20:00' }, true],
  [{ from: '12:30', until: '12:31' }, true],
  [{ from: '12:31', until: '20:00' }, false],
  [{ from: ' 9:00:00 ', until: '24:00' }, true],
  [{ from: '20:00', until: '13:00' }, true],
  [{ from: '20:00', until: '08:00' }, false],
  [{ from: '20:00', until: '13:00', days: ['tuesday'] }, true],
  [{ from: '20:00', until: '13:00', days: ['wednesday'] }, false],
  [{ days: ['wednesday'] }, true],
  [{ days: ['Mon', 'WED'] }, true],
  [{ days: 'monday, wednesday' }, true],
  [{ days: [3] }, true],
  [{ days: ['1', '2'] }, false],
  [{ days: [7] }, false],
  [{ timeZone: 'Asia/Tokyo' }, true],
  [{ timeZone: 'Asia/Tokyo', until: '19:00' }, false],
  [{ timeZone: ' America/New_York ' }, false],
])('%j is open: %s', (values, open) => expect(isOpen(values)).toBe(open));

it.each([
  [0, '00:00'],
  [0.25, '06:00'],
  ['0.25', '06:00'],
  [' .35 ', '08:24'],
  [0.35, '08:24'],
  [0.45, '10:48'],
  [0.5208333333333334, '12:30'],
  [1, '24:00'],
])('reads %j as a share of the day, as sheets store %s', (share, time) => {
  for (const minute of [0, 359, 360, 503, 504, 647, 648, 749, 750, 1439]) {
    const at = windowsAt(Date.parse('2026-11-25T00:00:00+02:00') + minute * 60_000);
    const until = (end: unknown) => at({ sendWindow: { values: { from: '00:01', until: end } } }, UA)?.open;
    expect([minute, until(share)]).toEqual([minute, until(time)]);
  }
});

it('takes the zone of the number, each its own, or the one that a row has', () => {
  const windowOf = windowsAt(NOW);
  const sendWindow = { values: { from: '09:00', until: '19:00' } };
  const phones = [UA, 81901234567, 48600100200];
  expect(phones.map((phone) => windowOf({ sendWindow }, phone)?.open)).toEqual([true, false, true]);
  const inNewYork = { sendWindow: { values: { ...sendWindow.values, timeZone: 'America/New_York' } } };
  expect(windowOf(inNewYork, 12025550100)).toEqual({ open: false, opensAt: '2026-11-25T09:00:00-05:00' });
});

it.each<[values: unknown, label: string]>([
  [{ from: '' }, 'From'],
  [{ from: '25:00' }, 'From'],
  [{ from: '9:60' }, 'From'],
  [{ from: '9h00' }, 'From'],
  [{ from: 9 }, 'From'],
  [{ from: '9' }, 'From'],
  [{ from: '9.30' }, 'From'],
  [{ from: 45992.375 }, 'From'],
  [{ from: -0.25 }, 'From'],
  [{ until: NaN }, 'Until'],
  [{ from: 'morning' }, 'From'],
  [{ from: null }, 'From'],
  [{ until: {} }, 'Until'],
  [{ from: '09:00', until: '9:00' }, 'Until'],
  [{ from: '24:00', until: '9:00' }, 'From'],
  [{ days: [] }, 'Days'],
  [{ days: null }, 'Days'],
  [{ days: ['funday'] }, 'Days'],
  [{ days: [8] }, 'Days'],
  [{ days: [0] }, 'Days'],
  [{ timeZone: 'Kyiv' }, 'Time Zone'],
  [{ timeZone: 3 }, 'Time Zone'],
  ['09:00', 'Send Window'],
])('refuses %j by the name of %s', (values, label) => {
  let refused: unknown;
  try {
    stateOf(values);
  } catch (thrown) {
    refused = thrown;
  }
  expect(refused).toBeInstanceOf(InvalidParameter);
  expect((refused as InvalidParameter).parameter).toContain(`'${label}'`);
});

it.each([
  [12025550100, "isn't clear from the number, since US has several time zones, or none that is known"],
  [79161234567, "isn't clear from the number, since RU has several time zones, or none that is known"],
  [87012345678, "isn't clear from the number, whose country isn't certain (+870)"],
])('knows no time zone of %d, and says why', (phone, reason) => {
  expect(stateOf({}, phone)).toEqual({ open: null, opensAt: null });
  expect(withoutZone(phone)).toMatchObject({ parameter: "'Time Zone' in 'Send Window'", reason });
});
