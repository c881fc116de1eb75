/** Details of one message: facts, time line, what was sent and what was answered. */
import { callbackSaid } from './callback-line.js';
import { channelName, senderOf } from './channels.js';
import { billing } from './content.js';
import { call } from './do.js';
import { clock, copyButton, el, icon, jsonBox, prettyPhone, textOf } from './dom.js';
import { reconcile } from './reconcile.js';
import { callbacksOf, messages, requests, tone, view } from './store.js';

function fact(name, value, copied) {
  if (value === undefined || value === '') return null;
  return el('div', {}, el('dt', {}, name), el('dd', {}, value, copied && copyButton(textOf(copied), name)));
}

function facts(message) {
  return el(
    'dl',
    { class: 'facts' },
    fact('To', prettyPhone(message.phone)),
    fact('Type', message.type),
    fact('Sender', senderOf(message, message.channel)),
    fact('id', String(message.id), message.id),
    fact('msg_id', String(message.msgId), message.msgId),
    fact('request_id', message.requestId, message.requestId),
    fact('SMS', billing(message)),
    fact('Price', `${Number(message.price.toFixed(4))}`),
    fact('Callback to', message.hook ?? 'no address'),
    fact('Not in the contract', message.undeclared.join(', ')),
    fact('Without effect', message.unused.join(', ')),
  );
}

function entry(at, drawing, kind, ...said) {
  return { at, element: el('li', { class: kind }, icon(drawing), el('div', {}, said), clock(at, true)) };
}

function requestEntries(message) {
  const request = requests.get(message.request);
  if (!request) return [entry(message.acceptedAt, 'request', '', 'Accepted from the assistant connector')];
  const place = request.items > 1 ? `, operation ${message.index + 1} of ${request.items}` : '';
  const asked = entry(request.at, 'request', '', el('strong', {}, `${request.method} ${request.url}`), place);
  if (request.status === undefined) {
    return [
      asked,
      entry(request.at, 'warning', 'bad', `No answer${request.fault ? `: fault ${request.fault}` : ''}`),
    ];
  }
  const fault = request.fault ? `, fault ${request.fault}` : '';
  const answered = entry(
    request.at + (request.ms ?? 0),
    request.fault ? 'warning' : 'ok',
    request.fault ? 'bad' : 'good',
    `Answered ${request.status} after ${request.ms ?? 0} ms${fault}`,
  );
  return [asked, answered];
}

function statusEntry({ status, type, at, error }) {
  const time = Date.parse(at);
  const kind = tone(status);
  const drawing = { good: 'check', bad: 'failed', open: 'waiting' }[kind];
  const where = type ? ` · ${channelName(type)}` : '';
  return entry(time, drawing, kind, el('strong', {}, status), where, error ? ` · ${textOf(error)}` : '');
}

function callbackEntries(record) {
  const tried = record.attempts.map(({ at, ms, status, answer, problem }, index) =>
    entry(
      at,
      'callback',
      status >= 200 && status < 300 ? 'good' : 'bad',
      el('strong', {}, `Callback ${textOf(record.payload.status)}`),
      ` → ${status || `no answer${problem ? `, ${problem}` : ''}`} in ${ms} ms`,
      record.attempts.length > 1 ? `, try ${index + 1}` : '',
      answer ? el('code', { class: 'answer-text' }, answer.slice(0, 200)) : null,
    ),
  );
  if (tried.length > 0) return tried;
  const [kind, said] = callbackSaid(record);
  return [entry(record.at, 'callback', kind, `Callback ${textOf(record.payload.status)} ${said}`)];
}

function timeLine(message) {
  const replies = message.replies.map(({ datetime, message: text }) =>
    entry(
      Date.parse(datetime),
      'replied',
      'good',
      el('strong', {}, 'Answer'),
      ` ${textOf(text).slice(0, 100)}`,
    ),
  );
  const callbacks = callbacksOf(message.msgId).flatMap(callbackEntries);
  const [asked, ...answered] = requestEntries(message);
  const [accepted, ...later] = message.history.map(statusEntry);
  const entries = [asked, accepted, ...answered, ...later, ...replies, ...callbacks];
  // Equal times stay in the order of cause and effect in which they were put together.
  return entries.map((one, index) => ({ ...one, index })).sort((a, b) => a.at - b.at || a.index - b.index);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // What isn't JSON is shown as it came.
    return text;
  }
}

/** What was sent and what was answered, fetched when it is opened. */
export function rawBoxes(seq) {
  const box = el('div', {}, 'Loading…');
  const load = async () => {
    const record = await call('GET', `requests/${seq}`);
    if (!record) return box.replaceChildren('The sandbox no longer keeps it.');
    const headers = Object.entries(record.headers).map(([name, value]) => `${name}: ${textOf(value)}`);
    const head = [`${record.method} ${record.url}`, ...headers].join('\n');
    return box.replaceChildren(
      el('h3', {}, 'Request'),
      jsonBox(`${head}\n\n${pretty(record.raw).slice(0, 100_000)}`, `Request ${seq}`),
      el('h3', {}, record.status === undefined ? 'No answer' : `Answer ${record.status}`),
      record.answer === undefined
        ? null
        : jsonBox(pretty(record.answer).slice(0, 100_000), `Answer to request ${seq}`),
    );
  };
  return { box, load };
}

function lazy(summary, seq) {
  if (seq === undefined) return null;
  const { box, load } = rawBoxes(seq);
  const ontoggle = (event) => event.target.open && void load();
  return el('details', { ontoggle }, el('summary', {}, summary), box);
}

function lastCallback(message) {
  const record = callbacksOf(message.msgId).at(-1);
  if (!record) return null;
  return el(
    'details',
    {},
    el('summary', {}, 'Last callback, raw'),
    el('p', { class: 'small' }, `POST ${record.url}`),
    jsonBox(record.payload, 'Body of the callback'),
  );
}

/** The message that is looked at. */
export function messageDetails() {
  const { msgId } = view;
  const head = el('div');
  const line = el('ol', { class: 'time-line' });
  const callback = el('div');
  const first = messages.get(msgId);
  const fixed = first
    ? [
        el('h3', {}, 'Raw'),
        el(
          'details',
          {},
          el('summary', {}, 'Operation as it was sent'),
          jsonBox(first.operation, 'Operation'),
        ),
        lazy('Request and answer', first.request),
        callback,
      ]
    : [];
  const element = el('div', { class: 'tab' }, head, el('h3', {}, 'Time line'), line, fixed);
  const update = () => {
    const message = messages.get(msgId);
    if (!message) return void head.replaceChildren(el('p', {}, 'This message is gone.'));
    const title = `${channelName(message.channel)} message`;
    head.replaceChildren(el('h2', {}, title), facts(message));
    line.replaceChildren(...timeLine(message).map((one) => one.element));
    const record = callbacksOf(msgId).at(-1);
    const version = JSON.stringify([record?.seq, record?.state]);
    reconcile(callback, record ? [{ key: 'last', version, make: () => lastCallback(message) }] : []);
  };
  return { element, update };
}
