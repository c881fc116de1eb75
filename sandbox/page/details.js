/** Details of one message: facts, time line, what was sent and what was answered. */
import { BY_ACCOUNT, callbackSaid } from './callback-line.js';
import { channelName } from './channels.js';
import { call, toast } from './do.js';
import { button, clock, el, fold, icon, jsonBox, textOf } from './dom.js';
import * as store from './store.js';

function fact(name, value) {
  if (value === undefined || value === '') return null;
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

/** Where the status of pipelines and voice calls goes, which carry no callback address of their own. */
function notificationForm() {
  const input = el('input', {
    type: 'url',
    value: store.situation?.notificationUrl ?? '',
    placeholder: 'Production URL of a trigger',
    'aria-label': 'Notification address',
  });
  const onsubmit = async (event) => {
    event.preventDefault();
    const notificationUrl = input.value.trim() || null;
    if (await call('POST', 'accounts', { notificationUrl })) {
      toast(
        `The notification address is ${notificationUrl ? 'saved' : 'removed'}, for messages from now on.`,
      );
    }
  };
  return el('form', { class: 'row-form', onsubmit }, input, button('Save', { type: 'submit' }));
}

function facts(message) {
  return el(
    'dl',
    { class: 'facts' },
    fact('Type', message.type),
    fact('id', String(message.id)),
    fact('msg_id', String(message.msgId)),
    fact('request_id', message.requestId),
    fact('Price', `${Number(message.price.toFixed(4))}`),
    fact('Callback to', BY_ACCOUNT.has(message.type) ? notificationForm() : (message.hook ?? 'no address')),
    fact('Not in the contract', message.undeclared.join(', ')),
    fact('Without effect', message.unused.join(', ')),
  );
}

function entry(at, drawing, kind, ...said) {
  return { at, element: el('li', { class: kind }, icon(drawing), el('div', {}, said), clock(at, true)) };
}

function requestEntries(message) {
  const request = store.requests.get(message.request);
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
  const kind = store.tone(status);
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
  const callbacks = store.callbacksOf(message.msgId).flatMap(callbackEntries);
  const [asked, ...answered] = requestEntries(message);
  const [accepted, ...later] = message.history.map(statusEntry);
  const entries = [asked, accepted, ...answered, ...later, ...replies, ...callbacks];
  // Equal times stay in the order of cause and effect in which they were put together.
  return entries.sort((a, b) => a.at - b.at).map(({ element }) => element);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A body that isn't JSON is shown as it came.
    return text;
  }
}

/** Request and answer of a message, fetched when they are opened. */
function requestBoxes(seq) {
  const box = el('div', {}, 'Loading…');
  const load = async () => {
    const record = await call('GET', `requests/${seq}`);
    if (!record) return box.replaceChildren('The sandbox no longer keeps it.');
    const headers = Object.entries(record.headers).map(([name, value]) => `${name}: ${textOf(value)}`);
    const head = [`${record.method} ${record.url}`, ...headers].join('\n');
    return box.replaceChildren(
      jsonBox(`${head}\n\n${pretty(record.raw).slice(0, 100_000)}`, `Request ${seq}`),
      el('h3', {}, record.status === undefined ? 'No answer' : `Answer ${record.status}`),
      record.answer === undefined
        ? ''
        : jsonBox(pretty(record.answer).slice(0, 100_000), `Answer to request ${seq}`),
    );
  };
  void load();
  return box;
}

/** The details that a person can open below a message: facts, time line, request and answer. */
export function messageDetails(message) {
  const { msgId, request, operation } = message;
  const record = store.callbacksOf(msgId).at(-1);
  return fold(`${msgId}`, 'Details', () => [
    facts(message),
    el('ol', { class: 'time-line' }, timeLine(message)),
    fold(`${msgId} operation`, 'Operation as it was sent', () => jsonBox(operation, 'Operation')),
    request !== undefined && fold(`${msgId} request`, 'Request and answer', () => requestBoxes(request)),
    record &&
      fold(`${msgId} callback`, 'Last callback, raw', () => [
        el('p', { class: 'small' }, `POST ${record.url}`),
        jsonBox(record.payload, 'Body of the callback'),
      ]),
  ]);
}
