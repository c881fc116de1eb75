import { bubble, CHANNELS, tone } from './bubble.js';
import { clock, el, prettyPhone } from './dom.js';

/** Most messages that one thread shows; older ones are counted only. */
const MOST_SHOWN = 200;

const byId = (id) => document.getElementById(id);

/** Messages by gateway identifier, the latest callback of each, and what is looked at. */
const messages = new Map();
const callbacks = new Map();
const seen = new Map();
let chosen;
let search = '';

function phones() {
  const threads = new Map();
  for (const message of messages.values()) {
    const thread = threads.get(message.phone) ?? { phone: message.phone, count: 0 };
    thread.count += 1;
    if (!thread.last || message.acceptedAt >= thread.last.acceptedAt) thread.last = message;
    threads.set(message.phone, thread);
  }
  return [...threads.values()].sort((a, b) => b.last.acceptedAt - a.last.acceptedAt || b.phone - a.phone);
}

function preview({ operation, type, channel, code }) {
  if (type === 'call/otp') return `Code call ${code}`;
  const text =
    type === 'pipeline'
      ? operation[channel]?.message
      : (operation[`${channel}_message`] ?? operation.message ?? operation.viber_type);
  return String(text ?? CHANNELS[channel] ?? '');
}

function showNumbers() {
  const wanted = search.replace(/\D/g, '');
  const list = phones().filter(({ phone }) => String(phone).includes(wanted));
  chosen ??= list[0]?.phone;
  if (chosen !== undefined) seen.set(chosen, phones().find(({ phone }) => phone === chosen)?.count ?? 0);
  byId('numbers').replaceChildren(
    ...list.slice(0, 300).map(({ phone, count, last }) => {
      const unread = count - (seen.get(phone) ?? 0);
      return el(
        'li',
        {},
        el(
          'button',
          {
            type: 'button',
            class: 'number',
            'aria-current': phone === chosen ? 'true' : undefined,
            onclick: () => choose(phone),
          },
          el('span', { class: 'number-phone' }, prettyPhone(phone)),
          clock(last.acceptedAt),
          el('span', { class: 'number-preview' }, preview(last)),
          unread > 0
            ? el('span', { class: 'unread', 'aria-label': `${unread} new` }, String(unread))
            : el('span', { class: `dot ${tone(last.status)}`, title: last.status }),
        ),
      );
    }),
  );
}

function thread() {
  return [...messages.values()].filter((message) => message.phone === chosen);
}

function showThread(stayDown) {
  const box = byId('thread');
  const list = thread();
  const open = new Set(
    [...box.querySelectorAll('details[open]')].map(
      (details) => details.closest('[data-msg-id]')?.dataset.msgId,
    ),
  );
  const focused = document.activeElement?.closest?.('[data-msg-id]')?.dataset.msgId;
  const focusedText = focused ? document.activeElement.textContent : undefined;
  const scroll = box.scrollTop;
  if (list.length === 0) {
    box.replaceChildren(welcome());
  } else {
    const hidden = list.length - MOST_SHOWN;
    box.replaceChildren(
      ...(hidden > 0 ? [el('p', { class: 'older' }, `${hidden} older messages are not shown`)] : []),
      ...list.slice(-MOST_SHOWN).flatMap((message) => bubble(message, callbacks.get(message.msgId), act)),
    );
  }
  for (const details of box.querySelectorAll('details')) {
    details.open = open.has(details.closest('[data-msg-id]')?.dataset.msgId);
  }
  if (focused) {
    const again = box.querySelector(`[data-msg-id="${focused}"]`);
    [...(again?.querySelectorAll('button') ?? [])].find((one) => one.textContent === focusedText)?.focus();
  }
  box.scrollTop = stayDown ? box.scrollHeight : scroll;
}

function welcome() {
  return el(
    'div',
    { class: 'welcome' },
    el('h2', {}, 'No messages yet'),
    el('p', {}, 'Run a workflow that sends a message, and it appears here at once, by phone number.'),
    el(
      'p',
      {},
      'Then press Delivered, Read or Failed below it, answer it, or press a digit of a voice call: the sandbox sends the callback that a real gateway would send.',
    ),
  );
}

function showHead() {
  const list = thread();
  const head = byId('head');
  if (chosen === undefined || list.length === 0) head.replaceChildren();
  else {
    head.replaceChildren(
      el('h2', {}, prettyPhone(chosen)),
      el('span', { class: 'small' }, list.length === 1 ? '1 message' : `${list.length} messages`),
    );
  }
  const target = answerable();
  byId('composer').hidden = !target;
  byId('composer-target').textContent = target
    ? `Answers the ${CHANNELS[target.channel] ?? target.channel} message of ${new Date(target.acceptedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`
    : '';
}

/** The message that a typed answer belongs to: the newest one on a channel that people can answer. */
function answerable() {
  return thread()
    .filter((message) => message.channel !== 'call' && message.channel !== 'voice')
    .pop();
}

function show(stayDown = false) {
  showNumbers();
  showHead();
  showThread(stayDown);
}

function choose(phone) {
  chosen = phone;
  show(true);
}

let toastTimer;
function toast(text) {
  const box = byId('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 5000);
}

async function post(path, body) {
  try {
    const response = await fetch(`/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) toast(answer.error ?? `The sandbox answered ${response.status}`);
    return response.ok;
  } catch {
    toast('The sandbox does not answer. Is it still running?');
    return false;
  }
}

function act(message, action, input) {
  return post(`messages/${message.msgId}/${action}`, input);
}

function take({ messages: list, callbacks: sent }) {
  const box = byId('thread');
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  for (const message of list) messages.set(message.msgId, message);
  for (const callback of sent) callbacks.set(callback.msgId, callback);
  // The page shows the latest; the sandbox itself keeps more.
  for (const msgId of messages.keys()) {
    if (messages.size <= 5000) break;
    messages.delete(msgId);
    callbacks.delete(msgId);
  }
  show(atEnd);
}

function connection(text, state) {
  byId('connection').textContent = text;
  byId('connection').dataset.state = state;
}

function forget() {
  messages.clear();
  callbacks.clear();
  seen.clear();
  chosen = undefined;
}

const source = new EventSource('/sandbox/events');
source.addEventListener('open', () => connection('Live', 'on'));
source.addEventListener('error', () => connection('Not connected', 'off'));
source.addEventListener('snapshot', (event) => {
  const picked = chosen;
  forget();
  chosen = picked;
  take(JSON.parse(event.data));
});
source.addEventListener('update', (event) => take(JSON.parse(event.data)));
source.addEventListener('reset', () => {
  forget();
  show();
});

byId('search').addEventListener('input', (event) => {
  search = event.target.value;
  showNumbers();
});
byId('reset').addEventListener('click', () => post('reset', {}));
byId('composer').addEventListener('submit', async (event) => {
  event.preventDefault();
  const input = byId('composer-text');
  const target = answerable();
  const text = input.value.trim();
  if (!target || text === '') return;
  if (await act(target, 'reply', { message: text })) input.value = '';
});
show();
