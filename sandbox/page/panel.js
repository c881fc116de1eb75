/** The panel beside the phones: details of a message, what came and went, or the set-up. */
import { activity } from './activity.js';
import { closePanel } from './do.js';
import { button, el } from './dom.js';
import { messageDetails } from './details.js';
import { setup } from './welcome.js';
import { view } from './store.js';

/** Each makes its element once it is opened and brings it up to date after every change. */
const CONTENTS = { message: messageDetails, activity, setup };

let open;

function make(key) {
  const { element, update } = CONTENTS[view.panel]();
  const close = button('', {
    icon: 'close',
    class: 'quiet',
    id: 'panel-close',
    'aria-label': 'Close details',
    onclick: closePanel,
  });
  const panel = document.getElementById('panel');
  panel.replaceChildren(close, el('div', { class: 'panel-body', tabIndex: 0 }, element));
  return { key, update };
}

/** Opens, closes or updates the panel as the view says. */
export function showPanelNow() {
  const panel = document.getElementById('panel');
  panel.hidden = view.panel === undefined;
  if (view.panel === undefined) {
    panel.replaceChildren();
    open = undefined;
    return;
  }
  const key = `${view.panel} ${view.panel === 'message' ? view.msgId : ''}`;
  if (open?.key !== key) open = make(key);
  open.update();
}
