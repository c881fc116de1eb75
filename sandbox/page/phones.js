/** The phones beside each other: one for each number that is shown. */
import { canBeAnswered, channelName } from './channels.js';
import { act } from './do.js';
import { button, clock, el, icon, prettyPhone } from './dom.js';
import { messageCard, versionOf } from './message.js';
import { reconcile } from './reconcile.js';
import { changed, keep, thread, threads, view } from './store.js';

/** Most messages that one phone shows; older ones are counted only. */
const MOST_SHOWN = 100;
/** Width in pixels that a phone needs, gap included. */
const PHONE_WIDTH = 356;

/** Parts of each phone's element that are filled again and again. */
const parts = new WeakMap();

/** How many phones fit beside each other. */
function room() {
  return Math.max(1, Math.floor((document.getElementById('phones').clientWidth - 16) / PHONE_WIDTH));
}

/** Numbers that the page itself chose to show while there was room, in the order in which they came. */
let chosenByPage = [];

/**
 * Numbers of the phones on the screen, from left to right. Until a person chooses, they are as many as fit; then, one that
 * gets a message joins them while there is room. A phone stays where it is when other numbers get messages.
 */
export function shownPhones() {
  const known = threads().map(({ phone }) => phone);
  const most = room();
  const chosen = view.shown?.filter((phone) => known.includes(phone));
  if (chosen?.length) {
    const isNew = ({ phone, list }) => !chosen.includes(phone) && list.at(-1).msgId > view.chosenAt;
    const left = Math.max(0, most - chosen.length);
    const news = threads()
      .filter(isNew)
      .slice(0, left)
      .map(({ phone }) => phone);
    if (news.length > 0) choose([...chosen, ...news.reverse()]);
    return news.length > 0 ? view.shown : chosen;
  }
  const kept = chosenByPage.filter((phone) => known.includes(phone));
  const news = known.filter((phone) => !kept.includes(phone)).slice(0, Math.max(0, most - kept.length));
  chosenByPage = [...kept, ...news.reverse()];
  if (chosenByPage.length <= most) return chosenByPage;
  // Less room than before, beside an open panel: the one that is used stays, and those with the latest messages.
  const latest = known.filter((phone) => chosenByPage.includes(phone) && phone !== view.active);
  const staying = [...chosenByPage.filter((phone) => phone === view.active), ...latest].slice(0, most);
  return chosenByPage.filter((phone) => staying.includes(phone));
}

function choose(phones) {
  view.shown = phones;
  view.chosenAt = threads()[0]?.list.at(-1).msgId ?? 0;
  keep();
}

function setShown(phones) {
  choose(phones);
  changed();
}

/** Shows a number in the place of the phone that was used last, or scrolls to it where it is shown. */
export function showPhone(phone) {
  const shown = shownPhones();
  if (!shown.includes(phone)) {
    const place = Math.max(0, shown.indexOf(view.active));
    setShown(shown.length < room() ? [...shown, phone] : shown.with(place, phone));
  }
  view.active = phone;
  changed();
  const element = elementOf(phone);
  element?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  if (element) toEnd(element);
}

/** Adds a phone on the right, or takes it away. */
export function togglePhone(phone) {
  const shown = shownPhones();
  const hides = shown.includes(phone);
  setShown(hides ? shown.filter((one) => one !== phone) : [...shown, phone]);
  if (document.activeElement === document.body) {
    document.querySelector(`#numbers [data-key="${phone}"] .number-main`)?.focus();
  }
  elementOf(phone)?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
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
      button('', {
        icon: 'close',
        class: 'quiet',
        'aria-label': `Hide ${prettyPhone(phone)}`,
        'data-focus': 'hide',
        onclick: () => togglePhone(phone),
      }),
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
  const hidden = list.length - MOST_SHOWN;
  const older = {
    key: 'older',
    version: String(hidden),
    make: () => el('p', { class: 'older' }, `${hidden} older messages are not shown`),
  };
  const cards = list.slice(-MOST_SHOWN).map((message) => ({
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
