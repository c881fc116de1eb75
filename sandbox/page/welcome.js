/** What a page without messages shows: how to get the first one. */
import { call, showPanel } from './do.js';
import { button, copyButton, el } from './dom.js';
import { sendSamples } from './samples.js';

const FIELDS = [
  ['API Key', 'apiKey'],
  ['Base URL', 'baseUrl'],
  ['Async URL', 'asyncUrl'],
  ['Assistant Connector URL', 'mcpUrl'],
];

/** Addresses and key of the credential, each with a button that copies it. */
export async function credentialRows() {
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

function step(number, title, ...children) {
  return el(
    'li',
    {},
    el('span', { class: 'step-number', 'aria-hidden': 'true' }, number),
    el('h3', {}, title),
    children,
  );
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
      step(
        '1',
        'Fill in the credential',
        el('p', {}, 'In n8n, create a “Messaging Gateway API” credential with:'),
        rows,
      ),
      step(
        '2',
        'Send a message',
        el('p', {}, 'Run a workflow with the Messaging Gateway node: its message appears at once.'),
      ),
      step(
        '3',
        'Decide what becomes of it',
        el(
          'p',
          {},
          'Delivered, read, failed, answered: the sandbox sends the callback that a real gateway would send.',
        ),
      ),
    ),
    el(
      'div',
      { class: 'welcome-buttons' },
      button('Send sample messages', { icon: 'send', class: 'primary', onclick: () => sendSamples() }),
      button('Where pipelines report', { icon: 'settings', onclick: () => showPanel('setup') }),
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
