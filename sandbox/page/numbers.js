/** The list of numbers: search, the newest message of each, which phones are shown. */
import { channelName, wordsOf } from './channels.js';
import { clock, el, icon, prettyPhone, textOf } from './dom.js';
import { showPhone, shownPhones } from './phones.js';
import { reconcile } from './reconcile.js';
import { changed, threads, tone, view } from './store.js';

const MAX_SHOWN = 300;

const byId = (id) => document.getElementById(id);

/** Whether a thread has what is searched for: digits of its number, or words, senders and ids of its messages. */
function matches({ phone, list }, search) {
  const digits = search.replace(/[\s()+-]/g, '');
  if (/^\d+$/.test(digits) && String(phone).includes(digits)) return true;
  const wanted = search.toLowerCase();
  return list.some(
    ({ msgId, operation }) =>
      String(msgId) === search || JSON.stringify(operation).toLowerCase().includes(wanted),
  );
}

function row({ phone, list }, isShown) {
  const last = list.at(-1);
  return el(
    'li',
    {},
    el(
      'button',
      {
        type: 'button',
        class: `number${isShown ? ' shown' : ''}`,
        'data-focus': 'main',
        'aria-current': isShown ? 'true' : undefined,
        onclick: () => showPhone(phone),
      },
      el('span', { class: 'number-phone' }, prettyPhone(phone)),
      clock(last.acceptedAt),
      el('span', { class: 'number-preview' }, `${channelName(last.channel)}: ${wordsOf(last).slice(0, 80)}`),
      el('span', { class: `dot ${tone(last.status)}`, title: textOf(last.status) }),
    ),
  );
}

/** Brings the list in line with what is known. */
export function showNumbers() {
  const all = threads();
  const shown = shownPhones();
  const search = view.search.trim();
  const list = all.filter((thread) => search === '' || matches(thread, search)).slice(0, MAX_SHOWN);
  reconcile(
    byId('numbers'),
    list.map((thread) => {
      const { msgId, status, channel } = thread.list.at(-1);
      const isShown = shown.includes(thread.phone);
      return {
        key: String(thread.phone),
        version: JSON.stringify([msgId, status, channel, isShown]),
        make: () => row(thread, isShown),
      };
    }),
  );
  byId('nothing-found').hidden = list.length > 0 || all.length === 0;
  byId('nothing-found').textContent = `Nothing found for “${search}”`;
}

/** Makes the search field listen. */
export function listenToNumbers() {
  const search = byId('search');
  search.before(icon('search'));
  search.addEventListener('input', () => {
    view.search = search.value;
    changed();
  });
}
