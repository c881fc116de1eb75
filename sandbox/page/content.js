/** Contents of a message, drawn as the app of its channel would. */
import { el, icon, link, textOf } from './dom.js';

/** Addresses in a text, without the punctuation of the sentence around them. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'”’)\]}])/i;

function words(text) {
  const value = textOf(text);
  if (value === '') return null;
  // With its group, the pattern stands at every second place.
  const parts = value.split(ADDRESS).map((part, index) => (index % 2 === 1 ? link(part, part) : part));
  return el('p', { class: 'words' }, parts);
}

/** The place of a picture: it is not fetched, since nothing leaves this machine. */
function picture(address) {
  const name = textOf(address).split(/[?#]/)[0].split('/').filter(Boolean).pop() ?? 'picture';
  return el('div', { class: 'picture' }, icon('picture'), link(address, name, 'picture-name'));
}

function appButton(caption, address) {
  return link(address, textOf(caption) || 'Open', 'app-button');
}

function slide(one, index, { length }) {
  return el(
    'li',
    { class: 'slide', 'aria-label': `Slide ${index + 1} of ${length}` },
    picture(one?.image),
    words(one?.caption),
    appButton(one?.button, one?.url),
    one?.url2 ? appButton(one.button2, one.url2) : null,
  );
}

/** A text alone, as any channel shows it. */
function plain(text) {
  return [words(text) ?? el('p', { class: 'words empty' }, 'No text')];
}

function viber(operation) {
  const rich = textOf(operation.viber_type) || 'text';
  const slides = Array.isArray(operation.viber_carousel) ? operation.viber_carousel : [];
  return [
    rich.includes('image') && operation.viber_image ? picture(operation.viber_image) : null,
    rich === 'image' ? null : words(operation.viber_message),
    rich.includes('link') ? appButton(operation.viber_button, operation.viber_link) : null,
    rich === 'carousel'
      ? el(
          'ul',
          { class: 'carousel', 'data-scroll': '', tabIndex: 0, 'aria-label': 'Carousel' },
          slides.map(slide),
        )
      : null,
  ];
}

function rcs(operation) {
  return [
    picture(operation.rcs_image),
    words(operation.rcs_message),
    appButton(operation.rcs_button, operation.rcs_link),
  ];
}

/** A call of which a person hears the text: who speaks, what is said, and how long it took. */
function spoken(message, text, voice) {
  const model = [voice?.name, voice?.language, voice?.gender].map(textOf).filter(Boolean).join(' · ');
  return [
    el(
      'div',
      { class: 'call-head' },
      el('span', { class: 'call-icon' }, icon('voice')),
      el('div', {}, el('strong', {}, 'Incoming call'), el('span', { class: 'call-model' }, model)),
      el('span', { class: 'call-time' }, message.duration ? durationOf(message.duration) : ''),
    ),
    el('p', { class: 'words spoken' }, textOf(text) ? `“${textOf(text)}”` : 'No text came with this call.'),
    message.reply ? el('p', { class: 'pressed' }, 'Pressed ', el('strong', {}, textOf(message.reply))) : null,
  ];
}

/** Seconds as minutes and seconds. */
function durationOf(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function code(digits) {
  return [
    el('p', { class: 'app-note' }, 'Verification code'),
    el('p', { class: 'code' }, textOf(digits)),
    el('p', { class: 'app-note' }, 'Do not give this code to anyone.'),
  ];
}

function missedCall({ code: digits }) {
  return [
    el(
      'div',
      { class: 'call-head' },
      el('span', { class: 'call-icon missed' }, icon('call')),
      el(
        'div',
        {},
        el('strong', {}, 'Missed call'),
        el('span', { class: 'call-model' }, 'The number ends in the code'),
      ),
    ),
    el('p', { class: 'code' }, `… ${textOf(digits)}`),
  ];
}

function stage(message) {
  const own = message.operation[message.channel] ?? {};
  if (message.channel === 'voice') {
    const model = typeof own.voice === 'object' ? own.voice : own;
    return spoken(message, own.message, model);
  }
  if (message.channel === 'telegram') return code(own.message);
  return plain(own.message);
}

/** The content of a message on the channel that it is on now, as a list of elements. */
export function content(message) {
  const { operation, channel, type } = message;
  if (type === 'pipeline') return stage(message);
  switch (channel) {
    case 'viber':
      return viber(operation);
    case 'rcs':
      return rcs(operation);
    case 'telegram':
      return code(operation.message);
    case 'voice':
      return spoken(message, operation.message, operation.voice);
    case 'call':
      return missedCall(message);
    default:
      return plain(operation[`${channel}_message`] ?? operation.message);
  }
}

/** How an SMS is billed: encoding, characters and parts. Empty on other channels. */
export function billing({ channel, sms }) {
  if (channel !== 'sms' || !sms) return '';
  const parts = sms.parts === 1 ? '1 part' : `${sms.parts} parts`;
  return `${sms.encoding} · ${sms.units} of ${sms.room} · ${parts}`;
}
