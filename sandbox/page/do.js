/** What a person does: calls of the sandbox's control API, and changes of what is looked at. */
import { changed, view } from './store.js';

let toastTimer;

/** Says something for a few seconds. */
export function toast(text) {
  const box = document.getElementById('toast');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 6000);
}

/**
 * Calls the control API.
 * @param method GET, POST or DELETE
 * @param path what comes after `/sandbox/`
 * @param [body] JSON to send along
 * @returns the answer, or undefined after a refusal, whose reason is said on the page
 */
export async function call(method, path, body) {
  try {
    const response = await fetch(`/sandbox/${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    toast(answer.error ?? `The sandbox answered ${response.status}`);
  } catch {
    toast('The sandbox doesn’t answer. Is it still running?');
  }
  return undefined;
}

/** Has something become of a message: `status`, `fail`, `reply` or `dtmf`. @returns whether it did */
export async function act(message, action, input) {
  return (await call('POST', `messages/${message.msgId}/${action}`, input)) !== undefined;
}

/** What had the focus before the panel opened, for when it closes. */
let opener;

/** Opens a part of the panel, or closes it when it is open already. */
export function showPanel(panel) {
  if (view.panel === panel) return closePanel();
  opener = document.activeElement;
  view.panel = panel;
  changed();
  document.getElementById('panel-close').focus({ preventScroll: true });
}

/** Opens the details of a message, or closes them. */
export function showMessage(msgId) {
  if (view.panel === 'message' && view.msgId === msgId) return closePanel();
  opener = document.activeElement;
  Object.assign(view, { panel: 'message', msgId });
  changed();
}

/** Closes the panel; the focus goes back to where it was. */
export function closePanel() {
  view.panel = undefined;
  changed();
  if (opener?.isConnected) opener.focus({ preventScroll: true });
  else document.getElementById('search').focus({ preventScroll: true });
}
