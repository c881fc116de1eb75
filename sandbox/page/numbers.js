/** The list of numbers: search, unread messages, which phones are shown. */
import { channelName, wordsOf } from './channels.js';
import { button, clock, el, icon, prettyPhone, textOf } from './dom.js';
import { showPhone, shownPhones, togglePhone } from './phones.js';
import { reconcile } from './reconcile.js';
import { changed, threads, tone, view } from './store.js';

const MOST_SHOWN = 300;

const byId = (id) => document.getElementById(id);

/** Whether a thread has what is searched for: digits of its number, or words, senders and ids of its messages. */
function matches({ phone, list }, search) {
  if (search === '') return true;
  const digits = search.replace(/[\s()+-]/g, '');
  if (/^\d+$/.test(digits) && String(phone).includes(digits)) return true;
  const wanted = search.toLowerCase();
  return list.some(
    (message) =>
      String(message.id) === search ||
      String(message.msgId) === search ||
      JSON.stringify(message.operation).toLowerCase().includes(wanted),
  );
}

function row({ phone, list, unread }, { isShown, isOnly, isEntry }) {
  const last = list.at(-1);
  return el(
    'li',
    { class: `number${isShown ? ' shown' : ''}${isOnly ? ' only' : ''}${unread > 0 ? ' fresh' : ''}` },
    el(
      'button',
      {
        type: 'button',
        class: 'number-main',
        'data-focus': 'main',
        tabIndex: isEntry ? 0 : -1,
        'aria-current': isShown ? 'true' : undefined,
        onclick: () => showPhone(phone),
      },
      el('span', { class: 'number-phone' }, prettyPhone(phone)),
      clock(last.acceptedAt),
      el('span', { class: 'number-preview' }, `${channelName(last.channel)}: ${wordsOf(last).slice(0, 80)}`),
      unread > 0
        ? el('span', { class: 'unread' }, String(unread), el('span', { class: 'hidden-text' }, ' new'))
        : el('span', { class: `dot ${tone(last.status)}`, title: textOf(last.status) }),
    ),
    button('', {
      icon: isShown ? 'close' : 'add',
      class: 'beside quiet',
      'data-focus': 'beside',
      tabIndex: isEntry ? 0 : -1,
      title: isShown ? 'Hide this phone' : 'Show this phone beside the others',
      'aria-label': isShown ? `Hide ${prettyPhone(phone)}` : `Show ${prettyPhone(phone)} beside the others`,
      onclick: () => togglePhone(phone),
    }),
  );
}

/** Brings the list in line with what is known. */
export function showNumbers() {
  const all = threads();
  const shown = shownPhones();
  const list = all.filter((thread) => matches(thread, view.search.trim())).slice(0, MOST_SHOWN);
  const focused = document.activeElement?.closest?.('#numbers > li')?.dataset.key;
  // One row is reached with the Tab key, the others from there with the arrow keys.
  const entry = list.find(({ phone }) => String(phone) === focused) ?? list[0];
  reconcile(
    byId('numbers'),
    list.map((thread) => {
      const { phone, unread } = thread;
      const last = thread.list.at(-1);
      const isShown = shown.includes(phone);
      const how = { isShown, isOnly: isShown && shown.length === 1, isEntry: thread === entry };
      return {
        key: String(phone),
        version: JSON.stringify([last.msgId, last.status, last.channel, unread, how]),
        make: () => row(thread, how),
      };
    }),
  );
  const empty = byId('nothing-found');
  empty.hidden = list.length > 0 || all.length === 0;
  byId('nothing-text').textContent = `Nothing found for “${view.search.trim()}”`;
}

/** Moves with the arrow keys: up and down among the numbers, right to the button beside, left back. */
function move(event) {
  const item = document.activeElement.closest('li');
  if (!item) return;
  const list = [...byId('numbers').children];
  const at = list.indexOf(item);
  const target = { ArrowDown: list[at + 1], ArrowUp: list[at - 1], Home: list[0], End: list.at(-1) }[
    event.key
  ];
  const beside = { ArrowRight: item.querySelector('.beside'), ArrowLeft: item.querySelector('.number-main') };
  const next = target?.querySelector('.number-main') ?? beside[event.key];
  if (next) {
    event.preventDefault();
    next.focus();
  } else if (event.key === 'ArrowUp' && at === 0) byId('search').focus();
}

/** Makes the search field and the list listen. */
export function listenToNumbers() {
  const search = byId('search');
  search.before(icon('search'));
  search.addEventListener('input', () => {
    view.search = search.value;
    changed();
  });
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    byId('numbers').querySelector('.number-main')?.focus();
  });
  byId('nothing-clear').addEventListener('click', () => {
    search.value = '';
    view.search = '';
    changed();
    search.focus();
  });
  byId('numbers').addEventListener('keydown', move);
}
