/** Sample messages, one for each channel, sent to the sandbox as any client would send them. */
import { call, toast } from './do.js';

/** Numbers that are reserved for fiction. */
const ANNA = 447700900123;
const BEN = 447700900456;

const PICTURE = 'https://example.com/pictures/shoes.jpg';
const SHOP = 'https://shop.example.com/';

function slides() {
  return ['Trail runner', 'City walker', 'Rain boot'].map((caption, index) => ({
    caption,
    image: `https://example.com/pictures/${index + 1}.jpg`,
    url: `${SHOP}${index + 1}`,
    button: 'Buy',
  }));
}

function operations(sender) {
  const viber = { viber_signature: sender.viber };
  const sms = { sms_signature: sender.sms };
  return [
    { type: 'sms', phone: ANNA, ...sms, sms_message: 'Your code is 482 113. It is valid for 5 minutes.' },
    {
      type: 'viber+sms',
      phone: ANNA,
      ...viber,
      ...sms,
      viber_type: 'text+image+link',
      viber_message: 'New in our shop: the autumn collection. 15% off until Sunday.',
      viber_image: PICTURE,
      viber_button: 'Have a look',
      viber_link: SHOP,
      sms_message: `New in our shop: the autumn collection. ${SHOP}`,
    },
    {
      type: 'rcs',
      phone: ANNA,
      rcs_signature: sender.rcs,
      rcs_message: 'Your parcel arrives today between 14:00 and 16:00.',
      rcs_image: 'https://example.com/pictures/parcel.png',
      rcs_button: 'Track it',
      rcs_link: 'https://track.example.com/1',
    },
    { type: 'telegram', phone: BEN, message: '739214' },
    {
      type: 'viber',
      phone: BEN,
      ...viber,
      viber_type: 'carousel',
      viber_message: 'Which pair?',
      viber_carousel: slides(),
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
      whatsapp: { message: 'Your table for two is reserved for 19:30.', signature: sender.viber },
      viber: { message: 'Your table for two is reserved for 19:30.', signature: sender.viber, type: 'text' },
      sms: { message: 'Table for 2 at 19:30 is reserved. До встречи!', signature: sender.sms },
    },
  ];
}

/** Sends the samples with the first account and its first senders. */
export async function sendSamples() {
  const credential = await call('GET', 'credential');
  const [account] = (await call('GET', 'accounts')) ?? [];
  if (!credential || !account) return;
  const first = (names) => (names[0] === undefined || names[0] === '*' ? 'Sandbox' : names[0]);
  const { sms, viber, rcs } = account.senders;
  const id = Date.now();
  const data = operations({ sms: first(sms), viber: first(viber), rcs: first(rcs) });
  const response = await fetch('/api/json.php', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: credential.apiKey,
      data: data.map((one, index) => ({ ...one, id: id + index })),
    }),
  }).catch(() => undefined);
  if (!response?.ok) toast('The sample messages could not be sent.');
}
