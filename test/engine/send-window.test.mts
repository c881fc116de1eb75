/** The option Send Window in n8n's engine: rows outside are skipped and say when, and Number: Check says the same. */
import type { IDataObject } from 'n8n-workflow';

import { grouped, smsForm } from '../support/sends.mts';
import { runOn, testSandbox } from '../support/test-sandbox.mts';

const sandbox = testSandbox();

/** A time of day so many hours from now, in UTC. */
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
/** Open now in UTC, closed twelve hours east of it. */
const NOON = { from: inHours(-3), until: inHours(3) };
const ITEMS = [
  { phone: '+380501234561', zone: 'Etc/UTC' },
  { phone: '+380501234562', zone: 'Etc/GMT-12' },
  { phone: '+380501234563', zone: 'Etc/UTC' },
];

const send = async (values: IDataObject, options: IDataObject = {}, more: object = {}) =>
  await runOn(sandbox, {
    parameters: smsForm({ options: { sendWindow: { values }, ...options } }),
    items: ITEMS,
    ...more,
  });
const sentPhones = () => sandbox.messages.list().map(({ phone }) => phone);

it('skips the rows outside, each in its place, and says when they can be sent', async () => {
  const { error, json, hints } = await send({ ...NOON, timeZone: '={{ $json.zone }}' });
  expect(error).toBeUndefined();
  expect(json[1]).toEqual({
    result: 'skipped',
    id: expect.any(Number),
    type: 'sms',
    phone: 380501234562,
    reason: 'send_window',
    opens_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\+12:00$/),
  });
  const waitMs = Date.parse(String(json[1].opens_at)) - Date.now();
  expect([waitMs > 0, waitMs < 12 * 3_600_000]).toEqual([true, true]);
  expect(String(json[1].opens_at)).toContain(`T${NOON.from}:00`);
  expect(sentPhones().sort()).toEqual([380501234561, 380501234563]);
  expect(hints).toEqual(['1 of 3 was skipped: outside their send window']);
});

it('takes the stop list first, and counts both', async () => {
  const stopList = ['380501234561', '380501234562'];
  const { json, hints } = await send({ ...NOON, timeZone: 'Etc/GMT-12' }, { stopList });
  expect(json.map(({ reason }) => reason)).toEqual(['stop_list', 'stop_list', 'send_window']);
  expect(hints).toEqual(['3 of 3 were skipped: 2 on the stop list and 1 outside their send window']);
  expect(sandbox.counts().requests).toBe(0);
});

it('refuses a row whose time zone is not known, and no other', async () => {
  const items = [{ phone: '+12025550100' }, { phone: '+48600100200' }];
  const values = { from: '00:00', until: '24:00' };
  const stopped = await send(values, {}, { items });
  expect(stopped.error?.message).toContain(
    "'Time Zone' in 'Send Window' isn't clear from the number, since US has several time zones",
  );
  expect(stopped.error?.description).toContain('It must be a time zone such as Europe/Kyiv');
  expect(sandbox.counts().requests).toBe(0);
  const { json } = await send(values, {}, { items, onError: 'continueRegularOutput' });
  expect(json.map(({ error, msg_id: sent }) => [typeof error, typeof sent])).toEqual([
    ['string', 'undefined'],
    ['undefined', 'number'],
  ]);
});

it('has Number: Check say whether a number may be written to, and from when on', async () => {
  const items = [...ITEMS, { phone: 'nobody', zone: 'Etc/UTC' }, { phone: '12025550100', zone: '' }];
  const { json } = await runOn(sandbox, {
    parameters: {
      resource: 'number',
      operation: 'check',
      phone: '={{ $json.phone }}',
      options: { sendWindow: { values: { ...NOON, timeZone: '={{ $json.zone }}' } } },
    },
    items,
  });
  expect(json.map(({ valid, open }) => [valid, open])).toEqual([
    [true, true],
    [true, false],
    [true, true],
    [false, false],
    [true, null],
  ]);
  // A Wait node that gets a moment in the past goes on at once.
  expect(Date.parse(String(json[0].opens_at))).toBeLessThanOrEqual(Date.now());
  expect(String(json[1].opens_at)).toMatch(/\+12:00$/);
  expect([json[3].opens_at, json[4].opens_at]).toEqual([null, null]);
  const [without] = (
    await runOn(sandbox, { parameters: { resource: 'number', operation: 'check', phone: '380501234561' } })
  ).json;
  expect(without).not.toHaveProperty('open');
});

it.each([
  ['From', 'from'],
  ['Until', 'until'],
  ['Days', 'days'],
])(
  'sends nothing where an expression in %s comes to nothing, instead of taking what the form begins with',
  async (label, name) => {
    const always = { from: '00:00', until: '24:00', days: ['monday'] };
    const { error } = await send({ ...always, [name]: '={{ $json.zoen }}', timeZone: 'Etc/UTC' });
    expect(error?.message).toMatch(new RegExp(`^'${label}' in 'Send Window' (must be|is empty)`));
    expect(error?.description).toContain('{{ $json.zoen }} is empty');
    expect(sandbox.counts().requests).toBe(0);
  },
);

it('judges a row again that its batch has kept waiting, and gives the same result to the message that is the same', async () => {
  const clock = Date.now;
  const passed = () => (sandbox.counts().accepted > 0 ? 4 * 3_600_000 : 0);
  const later = jest.spyOn(Date, 'now').mockImplementation(() => clock() + passed());
  const values = { ...NOON, timeZone: 'Etc/UTC' };
  const options = grouped({ batchSize: 1 });
  const { json, hints } = await send(values, options, { items: [...ITEMS, ITEMS[2]] });
  later.mockRestore();
  const late = {
    result: 'skipped',
    reason: 'send_window',
    opens_at: expect.stringContaining(`T${NOON.from}:00`),
  };
  expect(json).toEqual([
    expect.objectContaining({ msg_id: expect.any(Number) }),
    ...[ITEMS[1], ITEMS[2], ITEMS[2]].map(() => expect.objectContaining(late)),
  ]);
  expect(hints).toEqual(['3 of 4 were skipped: outside their send window']);
  expect(sentPhones()).toEqual([380501234561]);
});
