/** Puts the page together: the live stream, the bar at the top, what is shown when something changes. */
import { call, toast } from './do.js';
import { listenToNumbers, showNumbers } from './numbers.js';
import { showPhones } from './phones.js';
import * as store from './store.js';
import { showWelcome } from './welcome.js';

const byId = (id) => document.getElementById(id);

const AUTOMATIC = [
  ['manual', 'By hand'],
  ['DELIVERED', 'Automatic: delivered'],
  ['READ', 'Automatic: read'],
  ['UNDELIVERABLE', 'Automatic: failed'],
];

function makeBar() {
  byId('automatic').append(...AUTOMATIC.map(([value, caption]) => new Option(caption, value)));
  byId('automatic').addEventListener('change', setAutomatic);
  byId('deliver-all').addEventListener('click', async () => {
    const answer = await call('POST', 'deliver', {});
    if (answer) toast(`Delivered: ${answer.delivered === 1 ? '1 message' : `${answer.delivered} messages`}.`);
  });
  byId('clear-all').addEventListener('click', () => {
    const lost = 'Clear all messages, requests, callbacks, templates and faults? Settings stay.';
    if (confirm(lost)) void call('POST', 'reset', {});
  });
}

/** Fates of messages among which a person chooses; `own` for settings that the page has no words for. */
function automatic() {
  const { fallback } = store.situation;
  if (fallback === null) return 'DELIVERED';
  if (fallback.steps.length === 0) return 'manual';
  const [{ status }] = fallback.steps;
  return fallback.steps.length === 1 && AUTOMATIC.some(([value]) => value === status) ? status : 'own';
}

function setAutomatic() {
  const { value } = byId('automatic');
  if (value === 'own') return;
  const steps = value === 'manual' ? [] : [{ status: value }];
  void call('POST', 'config', { outcomes: { fallback: { steps } } });
}

function showBar() {
  const waiting = [...store.messages.values()].filter(store.isUndecided).length;
  const deliver = byId('deliver-all');
  deliver.disabled = waiting === 0;
  deliver.textContent = waiting === 0 ? 'Deliver all' : `Deliver all (${waiting})`;
  if (store.situation) {
    const select = byId('automatic');
    const now = automatic();
    const own = [...select.options].find(({ value }) => value === 'own');
    if (now === 'own' && !own) select.append(new Option('Automatic: as configured', 'own'));
    else if (now !== 'own') own?.remove();
    select.value = now;
  }
}

function show() {
  const empty = store.messages.size === 0;
  byId('main').dataset.empty = String(empty);
  showWelcome(empty);
  // Before it is known which phones are shown: how many fit depends on the room that this element has.
  byId('phones').hidden = empty;
  showNumbers();
  showPhones();
  showBar();
}

function connection(text, state) {
  byId('connection').textContent = text;
  byId('connection').dataset.state = state;
}

/** Updates that wait to be taken in. */
let waiting = [];

/**
 * Takes an update in with the next picture; while a mailing comes in faster than it can be drawn, several at once, with
 * as much time between them as drawing took.
 */
function takeSoon(update) {
  waiting.push(update);
  if (waiting.length > 1) return;
  const run = () => {
    const began = performance.now();
    const updates = waiting;
    waiting = [];
    store.take(updates);
    pause = Math.min(1000, performance.now() - began);
  };
  setTimeout(run, pause);
}

let pause = 0;

function listen() {
  const source = new EventSource('/sandbox/events');
  source.addEventListener('open', () => connection('Live', 'on'));
  source.addEventListener('error', () => connection('Not connected', 'off'));
  source.addEventListener('snapshot', (event) => {
    waiting = [];
    store.start(JSON.parse(event.data));
  });
  source.addEventListener('update', (event) => takeSoon(JSON.parse(event.data)));
  source.addEventListener('reset', () => {
    waiting = [];
    store.forget();
  });
}

makeBar();
listenToNumbers();
store.onChange(show);
window.addEventListener('resize', show);
listen();
show();
