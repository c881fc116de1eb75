/** Messages of many kinds to two numbers that are reserved for fiction, as a person would see them on the phone page. */
const ANNA = 447700900123;
const BEN = 447700900456;
const SENDER = 'TestSender';
const SHOP = 'https://shop.example.com/';
const TABLE = 'Your table for two is reserved for 19:30.';

const slides = ['Trail runner', 'City walker', 'Rain boot'].map((caption, index) => ({
  caption,
  image: `https://example.com/pictures/${index + 1}.jpg`,
  url: `${SHOP}${index + 1}`,
  button: 'Buy',
}));

export const SAMPLES: object[] = [
  {
    type: 'sms',
    phone: ANNA,
    sms_signature: SENDER,
    sms_message: 'Your code is 482 113. It is valid for 5 minutes.',
  },
  {
    type: 'viber+sms',
    phone: ANNA,
    viber_signature: SENDER,
    viber_type: 'text+image+link',
    viber_message: 'New in our shop: the autumn collection. 15% off until Sunday.',
    viber_image: 'https://example.com/pictures/shoes.jpg',
    viber_button: 'Have a look',
    viber_link: SHOP,
    sms_signature: SENDER,
    sms_message: `New in our shop: the autumn collection. ${SHOP}`,
  },
  {
    type: 'rcs',
    phone: ANNA,
    rcs_signature: SENDER,
    rcs_message: 'Your parcel arrives today between 14:00 and 16:00.',
    rcs_image: 'https://example.com/pictures/parcel.png',
    rcs_button: 'Track it',
    rcs_link: 'https://track.example.com/1',
  },
  { type: 'telegram', phone: BEN, message: '739214' },
  {
    type: 'viber',
    phone: BEN,
    viber_signature: SENDER,
    viber_type: 'carousel',
    viber_message: 'Which pair?',
    viber_carousel: slides,
  },
  {
    type: 'voice',
    phone: BEN,
    message: 'Your appointment is tomorrow at ten. Press 1 to confirm, 2 for another time.',
    dtmf: true,
    voice: { gender: 'female', language: 'en-GB', name: 'Amy' },
  },
  {
    type: 'pipeline',
    phone: BEN,
    pipeline: ['whatsapp', 'viber', 'sms'],
    whatsapp: { message: TABLE, signature: SENDER },
    viber: { message: TABLE, signature: SENDER, type: 'text' },
    sms: { message: 'Table for 2 at 19:30 is reserved.', signature: SENDER },
  },
].map((operation, index) => ({ id: 101 + index, ...operation }));
