/** The activity drawer: requests, refused operations and why, callbacks and how they were answered. */
import { callbackSaid } from './callback-line.js';
import { showMessage } from './do.js';
import { button, clock, el, icon, jsonBox, prettyPhone, textOf } from './dom.js';
import { rawBoxes } from './message-tab.js';
import { reconcile } from './reconcile.js';
import { callbacks, messages, refusals, requests } from './store.js';

const MOST_SHOWN = 200;

const FILTERS = [
  ['all', 'All'],
  ['request', 'Requests'],
  ['refusal', 'Refused'],
  ['callback', 'Callbacks'],
];

let filter = 'all';

function typesSaid({ types, items }) {
  const list = Object.entries(types).map(([type, count]) => (count > 1 ? `${count} × ${type}` : type));
  return list.join(', ') || (items > 0 ? `${items} operations` : 'no operations');
}

function opening(load, ...children) {
  let loaded = false;
  const ontoggle = (event) => {
    if (!event.target.open || loaded) return;
    loaded = true;
    load();
  };
  return el('details', { ontoggle }, ...children);
}

function requestRow(record) {
  const bad = record.error !== undefined || record.fault !== undefined || record.status !== 200;
  const said = record.error ?? (record.fault ? `fault ${record.fault}` : '');
  const { box, load } = rawBoxes(record.seq);
  return opening(
    load,
    el(
      'summary',
      { class: bad ? 'bad' : '' },
      icon('request'),
      el(
        'span',
        { class: 'what' },
        el('strong', {}, `${record.method} ${record.url.split('?')[0]}`),
        el('span', {}, typesSaid(record)),
        said ? el('span', { class: 'bad' }, said) : null,
      ),
      el('span', { class: 'code-chip' }, record.status === undefined ? '…' : String(record.status)),
      clock(record.at, true),
    ),
    box,
  );
}

function refusalRow({ type, id, phone, error, at, request }) {
  const boxes = request === undefined ? undefined : rawBoxes(request);
  const to = /^\d+$/.test(phone) ? ` to ${prettyPhone(phone)}` : '';
  return opening(
    () => boxes?.load(),
    el(
      'summary',
      { class: 'bad' },
      icon('refused'),
      el(
        'span',
        { class: 'what' },
        el('strong', {}, `Refused: ${error}`),
        el('span', {}, `${type || 'no type'}${id ? ` ${id}` : ''}${to}`),
      ),
      clock(at, true),
    ),
    boxes?.box,
  );
}

function callbackRow(record) {
  const [kind, said] = callbackSaid(record);
  const last = record.attempts.at(-1);
  const about = messages.has(record.msgId)
    ? button('Its message', { class: 'inline', onclick: () => showMessage(record.msgId) })
    : null;
  return el(
    'details',
    {},
    el(
      'summary',
      { class: kind },
      icon('callback'),
      el(
        'span',
        { class: 'what' },
        el('strong', {}, `${record.test ? 'Test callback' : 'Callback'} ${textOf(record.payload.status)}`),
        el('span', { class: kind }, said),
      ),
      clock(record.at, true),
    ),
    el('p', { class: 'small' }, `POST ${record.url} `, about),
    jsonBox(record.payload, 'Body of the callback'),
    last ? el('h3', {}, last.status ? `Answer ${last.status}` : `No answer: ${textOf(last.problem)}`) : null,
    last?.answer ? jsonBox(last.answer, 'Answer to the callback') : null,
  );
}

const KINDS = {
  request: [requests, requestRow, ({ status, error, fault }) => [status, error, fault]],
  refusal: [refusals, refusalRow, () => []],
  callback: [callbacks, callbackRow, ({ state, tries }) => [state, tries.length]],
};

function rows() {
  return Object.entries(KINDS)
    .filter(([kind]) => filter === 'all' || filter === kind)
    .flatMap(([kind, [list, make, version]]) =>
      [...list.values()].map((record) => ({ kind, make, version, record })),
    )
    .sort((a, b) => b.record.at - a.record.at || b.record.seq - a.record.seq)
    .slice(0, MOST_SHOWN)
    .map(({ kind, make, version, record }) => ({
      key: `${kind} ${record.seq}`,
      version: JSON.stringify(version(record)),
      make: () => el('li', {}, make(record)),
    }));
}

/** The tab that shows what came and went. */
export function activityTab() {
  const list = el('ul', { class: 'activity' });
  const empty = el(
    'p',
    { class: 'small' },
    'Nothing yet: requests, refused messages and callbacks are listed here.',
  );
  const chips = FILTERS.map(([name, caption]) =>
    button(caption, {
      'data-filter': name,
      onclick: () => {
        filter = name;
        update();
      },
    }),
  );
  const update = () => {
    for (const chip of chips) {
      const { filter: name } = chip.dataset;
      const count = KINDS[name]?.[0].size;
      chip.setAttribute('aria-pressed', String(name === filter));
      chip.firstChild.textContent = FILTERS.find(([one]) => one === name)[1] + (count ? ` ${count}` : '');
    }
    const shown = rows();
    empty.hidden = shown.length > 0;
    reconcile(list, shown);
  };
  const group = el('div', { class: 'chips', role: 'group', 'aria-label': 'What is listed' }, chips);
  return { element: el('div', { class: 'tab' }, el('h2', {}, 'Activity'), group, empty, list), update };
}
