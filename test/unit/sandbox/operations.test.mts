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
  test.each(Object.keys(GOOD))('%s: good as it is, refused without any required property', async (type) => {
    expect(await runOne(sandbox, GOOD[type])).toMatchObject({ success: true, data: { id: 1 } });
    for (const name of Object.keys(GOOD[type])) {
      const answer = await runOne(sandbox, without(GOOD[type], name));
      expect({ name, success: answer.success }).toEqual({ name, success: false });
      expect(answer.data).toHaveProperty('id');
      expect(typeof answer.error).toBe('string');
    }
  });

  test.each(Object.keys(GOOD))('%s: takes unknown properties and records their names', async (type) => {
    for (const [more, undeclared] of [
      [{ colour: 'red' }, ['data[0].colour']],
      [{}, []],
    ]) {
      expect(await takes({ ...GOOD[type], ...more })).toBe(true);
      expect(sandbox.requests.at(-1)?.undeclared).toEqual(undeclared);
    }
  });

  test.each(Object.keys(GOOD))('%s: id and phone have to be whole JSON numbers', async (type) => {
    const attempts: Array<[string, unknown, boolean]> = [
      ['id', '1', false],
      ['id', 1.5, false],
      ['id', 2 ** 53, false],
      ['id', -1, false],
      ['id', null, false],
      ['id', 2 ** 53 - 1, true],
      ['id', 0, true],
      ['phone', String(PHONE), false],
      ['phone', `+${PHONE}`, false],
      ['phone', -PHONE, false],
      ['phone', 0, false],
      ['phone', 1_000_000_000_000_000, false],
      ['phone', 999_999_999_999_999, true],
    ];
    for (const [name, value, good] of attempts) {
      expect([name, value, await takes({ ...GOOD[type], [name]: value })]).toEqual([name, value, good]);
    }
  });
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
    const senders = (await runOne(sandbox, { type: 'sender' })).data;
    expect(senders).toMatchObject({ sms: ['TestSender', 'InfoSender'] });
    expect((await runOne(sandbox, GOOD.hlr)).data).toMatchObject({ phone: PHONE, network: { origin: {} } });
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

  test.each([
    ['123', false],
    ['1234', true],
    ['12345678', true],
    ['123456789', false],
    ['12a4', false],
    ['١٢٣٤', false],
  ])('telegram password %s: %s', async (message, good) => {
    expect(await takes({ ...GOOD.telegram, message })).toBe(good);
  });

  test.each([
    [1, false],
    [2, true],
    [5, true],
    [6, false],
  ])('carousel of %d slides: %s', async (count, good) => {
    for (const type of ['viber', 'rcs+viber+sms']) {
      const carousel = { viber_type: 'carousel', viber_carousel: slides(count) };
      expect(await takes({ ...GOOD[type], ...carousel })).toBe(good);
    }
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
  test.each(['sms', 'viber', 'viber+sms', 'rcs', 'rcs+sms', 'rcs+viber+sms'])(
    '%s: an unknown signature is an Error in Alpha-name',
    async (type) => {
      for (const name of Object.keys(GOOD[type]).filter((key) => key.endsWith('_signature'))) {
        const answer = await runOne(sandbox, { ...GOOD[type], [name]: 'Nobody' });
        expect(answer).toEqual({ success: false, error: 'Error in Alpha-name', data: { id: 1 } });
      }
    },
  );

  test.each(['whatsapp', 'fax', '', 'toString', undefined, 5])(
    'type %p is an Invalid message type',
    async (type) => {
      const answer = await runOne(sandbox, { ...GOOD.sms, type });
      expect(answer).toEqual({ success: false, error: 'Invalid message type', data: { id: 1 } });
    },
  );

  test('an SMS of emoji only has no text', async () => {
    for (const text of ['', '  ', '🎉🎉', '👍🏽 ❤️']) {
      const answer = await runOne(sandbox, { ...GOOD.sms, sms_message: text });
      expect(answer.error).toBe('Please enter SMS text');
    }
    expect(await takes({ ...GOOD.sms, sms_message: '🎉 5' })).toBe(true);
  });

  test.each(['sms', 'call/otp'])(
    '%s: a repeated id is counted, and refused where that is switched on',
    async (type) => {
      for (const _ of [1, 2]) expect(await takes(GOOD[type])).toBe(true);
      expect(sandbox.messages.doubled()).toEqual([[1, 2]]);
      sandbox.configure({ rules: { duplicateIds: 'refuse' } });
      expect((await runOne(sandbox, GOOD[type])).error).toBe('Duplicate message id');
      expect(await takes({ ...GOOD[type], id: 2 })).toBe(true);
      expect(sandbox.messages.acceptances(1)).toBe(2);
      sandbox.configure({ rules: { duplicateIds: 'accept' } });
    },
  );

  test('tariff flags', async () => {
    for (const isOffered of [false, true]) {
      sandbox.account().tariff = { short_link: isOffered, unsubscribe_link: isOffered };
      expect(await takes({ ...GOOD.sms, short_link: true })).toBe(isOffered);
      expect(await takes({ ...GOOD.sms, unsubscribe_link: true })).toBe(isOffered);
      expect(await takes({ ...GOOD.sms, short_link: false })).toBe(true);
      expect(await takes({ ...GOOD.sms, short_link: 'yes' })).toBe(false);
    }
  });
});

describe('properties that belong to one type only', () => {
  test.each([
    ['viber+sms', 'sms_lifetime', 7200],
    ['viber+sms', 'viber_carousel', slides(2)],
    ['voice', 'hook', 'http://127.0.0.1/'],
    ['telegram', 'short_link', true],
    ['viber', 'unsubscribe_link', true],
    ['call/otp', 'hook', 'http://127.0.0.1/'],
  ])('%s has no %s', async (type, name, value) => {
    expect(await takes({ ...GOOD[type], [name]: value })).toBe(true);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual([`data[0].${name}`]);
  });

  test('hook has to be a web address where it is declared', async () => {
    for (const hook of ['', 'nowhere', 'ftp://example.com/', 5]) {
      expect(await takes({ ...GOOD.sms, hook })).toBe(false);
    }
  });

  test('voice gender is male or female, dtmf a boolean', async () => {
    const voice = GOOD.voice.voice as Operation;
    const speaks = async (one: object) => await takes({ ...GOOD.voice, voice: one });
    expect([await speaks({ ...voice, gender: 'male' }), await speaks({ ...voice, gender: 'other' })]).toEqual(
      [true, false],
    );
    for (const name of Object.keys(voice)) expect(await speaks(without(voice, name))).toBe(false);
    expect(await takes({ ...GOOD.voice, dtmf: 1 })).toBe(false);
  });
});
