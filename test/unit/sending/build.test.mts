import { messageId, phone } from '../../../nodes/MessagingGateway/fields/target.ts';
import { viberFields } from '../../../nodes/MessagingGateway/fields/viber.ts';
import { compileBuilder } from '../../../nodes/MessagingGateway/sending/build.ts';

const FORM: Record<string, unknown> = {
  phone: '380501234567',
  messageId: 5,
  viberSignature: 'ViberSender',
  viberType: 'carousel',
  viberMessage: 'Hello',
};

const build = (viberCarousel: unknown) =>
  compileBuilder({ wireType: 'viber', fields: [phone, ...viberFields, messageId] })({
    read: (name) => (name === 'viberCarousel' ? viberCarousel : FORM[name]),
    options: {},
    id: 5,
  });

it.each([{ slides: 'two' }, { slides: {} }, { slides: 2 }])(
  'refuses %j, which is not a list of slides',
  (value) => {
    expect(() => build(value)).toThrow(/^'Viber Carousel' must be a list of slides$/);
  },
);

it.each([undefined, {}, { slides: null }, { slides: [] }])('refuses %j for its number of slides', (value) => {
  expect(() => build(value)).toThrow(/^'Viber Carousel' must be .*2 to 5/);
});

it.each([null, 'text', 5])('refuses %j in place of a slide, and says which', (slide) => {
  const good = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };
  expect(() => build({ slides: [good, slide] })).toThrow(
    /^'Caption' of slide 2 in 'Viber Carousel' must be /,
  );
});

it('says which slide holds what is not text', () => {
  const good = { caption: 'a', image: 'https://example.com/a.png', url: 'https://example.com', button: 'b' };
  expect(() => build({ slides: [good, { ...good, button: {} }] })).toThrow(
    /^'Button Caption' of slide 2 in 'Viber Carousel' must be /,
  );
});
