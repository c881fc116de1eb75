/** How to get the first message, with what belongs into the credential. */
import { call } from './do.js';
import { copyButton, el } from './dom.js';

const FIELDS = [
  ['API Key', 'apiKey'],
  ['API Address', 'baseUrl'],
  ['Queue Address', 'asyncUrl'],
  ['Assistant Connector Address', 'mcpUrl'],
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
