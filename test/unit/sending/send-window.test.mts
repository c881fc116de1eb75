/** The option Send Window: how times, days and zones may be written, and what is refused by name. */
import { InvalidParameter } from '../../../nodes/MessagingGateway/fields/field.ts';
import { windowsAt } from '../../../nodes/MessagingGateway/sending/send-window.ts';

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
  [{ from: '9', until: '12:30' }, false],
  [{ from: 9, until: 13 }, true],
  [{ from: '9.00', until: '20h00' }, true],
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
  [{ days: [7, 0] }, false],
  [{ timeZone: 'Asia/Tokyo' }, true],
  [{ timeZone: 'Asia/Tokyo', until: '19:00' }, false],
  [{ timeZone: ' America/New_York ' }, false],
])('%j is open: %s', (values, open) => expect(isOpen(values)).toBe(open));

it('takes the zone of the number, each its own, or the one that a row has', () => {
  const windowOf = windowsAt(NOW);
  const sendWindow = { values: { from: '09:00', until: '19:00' } };
  const phones = [UA, 81901234567, 48600100200];
  expect(phones.map((phone) => windowOf({ sendWindow }, phone)?.open)).toEqual([true, false, true]);
  const inNewYork = { sendWindow: { values: { ...sendWindow.values, timeZone: 'America/New_York' } } };
  expect(windowOf(inNewYork, 12025550100)).toEqual({ open: false, opensAt: '2026-11-25T09:00:00-05:00' });
});

it.each<[values: unknown, label: string, phone?: number]>([
  [{ from: '' }, 'From'],
  [{ from: '25:00' }, 'From'],
  [{ from: '9:60' }, 'From'],
  [{ from: 'morning' }, 'From'],
  [{ from: null }, 'From'],
  [{ until: {} }, 'Until'],
  [{ from: '09:00', until: '9:00' }, 'Until'],
  [{ from: '24:00', until: '9:00' }, 'Until'],
  [{ days: [] }, 'Days'],
  [{ days: null }, 'Days'],
  [{ days: ['funday'] }, 'Days'],
  [{ days: [8] }, 'Days'],
  [{ timeZone: 'Kyiv' }, 'Time Zone'],
  [{ timeZone: 3 }, 'Time Zone'],
  [{}, 'Time Zone', 12025550100],
  [{}, 'Time Zone', 79161234567],
  [{}, 'Time Zone', 87012345678],
  ['09:00', 'Send Window'],
])('refuses %j by the name of %s', (values, label, phone = UA) => {
  let refused: unknown;
  try {
    stateOf(values, phone);
  } catch (thrown) {
    refused = thrown;
  }
  expect(refused).toBeInstanceOf(InvalidParameter);
  expect((refused as InvalidParameter).parameter).toContain(`'${label}'`);
});

it('says why a zone is needed', () => {
  expect(() => stateOf({}, 12025550100)).toThrow(
    expect.objectContaining({
      reason: "can't be told from the number, since US has several time zones, or none that is known",
    }),
  );
});
