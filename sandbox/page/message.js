/** A message on a phone: what the recipient sees, what became of it, and what a person can do with it. */
import { callbackLine } from './callback-line.js';
import { canBeRead, channelName, nextChannel, noteOnAnswers, senderOf } from './channels.js';
import { billing, content } from './content.js';
import { messageDetails } from './details.js';
import { act } from './do.js';
import { button, clock, el, icon, textOf } from './dom.js';
import { path } from './path.js';
import { callbacksOf, requests, tone } from './store.js';

const TICKS = {
  DELIVERED: ['delivered', 'Delivered'],
  'PARTIALLY DELIVERED': ['delivered', 'Partially delivered'],
  READ: ['read', 'Read'],
  REPLIED: ['read', 'Answered'],
  ACCEPTED: ['sent', 'Sent'],
  QUEUED: ['waiting', 'Queued'],
  ROUTING: ['sent', 'Sent'],
};

function words(status) {
  const lower = textOf(status).toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** The ticks of a message, with their meaning in words. */
function ticks({ status, channel }) {
  const [drawing, meaning] = TICKS[status] ?? [tone(status) === 'bad' ? 'failed' : 'waiting', words(status)];
  const call = channel === 'voice' || channel === 'call';
  const said = call ? ({ Sent: 'Ringing', Delivered: 'Answered' }[meaning] ?? meaning) : meaning;
  return el('span', { class: `ticks ${tone(status)} ${drawing}`, title: status }, icon(drawing), said);
}

function toolbar(label, className, ...buttons) {
  return el('div', { role: 'group', class: className, 'aria-label': label }, ...buttons);
}

function actions(message) {
  const { channel, status } = message;
  const call = channel === 'voice' || channel === 'call';
  const next = nextChannel(message);
  const failing = next ? `Failed → ${channelName(next)}` : call ? 'Not answered' : 'Failed';
  const title = next
    ? `${channelName(channel)} fails, and ${channelName(next)} is tried next`
    : 'It is the last channel: the message fails for good';
  const choice = (caption, drawing, done, press, more = {}) =>
    button(caption, {
      icon: drawing,
      'data-focus': drawing,
      'aria-pressed': done ? 'true' : 'false',
      onclick: () => press(),
      ...more,
    });
  return toolbar(
    'What becomes of this message',
    'actions',
    choice(call ? 'Answered' : 'Delivered', 'delivered', status === 'DELIVERED', () =>
      act(message, 'status', { status: 'DELIVERED', ...(call ? { duration: 12 } : {}) }),
    ),
    canBeRead(channel)
      ? choice('Read', 'read', status === 'READ', () => act(message, 'status', { status: 'READ' }))
      : null,
    choice(failing, 'failed', tone(status) === 'bad', () => act(message, 'fail', {}), {
      class: 'danger',
      title,
    }),
  );
}

function takesDigits({ channel, type, operation }) {
  if (channel !== 'voice') return false;
  return type === 'pipeline' || operation.dtmf === true;
}

function keypad(message) {
  if (!takesDigits(message)) return null;
  const keys = [...'123456789*0#'].map((digit) =>
    button(digit, {
      'aria-label': `Press ${digit}`,
      'data-focus': `key ${digit}`,
      onclick: () => act(message, 'dtmf', { digit }),
    }),
  );
  return toolbar('Keypad of the call', 'keypad', ...keys);
}

function answer(reply) {
  return el(
    'div',
    { class: 'answer' },
    el('p', { class: 'words' }, textOf(reply.message)),
    reply.media ? el('p', { class: 'app-note' }, `Attachment: ${textOf(reply.media.filename)}`) : null,
    el('span', { class: 'foot' }, el('span', {}, 'Answer'), clock(reply.datetime)),
  );
}

/** Everything on which the looks of a message depend. */
export function versionOf(message) {
  const { history, ...rest } = message;
  const sent = callbacksOf(message.msgId).map(({ seq, state, tries }) => [seq, state, tries.length]);
  return JSON.stringify([
    rest.status,
    rest.channel,
    rest.replies,
    rest.reply,
    rest.duration,
    history.length,
    sent,
    requests.get(message.request)?.status,
  ]);
}

/** A message with the answers of its recipient. */
export function messageCard(message) {
  const { channel, operation } = message;
  const sender = senderOf(message, channel);
  const viberType = channel === 'viber' ? textOf(operation.viber_type) : undefined;
  const note = noteOnAnswers(channel);
  return el(
    'article',
    {
      class: 'message',
      'data-channel': channel,
      'data-msg-id': String(message.msgId),
      'aria-label': `${channelName(channel)} message ${message.id}`,
    },
    el(
      'header',
      { class: 'message-head' },
      el('span', { class: 'tile' }, icon(channel)),
      el('span', { class: 'badge' }, channelName(channel)),
      sender ? el('span', { class: 'sender' }, sender, channel === 'rcs' ? icon('verified') : null) : null,
      clock(message.acceptedAt),
    ),
    path(message),
    el(
      'div',
      { class: 'app' },
      el(
        'div',
        { class: 'bubble', 'data-rich': viberType },
        content(message),
        keypad(message),
        el('span', { class: 'foot' }, el('span', { class: 'billing' }, billing(message)), ticks(message)),
      ),
      message.replies.map(answer),
      message.replies.length > 0 && note ? el('p', { class: 'app-note answer-note' }, note) : null,
    ),
    message.error ? el('p', { class: 'line bad' }, icon('warning'), textOf(message.error)) : null,
    actions(message),
    callbackLine(message),
    messageDetails(message),
  );
}
