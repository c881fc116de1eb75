/** The panel beside the phones: details of a message, activity, faults, set-up. */
import { activityTab } from './activity.js';
import { closePanel } from './do.js';
import { button, el } from './dom.js';
import { faultsTab } from './faults-tab.js';
import { messageTab } from './message-tab.js';
import { setupTab } from './setup-tab.js';
import { changed, view } from './store.js';

/** Each tab makes its element once it is opened and brings it up to date after every change. */
const TABS = [
  ['message', 'Message', messageTab],
  ['activity', 'Activity', activityTab],
  ['faults', 'Faults', faultsTab],
  ['setup', 'Setup', setupTab],
];

let open;

function choose(event) {
  const list = [...event.currentTarget.querySelectorAll('[role="tab"]')];
  const at = list.indexOf(document.activeElement);
  const next = {
    ArrowRight: list[at + 1] ?? list[0],
    ArrowLeft: list.at(at - 1),
    Home: list[0],
    End: list.at(-1),
  }[event.key];
  if (!next) return;
  event.preventDefault();
  next.click();
  document.getElementById(next.id)?.focus();
}

function tabButton([name, caption]) {
  const selected = name === view.panel;
  return el(
    'button',
    {
      type: 'button',
      role: 'tab',
      id: `tab-${name}`,
      'aria-selected': String(selected),
      'aria-controls': 'panel-body',
      tabIndex: selected ? 0 : -1,
      onclick: () => {
        view.panel = name;
        changed();
      },
    },
    caption,
  );
}

function make() {
  const [, , tab] = TABS.find(([name]) => name === view.panel);
  const { element, update } = tab();
  const list = TABS.filter(([name]) => name !== 'message' || view.msgId !== undefined);
  const focused = document.activeElement?.id;
  document.getElementById('panel').replaceChildren(
    el(
      'div',
      { class: 'panel-head' },
      el('div', { role: 'tablist', 'aria-label': 'Details', onkeydown: choose }, list.map(tabButton)),
      button('', {
        icon: 'close',
        class: 'quiet',
        id: 'panel-close',
        'aria-label': 'Close details',
        onclick: closePanel,
      }),
    ),
    el(
      'div',
      {
        class: 'panel-body',
        id: 'panel-body',
        role: 'tabpanel',
        tabIndex: 0,
        'aria-labelledby': `tab-${view.panel}`,
      },
      element,
    ),
  );
  if (focused?.startsWith('tab-')) document.getElementById(focused)?.focus();
  document.getElementById(`tab-${view.panel}`).scrollIntoView({ inline: 'nearest', block: 'nearest' });
  return { key: keyOf(), update };
}

const keyOf = () => `${view.panel} ${view.panel === 'message' ? view.msgId : ''}`;

/** Opens, closes or updates the panel as the view says. */
export function showPanelNow() {
  const panel = document.getElementById('panel');
  panel.hidden = view.panel === undefined;
  if (view.panel === undefined) {
    panel.replaceChildren();
    open = undefined;
    return;
  }
  if (open?.key !== keyOf()) open = make();
  open.update();
}
