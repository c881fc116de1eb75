import { startSandbox } from '../../../sandbox/server.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import { GOOD, PHONE, run, runOne } from './client.mts';
import type { Operation } from './client.mts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const without = (operation: Operation, name: string): Operation =>
  Object.fromEntries(Object.entries(operation).filter(([key]) => key !== name));

const IMAGE = 'https://example.com/a.png';
const LINK = { viber_button: 'Go', viber_link: 'https://example.com/' };
const SLIDE = { caption: 'One', image: IMAGE, url: 'https://example.com/1', button: 'Buy' };
const slides = (count: number) => Array.from({ length: count }, () => SLIDE);

const VIBER_BY_TYPE: Record<string, Operation> = {
  text: { viber_message: 'Hi' },
  image: { viber_image: IMAGE },
  'text+link': { viber_message: 'Hi', ...LINK },
  'text+image+link': { viber_message: 'Hi', viber_image: IMAGE, ...LINK },
  carousel: { viber_message: 'Hi', viber_carousel: slides(2) },
};
/** Whether the gateway takes an operation. */
const takes = async (operation: Operation) => (await runOne(sandbox, operation)).success;

describe('every operation', () => {
  test.each(Object.keys(GOOD))(
    '%s is taken as it is, and refused without any required property',
    async (type) => {
      expect(await runOne(sandbox, GOOD[type])).toMatchObject({ success: true, data: { id: 1 } });
      for (const name of Object.keys(GOOD[type])) {
        const answer = await runOne(sandbox, without(GOOD[type], name));
        expect({ name, success: answer.success }).toEqual({ name, success: false });
        expect(answer.data).toHaveProperty('id');
        expect(typeof answer.error).toBe('string');
      }
    },
  );

  test.each(Object.keys(GOOD))(
    '%s needs whole JSON numbers as id and phone, and may hold properties that nobody knows',
    async (type) => {
      const outcomes: Array<[name: string, isTaken: boolean, values: unknown[]]> = [
        ['id', true, [0, 2 ** 53 - 1]],
        ['id', false, ['1', 1.5, 2 ** 53, -1, null]],
        ['phone', true, [999_999_999_999_999]],
        ['phone', false, [String(PHONE), `+${PHONE}`, -PHONE, 0, 1_000_000_000_000_000]],
      ];
      for (const [name, isTaken, values] of outcomes) {
        for (const value of values)
          expect([value, await takes({ ...GOOD[type], [name]: value })]).toEqual([value, isTaken]);
      }
      expect(await takes({ ...GOOD[type], colour: 'red' })).toBe(true);
      expect(sandbox.requests.at(-1)?.undeclared).toEqual(['data[0].colour']);
    },
  );
});

describe('payloads', () => {
  test('sends carry id, msg_id and parts; viber carries data besides', async () => {
    const { data } = await run(sandbox, [
      { ...GOOD.sms, sms_message: 'x'.repeat(161) },
      GOOD.viber,
      GOOD.rcs,
    ]);
    expect(data[0].data).toEqual({ id: 1, msg_id: expect.any(Number), parts: 2 });
    expect(data[1].data).toEqual({ id: 1, msg_id: expect.any(Number), parts: 1, data: expect.any(Number) });
    expect(Number.isInteger(data[1].data.data)).toBe(true);
    expect(data[2].data).not.toHaveProperty('data');
    expect(new Set(data.map((item) => item.data.msg_id)).size).toBe(3);
  });

  test('call/otp gives a code of four digits and a price, and refuses some operators', async () => {
    const { data } = await runOne(sandbox, GOOD['call/otp']);
    expect(data.code).toMatch(/^\d{4}$/);
    expect(typeof data.price).toBe('number');
    expect(sandbox.messages.byId(1)[0].code).toBe(data.code);
    const refused = await runOne(sandbox, { ...GOOD['call/otp'], phone: 380501230404 });
    expect(refused).toEqual({ success: false, error: 'Operator not supported', data: { id: 1 } });
  });

  test('balance falls with what is sent, and a prepaid account without money sends nothing', async () => {
    const balance = async () => (await runOne(sandbox, { type: 'balance' })).data;
    const before = await balance();
    expect(before).toEqual({ amount: expect.any(Number), currency: 'EUR' });
    await runOne(sandbox, GOOD.sms);
    expect((await balance()).amount).toBeCloseTo((before.amount as number) - 0.05, 6);
    Object.assign(sandbox.account(), { prepaid: true, balance: { amount: 0.01, currency: 'EUR' } });
    expect((await runOne(sandbox, GOOD.sms)).error).toBe('Not enough funds');
    Object.assign(sandbox.account(), { prepaid: false, balance: before });
  });

  test('status tells what became of a message, and fails for an unknown id', async () => {
    const status = async (id: unknown) => await runOne(sandbox, { type: 'status', id });
    sandbox.configure({ outcomes: { afterMs: 1 } });
    const { data } = await runOne(sandbox, { ...GOOD.sms, id: 55 });
    await sandbox.settled();
    expect((await status(55)).data).toMatchObject({
      id: 55,
      msg_id: data.msg_id,
      type: 'sms',
      status: 'DELIVERED',
    });
    expect(await status(56)).toEqual({ success: false, error: 'Message not found', data: { id: 56 } });
    for (const id of ['55', undefined]) expect((await status(id)).success).toBe(false);
    sandbox.configure({ outcomes: { afterMs: 200 } });
  });

  test('a status that lags knows a message later, and of an id that was taken twice the first message', async () => {
    const status = async () => await runOne(sandbox, { type: 'status', id: 1 });
    const other = sandbox.addAccount({ key: 'other', name: 'other' });
    sandbox.configure({ statusLag: 60_000 });
    const { msg_id: first } = (await runOne(sandbox, GOOD.sms)).data;
    expect((await status()).success).toBe(false);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
    await run(sandbox, [GOOD.sms]);
    await run(sandbox, [GOOD.sms], other.key);
    expect((await status()).data.msg_id).toBe(first);
    expect((await run(sandbox, [{ type: 'status', id: 1 }], other.key)).data[0].success).toBe(false);
    jest.restoreAllMocks();
    sandbox.configure({ statusLag: 0 });
  });

  test('senders come by channel, and a number with its networks', async () => {
    const { data } = await run(sandbox, [{ type: 'sender' }, GOOD.hlr]);
    expect(data[0].data).toMatchObject({ sms: ['TestSender', 'InfoSender'] });
    expect(data[1].data).toMatchObject({ phone: PHONE, network: { origin: {} } });
  });
});

describe('limits', () => {
  test.each([
    ['sms_lifetime', ['sms'], 3600, 259_200],
    ['viber_lifetime', ['viber', 'viber+sms', 'rcs+viber+sms'], 60, undefined],
    ['rcs_lifetime', ['rcs', 'rcs+sms', 'rcs+viber+sms'], 60, undefined],
    ['telegram_lifetime', ['telegram'], 60, undefined],
  ])('%s of %j: from %d to %d', async (name, types, min, max) => {
    for (const type of types) {
      const answers = [min - 1, min, String(min), ...(max === undefined ? [] : [max, max + 1])].map(
        async (value) => await takes({ ...GOOD[type], [name]: value }),
      );
      expect(await Promise.all(answers)).toEqual([false, true, false, true, false].slice(0, answers.length));
    }
  });

  test('a telegram password has 4 to 8 digits', async () => {
    const passwords = ['1234', '12345678', '123', '123456789', '12a4', '١٢٣٤'];
    const taken = await Promise.all(passwords.map((message) => takes({ ...GOOD.telegram, message })));
    expect(passwords.filter((_, i) => taken[i])).toEqual(['1234', '12345678']);
  });

  test.each(['viber', 'rcs+viber+sms'])('a carousel of %s has 2 to 5 slides', async (type) => {
    const taken = [1, 2, 5, 6].map((count) =>
      takes({ ...GOOD[type], viber_type: 'carousel', viber_carousel: slides(count) }),
    );
    expect(await Promise.all(taken)).toEqual([false, true, true, false]);
  });

  test('a slide needs caption, image, url and button; url2 and button2 may be there', async () => {
    const send = (slide: object) =>
      takes({ ...GOOD.viber, viber_type: 'carousel', viber_carousel: [SLIDE, slide] });
    for (const name of Object.keys(SLIDE)) expect(await send(without(SLIDE, name))).toBe(false);
    expect(await send({ ...SLIDE, url2: 'https://example.com/2', button2: 'More' })).toBe(true);
    expect(await send({ ...SLIDE, url2: 5 })).toBe(false);
    expect(await send({ ...SLIDE, price: 5 })).toBe(true);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual(['data[0].viber_carousel[1].price']);
  });
});

describe('viber_type', () => {
  const all = ['viber', 'viber+sms', 'rcs+viber+sms'].flatMap((type) =>
    Object.keys(VIBER_BY_TYPE).map((viberType): [string, string] => [type, viberType]),
  );
  test.each(all)('%s with %s demands exactly its own properties', async (type, viberType) => {
    const bare = ['viber_message', 'viber_image', 'viber_button', 'viber_link'].reduce(without, GOOD[type]);
    const operation = { ...bare, viber_type: viberType, ...VIBER_BY_TYPE[viberType] };
    const offered = !(type === 'viber+sms' && viberType === 'carousel');
    expect(await takes(operation)).toBe(offered);
    for (const name of Object.keys(VIBER_BY_TYPE[viberType])) {
      expect(await takes(without(operation, name))).toBe(false);
    }
  });

  test('an unknown value is refused, and properties of another value are noted as unused', async () => {
    expect(await takes({ ...GOOD.viber, viber_type: 'video' })).toBe(false);
    await runOne(sandbox, { ...GOOD.viber, viber_image: IMAGE });
    expect(sandbox.messages.list().at(-1)?.unused).toEqual(['viber_image']);
  });
});

describe('errors of the contract', () => {
  test('an unknown signature is an Error in Alpha-name', async () => {
    for (const good of Object.values(GOOD)) {
      for (const name of Object.keys(good).filter((key) => key.endsWith('_signature'))) {
        const answer = await runOne(sandbox, { ...good, [name]: 'Nobody' });
        expect(answer).toEqual({ success: false, error: 'Error in Alpha-name', data: { id: 1 } });
      }
    }
  });

  test('a type that is none is an Invalid message type', async () => {
    for (const type of ['whatsapp', 'fax', '', 'toString', undefined, 5]) {
      const answer = await runOne(sandbox, { ...GOOD.sms, type });
      expect(answer).toEqual({ success: false, error: 'Invalid message type', data: { id: 1 } });
    }
  });

  test('an SMS of emoji only has no text', async () => {
    for (const text of ['', '  ', '🎉🎉', '👍🏽 ❤️']) {
      const answer = await runOne(sandbox, { ...GOOD.sms, sms_message: text });
      expect(answer.error).toBe('Please enter SMS text');
    }
    expect(await takes({ ...GOOD.sms, sms_message: '🎉 5' })).toBe(true);
  });

  test.each(['sms', 'call/otp'])('a repeated id of %s is counted, or refused if set so', async (type) => {
    for (const _ of [1, 2]) expect(await takes(GOOD[type])).toBe(true);
    expect(sandbox.messages.doubled()).toEqual([[1, 2]]);
    sandbox.configure({ rules: { duplicateIds: 'refuse' } });
    expect((await runOne(sandbox, GOOD[type])).error).toBe('Duplicate message id');
    expect(await takes({ ...GOOD[type], id: 2 })).toBe(true);
    expect(sandbox.messages.acceptances(1)).toBe(2);
    sandbox.configure({ rules: { duplicateIds: 'accept' } });
  });

  test('links are short or unsubscribe only where the tariff offers it', async () => {
    for (const isOffered of [false, true]) {
      sandbox.account().tariff = { short_link: isOffered, unsubscribe_link: isOffered };
      expect(await takes({ ...GOOD.sms, short_link: true })).toBe(isOffered);
      expect(await takes({ ...GOOD.sms, unsubscribe_link: true })).toBe(isOffered);
      expect(await takes({ ...GOOD.sms, short_link: false })).toBe(true);
      expect(await takes({ ...GOOD.sms, short_link: 'yes' })).toBe(false);
    }
  });
});

test('a property of another type is taken and recorded, and one of the type itself is checked', async () => {
  const undeclared: Array<[type: string, name: string, value: unknown]> = [
    ['viber+sms', 'sms_lifetime', 7200],
    ['viber+sms', 'viber_carousel', slides(2)],
    ['voice', 'hook', 'http://127.0.0.1/'],
    ['telegram', 'short_link', true],
    ['viber', 'unsubscribe_link', true],
    ['call/otp', 'hook', 'http://127.0.0.1/'],
  ];
  for (const [type, name, value] of undeclared) {
    expect([type, name, await takes({ ...GOOD[type], [name]: value })]).toEqual([type, name, true]);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual([`data[0].${name}`]);
  }
  const voice = GOOD.voice.voice as Operation;
  const refused = [
    ...['', 'nowhere', 'ftp://example.com/', 5].map((hook) => ({ ...GOOD.sms, hook })),
    ...Object.keys(voice).map((name) => ({ ...GOOD.voice, voice: without(voice, name) })),
    { ...GOOD.voice, voice: { ...voice, gender: 'other' } },
    { ...GOOD.voice, dtmf: 1 },
  ];
  for (const operation of refused) expect([operation, await takes(operation)]).toEqual([operation, false]);
  expect(await takes({ ...GOOD.voice, voice: { ...voice, gender: 'male' } })).toBe(true);
});
