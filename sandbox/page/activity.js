/** What came and went: requests, refused operations and why, callbacks and how they were answered. */
import { callbackSaid } from './callback-line.js';
import { rawBoxes } from './details.js';
import { clock, el, icon, jsonBox, prettyPhone, textOf } from './dom.js';
import { reconcile } from './reconcile.js';
import { callbacks, refusals, requests } from './store.js';

const MOST_SHOWN = 200;

/** One line, and what it shows when it is opened: fetched then, where `load` says so. */
function entry({ kind, drawing, title, said, at, load }, ...opened) {
  let isLoaded = false;
  const ontoggle = (event) => {
    if (!event.target.open || isLoaded) return;
    isLoaded = true;
    load?.();
  };
  const words = el('span', { class: 'what' }, el('strong', {}, title), el('span', { class: kind }, said));
  return el(
    'details',
    { ontoggle },
    el('summary', { class: kind }, icon(drawing), words, clock(at, true)),
    opened,
  );
}

function requestEntry({ seq, at, method, url, types, status, error, fault }) {
  const bad = error !== undefined || fault !== undefined || status !== 200;
  const list = Object.entries(types).map(([type, count]) => (count > 1 ? `${count} × ${type}` : type));
  const why = error ?? (fault ? `fault ${fault}` : '');
  const said = [list.join(', '), status ?? 'no answer', why].filter(Boolean).join(' · ');
  const { box, load } = rawBoxes(seq);
  const title = `${method} ${url.split('?')[0]}`;
  return entry({ kind: bad ? 'bad' : '', drawing: 'request', title, said, at, load }, box);
}

function refusalEntry({ type, id, phone, error, at, request }) {
  const boxes = request === undefined ? undefined : rawBoxes(request);
  const to = /^\d+$/.test(phone) ? ` to ${prettyPhone(phone)}` : '';
  const said = `${type || 'no type'}${id ? ` ${id}` : ''}${to}`;
  const line = { kind: 'bad', drawing: 'refused', title: `Refused: ${error}`, said, at, load: boxes?.load };
  return entry(line, boxes?.box);
}

function callbackEntry(record) {
  const [kind, said] = callbackSaid(record);
  const { at, url, payload, attempts } = record;
  const last = attempts.at(-1);
  return entry(
    { kind, drawing: 'callback', title: `Callback ${textOf(payload.status)}`, said, at },
    el('p', { class: 'small' }, `POST ${url}`),
    jsonBox(payload, 'Body of the callback'),
    last?.answer ? jsonBox(last.answer, `Answer ${last.status}`) : null,
  );
}

const KINDS = [
  [requests, requestEntry, ({ status, error, fault }) => [status, error, fault]],
  [refusals, refusalEntry, () => []],
  [callbacks, callbackEntry, ({ state, tries }) => [state, tries.length]],
];

function rows() {
  return KINDS.flatMap(([list, make, version], kind) =>
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

/** All of it, newest first. */
export function activity() {
  const list = el('ul', { class: 'activity' });
  const empty = el('p', { class: 'small' }, 'Nothing yet.');
  const update = () => {
    const shown = rows();
    empty.hidden = shown.length > 0;
    reconcile(list, shown);
  };
  return { element: el('div', { class: 'tab' }, el('h2', {}, 'Activity'), empty, list), update };
}
