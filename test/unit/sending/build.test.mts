import { pipeline } from '../../../nodes/MessagingGateway/fields/pipeline.ts';
import { phone } from '../../../nodes/MessagingGateway/fields/target.ts';
import { viberFields } from '../../../nodes/MessagingGateway/fields/viber.ts';
import { compileBuilder } from '../../../nodes/MessagingGateway/sending/build.ts';

const FORM: Record<string, unknown> = {
  phone: '380501234567',
  viberSignature: 'ViberSender',
  viberType: 'carousel',
  viberMessage: 'Hello',
};

const build = (viberCarousel: unknown) =>
  compileBuilder({ wireType: 'viber', fields: [phone, ...viberFields] })({
    read: (name) => (name === 'viberCarousel' ? viberCarousel : FORM[name]),
    options: {},
    idFor: () => 5,
  });

it.each(['two', {}, 2])('refuses slides that are %j, which is not a list', (slides) => {
  expect(() => build({ slides })).toThrow(/^'Viber Carousel' must be a list of slides$/);
});

it.each([undefined, {}, { slides: null }, { slides: [] }])('refuses %j for its number of slides', (value) => {
  expect(() => build(value)).toThrow(/^'Viber Carousel' must be .*2 to 5/);
});

const GOOD = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };

it.each([
  ['Caption', null],
  ['Caption', 'text'],
  ['Caption', 5],
  ['Button Caption', { ...GOOD, button: {} }],
])("names '%s' of the slide that is %j", (label, slide) => {
  expect(() => build({ slides: [GOOD, slide] })).toThrow(
    `'${label}' of slide 2 in 'Viber Carousel' must be `,
  );
});

it('names the first wrong field of the form, and reads no further', () => {
  const read: string[] = [];
  const form: Record<string, unknown> = { ...FORM, viberType: 'none', viberSignature: '{{ x }}' };
  const builder = compileBuilder({ wireType: 'viber', fields: [phone, ...viberFields] });
  const get = (name: string) => {
    read.push(name);
    return form[name];
  };
  expect(() => builder({ read: get, options: {}, idFor: () => 5 })).toThrow(/^'Viber Sender' must be /);
  expect(read).toEqual(['phone', 'viberSignature']);
});

describe('additional properties', () => {
  const compile = (
    wireType: 'viber' | 'pipeline',
    form: Record<string, unknown>,
    additionalProperties: unknown,
  ) =>
    compileBuilder({
      wireType,
      fields: wireType === 'viber' ? [phone, ...viberFields] : [phone, pipeline],
    })({ read: (name) => ({ ...FORM, ...form })[name], options: { additionalProperties }, idFor: () => 5 });
  const stages = [
    { channel: 'viber', message: 'Hi', signature: 'A' },
    { channel: 'sms', message: 'Hi', signature: 'A' },
  ];
  const send = (more: unknown) => compile('pipeline', { pipeline: { stages } }, more);
  const sms = { message: 'Hi', signature: 'A' };

  it('carry the objects of channels that a pipeline does not try, as a literal gateway requires them', () => {
    const others = { telegram: { message: '' }, voice: {}, whatsapp: { message: 'x' }, tag: 'a' };
    expect(send(others)).toMatchObject({ pipeline: ['viber', 'sms'], sms, ...others });
  });

  it('of a pipeline are refused by the name of what is no object', () =>
    expect(() => send({ sms: null })).toThrow(expect.objectContaining({ reason: 'has no object in "sms"' })));

  it('may have the name of what every object has', () =>
    expect(send({ constructor: 'x' })).toMatchObject({ constructor: 'x' }));

  it('carry what the objects of the other channels lack, Viber contents among it', () => {
    const viber = { type: 'text+link', button: 'Open', link: 'https://example.com' };
    expect(send({ viber, sms: { ttl: 5 } })).toMatchObject({
      viber: { ...sms, ...viber },
      sms: { ...sms, ttl: 5 },
    });
  });

  it.each<[unknown, RegExp]>([
    [{ sms: { message: 'Other' } }, /^'Additional Properties' must be .* no field/],
    [{ voice: 'text' }, /^'Additional Properties' must be a JSON object whose "voice" is an object/],
    [{ viber: { type: 'video' } }, /^"viber.type" in 'Additional Properties' must be one of text/],
    [{ pipeline: ['sms'] }, /no field/],
    [{ id: 7 }, /no field/],
    [{ auth: 'x' }, /no field/],
    [{ hook: 'https://example.com' }, /no field/],
  ])('of a pipeline are refused: %j', (more, words) => {
    expect(() => send(more)).toThrow(words);
  });

  it.each(['viber_message', 'viber_lifetime', 'viber_image'])(
    'of a Viber message are refused where the form has them: %s',
    (name) => expect(() => compile('viber', { viberType: 'text' }, { [name]: 'x' })).toThrow(/no field/),
  );
});
