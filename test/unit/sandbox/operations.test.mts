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
const SLIDE = { caption: 'One', image: IMAGE, url: 'https://example.com/1', button: 'Buy' };
const slides = (count: number) => Array.from({ length: count }, () => SLIDE);

const VIBER_BY_TYPE: Record<string, Operation> = {
  text: { viber_message: 'Hi' },
  image: { viber_image: IMAGE },
  'text+link': { viber_message: 'Hi', viber_button: 'Go', viber_link: 'https://example.com/' },
  'text+image+link': {
    viber_message: 'Hi',
    viber_image: IMAGE,
    viber_button: 'Go',
    viber_link: 'https://example.com/',
  },
  carousel: { viber_message: 'Hi', viber_carousel: slides(2) },
};
const viberBase = without(GOOD.viber, 'viber_message');

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
    expect((await runOne(sandbox, { ...GOOD[type], colour: 'red' })).success).toBe(true);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual(['data[0].colour']);
    expect((await runOne(sandbox, GOOD[type])).success).toBe(true);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual([]);
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
      const answer = await runOne(sandbox, { ...GOOD[type], [name]: value });
      expect({ name, value, success: answer.success }).toEqual({ name, value, success: good });
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

  test('balance falls with what is sent', async () => {
    const before = (await runOne(sandbox, { type: 'balance' })).data;
    expect(before).toEqual({ amount: expect.any(Number), currency: 'EUR' });
    await runOne(sandbox, GOOD.sms);
    const after = (await runOne(sandbox, { type: 'balance' })).data;
    expect(after.amount).toBeCloseTo((before.amount as number) - 0.05, 6);
  });

  test('a prepaid account without money sends nothing', async () => {
    Object.assign(sandbox.account(), { prepaid: true, balance: { amount: 0.01, currency: 'EUR' } });
    expect((await runOne(sandbox, GOOD.sms)).error).toBe('Not enough funds');
    Object.assign(sandbox.account(), { prepaid: false, balance: { amount: 1000, currency: 'EUR' } });
    expect((await runOne(sandbox, GOOD.sms)).success).toBe(true);
  });

  test('status tells what became of a message, and fails for an unknown id', async () => {
    sandbox.configure({ outcomes: { afterMs: 1 } });
    const { data } = await runOne(sandbox, { ...GOOD.sms, id: 55 });
    await sandbox.settled();
    const status = await runOne(sandbox, { type: 'status', id: 55 });
    expect(status.data).toMatchObject({ id: 55, msg_id: data.msg_id, type: 'sms', status: 'DELIVERED' });
    sandbox.configure({ shapes: { status: 'short' } });
    const short = await runOne(sandbox, { type: 'status', id: 55 });
    expect(short.data).toEqual({ id: 55, type: 'sms', status: 'DELIVERED' });
    sandbox.configure({ shapes: { status: 'full' } });
    expect(await runOne(sandbox, { type: 'status', id: 56 })).toMatchObject({
      success: false,
      data: { id: 56 },
    });
    sandbox.configure({ rules: { unknownId: 'status' } });
    expect((await runOne(sandbox, { type: 'status', id: 56 })).data).toEqual({ id: 56, status: 'UNKNOWN' });
    sandbox.configure({ rules: { unknownId: 'error' }, outcomes: { afterMs: 200 } });
    expect((await runOne(sandbox, { type: 'status', id: '55' })).success).toBe(false);
    expect((await runOne(sandbox, { type: 'status' })).success).toBe(false);
  });

  test('senders and hlr come in the shapes asked for', async () => {
    const senders = async (shape: Sandbox['config']['shapes']['senders']) => {
      sandbox.configure({ shapes: { senders: shape } });
      return (await runOne(sandbox, { type: 'sender' })).data as unknown;
    };
    expect(await senders('strings')).toEqual({ senders: expect.arrayContaining(['TestSender']) });
    expect(await senders('array')).toEqual(expect.arrayContaining(['TestSender', 'RcsSender']));
    expect(await senders('objects')).toEqual({
      senders: expect.arrayContaining([{ name: 'ViberSender', type: 'viber', status: 'approved' }]),
    });
    expect(await senders('by-channel')).toMatchObject({ sms: ['TestSender', 'InfoSender'] });
    expect((await runOne(sandbox, GOOD.hlr)).data).toMatchObject({ phone: PHONE, network: { origin: {} } });
    sandbox.configure({ shapes: { hlr: 'flat' } });
    expect((await runOne(sandbox, GOOD.hlr)).data).toMatchObject({ operator: expect.any(String) });
    sandbox.configure({ shapes: { hlr: 'nested' } });
  });

  test('identifiers as strings where asked for', async () => {
    sandbox.configure({ shapes: { id: 'string', msgId: 'string' } });
    const { data } = await runOne(sandbox, GOOD.sms);
    expect(data).toMatchObject({ id: '1', msg_id: expect.stringMatching(/^\d+$/) });
    sandbox.configure({ shapes: { id: 'number', msgId: 'number' } });
  });
});

describe('limits', () => {
  const lifetimes: Array<[string, string, number, boolean]> = [
    ['sms', 'sms_lifetime', 3599, false],
    ['sms', 'sms_lifetime', 3600, true],
    ['sms', 'sms_lifetime', 259_200, true],
    ['sms', 'sms_lifetime', 259_201, false],
    ...['viber', 'viber+sms', 'rcs+viber+sms'].flatMap(
      (type): Array<[string, string, number, boolean]> => [
        [type, 'viber_lifetime', 59, false],
        [type, 'viber_lifetime', 60, true],
      ],
    ),
    ...['rcs', 'rcs+sms', 'rcs+viber+sms'].flatMap(
      (type): Array<[string, string, number, boolean]> => [
        [type, 'rcs_lifetime', 59, false],
        [type, 'rcs_lifetime', 60, true],
      ],
    ),
    ['telegram', 'telegram_lifetime', 59, false],
    ['telegram', 'telegram_lifetime', 60, true],
  ];
  test.each(lifetimes)('%s %s %d: %s', async (type, name, value, good) => {
    expect((await runOne(sandbox, { ...GOOD[type], [name]: value })).success).toBe(good);
    expect((await runOne(sandbox, { ...GOOD[type], [name]: String(value) })).success).toBe(false);
  });

  test.each([
    ['123', false],
    ['1234', true],
    ['12345678', true],
    ['123456789', false],
    ['12a4', false],
    ['١٢٣٤', false],
  ])('telegram password %s: %s', async (message, good) => {
    expect((await runOne(sandbox, { ...GOOD.telegram, message })).success).toBe(good);
  });

  test.each([
    [1, false],
    [2, true],
    [5, true],
    [6, false],
  ])('carousel of %d slides: %s', async (count, good) => {
    const operation = {
      ...viberBase,
      viber_type: 'carousel',
      viber_message: 'Hi',
      viber_carousel: slides(count),
    };
    expect((await runOne(sandbox, operation)).success).toBe(good);
    const fallback = { ...GOOD['rcs+viber+sms'], viber_type: 'carousel', viber_carousel: slides(count) };
    expect((await runOne(sandbox, fallback)).success).toBe(good);
  });

  test('a slide needs caption, image, url and button; url2 and button2 may be there', async () => {
    const send = (slide: object) =>
      runOne(sandbox, {
        ...viberBase,
        ...VIBER_BY_TYPE.carousel,
        viber_type: 'carousel',
        viber_carousel: [SLIDE, slide],
      });
    for (const name of Object.keys(SLIDE)) expect((await send(without(SLIDE, name))).success).toBe(false);
    expect((await send({ ...SLIDE, url2: 'https://example.com/2', button2: 'More' })).success).toBe(true);
    expect((await send({ ...SLIDE, url2: 5 })).success).toBe(false);
    expect((await send({ ...SLIDE, price: 5 })).success).toBe(true);
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
    expect((await runOne(sandbox, operation)).success).toBe(offered);
    for (const name of Object.keys(VIBER_BY_TYPE[viberType])) {
      expect((await runOne(sandbox, without(operation, name))).success).toBe(false);
    }
  });

  test('an unknown value is refused, and properties of another value are noted as unused', async () => {
    expect((await runOne(sandbox, { ...GOOD.viber, viber_type: 'video' })).success).toBe(false);
    await runOne(sandbox, { ...GOOD.viber, viber_image: IMAGE });
    expect(sandbox.messages.list().at(-1)?.unused).toEqual(['viber_image']);
  });

  test('what viber+sms takes can be narrowed to the stricter reading', async () => {
    sandbox.configure({ rules: { viberSmsTypes: ['text+image+link'] } });
    expect((await runOne(sandbox, { ...GOOD['viber+sms'], viber_type: 'text' })).success).toBe(false);
    expect((await runOne(sandbox, GOOD['viber+sms'])).success).toBe(true);
    sandbox.configure({ rules: { viberSmsTypes: ['text+image+link', 'text', 'image', 'text+link'] } });
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
    expect((await runOne(sandbox, { ...GOOD.sms, sms_message: '🎉 5' })).success).toBe(true);
  });

  test('a repeated id is accepted, counted, and refused where that is switched on', async () => {
    await run(sandbox, [GOOD.sms, GOOD.sms]);
    expect(sandbox.messages.acceptances(1)).toBe(2);
    expect(sandbox.messages.doubled()).toEqual([[1, 2]]);
    sandbox.configure({ rules: { duplicateIds: 'refuse' } });
    expect((await runOne(sandbox, GOOD.sms)).error).toBe('Duplicate message id');
    expect((await runOne(sandbox, { ...GOOD.sms, id: 2 })).success).toBe(true);
    sandbox.configure({ rules: { duplicateIds: 'accept' } });
  });

  test('tariff flags', async () => {
    sandbox.account().tariff = { short_link: false, unsubscribe_link: false };
    expect((await runOne(sandbox, { ...GOOD.sms, short_link: true })).success).toBe(false);
    expect((await runOne(sandbox, { ...GOOD.sms, unsubscribe_link: true })).success).toBe(false);
    expect((await runOne(sandbox, { ...GOOD.sms, short_link: false })).success).toBe(true);
    sandbox.account().tariff = { short_link: true, unsubscribe_link: true };
    expect((await runOne(sandbox, { ...GOOD.sms, short_link: true })).success).toBe(true);
    expect((await runOne(sandbox, { ...GOOD.sms, short_link: 'yes' })).success).toBe(false);
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
    expect((await runOne(sandbox, { ...GOOD[type], [name]: value })).success).toBe(true);
    expect(sandbox.requests.at(-1)?.undeclared).toEqual([`data[0].${name}`]);
  });

  test('hook has to be a web address where it is declared', async () => {
    for (const hook of ['', 'nowhere', 'ftp://example.com/', 5]) {
      expect((await runOne(sandbox, { ...GOOD.sms, hook })).success).toBe(false);
    }
  });

  test('voice gender is male or female, dtmf a boolean', async () => {
    const voice = GOOD.voice.voice as object;
    expect((await runOne(sandbox, { ...GOOD.voice, voice: { ...voice, gender: 'male' } })).success).toBe(
      true,
    );
    expect((await runOne(sandbox, { ...GOOD.voice, voice: { ...voice, gender: 'other' } })).success).toBe(
      false,
    );
    expect((await runOne(sandbox, { ...GOOD.voice, dtmf: 1 })).success).toBe(false);
    for (const name of Object.keys(voice)) {
      expect(
        (await runOne(sandbox, { ...GOOD.voice, voice: without(voice as Operation, name) })).success,
      ).toBe(false);
    }
  });
});
