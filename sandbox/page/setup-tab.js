/** What belongs into the credential, and where pipelines and voice calls report to. */
import { call, toast } from './do.js';
import { button, el } from './dom.js';
import * as store from './store.js';
import { credentialRows } from './welcome.js';

/** The tab of addresses, key and notification address. */
export function setupTab() {
  const credential = el('div');
  const hint = el('p', { class: 'small' });
  const input = el('input', {
    type: 'url',
    placeholder: 'http://127.0.0.1:5678/webhook/…',
    id: 'notification',
  });
  const save = button('Save', { class: 'primary' });
  save.type = 'submit';
  const onsubmit = async (event) => {
    event.preventDefault();
    const address = input.value.trim();
    const answer = await call('POST', 'accounts', { notificationUrl: address === '' ? null : address });
    if (answer)
      toast(address === '' ? 'The notification address is removed.' : 'The notification address is saved.');
  };
  void credentialRows().then((rows) => credential.replaceChildren(rows));
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
    el(
      'form',
      { class: 'row-form', onsubmit },
      el('label', { class: 'wide' }, el('span', { class: 'hidden-text' }, 'Notification address'), input),
      save,
    ),
    hint,
    el('h2', {}, 'Credential'),
    credential,
  );
  let known;
  const update = () => {
    const now = store.situation?.notificationUrl;
    if (now === known) return;
    known = now;
    input.value = now ?? '';
    hint.textContent = now ? '' : 'None is set: nobody hears of pipelines and voice calls.';
  };
  return { element, update };
}
