import { clock, el, link } from './dom.js';

/** Names of channels as people write them. */
export const CHANNELS = {
  sms: 'SMS',
  viber: 'Viber',
  rcs: 'RCS',
  telegram: 'Telegram',
  voice: 'Voice call',
  whatsapp: 'WhatsApp',
  call: 'Code call',
};

const ARRIVED = new Set(['DELIVERED', 'READ', 'REPLIED', 'PARTIALLY DELIVERED']);
const UNDECIDED = new Set(['ACCEPTED', 'QUEUED', 'ROUTING']);

/** `good`, `bad` or `open`: how a status is coloured. */
export function tone(status) {
  if (ARRIVED.has(status)) return 'good';
  return UNDECIDED.has(status) ? 'open' : 'bad';
}

function picture(address) {
  const name = String(address).split(/[?#]/)[0].split('/').filter(Boolean).pop() ?? 'image';
  return el(
    'div',
    { class: 'picture' },
    el('img', { src: '/page/picture.svg', alt: '', width: 40, height: 32 }),
    link(address, name, 'picture-name'),
  );
}

function words(text) {
  return text === undefined || text === null ? null : el('p', { class: 'words' }, String(text));
}

function button(caption, address) {
  return link(address, String(caption ?? 'Open'), 'message-button');
}

function slide(one) {
  return el(
    'div',
    { class: 'slide' },
    picture(one.image),
    words(one.caption),
    button(one.button, one.url),
    one.url2 ? button(one.button2, one.url2) : null,
  );
}

function viber(operation) {
  const rich = operation.viber_type ?? 'text';
  const parts = [];
  if (rich.includes('image') && operation.viber_image) parts.push(picture(operation.viber_image));
  if (rich !== 'image') parts.push(words(operation.viber_message));
  if (rich.includes('link')) parts.push(button(operation.viber_button, operation.viber_link));
  if (rich === 'carousel') {
    parts.push(el('div', { class: 'carousel' }, ...(operation.viber_carousel ?? []).map(slide)));
  }
  return parts;
}

function spoken(text, voice = {}) {
  const model = [voice.name, voice.language, voice.gender].filter(Boolean).join(', ');
  return [
    el('p', { class: 'spoken' }, text ? `“${text}”` : 'A voice call'),
    model ? el('p', { class: 'small' }, `Voice: ${model}`) : null,
  ];
}

function stage(message) {
  const own = message.operation[message.channel] ?? {};
  if (message.channel === 'voice') return spoken(own.message, own);
  if (message.channel === 'telegram') return code(own.message);
  return [words(own.message ?? '(no text)')];
}

function code(digits) {
  return [el('p', { class: 'code' }, String(digits ?? '')), el('p', { class: 'small' }, 'One-time password')];
}

/** What the recipient sees of a message on the channel that it is on now. */
function content(message) {
  const { operation, channel, type } = message;
  if (type === 'pipeline') return stage(message);
  switch (channel) {
    case 'sms':
      return [words(operation.sms_message)];
    case 'viber':
      return viber(operation);
    case 'rcs':
      return [
        picture(operation.rcs_image),
        words(operation.rcs_message),
        button(operation.rcs_button, operation.rcs_link),
      ];
    case 'telegram':
      return code(operation.message);
    case 'voice':
      return spoken(operation.message, operation.voice);
    case 'call':
      return [
        el('p', { class: 'small' }, 'Missed call from a number ending in'),
        el('p', { class: 'code' }, `… ${message.code}`),
        el('p', { class: 'small' }, 'These four digits are the one-time code.'),
      ];
    default:
      return [words(JSON.stringify(operation))];
  }
}

function sender(message) {
  const { operation, channel, type } = message;
  const name = type === 'pipeline' ? operation[channel]?.signature : operation[`${channel}_signature`];
  return name === undefined ? null : el('span', { class: 'sender' }, String(name));
}

/** The channels of a message in trial order: tried, current, still to come. */
function trail(message) {
  if (message.channels.length < 2) return null;
  const now = message.channels.indexOf(message.channel);
  return el(
    'ol',
    { class: 'trail', 'aria-label': 'Channels in the order in which they are tried' },
    ...message.channels.map((channel, index) =>
      el(
        'li',
        { class: index < now ? 'tried' : index === now ? 'current' : 'next' },
        CHANNELS[channel] ?? channel,
      ),
    ),
  );
}

function actions(message, act) {
  const button = (caption, action, input, style = '') =>
    el('button', { type: 'button', class: style, onclick: () => act(message, action, input) }, caption);
  const row = [
    button('✓ Delivered', 'status', { status: 'DELIVERED' }),
    button('✓✓ Read', 'status', { status: 'READ' }),
    button('✕ Failed', 'fail', {}, 'danger'),
  ];
  return el('div', { class: 'actions', 'aria-label': 'What becomes of this message' }, ...row);
}

function keypad(message, act) {
  const takesDigits =
    message.channel === 'voice' && (message.type === 'pipeline' || message.operation.dtmf === true);
  if (!takesDigits) return null;
  return el(
    'div',
    { class: 'keypad', 'aria-label': 'Press a digit' },
    ...[...'123456789*0#'].map((digit) =>
      el(
        'button',
        { type: 'button', 'aria-label': `Press ${digit}`, onclick: () => act(message, 'dtmf', { digit }) },
        digit,
      ),
    ),
  );
}

const CALLBACK_WORDS = {
  scheduled: 'waits to be sent again',
  sending: 'is being sent',
  acknowledged: 'was taken',
  'given-up': 'was not taken',
  'not-allowed': 'was not sent: only addresses on this machine are contacted',
};

function callbackLine(callback) {
  if (!callback) return null;
  const codes = callback.tries.map((status) => status || 'no answer').join(', ');
  const bad = callback.state === 'given-up' || callback.state === 'not-allowed';
  return el(
    'p',
    { class: `small callback${bad ? ' bad' : ''}`, title: callback.url },
    `Callback ${callback.status} ${CALLBACK_WORDS[callback.state]}${codes ? ` (${codes})` : ''}`,
  );
}

function facts(message) {
  const lines = [`id ${message.id}`, `msg_id ${message.msgId}`, message.type];
  if (message.parts > 1) lines.push(`${message.parts} parts`);
  if (message.requestId) lines.push('queued');
  return el(
    'details',
    { class: 'facts' },
    el('summary', {}, lines.join(' · ')),
    el('pre', {}, JSON.stringify(message.operation, null, 2)),
  );
}

/**
 * The bubbles of one message: what came in, and below it what the recipient answered.
 * @param callback the latest callback of the message, if there is one
 * @param act called with (message, action, input) when a person presses something
 */
export function bubble(message, callback, act) {
  const channel = message.channel;
  const incoming = el(
    'article',
    { class: 'bubble', 'data-channel': channel, 'data-msg-id': String(message.msgId) },
    el(
      'div',
      { class: 'bubble-head' },
      el('span', { class: 'badge' }, CHANNELS[channel] ?? channel),
      sender(message),
      clock(message.acceptedAt),
    ),
    trail(message),
    ...content(message),
    keypad(message, act),
    el(
      'div',
      { class: 'state' },
      el('span', { class: `status ${tone(message.status)}` }, message.status),
      message.error ? el('span', { class: 'small bad' }, message.error) : null,
      message.reply ? el('span', { class: 'small' }, `pressed ${message.reply}`) : null,
      message.duration ? el('span', { class: 'small' }, `${message.duration} s`) : null,
    ),
    actions(message, act),
    callbackLine(callback),
    facts(message),
  );
  const answers = message.replies.map((reply) =>
    el('article', { class: 'bubble answer' }, words(reply.message), clock(reply.datetime)),
  );
  return [incoming, ...answers];
}
