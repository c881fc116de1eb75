/** A callback of any kind to any address of this machine, to try a trigger without sending a message. */
import { callbackSaid } from './callback-line.js';
import { call } from './do.js';
import { button, el, icon, jsonBox } from './dom.js';
import { callbacks, messages } from './store.js';

const OUTCOMES = [
  ['DELIVERED', 'Delivered'],
  ['READ', 'Read'],
  ['REPLIED', 'Replied'],
  ['PARTIALLY DELIVERED', 'Partially delivered'],
  ['UNDELIVERABLE', 'Failed: undeliverable'],
  ['EXPIRED', 'Failed: expired'],
  ['REJECTED', 'Failed: rejected'],
  ['ROUTING', 'Not final: routing'],
  ['DIGIT', 'Voice call: digit pressed'],
];

const ARRIVED = new Set(['DELIVERED', 'READ', 'REPLIED', 'PARTIALLY DELIVERED']);

/** A callback of the contract for an outcome (gateway-api.md, "Callback fields"). */
function bodyOf({ outcome, type, id }) {
  const digit = outcome === 'DIGIT';
  const status = digit ? 'DELIVERED' : outcome;
  const updated = new Date().toISOString();
  const last = [...messages.values()].findLast((message) => String(message.id) === id);
  return {
    success: ARRIVED.has(status),
    id,
    msg_id: String(last?.msgId ?? 7000000000),
    ...(digit ? { type: 'voice' } : type ? { type } : {}),
    status,
    ...(ARRIVED.has(status) || status === 'ROUTING' ? {} : { error: 'Not delivered' }),
    updated,
    ...(digit ? { reply: '1', duration: 12 } : {}),
    ...(status === 'REPLIED' ? { replies: [{ datetime: updated, message: 'Yes, please' }] } : {}),
  };
}

/** The address of the latest callback, or of the latest message that has one: likely the one to try again. */
function likelyAddress() {
  return (
    [...callbacks.values()].at(-1)?.url ?? [...messages.values()].findLast(({ hook }) => hook)?.hook ?? ''
  );
}

function field(label, control) {
  return el('label', { class: 'field tall' }, el('span', {}, label), control);
}

function resultOf(record) {
  const [kind, said] = callbackSaid(record);
  const answer = record.attempts.at(-1)?.answer;
  return [
    el(
      'p',
      { class: `line ${kind}` },
      icon(kind === 'good' ? 'ok' : 'warning'),
      el('span', {}, `Callback ${said}`),
    ),
    answer ? jsonBox(answer, 'Answer to the test callback') : '',
  ];
}

/** The tab with the form of a test callback. */
export function callbackTab() {
  const url = el('input', {
    type: 'url',
    required: true,
    placeholder: 'http://127.0.0.1:5678/webhook-test/…',
    value: likelyAddress(),
  });
  const outcome = el(
    'select',
    {},
    OUTCOMES.map(([value, caption]) => new Option(caption, value)),
  );
  const type = el(
    'select',
    {},
    ['sms', 'viber', 'rcs', 'voice', ''].map((name) => new Option(name || 'none', name)),
  );
  const id = el('input', { type: 'text', value: String([...messages.values()].at(-1)?.id ?? 1) });
  const body = el('textarea', { rows: 12, spellcheck: false, 'aria-describedby': 'body-problem' });
  const problem = el('p', { class: 'line bad', id: 'body-problem', hidden: true });
  const result = el('div', { class: 'result', role: 'status' });
  const fill = () => {
    const chosen = { outcome: outcome.value, type: type.value, id: id.value };
    body.value = JSON.stringify(bodyOf(chosen), null, 2);
  };
  for (const control of [outcome, type, id]) control.addEventListener('input', fill);
  fill();
  const send = button('Send test callback', { icon: 'send', class: 'primary' });
  send.type = 'submit';
  const onsubmit = async (event) => {
    event.preventDefault();
    const input = parsed(body.value);
    problem.hidden = input !== undefined;
    problem.textContent = input === undefined ? 'The body has to be a JSON object.' : '';
    if (!input) return;
    send.disabled = true;
    const record = await call('POST', 'callbacks', { url: url.value.trim(), body: input });
    send.disabled = false;
    result.replaceChildren(...(record ? resultOf(record) : []));
  };
  const element = el(
    'form',
    { class: 'tab', onsubmit },
    el('h2', {}, 'Test callback'),
    el(
      'p',
      { class: 'small' },
      'Posts a status callback to a trigger, or to any other address of this machine, once.',
    ),
    field('Address', url),
    el('div', { class: 'pair' }, field('Outcome', outcome), field('Channel', type), field('id', id)),
    field('Body', body),
    problem,
    send,
    result,
  );
  return { element, update: () => undefined };
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // Said below the field.
    return undefined;
  }
}
