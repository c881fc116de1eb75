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
