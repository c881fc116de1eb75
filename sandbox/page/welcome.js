/** How to get the first message, and the set-up: what belongs into the credential, and where pipelines report. */
import { call, toast } from './do.js';
import { button, copyButton, el } from './dom.js';
import * as store from './store.js';

const FIELDS = [
  ['API Key', 'apiKey'],
  ['Base URL', 'baseUrl'],
  ['Async URL', 'asyncUrl'],
  ['Assistant Connector URL', 'mcpUrl'],
];

/** Addresses and key of the credential, each with a button that copies it. */
async function credentialRows() {
  const credential = await call('GET', 'credential');
  return el(
    'dl',
    { class: 'credential' },
    FIELDS.filter(([, name]) => credential?.[name]).map(([label, name]) =>
      el(
        'div',
        {},
        el('dt', {}, label),
        el('dd', {}, el('code', {}, credential[name]), copyButton(credential[name], label)),
      ),
    ),
  );
}

function step(number, title, said, ...children) {
  const circle = el('span', { class: 'step-number', 'aria-hidden': 'true' }, number);
  return el('li', {}, circle, el('h3', {}, title), el('p', {}, said), children);
}

async function fill(box) {
  const rows = await credentialRows();
  box.replaceChildren(
    el('h2', {}, 'No messages yet'),
    el(
      'p',
      {},
      'What your workflows send arrives here, by phone number. Nothing leaves this machine, nothing costs money.',
    ),
    el(
      'ol',
      {},
      step('1', 'Fill in the credential', 'In n8n, create a “Messaging Gateway API” credential with:', rows),
      step(
        '2',
        'Send a message',
        'Run a workflow with the Messaging Gateway node: its message appears at once.',
      ),
      step(
        '3',
        'Decide what becomes of it',
        'Delivered, read, failed, answered: the sandbox sends the callback that a real gateway would send.',
      ),
    ),
  );
}

/** Shows the welcome, or hides it. */
export function showWelcome(empty) {
  const box = document.getElementById('welcome');
  box.hidden = !empty;
  if (!empty || box.dataset.filled) return;
  box.dataset.filled = 'yes';
  void fill(box);
}

async function saveAddress(address) {
  const notificationUrl = address === '' ? null : address;
  if (await call('POST', 'accounts', { notificationUrl })) {
    toast(`The notification address is ${address === '' ? 'removed' : 'saved'}.`);
  }
}

/** The content of the panel with the notification address and the credential. */
export function setup() {
  const credential = el('div');
  void credentialRows().then((rows) => credential.replaceChildren(rows));
  const input = el('input', {
    type: 'url',
    placeholder: 'http://127.0.0.1:5678/webhook/…',
    'aria-label': 'Notification address',
  });
  const save = button('Save', { class: 'primary' });
  save.type = 'submit';
  const onsubmit = (event) => {
    event.preventDefault();
    void saveAddress(input.value.trim());
  };
  const element = el(
    'div',
    { class: 'tab' },
    el('h2', {}, 'Notification address'),
    el(
      'p',
      { class: 'small' },
      'Pipelines and voice calls carry no callback address of their own: their status goes here. ',
      'Use the production URL of a Messaging Gateway Trigger.',
    ),
    el('form', { class: 'row-form', onsubmit }, input, save),
    el('h2', {}, 'Credential'),
    credential,
  );
  let known;
  const update = () => {
    const now = store.situation?.notificationUrl;
    if (now !== known) input.value = now ?? '';
    known = now;
  };
  return { element, update };
}
