/** The phones beside each other: one for each number that is shown. */
import { canBeAnswered, channelName } from './channels.js';
import { act } from './do.js';
import { button, clock, el, icon, prettyPhone } from './dom.js';
import { messageCard, versionOf } from './message.js';
import { reconcile } from './reconcile.js';
import { changed, thread, threads, view } from './store.js';

/** Most messages that one phone shows; older ones are counted only. */
const MAX_SHOWN = 100;
/** Width in pixels that a phone needs, gap included. */
const PHONE_WIDTH = 356;

/** Parts of each phone's element that are filled again and again. */
const parts = new WeakMap();

/** How many phones fit beside each other. */
function room() {
  return Math.max(1, Math.floor((document.getElementById('phones').clientWidth - 16) / PHONE_WIDTH));
}

/**
 * Numbers of the phones on the screen, from left to right as in the list from top to bottom. A number that gets a message joins them
 * on the left while there is room; where there is less room than before, the phone that was used last stays.
 */
export function shownPhones() {
  const most = room();
  view.shown = view.shown.filter((phone) => thread(phone).length > 0);
  while (view.shown.length > most) view.shown.splice(view.shown.at(-1) === view.active ? -2 : -1, 1);
  const others = threads().filter(({ phone }) => !view.shown.includes(phone));
  const news = others.slice(0, most - view.shown.length).map(({ phone }) => phone);
  view.shown.unshift(...news);
  return view.shown;
}

/** Shows a number in the place of the phone that was used last, or scrolls to it where it is shown. */
export function showPhone(phone) {
  const { shown, active } = view;
  if (!shown.includes(phone)) shown[Math.max(0, shown.indexOf(active))] = phone;
  view.active = phone;
  changed();
  const element = elementOf(phone);
  element?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  if (element) toEnd(element);
}

function elementOf(phone) {
  return document.querySelector(`.phone[data-phone="${phone}"]`);
}

function toEnd(element) {
  const { box } = parts.get(element);
  box.scrollTop = box.scrollHeight;
}

/** The message that a typed answer belongs to: the newest one on a channel that people can answer. */
function answerable(phone) {
  return thread(phone).findLast(({ channel }) => canBeAnswered(channel));
}

/** Scrolls to the message that was answered: to the end of the thread, or to its card where newer ones follow. */
function showAnswer(element, msgId) {
  const mine = parts.get(element);
  const card = mine.box.querySelector(`[data-msg-id="${msgId}"]`);
  if (card === mine.box.lastElementChild) {
    mine.atEnd = true;
    toEnd(element);
  } else mine.answered = msgId;
}

function makePhone(phone) {
  const box = el('div', {
    class: 'thread',
    role: 'log',
    tabIndex: 0,
    'aria-label': `Messages to ${prettyPhone(phone)}`,
  });
  const count = el('span', { class: 'phone-count' });
  const target = el('span', { class: 'composer-target' });
  const input = el('input', {
    type: 'text',
    placeholder: 'Answer as the recipient',
    'aria-label': `Answer from ${prettyPhone(phone)}`,
    autocomplete: 'off',
  });
  const onsubmit = async (event) => {
    event.preventDefault();
    const message = answerable(phone);
    const text = input.value.trim();
    if (!message || text === '') return;
    if (await act(message, 'reply', { message: text })) {
      input.value = '';
      // The answer comes in a moment later; it is shown even where a person had scrolled up.
      showAnswer(element, message.msgId);
    }
  };
  const send = button('', { icon: 'send', class: 'send', 'aria-label': 'Send answer' });
  send.type = 'submit';
  const composer = el(
    'form',
    { class: 'composer', onsubmit },
    target,
    el('div', { class: 'pill' }, input, send),
  );
  const element = el(
    'section',
    {
      class: 'phone',
      'data-phone': String(phone),
      'aria-label': `Phone ${prettyPhone(phone)}`,
      onfocusin: () => (view.active = phone),
    },
    el(
      'header',
      { class: 'phone-head' },
      el('span', { class: 'avatar', 'aria-hidden': 'true' }, String(phone).slice(-2)),
      el('div', {}, el('h2', {}, prettyPhone(phone)), count),
    ),
    box,
    composer,
  );
  const mine = { phone, box, count, target, composer, atEnd: true };
  parts.set(element, mine);
  // Remembered, since a box that becomes narrower has its end further down without having been scrolled.
  box.addEventListener('scroll', () => {
    mine.atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  });
  new ResizeObserver(() => mine.atEnd && toEnd(element)).observe(box);
  return element;
}

function fill(element) {
  const { phone, box, count, target, composer, atEnd } = parts.get(element);
  const list = thread(phone);
  const hidden = list.length - MAX_SHOWN;
  const older = {
    key: 'older',
    version: String(hidden),
    make: () => el('p', { class: 'older' }, `${hidden} older messages are not shown`),
  };
  const cards = list.slice(-MAX_SHOWN).map((message) => ({
    key: String(message.msgId),
    version: versionOf(message),
    make: () => messageCard(message),
  }));
  reconcile(box, hidden > 0 ? [older, ...cards] : cards);
  if (atEnd) toEnd(element);
  const mine = parts.get(element);
  if (mine.answered) {
    box
      .querySelector(`[data-msg-id="${mine.answered}"] .answer:last-child`)
      ?.scrollIntoView({ block: 'nearest' });
    mine.answered = undefined;
  }
  count.textContent = list.length === 1 ? '1 message' : `${list.length} messages`;
  const message = answerable(phone);
  composer.hidden = !message;
  if (message) {
    target.replaceChildren(
      icon('replied'),
      `Answers the ${channelName(message.channel)} of `,
      clock(message.acceptedAt),
    );
  }
}

/** Brings the phones in line with what is shown. */
export function showPhones() {
  const box = document.getElementById('phones');
  const shown = shownPhones();
  reconcile(
    box,
    shown.map((phone) => ({ key: String(phone), version: '', make: () => makePhone(phone) })),
  );
  for (const element of box.children) fill(element);
}
